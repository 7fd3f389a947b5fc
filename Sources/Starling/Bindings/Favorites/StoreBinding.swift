import StarlingFavorites
import StarlingLua
import StarlingModel

/// The store as the scripts of one Lua state use it: opened at the first question, with a read
/// transaction held around look-ups, and everything that a run changes as one run of the history.
final class StoreBinding {
  /// How a store is come by: with the kinds that its file knows, and with those of the plugins too,
  /// which takes longer.
  struct Access {
    var open: () throws(HostError) -> FavoritesStore
    var openWithPlugins: () throws(HostError) -> FavoritesStore
  }

  private let access: Access
  /// Who acts.
  let origin: Cause.Origin
  /// What the history calls the run.
  private let title: String
  private var opened: FavoritesStore?
  private var hasPlugins = false
  /// Changed as a whole: accesses to what is changed in place are checked at run time, each time.
  private var kinds: [BoundKind] = []
  private let stop: LuaStopCheck
  private let memory: LuaMemoryCount
  private let memoryLimit: Int
  /// Bytes that the store holds for the function that runs.
  private var held = 0
  private let interrupt: InterruptHandle
  private var lookUps = 0
  let keys: RowKeys
  /// Filled for each entity that is written, and kept for its storage.
  var record = EntityRecord()
  private var digits: [UInt8] = []
  /// The objects that the functions give to Lua.
  let objects: FavoritesObjects
  private var observers: [ObserverToken] = []
  /// Whether there are any: asked at every call, which pays nothing else for them.
  private(set) var isListening = false
  /// When others' changes were last looked for.
  private var lastHeard = ContinuousClock.now
  /// Levels of transactions that Lua code has open.
  var openLevels = 0

  /// Look-ups after which the read transaction is renewed, so that others' changes are seen and their
  /// log can be taken over into the file.
  private static let renewal = 4096
  /// How long a script that goes on asking may be without others' changes.
  private static let hearingInterval = Duration.milliseconds(50)

  init(_ state: LuaState, _ access: Access, origin: Cause.Origin, title: String) {
    self.access = access
    self.origin = origin
    self.title = title
    stop = state.stopCheck
    memory = state.memoryCount
    memoryLimit = state.configuration.memoryLimit
    interrupt = state.interruptHandle
    keys = RowKeys(state)
    objects = FavoritesObjects(state)
  }

  // MARK: The store

  /// The store, opened at first use.
  func store() throws(LuaError) -> FavoritesStore {
    if let opened { return opened }
    return try adopt(access.open)
  }

  /// The store with the kinds of all plugins.
  func storeWithPlugins() throws(LuaError) -> FavoritesStore {
    if hasPlugins, let opened { return opened }
    let store = try adopt(access.openWithPlugins)
    hasPlugins = true
    return store
  }

  private func adopt(
    _ open: () throws(HostError) -> FavoritesStore
  ) throws(LuaError) -> FavoritesStore {
    do throws(HostError) {
      let store = try open()
      if opened == nil {
        store.startRun(title)
        // Between calls, as in a command of the console, the request alone counts.
        store.setInterrupt { [stop, interrupt] in stop.mustStop || interrupt.isRaised }
        store.setBudget(budget)
      }
      opened = store
      return store
    } catch {
      throw .host(error)
    }
  }

  /// What the store reads for a script counts as the script's.
  private var budget: ReadBudget {
    ReadBudget(
      longestValue: max(1 << 20, memoryLimit / 4),
      hold: { [unowned self] bytes in
        held += bytes
        return memory.add(bytes)
      },
      letGo: { [unowned self] bytes in
        held -= bytes
        memory.remove(bytes)
      })
  }

  /// Lets go of what the store holds for the function that runs: its answer has been taken.
  func letGo() {
    guard held != 0 else { return }
    memory.remove(held)
    held = 0
  }

  /// The store with a read transaction open.
  @inline(__always)
  func reading() throws(LuaError) -> FavoritesStore {
    let store = try store()
    lookUps &+= 1
    if lookUps % Self.renewal == 0 { store.endReading() }
    do throws(FavoritesError) {
      try store.beginReading()
    } catch {
      throw lua(error)
    }
    return store
  }

  /// The app's function that acted for the script has ended.
  func endActing() {
    opened?.actor = nil
    letGo()
  }

  /// Lets the read transaction go: before the script waits.
  func pause() { opened?.endReading() }

  /// Ends an entry from Lua: what it left open is rolled back.
  ///
  /// - Returns: whether a transaction was open.
  @discardableResult
  func endEntry() -> Bool {
    letGo()
    guard let opened else { return false }
    opened.endReading()
    openLevels = 0
    guard opened.isInTransaction else { return false }
    while opened.isInTransaction { opened.rollback() }
    return true
  }

  /// Ends the run of the history and begins the next: each chunk of a console is one.
  ///
  /// - Returns: the number of the run that ended; nil when it changed nothing.
  @discardableResult
  func nextRun() -> Int64? {
    guard let opened else { return nil }
    let run = opened.endRun()
    opened.startRun(title)
    return run
  }

  /// What was last asked for with `fetch`, `each` or `count`, where a console wants to know.
  var lastQuery: Query?
  var remembersQueries = false

  var hasObservers: Bool { isListening }

  /// The kinds of the store, when it is open.
  var openedModel: KindModel? { opened?.model }

  /// Ends the run of the history, and lets go of the store.
  func close() {
    endEntry()
    guard let opened else { return }
    for token in observers { opened.stopObserving(token) }
    observers = []
    isListening = false
    opened.endRun()
    opened.setInterrupt(nil)
    opened.setBudget(nil)
    self.opened = nil
  }

  /// Reports what others have changed meanwhile; within a transaction nothing, since it is not over.
  func poll() throws(LuaError) {
    guard let opened, isListening, !opened.isInTransaction else { return }
    lastHeard = .now
    opened.endReading()
    try run { () throws(FavoritesError) in try opened.poll() }
  }

  /// The same, at most twenty times a second.
  func pollNowAndThen() throws(LuaError) {
    guard ContinuousClock.now - lastHeard >= Self.hearingInterval else { return }
    try poll()
  }

  func observe(_ body: @escaping (Change) -> Void) throws(LuaError) -> ObserverToken {
    let store = try store()
    let token = try run { () throws(FavoritesError) in try store.observe(body) }
    observers.append(token)
    isListening = true
    lastHeard = .now
    return token
  }

  func stopObserving(_ token: ObserverToken) {
    opened?.stopObserving(token)
    observers.removeAll { $0 == token }
    isListening = !observers.isEmpty
  }

  // MARK: Errors

  /// Runs what the store does. What it holds meanwhile counts until `letGo`.
  @inline(__always)
  func run<Result>(_ body: () throws(FavoritesError) -> Result) throws(LuaError) -> Result {
    do throws(FavoritesError) {
      return try body()
    } catch {
      throw lua(error)
    }
  }

  /// The store's error in Lua: misuse is a message, a stop is the script's stop, the rest comes back
  /// whole when no Lua code catches it.
  func lua(_ error: FavoritesError) -> LuaError {
    switch error {
    case .stopped:
      do throws(LuaError) {
        try stop.check()
      } catch {
        return error
      }
      return .host(HostError(.canceled, error.description, cause: error))
    case .outOfMemory: return .outOfMemory(limit: memoryLimit)
    case .unknownKind, .unknownField, .badKey, .badValue, .badQuery, .notFound:
      return .message(error.description)
    default:
      return .host(HostError(.database, error.description, cause: error))
    }
  }

  // MARK: Kinds and keys

  /// The kind that an argument names.
  ///
  /// - Throws: the error for a bad argument, with the nearest kind.
  func kind(_ call: borrowing LuaCall, _ position: Int) throws(LuaError) -> BoundKind {
    guard let name = unsafe call[position].bytes else {
      throw call.argumentError(position, expected: "kind")
    }
    return try unsafe kind(named: name, call, position)
  }

  @inline(__always)
  func kind(
    named name: UnsafeRawBufferPointer, _ call: borrowing LuaCall, _ position: Int
  ) throws(LuaError) -> BoundKind {
    for kind in kinds where unsafe kind.isNamed(name) { return kind }
    return try unsafe bind(name, call, position)
  }

  private func bind(
    _ name: UnsafeRawBufferPointer, _ call: borrowing LuaCall, _ position: Int
  ) throws(LuaError) -> BoundKind {
    guard name.count <= OptionReader.longestName else {
      throw call.argumentError(position, "no kind has a name of \(name.count) bytes")
    }
    var found = try unsafe store().handle(kind: name)
    if found == nil { found = try unsafe storeWithPlugins().handle(kind: name) }
    let store = try store()
    do throws(FavoritesError) {
      if found == nil {
        found = try store.handle(kind: unsafe String(decoding: name, as: UTF8.self))
      }
      guard let handle = found else { throw .notFound("kind") }
      let kind = BoundKind(handle, call.state)
      kinds = kinds + [kind]
      return kind
    } catch {
      throw call.argumentError(position, error.description)
    }
  }

  /// Lends the key that an argument says: a string's bytes, a whole number's digits.
  ///
  /// - Throws: the error for a bad argument.
  @inline(__always)
  func withKey<Result>(
    _ call: borrowing LuaCall, _ position: Int,
    _ body: (UnsafeRawBufferPointer) throws(LuaError) -> Result
  ) throws(LuaError) -> Result {
    let value = call[position]
    if let bytes = unsafe value.bytes, bytes.count > 0 { return try unsafe body(bytes) }
    guard let reason = setDigits(value) else { return try unsafe withDigits(body) }
    throw call.argumentError(position, reason)
  }

  /// The same for a value that is no argument.
  func withKey<Result>(
    _ value: LuaView, _ body: (UnsafeRawBufferPointer) throws(LuaError) -> Result
  ) throws(LuaError) -> Result {
    if let bytes = unsafe value.bytes, bytes.count > 0 { return try unsafe body(bytes) }
    guard let reason = setDigits(value) else { return try unsafe withDigits(body) }
    throw .message(reason)
  }

  private func withDigits<Result>(
    _ body: (UnsafeRawBufferPointer) throws(LuaError) -> Result
  ) throws(LuaError) -> Result {
    let digits = digits
    return try unsafe digits.span.bytes.withUnsafeBytes { bytes throws(LuaError) in
      try unsafe body(bytes)
    }
  }

  /// - Returns: why the value is no key; nil when it is one.
  private func setDigits(_ value: LuaView) -> String? {
    switch value.type {
    case .integer:
      digits = Array(String(value.integer ?? 0).utf8)
      return nil
    case .number:
      guard let text = EntityKey.text(ofNumber: value.number ?? .nan) else {
        return "a number with a fraction is no key"
      }
      digits = Array(text.utf8)
      return nil
    case .string: return "the key is empty"
    default: return "key expected, got \(value.type.name)"
    }
  }
}

@available(*, unavailable)
extension StoreBinding: Sendable {}
