import CLua54
import StarlingLua
import Testing

/// A plain Lua state with all stock libraries, to compare ours with.
final class StockLua {
  private let lua: OpaquePointer

  init() throws {
    lua = try #require(luaL_newstate())
    luaL_openlibs(lua)
  }

  deinit { lua_close(lua) }

  /// Runs a chunk and gives the text that it returns, or the error's.
  func run(_ source: String) -> String {
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

/// A small seeded generator (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension LuaState {
  /// Runs a chunk and gives the text that it returns, or the error's.
  func run(_ source: String) -> String {
    do {
      return try call(try load(source, name: "case"), budget: .seconds(20)) {
        results throws(LuaError) in
        if let bytes = unsafe results[1].bytes { return String(decoding: bytes, as: UTF8.self) }
        return "(no text)"
      }
    } catch {
      return error.description
    }
  }
}
