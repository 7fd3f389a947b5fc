/// A line of a Lua file.
public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
  /// The file as the user named it, or the name of a chunk that is no file.
  public var file: String
  /// Counted from 1.
  public var line: Int

  public init(file: String, line: Int) {
    self.file = file
    self.line = line
  }

  public var description: String { "\(file):\(line)" }
}
