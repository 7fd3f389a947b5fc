import Starling
import StarlingFavorites
import StarlingModel

/// What a command works with: its arguments, the streams, and the host, which is made when it is
/// first asked for.
final class CommandContext {
  let arguments: ParsedArguments
  let io: ToolIO
  private(set) var settings: Settings
  /// The user's `init.lua`, when there is one.
  private(set) var configurationFile: String?
  /// What it says; nil when there is none, or none that could be read.
  private(set) var configuration: UserConfiguration?
  /// What is wrong in it, which was said when it was read.
  private(set) var configurationFaults: [RuleFault] = []
  /// Whether the command is one of the console's.
  private(set) var isInConsole = false
  private var madeHost: Host?
  /// For reading the configuration, which may set others.
  private var configurationLimits = Limits.plugin

  /// - Parameter usesLua: whether the command runs Lua; only then is the configuration read.
  init(_ arguments: ParsedArguments, io: ToolIO, usesLua: Bool = false) throws(ToolError) {
    self.arguments = arguments
    self.io = io
    io.errorForm = arguments.has("--json") ? .json : arguments.has("--traceback") ? .full : .line
    configurationFile = try Settings.configurationFile(arguments, io: io)
    var configuration: UserConfiguration?
    if usesLua { configurationLimits = try Settings(arguments, io: io).limits }
    if usesLua, let file = configurationFile {
      do throws(RulesError) {
        configuration = try UserConfiguration(readingFrom: file, limits: configurationLimits)
      } catch {
        // A broken one counts as empty.
        configurationFaults = error.faults
        for fault in error.faults { io.report(fault.description, ErrorDetail(fault)) }
      }
    }
    self.configuration = configuration
    settings = try Settings(arguments, io: io, configuration: configuration)
  }

  /// The same surroundings and the same host for a command of the console.
  init(_ other: CommandContext, _ arguments: ParsedArguments) {
    self.arguments = arguments
    io = other.io
    settings = other.settings
    configurationFile = other.configurationFile
    configuration = other.configuration
    configurationFaults = other.configurationFaults
    madeHost = other.host
    isInConsole = true
  }

  /// Looks again for an `init.lua` where there was none when the console began. Its rules count from
  /// here on, its settings in the next console.
  func findConfiguration() throws(ToolError) {
    guard configurationFile == nil else { return }
    configurationFile = try Settings.configurationFile(arguments, io: io)
  }

  /// Reads the configuration again. A broken one leaves what was read before; what is wrong with it
  /// is in `configurationFaults`. Limits and `keep` count as they were when the host was made.
  func readConfiguration() {
    guard let file = configurationFile else { return }
    do throws(RulesError) {
      configuration = try UserConfiguration(readingFrom: file, limits: configurationLimits)
      configurationFaults = []
    } catch {
      configurationFaults = error.faults
    }
  }

  /// Works with another database from here on.
  func useDatabase(_ path: String) {
    settings.databasePath = path
    madeHost = nil
  }

  var isJSON: Bool { arguments.has("--json") }

  var host: Host {
    if let madeHost { return madeHost }
    var configuration = settings.configuration(
      log: { [io] line in CommandContext.log(line, io) })
    configuration.progress = CommandContext.bar(io)
    configuration.standardInput = { [io] most throws(HostError) in
      do throws(ToolError) { return try io.input.poll(upTo: most) } catch {
        throw HostError(.host, error.reason, subject: error.subject)
      }
    }
    let host = Host(configuration)
    madeHost = host
    return host
  }

  /// From here on Ctrl-C asks the command to end, and a second one ends the process. Only for
  /// commands that look at `isInterrupted`, or that `stop` ends.
  func catchInterrupts(_ stop: StopHandle? = nil) {
    if io.isProcess { Terminal.catchInterrupts(stop) }
  }

  /// Runs a long work in the store, which Ctrl-C ends: what it has begun to write is rolled back.
  func interruptible<Result>(
    _ name: String, _ body: () throws(HostError) -> Result
  ) throws(ToolError) -> Result {
    // In the console Ctrl-C belongs to the console, which has told the store already.
    guard io.isProcess, !isInConsole else { return try hosted(body) }
    catchInterrupts()
    let store = try store()
    store.setInterrupt { Terminal.isInterrupted }
    defer { store.setInterrupt(nil) }
    do throws(ToolError) { return try hosted(body) } catch {
      guard isInterrupted else { throw error }
      throw ToolError(name, "interrupted", exitCode: .interrupted)
    }
  }

  var isInterrupted: Bool { io.isProcess && Terminal.isInterrupted }

  /// An operand that the command's specification promises.
  func operand(_ place: Int) -> String { arguments.operand(place) ?? "" }

  /// The store, with the plugins' kinds only when the file does not know this one.
  func store(for kind: String) throws(ToolError) -> FavoritesStore {
    try hosted { () throws(HostError) in try host.store(for: kind) }
  }

  /// The store for a kind, if one is asked for.
  func store(forOptional kind: String?) throws(ToolError) -> FavoritesStore {
    guard let kind else { return try store() }
    return try store(for: kind)
  }

  func store() throws(ToolError) -> FavoritesStore {
    try hosted { () throws(HostError) in try host.store() }
  }

  /// The kind of a name.
  func kind(_ name: String, in store: FavoritesStore) throws(ToolError) -> Kind {
    if let kind = store.model[name] { return kind }
    let names = store.kinds.map(\.name)
    let advice =
      Spelling.nearest(to: name, among: names).map { "did you mean \($0)?" }
      ?? (names.isEmpty
        ? "no plugin declares one; name the plugins' folder with --plugins DIR"
        : "there are \(names.joined(separator: ", "))")
    throw ToolError("kind \(name)", "unknown; \(advice)")
  }

  /// Shows long work of the store as a bar.
  static func bar(_ io: ToolIO) -> (StoreStep) -> Void {
    var bar: ProgressBar?
    return { step in
      guard case .search(let rows, let total) = step else {
        bar?.finish()
        bar = nil
        return
      }
      let shown = bar ?? ProgressBar("making the search index", io: io)
      bar = shown
      shown.update(done: rows, total: total)
    }
  }

  /// Says what went wrong with a part of the work, which goes on.
  ///
  /// - Parameters:
  ///   - subjects: what it was about, put before the error's own text.
  ///   - item: the number of the feed's item.
  func report(_ error: HostError, about subjects: [String], item: Int? = nil) {
    let text = (subjects + [error.commandDescription]).joined(separator: ": ")
    io.report(text, ErrorDetail(error), item: item)
  }

  private static func log(_ line: LogLine, _ io: ToolIO) {
    if let error = line.error {
      io.report("\(line.source): \(line.message)", ErrorDetail(error))
      return io.showCalls(error)
    }
    guard io.errorForm != .json else {
      return io.writeObject("log") { json in
        json.member("level", line.level.rawValue)
        json.member("source", line.source)
        json.member("message", line.message)
      }
    }
    let level = line.level == .info ? "" : "\(line.level.rawValue): "
    io.err.writeLine(TerminalText.line("\(line.source): \(level)\(line.message)"))
  }
}

/// Runs what throws the host's errors and makes them the tool's.
func hosted<Result>(
  _ body: () throws(HostError) -> Result
) throws(ToolError) -> Result {
  do throws(HostError) {
    return try body()
  } catch {
    throw ToolError(error)
  }
}

/// Runs what throws the store's errors and makes them the tool's.
func stored<Result>(
  _ body: () throws(FavoritesError) -> Result
) throws(ToolError) -> Result {
  do throws(FavoritesError) {
    return try body()
  } catch {
    throw ToolError("", error.commandDescription)
  }
}

extension ToolError {
  init(_ error: HostError) {
    self.init(
      error.commandDescription + ToolError.advice(error), error,
      exitCode: error.kind == .canceled ? .interrupted : .failed)
  }

  /// Which option lifts the limit that Lua was stopped by.
  private static func advice(_ error: HostError) -> String {
    switch error.kind {
    case .time where error.cause != nil: "; --max-time TIME gives it more"
    case .memory where error.cause != nil: "; --max-memory SIZE gives it more"
    default: ""
    }
  }
}
