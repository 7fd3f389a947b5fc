import Glibc
import StarlingLua
import Testing

/// What an author is told.
@Suite struct ErrorTests {
  private func fault(_ source: String) throws -> LuaFault {
    let state = try LuaState(.script)
    let chunk = try state.load(source, name: "plugins/x.lua")
    let error = #expect(throws: LuaError.self) { try state.call(chunk) }
    guard case .runtime(let fault) = error else {
      Issue.record("\(String(describing: error))")
      return LuaFault(message: "")
    }
    return fault
  }

  @Test("of a message as long as a string may be, the beginning is kept")
  func longMessages() throws {
    let fault = try fault("error(('é'):rep(1e6))")
    #expect(fault.message.hasPrefix("plugins/x.lua:1: éé"))
    #expect(fault.message.hasSuffix("... (of 2000017 bytes)"))
    #expect(fault.message.utf8.count < 9_000 && !fault.message.contains("\u{FFFD}"))
    let name = try self.fault("local t = setmetatable({}, {__name = ('x'):rep(1e6)}) return t + 1")
    #expect(name.message.utf8.count < 9_000)
    let state = try LuaState(.script)
    #expect(throws: LuaError.self) {
      try state.load("x = '\(String(repeating: "y", count: 20_000))", name: "x")
    }
    // What a console waits for more of is told by the end of the message.
    let unfinished = "x = \(String(repeating: "y", count: 20_000)) +"
    let error = #expect(throws: LuaError.self) { try state.load(unfinished, name: "x") }
    guard case .syntax(_, incomplete: true) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("a stop says where the code was, inside of a coroutine and of a function of C too")
  func stopPlace() throws {
    for (source, line) in [
      ("\nwhile true do end", 2), ("\n\nlocal t = {}\nwhile true do pcall(error) end", 4),
      ("local f = coroutine.wrap(function()\n  while true do end\nend)\nf()", 2),
      ("\nlocal s = ('a'):rep(30)\nlocal _ = s:find(('a?'):rep(30) .. s)", 3),
    ] {
      let state = try LuaState(.plugin)
      let chunk = try state.load(source, name: "plugins/x.lua")
      #expect(throws: LuaError.self) { try state.call(chunk, budget: .milliseconds(50)) }
      let place = state.stopPlace(.interrupted(.time))
      #expect(place?.chunk == "plugins/x.lua")
      #expect(place?.line == line)
      #expect(place?.traceback.hasPrefix("stack traceback:\n") == true)
      try state.call(try state.load("return 1", name: "x"))
      #expect(state.stopPlace(.interrupted(.time)) == nil)
    }
  }

  @Test("a directive of format that is wrong is told before a later value is asked for its text")
  func formatOrder() throws {
    let state = try LuaState(.plugin)
    for (call, message) in [
      ("'%d %s', 'no', shown", "bad argument #2 to 'format' (number expected, got string)"),
      ("'%d%y %s', 1, 1, shown", "invalid conversion '%y' to 'format'"),
      ("'%s %d', shown, 'no'", "asked"), ("'%d %p', 'no', {}", "bad argument #2 to 'format'"),
      ("'%s %s', 'a', shown", "asked"),
    ] {
      let source = """
        local shown = setmetatable({}, { __tostring = function() error('asked', 0) end })
        string.format(\(call))
        """
      let error = #expect(throws: LuaError.self) {
        try state.call(try state.load(source, name: "x"))
      }
      #expect(error?.description.contains(message) == true, "\(String(describing: error))")
    }
    let call =
      "return string.format('%s|%-3s|%d', setmetatable({}, { __tostring = function() return 'é' end }), 'x', 7)"
    let text = try state.call(try state.load(call, name: "x")) { results throws(LuaError) in
      try results[1].string()
    }
    #expect(text == "é|x  |7")
  }

  @Test("memory that is used up says where too, whatever the code caught before")
  func memoryPlace() throws {
    for (source, line) in [
      ("\nlocal t = {}\nfor i = 1, 1e9 do\n  t[i] = { i }\nend", 4),
      (
        "\n\nlocal function f() return 1 + f() end\nlocal t = {}\nfor i = 1, 1e7 do t[i] = 'a' .. i end",
        5
      ),
      (
        "local f = coroutine.wrap(function()\n  local s = ('a'):rep(3e6)\n  return s .. s\nend)\nf()",
        3
      ),
      (
        "local s = ('a'):rep(3e6)\npcall(function() return s .. s end)\nlocal t = table.concat({s, s})",
        3
      ),
    ] {
      let state = try LuaState(.plugin)
      let chunk = try state.load(source, name: "plugins/x.lua")
      let error = #expect(throws: LuaError.self) { try state.call(chunk) }
      let place = error.flatMap { state.stopPlace($0) }
      #expect(place?.chunk == "plugins/x.lua")
      #expect(place?.line == line, "\(source)")
      #expect(place?.traceback.contains("x.lua:\(line): in ") == true, "\(source)")
      try state.call(try state.load("return 1", name: "x"))
      #expect(error.flatMap { state.stopPlace($0) } == nil)
    }
  }

  @Test("results are read within the time of their call, but for what is off the clock")
  func readsInTime() throws {
    let state = try LuaState(.plugin)
    let chunk = try state.load("local t = {} for i = 1, 1000 do t[i] = i end return t", name: "x")
    let error = #expect(throws: LuaError.self) {
      try state.call(chunk, budget: .milliseconds(300)) { results throws(LuaError) in
        try results[1].forEachElement { _, _ in usleep(2_000) }
      }
    }
    guard case .interrupted(.time) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    try state.call(chunk, budget: .milliseconds(1_500)) { results throws(LuaError) in
      try results[1].forEachElement { _, _ in state.offTheClock { _ = usleep(2_000) } }
    }
  }

  @Test(
    "any error object becomes a message, with the place of the fault",
    arguments: [
      ("\nerror('plain')", "plugins/x.lua:2: plain"), ("\nerror('bare', 0)", "bare"),
      ("\nerror()", "(error object is a nil value)"),
      ("\nerror({})", "(error object is a table value)"),
      ("\nerror(setmetatable({}, {__name = 'Car'}))", "(error object is a Car value)"),
      (
        "\nerror(setmetatable({}, {__name = ('n'):rep(99)}))",
        "(error object is a \(String(repeating: "n", count: 60)) value)"
      ),
      ("\nerror(setmetatable({}, {__name = {}}))", "(error object is a table value)"),
      ("\nerror(42)", "42"),
      ("\nerror(true)", "(error object is a boolean value)"),
      ("\nerror(type)", "(error object is a function value)"),
      ("\nerror(setmetatable({}, {__tostring = function() return 'shown' end}))", "shown"),
      (
        "\nerror(setmetatable({}, {__tostring = function() error('again') end}))",
        "(error object is a table value)"
      ),
      ("\nerror(setmetatable({}, {__tostring = function() return 7 end}))", "7"),
      (
        "\nerror(setmetatable({}, {__tostring = function() return {} end}))",
        "(error object is a table value)"
      ),
      ("\nlocal t = nil\nreturn t.x", "plugins/x.lua:3: attempt to index a nil value (local 't')"),
      ("\nreturn 1 + {}", "plugins/x.lua:2: attempt to perform arithmetic on a table value"),
      ("\ncoroutine.wrap(function() error('inside') end)()", "plugins/x.lua:2: inside"),
      (
        "\nstring.rep()",
        "plugins/x.lua:2: bad argument #1 to 'rep' (string expected, got no value)"
      ),
    ])
  func objects(source: String, message: String) throws {
    let fault = try fault(source)
    #expect(fault.message.hasSuffix(message))
    #expect(fault.chunk == "plugins/x.lua")
    #expect(fault.line == source.split(separator: "\n", omittingEmptySubsequences: false).count)
    #expect(fault.traceback.hasPrefix("stack traceback:\n\t"))
  }

  @Test("a traceback names functions and lines, and stays short for deep stacks")
  func traceback() throws {
    let deep = try fault(
      "local function f(n) if n == 0 then error('deep') end f(n - 1) return end f(500)")
    #expect(deep.traceback.contains("upvalue 'f'"))
    #expect(deep.traceback.contains("skipping"))
    #expect(deep.traceback.utf8.count < 4096)
    let shown = try fault(
      "local function f() error('x') end\nlocal function g() f() return end\ng()")
    #expect(
      shown.traceback == """
        stack traceback:
        \t[C]: in function 'error'
        \tplugins/x.lua:1: in upvalue 'f'
        \tplugins/x.lua:2: in local 'g'
        \tplugins/x.lua:3: in main chunk
        """)
  }

  @Test("recursion without end, also in an error handler, is an error")
  func overflow() throws {
    #expect(
      try fault("local function f() return 1 + f() end f()").message.contains("stack overflow"))
    let state = try LuaState(.script)
    #expect(
      state.run("local function h(e) return h(e) .. h(e) end return tostring(xpcall(error, h))")
        == "false")
  }

  @Test(
    "a syntax error tells whether more text could help",
    arguments: [
      ("for i = 1, 2 do", true), ("return 1 +", true), ("x = = 1", false), ("local t = {", true),
      ("f('", true), ("return [[long", true), ("--[[ comment", true), ("end", false),
    ])
  func syntax(source: String, incomplete: Bool) throws {
    let state = try LuaState(.script)
    let error = #expect(throws: LuaError.self) { try state.load(source, name: "line") }
    guard case .syntax(let message, let isIncomplete) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(isIncomplete == incomplete, "\(message)")
    #expect(message.hasPrefix("line:1: "))
  }

  @Test("a conversion error carries the path to the value")
  func conversion() throws {
    let error = LuaError.conversion(expected: "text", found: "table", path: "")
      .inside("[2]").inside("price").inside("where")
    #expect(error.description == "where.price[2]: text expected, got table")
  }
}
