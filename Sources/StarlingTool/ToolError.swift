import Starling

/// What ends a command: one line for standard error, and the exit status.
package struct ToolError: Error, Hashable, Sendable {
  /// What failed, or on what: `feed.xml`, `rules check`. Empty where there is only a reason.
  package var subject: String
  /// Why, and what to do next.
  package var reason: String
  package var exitCode: ExitCode
  /// What is known of it beyond its text, where the host raised it.
  private var known: ErrorDetail?
  /// The other faults of a file, each told like the first.
  private(set) var others: [RuleFault] = []

  package init(_ subject: String, _ reason: String, exitCode: ExitCode = .failed) {
    self.subject = subject
    self.reason = reason
    self.exitCode = exitCode
  }

  /// An error of the host, in the words of the command.
  init(_ reason: String, _ error: HostError, exitCode: ExitCode) {
    self.init("", reason, exitCode: exitCode)
    known = ErrorDetail(error)
  }

  /// What is wrong in a file of rules: the first fault is the error, and the others follow it.
  init(_ error: RulesError) {
    self.init("", error.faults.first?.commandDescription ?? error.description)
    known = error.faults.first.map { ErrorDetail($0) }
    others = Array(error.faults.dropFirst())
  }

  /// The error as programs read it.
  package var detail: ErrorDetail {
    if let known { return known }
    let kind =
      switch exitCode {
      case .usage: "usage"
      case .interrupted: "canceled"
      case .partly: "absent"
      default: "host"
      }
    return ErrorDetail(kind: kind, reason, subject: subject.isEmpty ? nil : subject)
  }

  /// What was asked for is not there, which is an answer too.
  static func absent(_ subject: String, _ reason: String) -> ToolError {
    ToolError(subject, reason, exitCode: .partly)
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
