import CLua54
import CLuaShim

extension LuaState {
  /// Makes a table that the host keeps.
  package func makeTable(
    fields: Int = 0, elements: Int = 0, _ fill: (inout LuaTableWriter) throws(LuaError) -> Void
  ) throws(LuaError) -> LuaTable {
    let lua = unsafe self.lua
    let top = unsafe lua_gettop(lua)
    defer { unsafe lua_settop(lua, top) }
    try reserveStack()
    var writer = unsafe LuaWriter(lua)
    try writer.table(fields: fields, elements: elements, fill)
    guard let table = unsafe keepTable(LuaView(lua, top + 1)) else {
      throw .message("stack overflow")
    }
    return table
  }
}

extension LuaWriter {
  /// Pushes one element of a table that the host keeps, read raw.
  package mutating func push(_ table: LuaTable, element position: Int) {
    push(table)
    guard isComplete else { return }
    unsafe lua_rawgeti(lua, -1, Int64(position))  // [-0, +1, -]
    unsafe lua_rotate(lua, -2, -1)  // [-0, +0, -]
    unsafe lua_settop(lua, -2)
  }
}

extension LuaTableWriter {
  /// Sets the element at any position to the one value that `write` pushes.
  package mutating func set(
    at position: Int64, _ write: (inout LuaWriter) throws(LuaError) -> Void
  ) throws(LuaError) {
    var writer = unsafe LuaWriter(lua)
    try write(&writer)
    if writer.count == 1 {
      unsafe lua_rawseti(lua, -2, position)  // [-1, +0, m]
    } else {
      unsafe lua_settop(lua, lua_gettop(lua) - writer.count)
    }
  }

  /// Sets the field that any value names to the one value that `write` pushes.
  package mutating func set(
    _ name: LuaView, _ write: (inout LuaWriter) throws(LuaError) -> Void
  ) throws(LuaError) {
    let top = unsafe lua_gettop(lua)
    var writer = unsafe LuaWriter(lua)
    writer.push(name)
    try write(&writer)
    guard writer.count == 2, !name.isNil, name.number?.isNaN != true else {
      return unsafe starling_pop(lua, top)
    }
    unsafe lua_rawset(lua, -3)  // [-2, +0, m]
  }
}
