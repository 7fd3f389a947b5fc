import CLua54

/// A plain Lua state with all stock libraries, to compare ours with.
package final class StockLua {
  private let lua: OpaquePointer

  package init?() {
    guard let lua = luaL_newstate() else { return nil }
    self.lua = lua
    luaL_openlibs(lua)
  }

  deinit { lua_close(lua) }

  /// Runs a chunk and gives the text that it returns, or the error's.
  package func run(_ source: String) -> String {
    let bytes = Array(source.utf8)
    let status = bytes.withUnsafeBytes {
      luaL_loadbufferx(lua, $0.bindMemory(to: CChar.self).baseAddress, $0.count, "=case", "t")
    }
    if status == LUA_OK { _ = lua_pcallk(lua, 0, 1, 0, 0, nil) }
    var length = 0
    let text = lua_tolstring(lua, -1, &length)
    let result = String(
      decoding: UnsafeRawBufferPointer(start: text, count: text == nil ? 0 : length), as: UTF8.self)
    lua_settop(lua, 0)
    return result
  }
}
