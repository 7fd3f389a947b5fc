import CLua54
import CLuaShim

/// Raw reading of tables: no metamethod runs, so a table cannot lie. Views of documents are not
/// plain tables; ask their source.
extension LuaView {
  /// Lends the key and value of each pair, in no order.
  ///
  /// No Lua code can run meanwhile: `LuaState.call` in the body throws.
  package func forEachField(
    _ body: (_ key: LuaView, _ value: LuaView) throws(LuaError) -> Void
  ) throws(LuaError) {
    guard unsafe lua_type(L, slot) == LUA_TTABLE else {
      throw .conversion(expected: "table", found: type.name, path: "")
    }
    try requireStack(4)
    let top = unsafe lua_gettop(L)
    let host = unsafe starling_host_of(L)
    unsafe starling_walk_begin(host)
    defer {
      unsafe starling_walk_end(host)
      unsafe starling_pop(L, top)
    }
    unsafe lua_pushnil(L)  // [-0, +1, -]
    while unsafe starling_next(L, slot) {
      try unsafe body(LuaView(L, top + 1), LuaView(L, top + 2))
      unsafe starling_pop(L, top + 1)
    }
  }

  /// Lends the elements 1 to `rawCount`, with their positions from 1.
  package func forEachElement(
    _ body: (_ position: Int, _ value: LuaView) throws(LuaError) -> Void
  ) throws(LuaError) {
    guard unsafe lua_type(L, slot) == LUA_TTABLE else {
      throw .conversion(expected: "table", found: type.name, path: "")
    }
    try requireStack(4)
    let top = unsafe lua_gettop(L)
    defer { unsafe starling_pop(L, top) }
    for position in 0..<rawCount {
      unsafe lua_rawgeti(L, slot, Int64(position) + 1)  // [-0, +1, -]
      try unsafe body(position + 1, LuaView(L, top + 1))
      unsafe starling_pop(L, top)
    }
  }

  /// Lends the value of the field `key`, nil's view when there is none.
  @inlinable
  package func field<Result>(
    _ key: LuaKey, _ body: (LuaView) throws(LuaError) -> Result
  ) throws(LuaError) -> Result {
    let value = try pushField(key)
    defer { value.pop() }
    return try body(value)
  }

  /// Lends the value of the field with a name that was not interned.
  @inlinable
  package func field<Result>(
    named name: String, _ body: (LuaView) throws(LuaError) -> Result
  ) throws(LuaError) -> Result {
    let value = try pushField(named: name)
    defer { value.pop() }
    return try body(value)
  }

  /// Lends element `position`, counted from 1.
  @inlinable
  package func element<Result>(
    _ position: Int, _ body: (LuaView) throws(LuaError) -> Result
  ) throws(LuaError) -> Result {
    let value = try pushElement(position)
    defer { value.pop() }
    return try body(value)
  }

  @usableFromInline
  package func pushField(_ key: LuaKey) throws(LuaError) -> LuaView {
    try requireTable()
    unsafe starling_push_field(L, slot, key.number)
    return unsafe LuaView(L, lua_gettop(L))
  }

  @usableFromInline
  package func pushField(named name: String) throws(LuaError) -> LuaView {
    try requireTable()
    var name = name
    name.withUTF8 { utf8 in
      unsafe utf8.withMemoryRebound(to: CChar.self) { text in
        _ = unsafe lua_pushlstring(L, text.baseAddress, text.count)  // [-0, +1, m]
      }
    }
    unsafe lua_rawget(L, slot)  // [-1, +1, -]
    return unsafe LuaView(L, lua_gettop(L))
  }

  @usableFromInline
  package func pushElement(_ position: Int) throws(LuaError) -> LuaView {
    try requireTable()
    unsafe lua_rawgeti(L, slot, Int64(position))  // [-0, +1, -]
    return unsafe LuaView(L, lua_gettop(L))
  }

  @usableFromInline
  package func pop() {
    unsafe starling_pop(L, slot - 1)
  }

  private func requireTable() throws(LuaError) {
    guard unsafe lua_type(L, slot) == LUA_TTABLE else {
      throw .conversion(expected: "table", found: type.name, path: "")
    }
    try requireStack(3)
  }

  private func requireStack(_ count: Int32) throws(LuaError) {
    guard unsafe lua_checkstack(L, count) != 0 else {  // [-0, +0, -]
      throw .message("stack overflow: tables nested too deeply")
    }
  }
}
