/// A script to run: its text or where that is, and what it is given.
public struct Script: Sendable {
  public enum Source: Sendable, Equatable {
    case file(String)
    /// Standard input, to its end.
    case standardInput
    /// Lua text, as `-e` gives it.
    case code(String)
  }

  /// Run one after another in one state, so that a later one sees the globals of an earlier.
  public var sources: [Source]
  /// The global `arg`, from 1 on; the arguments of the chunk (`...`) too. What is not UTF-8 in those of
  /// a command line is U+FFFD here, and as it is in the script.
  public var arguments: [String] {
    get { argumentBytes.map { String(decoding: $0, as: UTF8.self) } }
    set { argumentBytes = newValue.map { Array($0.utf8) } }
  }
  package var argumentBytes: [[UInt8]]
  public var permissions: Permissions
  /// Nil: the host's limits for scripts.
  public var limits: Limits?

  public init(
    _ sources: [Source], arguments: [String] = [], permissions: Permissions = .none,
    limits: Limits? = nil
  ) {
    self.sources = sources
    argumentBytes = arguments.map { Array($0.utf8) }
    self.permissions = permissions
    self.limits = limits
  }

  public init(file: String, arguments: [String] = [], permissions: Permissions = .none) {
    self.init([.file(file)], arguments: arguments, permissions: permissions)
  }

  /// As the history names it: the file's name, `-` for standard input, `-e` for code.
  public var name: String {
    switch sources.last {
    case .file(let path): Files.name(path)
    case .standardInput: "-"
    case .code, nil: "-e"
    }
  }
}

extension Script.Source {
  /// What messages name it, and `arg[0]`.
  var chunk: String {
    switch self {
    case .file(let path): path
    case .standardInput: "stdin"
    case .code: "-e"
    }
  }
}
