import CLua54
import CLuaShim

/// A Lua state with its own library, memory and time.
///
/// Synchronous and of one owner: use it from one thread at a time (an actor may own it). Nothing
/// that Lua code does crashes it or unwinds a Swift frame. A state whose call was stopped or ran
/// out of memory can be used again: everything that ran is unwound, coroutines that ran are dead,
/// globals are as the code left them. Owners that do not trust what was left discard it, and so does
/// the owner of one that a stop has lost (`isLost`).
@safe
package final class LuaState {
  let core: LuaCore
  package let configuration: LuaConfiguration
  /// Stops this state's calls from elsewhere.
  package let interruptHandle: InterruptHandle
  private var functions: [HostFunction] = []
  var documents = SlotTable<any LuaViewSource>()
  /// What the types of host objects are called, by their numbers.
  var objectTypeNames: [UInt32: String] = [:]
  /// Asked at each use of an object, so its accesses are not checked against each other: none of the
  /// table's functions calls anything that could come back here.
  @exclusivity(unchecked) var objects = SlotTable<AnyObject>()
  /// Whether nothing can be registered any more.
  var isSealed = false
  var tracesOverwriting = false
  /// What `require` has loaded.
  var modules: [String: ModuleState] = [:]
  /// Errors of the host that were raised in Lua and may come back: their messages tell them.
  var raised: [(message: String, error: any Error)] = []

  /// - Throws: `outOfMemory` when the limit does not even hold the library.
  package init(
    _ configuration: LuaConfiguration, interruptHandle: InterruptHandle = InterruptHandle()
  ) throws(LuaError) {
    var options = starling_options()
    options.memory_limit = max(0, configuration.memoryLimit)
    options.string_limit = max(0, configuration.stringLimit)
    options.library = configuration.library.rawValue
    options.globals = configuration.globals.rawValue
    options.signal = configuration.signal ?? 0
    options.fail_allocation = configuration.failingAllocation ?? 0
    unsafe options.dispatch = { unsafe LuaState.dispatch($0, $1, $2) }
    options.has_seed = configuration.randomSeed != nil
    options.seed = configuration.randomSeed ?? 0
    guard let host = unsafe starling_open(&options) else {
      throw .outOfMemory(limit: configuration.memoryLimit)
    }
    core = unsafe LuaCore(host: host)
    self.configuration = configuration
    self.interruptHandle = interruptHandle
    unsafe starling_set_interrupt(host, interruptHandle.flag)
    registerViews()
  }

  deinit {
    core.close()
  }

  /// The open C state; it is open as long as this object lives.
  var host: OpaquePointer {
    guard let host = unsafe core.host else { preconditionFailure("the state is closed") }
    return unsafe host
  }

  /// The coroutine that runs; calls and pushes of the host go on it.
  var lua: OpaquePointer { unsafe starling_running(host) }
}

@available(*, unavailable)
extension LuaState: Sendable {}

// MARK: - Chunks and references

extension LuaState {
  /// Compiles Lua text without running it.
  ///
  /// - Parameter name: shown in messages as it is; give a file's path or a short title.
  /// - Throws: `syntax`; `interrupted`, `outOfMemory`. Bytecode is a syntax error.
  package func load(
    _ source: UnsafeRawBufferPointer, name: String, budget: Duration? = nil
  ) throws(LuaError) -> LuaFunction {
    let lua = unsafe lua
    let top = unsafe lua_gettop(lua)
    defer { unsafe lua_settop(lua, top) }  // no to-be-closed slot is on our frames
    try reserveStack()
    let status = unsafe compile(source, name, nanoseconds(budget))
    guard Int(status) == STARLING_OK else { throw unsafe failure(Int(status), lua).inChunk(name) }
    return LuaFunction(reference: makeReference())
  }

  package func load(
    _ source: String, name: String, budget: Duration? = nil
  ) throws(LuaError) -> LuaFunction {
    let lua = unsafe lua
    let top = unsafe lua_gettop(lua)
    defer { unsafe lua_settop(lua, top) }
    try reserveStack()
    let limit = nanoseconds(budget)
    var source = source
    let status = source.withUTF8 { unsafe compile(UnsafeRawBufferPointer($0), name, limit) }
    guard Int(status) == STARLING_OK else { throw unsafe failure(Int(status), lua).inChunk(name) }
    return LuaFunction(reference: makeReference())
  }

  package func load(
    _ source: [UInt8], name: String, budget: Duration? = nil
  ) throws(LuaError) -> LuaFunction {
    let lua = unsafe lua
    let top = unsafe lua_gettop(lua)
    defer { unsafe lua_settop(lua, top) }
    try reserveStack()
    let limit = nanoseconds(budget)
    let status = unsafe source.withUnsafeBytes { unsafe compile($0, name, limit) }
    guard Int(status) == STARLING_OK else { throw unsafe failure(Int(status), lua).inChunk(name) }
    return LuaFunction(reference: makeReference())
  }

  /// Leaves the function or the error on top.
  private func compile(_ source: UnsafeRawBufferPointer, _ name: String, _ limit: UInt64) -> Int32 {
    unsafe source.withMemoryRebound(to: CChar.self) { text in
      unsafe starling_load(host, lua, text.baseAddress, text.count, "=" + name, limit)
    }
  }

  /// Keeps a function that is being looked at; nil for any other type.
  package func keepFunction(_ view: LuaView) -> LuaFunction? {
    guard view.type == .function, unsafe lua_checkstack(view.lua, 3) != 0 else { return nil }
    unsafe lua_pushvalue(view.lua, view.slot)
    return LuaFunction(reference: unsafe makeReference(from: view.lua))
  }

  /// Keeps a table that is being looked at; nil for any other type.
  package func keepTable(_ view: LuaView) -> LuaTable? {
    guard view.type == .table, unsafe lua_checkstack(view.lua, 3) != 0 else { return nil }
    unsafe lua_pushvalue(view.lua, view.slot)
    return LuaTable(reference: unsafe makeReference(from: view.lua))
  }

  /// Lends a kept table.
  package func read<Result>(
    _ table: LuaTable, _ body: (LuaView) throws(LuaError) -> Result
  ) throws(LuaError) -> Result {
    let lua = unsafe lua
    try check(table.reference)
    try reserveStack()
    unsafe starling_push_reference(lua, table.reference.number)
    let view = unsafe LuaView(lua, lua_gettop(lua))
    return try unsafe lend(lua, count: 1) { () throws(LuaError) in try body(view) }
  }

  /// Makes the name of a field, for tables that are written or read often.
  package func key(_ name: String) -> LuaKey {
    var name = name
    return name.withUTF8 { utf8 in
      unsafe utf8.withMemoryRebound(to: CChar.self) {
        _ = unsafe lua_checkstack(lua, 2)
        return unsafe LuaKey(number: starling_intern(lua, $0.baseAddress, $0.count))
      }
    }
  }

  func makeReference() -> LuaReference {
    unsafe makeReference(from: lua)
  }

  private func makeReference(from lua: OpaquePointer) -> LuaReference {
    unsafe LuaReference(core: core, number: starling_new_reference(lua))
  }

  func check(_ reference: LuaReference) throws(LuaError) {
    guard reference.core === core else { throw .message("a value of another Lua state") }
  }

  func reserveStack() throws(LuaError) {
    guard unsafe lua_checkstack(lua, 24) != 0 else { throw .message("stack overflow") }
  }
}

// MARK: - Globals

extension LuaState {
  /// Makes a host function the value of a global: `print`, or `favorites.insert` (tables are made
  /// on the way).
  ///
  /// - Parameters:
  ///   - plain: for each of the first four arguments, the types that need no check.
  ///   - check: looks at the arguments of a call where one has another type, before `body` does.
  package func register(
    _ path: String, plain: [LuaPlainTypes] = [], check: LuaArgumentCheck? = nil,
    _ body: @escaping LuaHostFunction
  ) {
    let number = add(path, plain: plain, check: check, body)
    unsafe setGlobal(path) { lua in unsafe starling_push_function(lua, number) }
  }

  /// Makes a host function without a global: a method that `index` hands out, a step of a loop.
  package func makeHostFunction(_ name: String, _ body: @escaping LuaHostFunction) -> LuaFunction {
    let number = add(name, body)
    _ = unsafe lua_checkstack(lua, 4)
    unsafe starling_push_function(lua, number)
    return LuaFunction(reference: makeReference())
  }

  /// Sets a global, which may be a dotted path, to the one value that `write` pushes.
  package func setGlobal(
    _ path: String, _ write: (inout LuaWriter) throws(LuaError) -> Void
  ) throws(LuaError) {
    let lua = unsafe lua
    let top = unsafe lua_gettop(lua)
    defer { unsafe lua_settop(lua, top) }
    var writer = unsafe LuaWriter(lua)
    try write(&writer)
    guard writer.count == 1, writer.isComplete else { throw .message("one value expected") }
    unsafe lua_settop(lua, top + 1)
    unsafe setGlobal(path) { lua in unsafe lua_pushvalue(lua, top + 1) }
  }

  /// Lends the value of a global, read raw along a dotted path; nil's view when there is none.
  package func readGlobal<Result>(
    _ path: String, _ body: (LuaView) throws(LuaError) -> Result
  ) throws(LuaError) -> Result {
    let lua = unsafe lua
    let top = unsafe lua_gettop(lua)
    try reserveStack()
    var path = path
    let found = path.withUTF8 { utf8 in
      unsafe utf8.withMemoryRebound(to: CChar.self) {
        unsafe starling_push_global(lua, $0.baseAddress, $0.count)
      }
    }
    if !found {
      unsafe lua_settop(lua, top)
      unsafe lua_pushnil(lua)
    }
    return try unsafe lend(lua, count: 1) { () throws(LuaError) in
      try body(unsafe LuaView(lua, top + 1))
    }
  }

  /// Numbers a host function without giving it a name in Lua.
  func add(
    _ name: String, plain: [LuaPlainTypes] = [], check: LuaArgumentCheck? = nil,
    _ body: @escaping LuaHostFunction
  ) -> Int32 {
    let function = HostFunction(name: name, owner: self, check: check, body: body)
    functions.append(function)
    let masks = plain.map(\.rawValue)
    return unsafe starling_add_function(
      host, Unmanaged.passUnretained(function).toOpaque(), masks, Int32(clamping: masks.count))
  }

  private func setGlobal(_ path: String, push: (OpaquePointer) -> Void) {
    precondition(!isSealed, "a sealed library has its size")
    let lua = unsafe lua
    _ = unsafe lua_checkstack(lua, 12)
    unsafe push(lua)
    var path = path
    path.withUTF8 { utf8 in
      unsafe utf8.withMemoryRebound(to: CChar.self) {
        unsafe starling_set_path(lua, $0.baseAddress, $0.count)
      }
    }
  }
}
