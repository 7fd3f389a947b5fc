package import StarlingFavorites
import StarlingLua
package import StarlingModel

/// The Lua side of a console: runs chunks one after another in one state, keeps their results,
/// completes and explains. It prints nothing itself.
package final class ConsoleSession {
  /// Whether text is a chunk.
  package enum Parse: Sendable {
    case complete
    /// More text could make it one.
    case incomplete
    case wrong
  }

  let host: Host
  let session: ScriptSession
  private let stop: StopHandle
  private let functionNames: [UInt: String]
  private var kept: Int64 = 0
  /// Takes what `show` is given while a chunk runs.
  private var show: ([ConsoleResult]) -> Void = { _ in }
  private let showFunction = FunctionBox()

  /// Results that are kept.
  package static let keptResults: Int64 = 100
  /// The local of a chunk that shows values, for chunks that have expressions among statements.
  package static let showName = "__starling_show"

  /// - Parameters:
  ///   - io: the streams of `print` and `io`.
  ///   - stop: ends a running chunk, from a signal handler too.
  ///   - introduction: what `help()` says.
  package init(
    host: Host, io: ScriptIO, permissions: Permissions, stop: StopHandle,
    introduction: @escaping () -> String
  ) throws(HostError) {
    self.host = host
    self.stop = stop
    do throws(LuaError) {
      session = try host.makeSession(
        name: "console", io: io, permissions: permissions,
        limits: host.configuration.scriptLimits, interrupt: stop.interrupt, origin: .hand,
        context: [.script, .console])
    } catch {
      throw HostError(error, subject: "the console")
    }
    session.script.store?.remembersQueries = true
    functionNames = ConsoleSession.functionNames(session.state)
    session.script.help = { [unowned self] call in help(call, introduction) }
    showFunction.function = session.state.makeHostFunction("show") {
      [unowned self] call, _ throws(LuaError) in
      var results: [ConsoleResult] = []
      for position in 1...max(1, call.count) where position <= call.count {
        results.append(try keep(call[position]))
      }
      show(results)
    }
  }

  private final class FunctionBox {
    var function: LuaFunction?
  }

  /// Ends what is open.
  package func close() { session.close() }

  // MARK: Chunks

  package func parse(_ text: String) -> Parse {
    stop.clear()
    do throws(LuaError) {
      _ = try session.state.load(text, name: "console", budget: .seconds(10))
      return .complete
    } catch {
      if case .syntax(_, incomplete: true) = error { return .incomplete }
      return .wrong
    }
  }

  /// Runs a chunk. What it left half-done is taken back, what it changed is one run of the history.
  ///
  /// - Parameters:
  ///   - name: what messages call it.
  ///   - show: takes what the chunk returns, and what it shows of itself (`showName`).
  /// - Returns: the status with which it ended the session; nil when it did not.
  /// - Throws: what Lua raised, or why it was stopped.
  package func run(
    _ source: String, name: String, show: @escaping ([ConsoleResult]) -> Void
  ) throws(HostError) -> Int32? {
    stop.clear()
    session.script.reset()
    self.show = show
    defer {
      self.show = { _ in }
      session.script.streams.flush()
      session.script.store?.nextRun()
      stop.clear()
    }
    do throws(LuaError) {
      var results: [ConsoleResult] = []
      let status = try session.run(
        Array(source.utf8), name: name,
        pushing: { writer in if let function = showFunction.function { writer.push(function) } },
        results: { values throws(LuaError) in
          for position in 1...max(1, values.count) where position <= values.count {
            results.append(try keep(values[position]))
          }
        })
      if !results.isEmpty { show(results) }
      return status
    } catch {
      throw HostError(error, subject: name)
    }
  }

  /// Reads a value and makes it `_` and `_n`.
  private func keep(_ view: LuaView) throws(LuaError) -> ConsoleResult {
    var reader = ConsoleValueReader(session.state, functionNames: functionNames)
    let value = try reader.read(view)
    if value == .nil { return ConsoleResult(name: nil, value: value) }
    kept += 1
    let name = "_\(kept)"
    for global in ["_", name] { try session.state.setGlobal(global) { $0.push(view) } }
    if kept > Self.keptResults {
      try session.state.setGlobal("_\(kept - Self.keptResults)") { $0.pushNil() }
    }
    return ConsoleResult(name: name, value: value)
  }

  // MARK: Others

  /// Whether somebody listens for changes (`favorites.on`).
  package var hasObservers: Bool { session.script.store?.hasObservers ?? false }

  /// Has the observers called for what others have changed. What they raise is logged.
  package func poll() {
    guard let binding = session.script.store, binding.hasObservers else { return }
    stop.clear()
    do throws(LuaError) { try binding.poll() } catch {
      log("the changes of others cannot be read: \(error.description)")
    }
    binding.endEntry()
    binding.nextRun()
    // A listener ends neither the session nor what runs next.
    session.script.reset()
    session.script.streams.flush()
    stop.clear()
  }

  private func log(_ message: String) {
    host.configuration.log(LogLine(level: .error, source: "console", message: message))
  }

  /// The store with the kinds of all plugins; `stop` ends what it is asked between chunks.
  package func store() throws(HostError) -> FavoritesStore {
    guard let binding = session.script.store else { return try host.storeWithPlugins() }
    do throws(LuaError) {
      return try binding.storeWithPlugins()
    } catch {
      throw HostError(error)
    }
  }

  /// The last query of `fetch`, `each` or `count`.
  package var lastQuery: Query? { session.script.store?.lastQuery }

  /// A kind by its name, without opening a store for it.
  package func openKind(_ name: String) -> Kind? {
    session.script.store?.openedModel?[name]
  }

  // MARK: Help

  /// What is said of a name as a person writes it: `favorites.insert`, `news`, `below`.
  package func help(topic: String) -> String {
    let help = ConsoleHelp(kinds: kinds)
    return help.text(topic) ?? help.unknown(topic)
  }

  /// Whether something has this name.
  package func hasHelp(_ topic: String) -> Bool { ConsoleHelp(kinds: kinds).text(topic) != nil }

  /// The kinds that there are; none when the store cannot be opened.
  var kinds: [Kind] { (try? store())?.kinds ?? host.model.kinds }

  private func help(_ call: borrowing LuaCall, _ introduction: () -> String) -> String {
    let value = call[1]
    switch value.type {
    case .none, .nil: return introduction()
    case .string: return help(topic: (try? value.string()) ?? "")
    case .table:
      if let word = try? value.ruleWord() { return help(topic: word) }
      if let name = value.identity.flatMap({ functionNames[$0] }) { return help(topic: name) }
      let kind = try? value.field(named: "kind") { kind throws(LuaError) in try kind.string() }
      return kind.map { help(topic: $0) } ?? "a table; help(\"NAME\") tells of a name"
    case .function:
      let name = value.identity.flatMap { functionNames[$0] }
      return name.map { help(topic: $0) } ?? "a function without help"
    default: return "a \(value.type.name)"
    }
  }

  /// The global names of the functions that the session begins with, and of their tables.
  private static func functionNames(_ state: LuaState) -> [UInt: String] {
    var names: [UInt: String] = [:]
    try? state.readGlobal("") { globals throws(LuaError) in
      try globals.forEachField { key, value throws(LuaError) in
        guard key.type == .string, let name = try? key.string(), name != "_G" else { return }
        if let identity = value.identity { names[identity] = name }
        guard value.type == .table else { return }
        try value.forEachField { key, value throws(LuaError) in
          guard key.type == .string, let inner = try? key.string() else { return }
          if let identity = value.identity {
            names[identity] = names[identity] ?? "\(name).\(inner)"
          }
        }
      }
    }
    return names
  }
}

@available(*, unavailable)
extension ConsoleSession: Sendable {}
