import CLua54
import CLuaShim

/// Tables that code reads and cannot change, so that no call leaves anything in them for the next.
///
/// A new field, and every `rawset`, is refused when it is tried. A field that is there can be set
/// until the outermost call ends; then it is put back, and the call has failed: `LuaError.overwritten`.
extension LuaState {
  /// Seals the globals and every table in them. Nothing can be registered after it.
  package func sealLibrary() throws(LuaError) {
    guard unsafe starling_seal_library(host) else {
      throw .outOfMemory(limit: configuration.memoryLimit)
    }
    isSealed = true
  }

  /// A sealed table with the fields of a table, tables among them sealed too. There is one at a time
  /// beside the library: the one before it is let go of.
  ///
  /// - Parameter name: how messages begin: "feed".
  package func seal(_ table: LuaTable, as name: String) throws(LuaError) -> LuaTable {
    let lua = unsafe lua
    let top = unsafe lua_gettop(lua)
    defer { unsafe lua_settop(lua, top) }
    try check(table.reference)
    try reserveStack()
    unsafe starling_push_reference(lua, table.reference.number)
    guard unsafe starling_seal_table(lua, name + "."),
      let sealed = unsafe keepTable(LuaView(lua, top + 1))
    else { throw .outOfMemory(limit: configuration.memoryLimit) }
    return sealed
  }

  /// Begins the numbers of `math.random` anew, as in a state that has just been made with a seed.
  package func reseed(_ seed: Int64) {
    _ = unsafe lua_checkstack(lua, 4)
    unsafe starling_reseed(host, seed)
  }

  /// Lends each global that code has defined itself.
  package func forEachUserGlobal(
    _ body: (_ name: LuaView, _ value: LuaView) throws(LuaError) -> Void
  ) throws(LuaError) {
    let lua = unsafe lua
    try reserveStack()
    unsafe starling_push_user_globals(lua)
    let view = unsafe LuaView(lua, lua_gettop(lua))
    try unsafe lend(lua, count: 1) { () throws(LuaError) in try view.forEachField(body) }
  }

  /// Keeps for each call on which line it sets a field that it may not; Lua is many times slower
  /// meanwhile. A call that does so is otherwise made once more to find the line.
  package func traceOverwriting(_ isOn: Bool) {
    unsafe starling_trace_changes(host, isOn)
    tracesOverwriting = isOn
  }

  /// The error of a call that set a field of a sealed table, whose name is on top.
  func overwritten(
    _ function: LuaFunction, repeating: LuaRepeating,
    _ arguments: (inout LuaWriter) throws(LuaError) -> Void
  ) -> LuaError {
    let lua = unsafe lua
    let top = unsafe lua_gettop(lua)
    let field = unsafe LuaView(lua, top).text(atMost: 200) ?? "a field"
    let error = LuaError.overwritten(field: field, place: tracesOverwriting ? lastReturn : nil)
    guard !tracesOverwriting, repeating != .never else { return error }
    let left = unsafe starling_time_left(host)
    if repeating == .withModules { modules = [:] }
    traceOverwriting(true)
    defer { traceOverwriting(false) }
    unsafe starling_push_reference(lua, function.reference.number)
    var writer = unsafe LuaWriter(lua)
    let isPushed = (try? arguments(&writer)) != nil && writer.isComplete
    var status = STARLING_OK
    if isPushed {
      let second: UInt64 = 1_000_000_000
      status = unsafe Int(starling_call(host, lua, writer.count, 0, max(1, min(left, second))))
    }
    unsafe lua_settop(lua, top)
    // No call is longer for it: the time was what the first one left.
    if isLost { return .interrupted(.time) }
    return .overwritten(field: field, place: status == STARLING_CHANGED ? lastReturn : nil)
  }
}

/// Whether a call that set a field of a sealed table is made once more, to find the line.
package enum LuaRepeating: Sendable {
  /// It reaches what cannot be done twice.
  case never
  case again
  /// It is a main chunk, and `require` runs its modules again.
  case withModules
}
