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
  private(set) var session: ScriptSession
  private let makeSession: () throws(LuaError) -> ScriptSession
  private let introduction: () -> String
  private let layOut: (String) -> String
  private let stop: StopHandle
  private(set) var functionNames: [UInt: String] = [:]
  private var kept: Int64 = 0
  /// The first result that is still kept.
  private var firstKept: Int64 = 1
  /// What a person is to be told of the session, besides what their chunk did.
  private var notices: [String] = []
  /// Takes what `show` is given while a chunk runs.
  private var show: ([ConsoleResult]) -> Void = { _ in }
  private var showFunction: LuaFunction?
  /// Needs a little memory, to tell whether there is any.
  private var probe: LuaFunction?
  private var toldOfLimit = false
  /// The runs of the history in which chunks and listeners of this session changed something, the
  /// oldest first.
  private var runs: [Int64] = []

  /// Results that are kept.
  package static let keptResults: Int64 = 100
  /// Values of one chunk that are kept and shown.
  package static let shownValues = 100
  /// What a full state is let have, so that its globals can be let go of.
  private static let reserveBytes = 1 << 20
  /// What a small chunk needs.
  private static let leastRoom = 256 << 10
  /// How long after a chunk memory is looked for.
  private static let timeToCollect = Duration.milliseconds(30)
  /// The local of a chunk that shows values, for chunks that have expressions among statements.
  package static let showName = "__starling_show"

  /// - Parameters:
  ///   - io: the streams of `print` and `io`.
  ///   - stop: ends a running chunk, from a signal handler too.
  ///   - introduction: what `help()` says.
  ///   - layOut: makes what `help` says fit where it is shown.
  package init(
    host: Host, io: ScriptIO, permissions: Permissions, stop: StopHandle,
    introduction: @escaping () -> String, layOut: @escaping (String) -> String = { $0 }
  ) throws(HostError) {
    self.host = host
    self.stop = stop
    self.introduction = introduction
    self.layOut = layOut
    let makeSession = { () throws(LuaError) in
      try host.makeSession(
        name: "console", io: io, permissions: permissions,
        limits: host.configuration.scriptLimits, stop: stop, origin: .hand,
        context: [.script, .console])
    }
    self.makeSession = makeSession
    do throws(LuaError) {
      session = try makeSession()
      try prepare()
    } catch {
      throw HostError(error, subject: "the console")
    }
  }

  /// Gives the state what only a console has.
  private func prepare() throws(LuaError) {
    session.script.store?.remembersQueries = true
    functionNames = ConsoleSession.functionNames(session.state)
    session.script.help = { [unowned self] call in layOut(help(call, introduction)) }
    showFunction = session.state.makeHostFunction("show") {
      [unowned self] call, _ throws(LuaError) in
      let results = try keep(count: call.count) { call[$0] }
      // What the chunk has printed stands before it.
      session.script.streams.flush()
      show(results)
    }
    probe = try session.state.load(
      "local t = {} for i = 1, 2000 do t[i] = {} end", name: "probe")
  }

  /// Whether results are wanted as JSON, too.
  package var writesJSON = false

  /// Ends what is open.
  package func close() { session.close() }

  // MARK: Chunks

  package func parse(_ text: String) -> Parse {
    do throws(LuaError) {
      _ = try session.state.load(text, name: "console", budget: .seconds(10))
      return .complete
    } catch {
      switch error {
      case .syntax(_, incomplete: true): return .incomplete
      // What was stopped here is stopped again when it is run, and that is said.
      case .interrupted(.request): return .complete
      default: return .wrong
      }
    }
  }

  /// Runs a chunk. What it left half-done is taken back, what it changed is one run of the history.
  ///
  /// A stop that was asked for before it began, since the last one ended, stops it too: it was pressed
  /// for this one.
  ///
  /// - Parameters:
  ///   - name: what messages call it.
  ///   - show: takes what the chunk returns, and what it shows of itself (`showName`).
  /// - Returns: the status with which it ended the session; nil when it did not.
  /// - Throws: what Lua raised, or why it was stopped.
  package func run(
    _ source: String, name: String, show: @escaping ([ConsoleResult]) -> Void
  ) throws(HostError) -> Int32? {
    session.script.reset()
    self.show = show
    var wasShort = false
    defer {
      self.show = { _ in }
      session.script.streams.flush()
      endRun()
      stop.clear()
      findMemory(wasShort: wasShort)
    }
    do throws(LuaError) {
      var results: [ConsoleResult] = []
      let status = try session.run(
        Array(source.utf8), name: name, mostResults: Self.shownValues,
        pushing: { writer in if let showFunction { writer.push(showFunction) } },
        results: { values throws(LuaError) in
          results = try keep(count: values.count, leftOut: values.leftOut) { values[$0] }
        })
      if !results.isEmpty { show(results) }
      return status
    } catch {
      if case .outOfMemory = error { wasShort = true }
      throw HostError(error, in: session.state, subject: name).advised
    }
  }

  /// Reads values and keeps them: each as `_n`, and the first that is not nil as `_`. Of a great many
  /// it takes the first.
  private func keep(
    count: Int, leftOut: Int = 0, _ value: (Int) -> LuaView
  ) throws(LuaError) -> [ConsoleResult] {
    var results: [ConsoleResult] = []
    var reader = ConsoleValueReader(session.state, functionNames: functionNames)
    for position in 1...max(1, count) where position <= min(count, Self.shownValues) {
      let view = value(position)
      results.append(
        ConsoleResult(name: nil, value: try reader.read(view), json: try json(of: view)))
    }
    // When all could be read in time: what is kept can be shown.
    var isFirst = true
    for place in results.indices where results[place].value != .nil {
      results[place].name = try keep(value(place + 1), asLast: isFirst)
      isFirst = false
    }
    let more = count - results.count + leftOut
    if more > 0 { results.append(ConsoleResult(name: nil, value: .more(more))) }
    return results
  }

  private func json(of view: LuaView) throws(LuaError) -> [UInt8]? {
    guard writesJSON else { return nil }
    var encoder = JSONEncoder(session.state)
    do throws(LuaError) {
      try encoder.write(view)
      try encoder.finish()
    } catch {
      // What JSON cannot say, such as a function, is shown as far as a person would be.
      if case .conversion = error { return nil }
      throw error
    }
    return encoder.bytes
  }

  /// - Returns: the global that keeps the value.
  private func keep(_ view: LuaView, asLast isLast: Bool) throws(LuaError) -> String {
    kept += 1
    let name = "_\(kept)"
    try session.state.setGlobal(name) { $0.push(view) }
    if isLast { try session.state.setGlobal("_") { $0.push(view) } }
    if kept - firstKept >= Self.keptResults { letGo(kept - Self.keptResults) }
    return name
  }

  /// Lets go of the results up to that one.
  private func letGo(_ last: Int64) {
    while firstKept <= last {
      let name = "_\(firstKept)"
      try? session.state.setGlobal(name) { $0.pushNil() }
      firstKept += 1
      if toldOfLimit { continue }
      toldOfLimit = true
      notices.append("the last \(Self.keptResults) results are kept; \(name) was let go")
    }
  }

  // MARK: Memory, and a new state

  /// What a person is to be told since the last question: results that were let go, a new state.
  package func takeNotices() -> [String] {
    defer { notices = [] }
    return notices
  }

  /// Sees to it that there is memory for the next chunk. Results are let go of before globals: these
  /// are let go of by who made them, for which a full state is let have a little more.
  ///
  /// - Parameter wasShort: whether the last chunk ended for want of memory.
  private func findMemory(wasShort: Bool = false) {
    let state = session.state
    if state.isLost { return beginAnew() }
    if wasShort { letGo(of: max(1, kept - firstKept)) }
    let end = ContinuousClock.now + Self.timeToCollect
    while state.isNearlyFull {
      let before = state.memoryUsed
      guard state.collect(for: end - .now) else { return }
      // A stack that was deep gets smaller by and by.
      if state.memoryUsed >= before - before / 32 { break }
    }
    guard state.isNearlyFull else { return state.setReserve(bytes: 0) }
    if wasShort ? canRun() : state.hasRoom(bytes: Self.leastRoom) { return }
    while letGo(of: (kept - firstKept) / 2 + 1) {
      guard state.collect(for: end - .now) else { return }
      if state.hasRoom(bytes: Self.leastRoom) { return }
    }
    state.setReserve(bytes: Self.reserveBytes)
    guard canRun() else { return beginAnew() }
    notices.append(
      "what the globals hold fills the memory; set those to nil that are not needed")
  }

  /// Lets go of the oldest results, as there is no memory for them.
  ///
  /// - Returns: whether there were any.
  @discardableResult
  private func letGo(of count: Int64) -> Bool {
    let (first, last) = (firstKept, min(kept, firstKept + count - 1))
    guard first <= last else { return false }
    toldOfLimit = true
    letGo(last)
    if last == kept { try? session.state.setGlobal("_") { $0.pushNil() } }
    let which =
      first == last ? "the result _\(first) was" : "the results _\(first) to _\(last) were"
    notices.append("\(which) let go: the memory was needed")
    return true
  }

  /// Begins a new state where the old one can run nothing any more: a stop has lost it, or there is
  /// no memory to even let go of what its globals hold.
  private func beginAnew() {
    do throws(LuaError) {
      let old = session
      // The new one takes the store over.
      old.close()
      session = try makeSession()
      session.script.store?.lastQuery = old.script.store?.lastQuery
      try prepare()
      firstKept = kept + 1
      notices = [
        "Lua could not go on and was begun anew: globals, results and listeners are gone"
      ]
    } catch {
      log("no new state can be made: \(error.description)")
    }
  }

  private func canRun() -> Bool {
    guard let probe else { return false }
    do throws(LuaError) {
      try session.state.call(probe, budget: .seconds(10))
      return true
    } catch {
      return false
    }
  }

  // MARK: Others

  /// The text that a constant of Lua stands for, in quotes or long brackets (Lua manual 5.4, §3.1); nil
  /// when it is no such constant, and nothing else.
  package func text(ofConstant constant: String) -> String? {
    let tokens = LuaLexer.tokens(of: Array(constant.utf8))
    guard tokens.count == 1, tokens[0].form == .string else { return nil }
    let state = session.state
    return try? state.call(state.load(Array("return \(constant)".utf8), name: "constant")) {
      results throws(LuaError) in try results[1].string()
    }
  }

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
    endRun()
    // A listener ends neither the session nor what runs next.
    session.script.reset()
    session.script.streams.flush()
    stop.clear()
    findMemory()
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

  /// Asks the database in SQL, within the time and memory that a chunk has.
  ///
  /// - Parameters: as `FavoritesStore.read` has them.
  package func ask(
    sql text: String, columns: ([String]) -> Void, row: ([Value?]) -> Bool
  ) throws(HostError) {
    let store = try store()
    let limits = host.configuration.scriptLimits
    let end = ContinuousClock.now + limits.time
    do throws(FavoritesError) {
      try store.read(
        sql: text, memoryBytes: limits.memoryBytes, isOver: { ContinuousClock.now >= end },
        columns: columns, row: row)
    } catch {
      switch error {
      case .stopped where ContinuousClock.now >= end && !stop.isStopped:
        throw HostError(LuaError.interrupted(.time)).advised
      case .outOfMemory:
        throw HostError(LuaError.outOfMemory(limit: limits.memoryBytes)).advised
      default: throw HostError(error)
      }
    }
  }

  private func endRun() {
    if let run = session.script.store?.nextRun() { runs.append(run) }
  }

  /// The last run of this session of which something can still be taken back. What others did
  /// meanwhile, and what was there before, is none of it.
  package func lastUndoableRun() throws(HostError) -> Int64? {
    guard !runs.isEmpty else { return nil }
    let store = try store()
    do throws(FavoritesError) {
      for run in runs.reversed() where try store.canUndo(run: run) { return run }
    } catch {
      throw HostError(error)
    }
    return nil
  }

  /// The last query of `fetch`, `each` or `count`.
  package var lastQuery: Query? { session.script.store?.lastQuery }

  /// A kind by its name, without opening a store for it.
  package func openKind(_ name: String) -> Kind? {
    session.script.store?.openedModel?[name]
  }
}

@available(*, unavailable)
extension ConsoleSession: Sendable {}
