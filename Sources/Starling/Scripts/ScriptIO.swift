/// The standard streams of a script, as the embedder gives them.
public struct ScriptIO {
  /// Takes a piece of standard output. False when nobody reads it any more (a closed pipe): the
  /// script then ends quietly.
  public var write: (_ piece: [UInt8]) -> Bool
  /// Takes a piece of standard error.
  public var writeError: (_ piece: [UInt8]) -> Void
  /// Gives the next piece of standard input, of at most so many bytes: empty at its end, nil when
  /// none came within a fraction of a second (it is asked again, unless the script must stop). What it
  /// throws is the script's error.
  public var read: (_ most: Int) throws(HostError) -> [UInt8]?
  /// Waits a fraction of a second for who reads the output, or the errors. True when they take the
  /// next piece at once, which is of at most `pieceSize` bytes then; nil where nobody is waited for.
  /// It is asked before each piece, so that a script whose output nobody takes ends in its time.
  public var waitForReader: ((_ ofErrors: Bool) -> Bool)?
  /// What a pipe that takes anything takes at once (POSIX, PIPE_BUF of Linux).
  public static let pieceSize = 4096
  /// Whether a person waits for each line of output; else it is written in large pieces.
  public var isInteractive: Bool

  public init(
    write: @escaping (_ piece: [UInt8]) -> Bool,
    writeError: @escaping (_ piece: [UInt8]) -> Void = { _ in },
    read: @escaping (_ most: Int) throws(HostError) -> [UInt8]? = { _ in [] },
    waitForReader: ((_ ofErrors: Bool) -> Bool)? = nil, isInteractive: Bool = false
  ) {
    self.write = write
    self.writeError = writeError
    self.read = read
    self.waitForReader = waitForReader
    self.isInteractive = isInteractive
  }

  /// The process's own streams.
  public static func standard(isInteractive: Bool = false) -> ScriptIO {
    ScriptIO(
      write: { Files.write($0, to: 1) },
      writeError: { _ = Files.write($0, to: 2) },
      read: { most throws(HostError) in try Files.readInput(atMost: most) },
      waitForReader: { isError in Files.takesOutput(isError ? 2 : 1) },
      isInteractive: isInteractive)
  }
}
