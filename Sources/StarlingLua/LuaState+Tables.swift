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
