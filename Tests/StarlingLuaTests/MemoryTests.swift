import StarlingLua
import Testing

/// What Lua holds stays below its limit.
@Suite struct MemoryTests {
  static let bombs = [
    "local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end",
    "local s = 'x' while true do s = s .. s end",
    "return ('x'):rep(1e9)", "return ('x'):rep(1e18)", "return ('x'):rep(3e6, 'y')",
    "local t = {} for i = 1, 1e9 do t[i] = i end",
    "local t = {} for i = 1, 1e9 do t['k' .. i] = {} end",
    "local function f(...) return f(1, ...) end f()",
    "local t = {} for i = 1, 1e6 do t[i] = ('x'):rep(1e5) end return table.concat(t)",
    "return (('x'):rep(1e6)):gsub('x', ('y'):rep(1e3))",
    "local t = {} while true do t[#t + 1] = coroutine.create(print or next) end",
    "return string.format(('%s'):rep(200), table.unpack((function() local t = {} for i = 1, 200 do t[i] = ('x'):rep(1e6) end return t end)()))",
    "local t = {} while true do t = setmetatable({}, {__index = t}) end",
    "local f = function() end while true do local g = f f = function() return g end end",
    "load('return ' .. ('{'):rep(150) .. ('}'):rep(150) .. (' .. \"x\"'):rep(1e5))()",
    "while true do pcall(string.rep, 'x', 4e6) local t = {} for i = 1, 1e5 do t[i] = {t} end error('x') end",
  ]

  @Test("bombs end with an error below the limit", arguments: bombs)
  func bomb(source: String) throws {
    let limit = 16 << 20
    let state = try LuaState(
      LuaConfiguration(library: .plugin, globals: .open, memoryLimit: limit))
    let chunk = try state.load(source, name: "bomb")
    #expect(throws: LuaError.self) { try state.call(chunk, budget: .seconds(5)) }
    #expect(state.memoryPeak <= limit)
    #expect(state.run("collectgarbage() return 'still'") == "still")
    #expect(state.memoryUsed < 1 << 20)
  }

  @Test("running out of memory is told apart")
  func kind() throws {
    let state = try LuaState(
      LuaConfiguration(library: .plugin, globals: .open, memoryLimit: 1 << 20))
    let chunk = try state.load("local t = {} while true do t[#t + 1] = {} end", name: "c")
    let error = #expect(throws: LuaError.self) { try state.call(chunk) }
    guard case .outOfMemory(limit: 1 << 20) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("what the host pushes counts at the end of its function")
  func hostMemory() throws {
    let state = try LuaState(
      LuaConfiguration(library: .plugin, globals: .open, memoryLimit: 1 << 20))
    state.register("big") { _, results throws(LuaError) in
      results.push(String(repeating: "x", count: 2 << 20))
    }
    let chunk = try state.load("local s = big() return #s", name: "c")
    let error = #expect(throws: LuaError.self) { try state.call(chunk) }
    guard case .outOfMemory = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(state.run("collectgarbage() return 'still'") == "still")
  }

  @Test("memory that the host holds for a script counts")
  func charged() throws {
    let state = try LuaState(
      LuaConfiguration(library: .plugin, globals: .open, memoryLimit: 1 << 20))
    state.register("hold") { call, _ throws(LuaError) in
      call.state.charge(bytes: 900_000)
      try call.state.checkBudget()
    }
    #expect(state.run("hold() hold() return 'x'").contains("not enough memory"))
    state.discharge(bytes: 1_800_000)
    #expect(state.run("return 'still'") == "still")
  }

  @Test("the peak is kept and can be reset")
  func peak() throws {
    let state = try LuaState(.script)
    _ = state.run("local s = ('x'):rep(1e6) s = nil collectgarbage() return ''")
    #expect(state.memoryPeak > 1_000_000)
    state.resetPeakMemory()
    #expect(state.memoryPeak < 1_000_000)
  }

  @Test("a string beyond the state's limit is refused, whoever makes it")
  func stringLimit() throws {
    let state = try LuaState(
      LuaConfiguration(
        library: .plugin, globals: .open, memoryLimit: 64 << 20, stringLimit: 1 << 20))
    for source in [
      "return ('x'):rep(2^20 + 1)", "local s = ('x'):rep(2^20) return s .. s",
      "local t = {} for i = 1, 20 do t[i] = ('x'):rep(1e5) end return table.concat(t)",
      "return (('x'):rep(1e5)):gsub('x', ('y'):rep(100))",
    ] {
      let chunk = try state.load(source, name: "c")
      #expect(throws: LuaError.self) { try state.call(chunk) }
    }
    #expect(state.run("return #(('x'):rep(2^20)) .. ''") == "1048576")
    let concatenation = try state.load("local s = ('x'):rep(2^20) return s .. s", name: "c")
    let error = #expect(throws: LuaError.self) { try state.call(concatenation) }
    guard case .stringTooLong(limit: 1 << 20) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.description == "a string of more than 1 MB, which none may have")
  }
}
