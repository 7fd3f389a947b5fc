import Starling
import StarlingFavorites
import StarlingModel

/// Where things are: flags beat the environment, which beats the usual places.
struct Settings {
  var databasePath: String
  var pluginFolders: [String]
  var limits: Limits
  var scriptLimits: Limits
  var keepSeconds: Int64?

  init(
    _ arguments: ParsedArguments, io: ToolIO, configuration: UserConfiguration? = nil
  ) throws(ToolError) {
    let home = io.variable("HOME") ?? "/"
    let data = io.variable("XDG_DATA_HOME") ?? "\(home)/.local/share"
    databasePath =
      arguments.value("--db") ?? io.variable("STARLING_DB") ?? "\(data)/starling/starling.db"
    pluginFolders = arguments.all("--plugins")
    if let folders = io.variable("STARLING_PLUGINS") {
      pluginFolders += folders.split(separator: ":").map(String.init)
    }
    pluginFolders.append("\(data)/starling/plugins")
    pluginFolders += Settings.foldersBesideProgram
    limits = configuration?.limits(over: .plugin) ?? .plugin
    keepSeconds = configuration?.keepSeconds
    scriptLimits = .script
    try takeLimits(arguments)
  }

  /// The file of `--config`, or `init.lua` where the user has one; nil when there is none.
  static func configurationFile(
    _ arguments: ParsedArguments, io: ToolIO
  ) throws(ToolError) -> String? {
    if let file = arguments.value("--config") {
      guard UserConfiguration.isPresent(at: file) else {
        throw ToolError(file, "no such file or directory")
      }
      return file
    }
    let usual = UserConfiguration.defaultPath { io.variable($0) }
    return usual.flatMap { UserConfiguration.isPresent(at: $0) ? $0 : nil }
  }

  /// `plugins` beside the program, or `share/starling/plugins` beside its folder.
  private static var foldersBesideProgram: [String] {
    guard let program = Terminal.programPath else { return [] }
    let folder = program.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let path = folder.joined(separator: "/")
    return ["\(path)/plugins", "\(path)/../share/starling/plugins"]
  }

  private mutating func takeLimits(_ arguments: ParsedArguments) throws(ToolError) {
    if let text = arguments.value("--max-time") {
      guard let time = Limits.time(parsing: text) else {
        throw .usage("--max-time needs a time such as 500ms, 5s or 2m, not \"\(text)\"")
      }
      limits.time = time
      scriptLimits.time = time
    }
    if let text = arguments.value("--max-memory") {
      guard let bytes = Limits.memoryBytes(parsing: text) else {
        throw .usage("--max-memory needs a size such as 64MB, not \"\(text)\"")
      }
      limits.memoryBytes = bytes
      scriptLimits.memoryBytes = bytes
    }
  }

  func configuration(log: @escaping (LogLine) -> Void) -> Host.Configuration {
    var configuration = Host.Configuration(
      database: databasePath == ":memory:" ? .memory : .file(databasePath),
      pluginFolders: pluginFolders, limits: limits, scriptLimits: scriptLimits, log: log,
      version: Tool.version)
    if let keepSeconds { configuration.keepSeconds = keepSeconds }
    return configuration
  }
}
