/// How the command ended, as the shell sees it.
package struct ExitCode: RawRepresentable, Hashable, Sendable {
  /// 0 to 255; what a script asks for beyond that is cut to its low byte, as `exit` does.
  package var rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue & 0xFF
  }

  /// All was done; also an `unstar` of none.
  package static let done = ExitCode(rawValue: 0)
  /// Done in part, or the answer is no.
  package static let partly = ExitCode(rawValue: 1)
  /// The command line was wrong; nothing was begun.
  package static let usage = ExitCode(rawValue: 2)
  /// It could not be done.
  package static let failed = ExitCode(rawValue: 3)
  /// Ctrl-C ended it; what shells expect of a program that SIGINT ended.
  package static let interrupted = ExitCode(rawValue: 130)
}
