public import CLua54
public import CLuaShim

/// Hands values to Lua: the arguments of a call, the results of a host function, the value of a
/// field. Each `push` adds one value. Strings are copied.
@safe
@usableFromInline
package struct LuaWriter: ~Copyable {
  @usableFromInline let lua: OpaquePointer
  /// How many values were pushed.
  @usableFromInline package internal(set) var count: Int32 = 0
  /// Values that still fit before the stack must be asked again.
  @usableFromInline var room: Int32
  @usableFromInline var overflow = false

  /// A host function begins with 20 free slots (LUA_MINSTACK): 8 values, and what making them takes.
  static let callbackRoom: Int32 = 8

  @inlinable
  init(_ lua: OpaquePointer, room: Int32 = 0) {
    unsafe self.lua = unsafe lua
    self.room = room
  }

  /// Whether everything fitted on Lua's stack (a million values at most).
  var isComplete: Bool { !overflow }

  /// Counts one step of the work that a host function does for a call, so that it ends with its time
  /// and memory. Elements and fields that a closure fills are counted by themselves.
  @inlinable @inline(__always)
  package func step() throws(LuaError) { try unsafe LuaWriter.step(lua) }

  @inlinable @inline(__always)
  static func step(_ lua: OpaquePointer) throws(LuaError) {
    let status = unsafe starling_step(starling_host_of(lua))
    if Int(status) != STARLING_OK { throw unsafe LuaWriter.failure(status, lua) }
  }

  @usableFromInline
  static func failure(_ status: Int32, _ lua: OpaquePointer) -> LuaError {
    let host = unsafe starling_host_of(lua)
    if Int(status) == STARLING_MEMORY {
      return .outOfMemory(limit: Int(clamping: unsafe starling_memory_limit(host)))
    }
    return .interrupted(
      unsafe Int(starling_last_stop(host)) == STARLING_STOP_INTERRUPT ? .request : .time)
  }

  /// Takes back what was pushed.
  mutating func reset() {
    unsafe lua_settop(lua, lua_gettop(lua) - count)
    count = 0
  }

  /// Room for one more value, and for what making it takes.
  @inlinable
  @inline(__always)
  mutating func begin() -> Bool {
    if room == 0, !grow() { return false }
    room -= 1
    count += 1
    return true
  }

  /// Asks for stack; once refused, nothing more is pushed.
  @usableFromInline
  mutating func grow() -> Bool {
    if overflow { return false }
    overflow = unsafe lua_checkstack(lua, 16) == 0  // [-0, +0, -]
    room = 8
    return !overflow
  }

  package mutating func pushNil() {
    if begin() { unsafe lua_pushnil(lua) }  // [-0, +1, -]
  }

  /// A function that calls its first argument with the others, in which no coroutine can yield:
  /// for what must have ended when a wrapper goes on.
  package mutating func pushWholeCall() {
    if begin() { unsafe starling_push_whole_call(lua) }
  }

  /// `json.null`.
  package mutating func pushNull() {
    if begin() { unsafe starling_push_null(lua) }
  }

  @inlinable
  @inline(__always)
  package mutating func push(_ value: Bool) {
    if begin() { unsafe lua_pushboolean(lua, value ? 1 : 0) }  // [-0, +1, -]
  }

  @inlinable
  @inline(__always)
  package mutating func push(_ value: Int64) {
    if begin() { unsafe lua_pushinteger(lua, value) }  // [-0, +1, -]
  }

  package mutating func push(_ value: Double) {
    if begin() { unsafe lua_pushnumber(lua, value) }  // [-0, +1, -]
  }

  package mutating func push(_ text: String) {
    guard begin() else { return }
    var text = text
    text.withUTF8 { unsafe Self.pushBytes(lua, UnsafeRawBufferPointer($0)) }
  }

  package mutating func push(_ bytes: UnsafeRawBufferPointer) {
    if begin() { unsafe Self.pushBytes(lua, bytes) }
  }

  package mutating func push(_ key: LuaKey) {
    if begin() { unsafe starling_push_key(lua, key.number) }
  }

  package mutating func push(_ function: LuaFunction) {
    if begin() { unsafe starling_push_reference(lua, function.reference.number) }
  }

  package mutating func push(_ table: LuaTable) {
    if begin() { unsafe starling_push_reference(lua, table.reference.number) }
  }

  package mutating func push(_ object: LuaKeptObject) { push(object.reference) }

  mutating func push(_ reference: LuaReference) {
    if begin() { unsafe starling_push_reference(lua, reference.number) }
  }

  /// The value that is being looked at, itself.
  package mutating func push(_ view: LuaView) {
    if begin() { unsafe lua_pushvalue(lua, view.slot) }  // [-0, +1, -]
  }

  /// A view of `node` in a document that `LuaState.lend` made known.
  package mutating func push(_ document: LuaDocument, node: Int64) {
    if begin() { unsafe starling_push_view(lua, document.slot, document.generation, node) }
  }

  /// An object that `LuaState.makeObject` made.
  package mutating func push(_ object: LuaObject) {
    if begin() {
      unsafe starling_push_object(
        lua, Int32(bitPattern: object.type), object.slot, object.generation)
    }
  }

  /// A new table. The counts are reserved, not required.
  @inlinable
  package mutating func table(
    fields: Int = 0, elements: Int = 0, _ fill: (inout LuaTableWriter) throws(LuaError) -> Void
  ) throws(LuaError) {
    guard begin() else { return }
    try unsafe LuaWriter.requireRoom(lua, fields: fields, elements: elements)
    // [-0, +1, m]
    unsafe lua_createtable(lua, Int32(clamping: elements), Int32(clamping: fields))
    var writer = unsafe LuaTableWriter(lua)
    try fill(&writer)
  }

  /// A new list; an empty one is marked, so that JSON's `[]` is not `{}`.
  @inlinable
  package mutating func array(
    count: Int, _ fill: (inout LuaTableWriter) throws(LuaError) -> Void
  ) throws(LuaError) {
    guard begin() else { return }
    try unsafe LuaWriter.requireRoom(lua, fields: 0, elements: count)
    unsafe lua_createtable(lua, Int32(clamping: count), 0)
    var writer = unsafe LuaTableWriter(lua)
    try fill(&writer)
    if writer.count == 0 { unsafe starling_mark_array(lua) }
  }

  /// Fields or elements of a table from which on memory is looked for before they are made.
  @usableFromInline static var manySlots: Int { 4096 }

  /// - Throws: `outOfMemory` when there is no room for a large table.
  @inlinable @inline(__always)
  static func requireRoom(
    _ lua: OpaquePointer, fields: Int, elements: Int
  ) throws(LuaError) {
    if fields | elements >= manySlots { try unsafe lookForRoom(lua, fields, elements) }
  }

  /// Lua takes 16 bytes for an element, and 24 for each field of the next power of two.
  @usableFromInline
  static func lookForRoom(_ lua: OpaquePointer, _ fields: Int, _ elements: Int) throws(LuaError) {
    let host = unsafe starling_host_of(lua)
    let bytes = max(0, elements).multipliedReportingOverflow(by: 16)
    let more = max(0, fields).multipliedReportingOverflow(by: 48)
    let (sum, isTooMuch) = bytes.partialValue.addingReportingOverflow(more.partialValue)
    if !bytes.overflow, !more.overflow, !isTooMuch, unsafe starling_has_room(host, sum) { return }
    throw .outOfMemory(limit: Int(clamping: unsafe starling_memory_limit(host)))
  }

  @inlinable
  static func pushBytes(_ lua: OpaquePointer, _ bytes: UnsafeRawBufferPointer) {
    unsafe bytes.withMemoryRebound(to: CChar.self) {
      _ = unsafe lua_pushlstring(lua, $0.baseAddress, $0.count)  // [-0, +1, m]
    }
  }
}
