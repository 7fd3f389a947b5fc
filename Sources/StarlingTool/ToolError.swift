/// What ends a command: one line for standard error, and the exit status.
package struct ToolError: Error, Hashable, Sendable {
  /// What failed, or on what: `feed.xml`, `rules check`. Empty where there is only a reason.
  package var subject: String
  /// Why, and what to do next.
  package var reason: String
  package var exitCode: ExitCode

  package init(_ subject: String, _ reason: String, exitCode: ExitCode = .failed) {
    self.subject = subject
    self.reason = reason
    self.exitCode = exitCode
  }

  /// The command line was wrong.
  package static func usage(_ reason: String, command: String? = nil) -> ToolError {
    let help = command.map { "starling \($0) --help" } ?? "starling --help"
    return ToolError("", reason + "; see " + help, exitCode: .usage)
  }
}

extension ToolError: CustomStringConvertible {
  package var description: String {
    subject.isEmpty ? reason : subject + ": " + reason
  }
}
