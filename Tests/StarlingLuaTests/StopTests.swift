import Glibc
import StarlingLua
import StarlingTestSupport
import Testing

/// Nothing that Lua code does outlives its time, and the state works afterwards.
@Suite struct StopTests {
  /// Each would run for very long.
  static let endless: [(name: String, source: String)] = [
    ("a loop", "while true do end"),
    ("a loop with calls", "local function f() end while true do f() end"),
    ("goto", "::top:: goto top"),
    ("recursion without end", "local function f() return f() end f()"),
    ("a pcall loop", "while true do pcall(function() while true do end end) end"),
    ("a pcall loop of errors", "while true do pcall(error) end"),
    ("an xpcall handler", "xpcall(error, function() while true do end end)"),
    (
      "an xpcall handler after the stop",
      "xpcall(function() while true do end end, function() while true do end end)"
    ),
    (
      "xpcall in a loop",
      "while true do xpcall(function() while true do end end, function(e) return e end) end"
    ),
    ("__close", "local t <close> = setmetatable({}, {__close = function() while true do end end})"),
    (
      "__close during the stop",
      "local t <close> = setmetatable({}, {__close = function() while true do end end}) while true do end"
    ),
    (
      "__close under pcall",
      """
      while true do pcall(function()
        local t <close> = setmetatable({}, {__close = function() while true do end end})
        error('x') end) end
      """
    ),
    (
      "many __close",
      """
      local function f() while true do end end
      local a <close> = setmetatable({}, {__close = f})
      local b <close> = setmetatable({}, {__close = f})
      local c <close> = setmetatable({}, {__close = function() pcall(f) f() end})
      f()
      """
    ),
    ("a coroutine", "coroutine.wrap(function() while true do end end)()"),
    (
      "nested coroutines",
      "coroutine.wrap(function() coroutine.wrap(function() while true do end end)() end)()"
    ),
    (
      "coroutines that die and are replaced",
      """
      while true do
        local co = coroutine.create(function() while true do end end)
        coroutine.resume(co)
      end
      """
    ),
    (
      "yield ping-pong",
      """
      local co = coroutine.wrap(function() while true do coroutine.yield() end end)
      while true do co() end
      """
    ),
    (
      "a coroutine that loops in __close when it is closed",
      """
      local co = coroutine.create(function()
        local t <close> = setmetatable({}, {__close = function() while true do end end})
        coroutine.yield()
      end)
      coroutine.resume(co)
      coroutine.close(co)
      """
    ),
    (
      "pcall inside coroutines",
      """
      local function f() while true do pcall(function() while true do end end) end end
      while true do coroutine.resume(coroutine.create(f)) end
      """
    ),
    (
      "metamethods",
      "local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) while true do pcall(function() return t[1] end) end"
    ),
    ("__tostring", "tostring(setmetatable({}, {__tostring = function() while true do end end}))"),
    (
      "an error whose __tostring loops",
      "error(setmetatable({}, {__tostring = function() while true do end end}))"
    ),
    (
      "an exponential pattern",
      "return (('a'):rep(30)):find(('a?'):rep(30) .. ('a'):rep(30))"
    ),
    ("a quadratic pattern", "return (('a'):rep(300000)):find('.-b')"),
    ("a polynomial pattern", "return (('a'):rep(10000)):find('.-.-.-.-b$')"),
    ("a match", "return (('a'):rep(10000)):match('(.-)(.-)(.-)b')"),
    ("gmatch", "for _ in (('a'):rep(100000)):gmatch('a-a-a-b') do end"),
    ("gsub", "return (('a'):rep(100000)):gsub('a-a-b', '')"),
    (
      "sets of many characters",
      "return (('a'):rep(2000000)):find('[' .. ('b'):rep(1000000) .. ']')"
    ),
    ("plain find", "return (('a'):rep(3000000)):find(('a'):rep(1500000) .. 'b', 1, true)"),
    ("rep of nothing", "for i = 1, 1e9 do string.rep('', 1e18) end"),
    ("move", "table.move({}, 1, 2^62 // 1 | 0, 2, {})"),
    (
      "move upwards",
      "table.move(setmetatable({}, {__index = function() end}), 1, math.maxinteger - 1, 2)"
    ),
    (
      "insert with a lying length",
      "table.insert(setmetatable({}, {__len = function() return math.maxinteger - 1 end}), 1, 1)"
    ),
    (
      "remove with a lying length",
      "table.remove(setmetatable({}, {__len = function() return math.maxinteger - 1 end}), 1)"
    ),
    (
      "concat with a lying length",
      "table.concat(setmetatable({}, {__index = function() return '' end, __len = function() return math.maxinteger end}))"
    ),
    (
      "unpack in a loop",
      "local t = {} for i = 1, 200 do t[i] = i end while true do table.unpack(t) end"
    ),
    (
      "sort",
      "local t = {} for i = 1, 3e6 do t[i] = (i * 7919) % 1000003 end while true do table.sort(t) t[1] = 1e9 end"
    ),
    (
      "sort with a lying length",
      "table.sort(setmetatable({}, {__len = function() return 2^31 - 2 | 0 end, __index = function() return 1 end, __newindex = function() end}))"
    ),
    ("format in a loop", "while true do string.format('%99.99f', 1e308) end"),
    ("ever longer texts", "local s = '' while true do s = s .. 'x' end"),
    ("collectgarbage", "while true do collectgarbage() end"),
    ("load", "while true do load('return 1')() end"),
    ("load with a reader", "load(function() return 'x = 1 ' end)"),
    (
      "load with a reader of nothing new",
      "while true do load(function() while true do end end) end"
    ),
    (
      "a sort comparator",
      "local t = {} for i = 1, 100 do t[i] = i end table.sort(t, function() while true do end end)"
    ),
    ("a gsub callback", "('x'):gsub('x', function() while true do end end)"),
    ("next", "local t = {1} while true do next(t) end"),
  ]

  @Test("ends within its time plus 50 ms", arguments: endless.indices)
  func ends(index: Int) throws {
    let (name, source) = Self.endless[index]
    let state = try LuaState(
      LuaConfiguration(library: .script, globals: .topLevel, memoryLimit: 256 << 20))
    let chunk = try state.load(source, name: name)
    try expectStop(name) { () throws(LuaError) in
      try state.call(chunk, budget: .milliseconds(60))
    }
    #expect(!state.mustStop, "after: \(name)")
    if state.isLost { return }  // it was in one long step, which LostStateTests are about
    #expect(state.run("return 'still ' .. #{1, 2}") == "still 2", "after: \(name)")
    #expect(state.run("return select(2, pcall(error, 'caught'))") == "caught", "after: \(name)")
  }

  @Test("a compilation ends in its time")
  func compilation() throws {
    let state = try LuaState(.script)
    // No locals: a function may have 32,767 of them, which would end it by itself.
    let line = "t = {1, 2, {3, 4}}; if t then t = t[1] .. 'x' end\n"
    let source = Array(String(repeating: line, count: 300_000).utf8)
    try expectStop("load") { () throws(LuaError) in
      _ = try state.load(source, name: "long", budget: .milliseconds(60))
    }
    #expect(state.run("return 'still'") == "still")
  }

  @Test("an interrupt from another thread stops a call without a deadline")
  func interrupt() throws {
    let handle = InterruptHandle()
    let thread = TestThread {
      usleep(50_000)
      handle.interrupt()
    }
    try runUntilInterrupted(handle)
    thread.join()
  }

  private func runUntilInterrupted(_ handle: InterruptHandle) throws {
    let state = try LuaState(.script, interruptHandle: handle)
    let chunk = try state.load(
      "x = 1 while true do pcall(function() while true do end end) end", name: "c")
    let error = #expect(throws: LuaError.self) { try state.call(chunk) }
    guard case .interrupted(.request) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    // Until it is cleared nothing runs; then the session goes on with its globals.
    #expect(state.run("return 'no'") == "stopped: interrupted")
    handle.clear()
    #expect(state.run("return 'x is ' .. x") == "x is 1")
  }

  @Test("a coroutine that a stop killed cannot run its __close later")
  func stoppedCoroutine() throws {
    let state = try LuaState(.script)
    let chunk = try state.load(
      """
      co = coroutine.create(function()
        local t <close> = setmetatable({}, {__close = function() while true do end end})
        while true do end
      end)
      coroutine.resume(co)
      """, name: "c")
    try expectStop("coroutine") { () throws(LuaError) in
      try state.call(chunk, budget: .milliseconds(30))
    }
    #expect(state.run("return coroutine.status(co)") == "dead")
    #expect(
      state.run("return select(2, pcall(coroutine.close, co))")
        == "cannot close a stopped coroutine")
  }

  @Test("a host function that checks its budget ends in time; its error cannot be swallowed")
  func hostLoop() throws {
    let state = try LuaState(.script)
    state.register("work") { call, _ throws(LuaError) in
      while true { try call.state.checkBudget() }
    }
    let chunk = try state.load("while true do pcall(work) end", name: "c")
    try expectStop("work") { () throws(LuaError) in
      try state.call(chunk, budget: .milliseconds(60))
    }
  }

  @Test("a call inside a host function shares the outermost deadline")
  func nestedDeadline() throws {
    let state = try LuaState(.script)
    let inner = try state.load("while true do end", name: "inner")
    state.register("nested") { call, _ throws(LuaError) in
      try call.state.call(inner, budget: .seconds(60))
    }
    let chunk = try state.load("while true do pcall(nested) end", name: "outer")
    try expectStop("nested") { () throws(LuaError) in
      try state.call(chunk, budget: .milliseconds(60))
    }
  }

  @Test("another state that a host function runs shares the deadline too")
  func otherState() throws {
    let outer = try LuaState(.script)
    let inner = try LuaState(.plugin)
    let loop = try inner.load("while true do end", name: "inner")
    outer.register("plugin") { _, _ throws(LuaError) in try inner.call(loop, budget: .seconds(60)) }
    let chunk = try outer.load("plugin()", name: "outer")
    try expectStop("plugin") { () throws(LuaError) in
      try outer.call(chunk, budget: .milliseconds(60))
    }
    #expect(inner.run("return 'still'") == "still")
  }
}

/// Expects that `body` is stopped for time, within 60 ms and 50 more.
func expectStop(_ name: String, _ body: () throws(LuaError) -> Void) throws {
  let start = ProcessorTime.now()
  var caught: LuaError?
  do throws(LuaError) { try body() } catch { caught = error }
  let time = ProcessorTime.now() - start
  guard case .interrupted(.time) = caught else {
    Issue.record("\(name): not stopped but \(caught.map(\.description) ?? "done") after \(time)")
    return
  }
  #expect(time < .milliseconds(60 + stopAllowance), "\(name)")
}

#if DEBUG
  /// Milliseconds; the tests of a debug build run beside each other.
  let stopAllowance = 150
#else
  let stopAllowance = 50
#endif
