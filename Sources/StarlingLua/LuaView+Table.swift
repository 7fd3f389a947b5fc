import CLua54
import CLuaShim

/// Raw reading of tables: no metamethod runs, so a table cannot lie. Views of documents are not
/// plain tables; ask their source. The closures may push to a writer from outside.
extension LuaView {
  /// Lends the key and value of each pair, in no order.
  ///
  /// No Lua code can run meanwhile: `LuaState.call` in the body throws.
  package func forEachField(
    _ body: (_ key: LuaView, _ value: LuaView) throws(LuaError) -> Void
  ) throws(LuaError) {
    guard unsafe lua_type(lua, slot) == LUA_TTABLE else {
      throw .conversion(expected: "table", found: type.name, path: "")
    }
    try requireStack(4)
    let top = unsafe lua_gettop(lua)
    let host = unsafe starling_host_of(lua)
    unsafe starling_walk_begin(host)
    defer { unsafe starling_walk_end(host) }
    unsafe lua_pushnil(lua)  // [-0, +1, -]
    var key = top + 1
    while unsafe starling_next(lua, slot) {
      try unsafe LuaWriter.step(lua)
      try unsafe body(LuaView(lua, key), LuaView(lua, key + 1))
      key = unsafe starling_step_over(lua, key)
    }
  }

  /// Lends the elements 1 to `rawCount`, with their positions from 1.
  package func forEachElement(
    _ body: (_ position: Int, _ value: LuaView) throws(LuaError) -> Void
  ) throws(LuaError) {
    guard unsafe lua_type(lua, slot) == LUA_TTABLE else {
      throw .conversion(expected: "table", found: type.name, path: "")
    }
    try requireStack(4)
    for position in 0..<rawCount {
      try unsafe LuaWriter.step(lua)
      unsafe lua_rawgeti(lua, slot, Int64(position) + 1)  // [-0, +1, -]
      let value = unsafe LuaView(lua, lua_gettop(lua))
      defer { value.pop() }
      try body(position + 1, value)
    }
  }

  /// Lends the first key that is met which is no position in a list: a whole number from 1.
  ///
  /// - Returns: nil when there is none, so that the table is a list, holes or not.
  package func keyOutsideList<Result>(
    _ body: (LuaView) -> Result
  ) throws(LuaError) -> Result? {
    guard unsafe lua_type(lua, slot) == LUA_TTABLE else {
      throw .conversion(expected: "table", found: type.name, path: "")
    }
    try requireStack(4)
    let top = unsafe lua_gettop(lua)
    defer { unsafe lua_settop(lua, top) }
    let host = unsafe starling_host_of(lua)
    unsafe starling_walk_begin(host)
    defer { unsafe starling_walk_end(host) }
    unsafe lua_pushnil(lua)  // [-0, +1, -]
    while unsafe starling_next(lua, slot) {
      try unsafe LuaWriter.step(lua)
      if unsafe lua_isinteger(lua, top + 1) == 0 || lua_tointegerx(lua, top + 1, nil) < 1 {
        return unsafe body(LuaView(lua, top + 1))
      }
      unsafe lua_settop(lua, top + 1)
    }
    return nil
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

  /// Lends the value of the field whose name has these bytes, which need not be UTF-8.
  package func field<Result>(
    bytes name: [UInt8], _ body: (LuaView) throws(LuaError) -> Result
  ) throws(LuaError) -> Result {
    try requireTable()
    unsafe name.withUnsafeBytes { unsafe LuaWriter.pushBytes(lua, $0) }
    unsafe lua_rawget(lua, slot)  // [-1, +1, -]
    let value = unsafe LuaView(lua, lua_gettop(lua))
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
    unsafe starling_push_field(lua, slot, key.number)
    return unsafe LuaView(lua, lua_gettop(lua))
  }

  @usableFromInline
  package func pushField(named name: String) throws(LuaError) -> LuaView {
    try requireTable()
    var name = name
    name.withUTF8 { utf8 in
      unsafe utf8.withMemoryRebound(to: CChar.self) { text in
        _ = unsafe lua_pushlstring(lua, text.baseAddress, text.count)  // [-0, +1, m]
      }
    }
    unsafe lua_rawget(lua, slot)  // [-1, +1, -]
    return unsafe LuaView(lua, lua_gettop(lua))
  }

  /// The field whose name has these bytes, which need not be UTF-8; `pop` takes it away.
  package func pushField(bytes name: Span<UInt8>) throws(LuaError) -> LuaView {
    try requireTable()
    unsafe name.withUnsafeBytes { unsafe LuaWriter.pushBytes(lua, $0) }
    unsafe lua_rawget(lua, slot)  // [-1, +1, -]
    return unsafe LuaView(lua, lua_gettop(lua))
  }

  @usableFromInline
  package func pushElement(_ position: Int) throws(LuaError) -> LuaView {
    try requireTable()
    unsafe lua_rawgeti(lua, slot, Int64(position))  // [-0, +1, -]
    return unsafe LuaView(lua, lua_gettop(lua))
  }

  @usableFromInline
  package func pop() {
    unsafe starling_cut(lua, slot, 1)  // what the body pushed to a writer stays
  }

  private func requireTable() throws(LuaError) {
    guard unsafe lua_type(lua, slot) == LUA_TTABLE else {
      throw .conversion(expected: "table", found: type.name, path: "")
    }
    try requireStack(3)
  }

  private func requireStack(_ count: Int32) throws(LuaError) {
    guard unsafe lua_checkstack(lua, count) != 0 else {  // [-0, +0, -]
      throw .message("stack overflow: tables nested too deeply")
    }
  }
}
