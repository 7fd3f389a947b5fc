public import CLua54
public import CLuaShim

/// Fills a new table.
@safe
@usableFromInline
package struct LuaTableWriter: ~Copyable {
  @usableFromInline let lua: OpaquePointer
  /// Where the table lies: other values may be lent above it meanwhile.
  @usableFromInline let slot: Int32
  /// How many elements `append` added.
  @usableFromInline package internal(set) var count = 0

  @inlinable
  init(_ lua: OpaquePointer) {
    unsafe self.lua = unsafe lua
    slot = unsafe lua_gettop(lua)
  }

  @inlinable
  package mutating func set(_ key: LuaKey, _ value: Bool) {
    unsafe starling_set_boolean(lua, slot, key.number, value ? 1 : 0)
  }

  @inlinable
  package mutating func set(_ key: LuaKey, _ value: Int64) {
    unsafe starling_set_integer(lua, slot, key.number, value)
  }

  @inlinable
  package mutating func set(_ key: LuaKey, _ value: Double) {
    unsafe starling_set_number(lua, slot, key.number, value)
  }

  @inlinable
  package mutating func set(_ key: LuaKey, _ bytes: UnsafeRawBufferPointer) {
    unsafe bytes.withMemoryRebound(to: CChar.self) {
      unsafe starling_set_bytes(lua, slot, key.number, $0.baseAddress, $0.count)
    }
  }

  package mutating func set(_ key: LuaKey, _ text: String) {
    var text = text
    text.withUTF8 { unsafe set(key, UnsafeRawBufferPointer($0)) }
  }

  /// Sets a text that is interned.
  @inlinable
  package mutating func set(_ key: LuaKey, _ text: LuaKey) {
    unsafe starling_set_key(lua, slot, key.number, text.number)
  }

  package mutating func setNull(_ key: LuaKey) {
    unsafe starling_set_null(lua, slot, key.number)
  }

  /// Sets the field to the one value that `write` pushes; to nothing when it pushes none.
  @inlinable
  package mutating func set(
    _ key: LuaKey, _ write: (inout LuaWriter) throws(LuaError) -> Void
  ) throws(LuaError) {
    unsafe starling_push_key(lua, key.number)
    try setPushed(write)
  }

  /// Sets the field of any name.
  package mutating func set(
    named name: String, _ write: (inout LuaWriter) throws(LuaError) -> Void
  ) throws(LuaError) {
    var name = name
    name.withUTF8 { unsafe LuaWriter.pushBytes(lua, UnsafeRawBufferPointer($0)) }
    try setPushed(write)
  }

  package mutating func set(
    named name: UnsafeRawBufferPointer, _ write: (inout LuaWriter) throws(LuaError) -> Void
  ) throws(LuaError) {
    unsafe LuaWriter.pushBytes(lua, name)
    try setPushed(write)
  }

  /// The same in two steps, for a name whose bytes are only lent: `end` must follow.
  @inlinable
  package mutating func begin(named name: UnsafeRawBufferPointer) {
    unsafe LuaWriter.pushBytes(lua, name)
  }

  @inlinable
  package mutating func end(
    _ write: (inout LuaWriter) throws(LuaError) -> Void
  ) throws(LuaError) {
    try setPushed(write)
  }

  /// Sets the element at any position to the one value that `write` pushes.
  package mutating func set(
    at position: Int64, _ write: (inout LuaWriter) throws(LuaError) -> Void
  ) throws(LuaError) {
    if try push(write) { unsafe lua_rawseti(lua, slot, position) }  // [-1, +0, m]
  }

  /// Sets the field that a value names; nothing for nil and NaN, which name none.
  package mutating func set(
    _ name: LuaView, _ write: (inout LuaWriter) throws(LuaError) -> Void
  ) throws(LuaError) {
    if name.isNil || name.type == .number && name.number?.isNaN == true { return }
    unsafe lua_pushvalue(lua, name.slot)  // [-0, +1, -]
    try setPushed(write)
  }

  /// Sets the field that an element of a list names to a boolean; the element must be a string.
  package mutating func set(_ list: LuaView, element position: Int, _ value: Bool) {
    unsafe lua_rawgeti(lua, list.slot, Int64(position))  // [-0, +1, -]
    unsafe lua_pushboolean(lua, value ? 1 : 0)
    unsafe lua_rawset(lua, slot)  // [-2, +0, m]
  }

  /// Adds an element behind the last one.
  @inlinable
  package mutating func append(
    _ write: (inout LuaWriter) throws(LuaError) -> Void
  ) throws(LuaError) {
    // With the next element Lua makes the list twice as long.
    if count & (count &- 1) == 0 {
      try unsafe LuaWriter.requireRoom(lua, fields: 0, elements: count)
    }
    guard try push(write) else { return }
    count += 1
    unsafe lua_rawseti(lua, slot, Int64(count))  // [-1, +0, m]
  }

  package mutating func append(_ value: Int64) {
    count += 1
    unsafe lua_pushinteger(lua, value)
    unsafe lua_rawseti(lua, slot, Int64(count))
  }

  @inlinable
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    count += 1
    unsafe LuaWriter.pushBytes(lua, bytes)
    unsafe lua_rawseti(lua, slot, Int64(count))
  }

  package mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { unsafe append(UnsafeRawBufferPointer($0)) }
  }

  /// The key is on top.
  @inlinable
  mutating func setPushed(
    _ write: (inout LuaWriter) throws(LuaError) -> Void
  ) throws(LuaError) {
    if try push(write) {
      unsafe lua_rawset(lua, slot)  // [-2, +0, m]
    } else {
      unsafe starling_pop(lua, -2)
    }
  }

  /// Leaves one value on top, or none.
  @inlinable
  func push(
    _ write: (inout LuaWriter) throws(LuaError) -> Void
  ) throws(LuaError) -> Bool {
    var writer = unsafe LuaWriter(lua)
    try writer.step()
    try write(&writer)
    if writer.count == 1 { return true }
    return try keepOne(of: writer)
  }

  /// Leaves the first of what was pushed, which is not one value as nearly always.
  @usableFromInline
  func keepOne(of writer: borrowing LuaWriter) throws(LuaError) -> Bool {
    guard writer.isComplete else { throw .message("stack overflow: tables nested too deeply") }
    if writer.count > 1 { unsafe starling_pop(lua, -writer.count) }
    return writer.count > 0
  }
}
