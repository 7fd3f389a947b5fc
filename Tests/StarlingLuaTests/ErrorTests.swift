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

  @Test(
    "any error object becomes a message, with the place of the fault",
    arguments: [
      ("\nerror('plain')", "plugins/x.lua:2: plain"), ("\nerror('bare', 0)", "bare"),
      ("\nerror()", "nil"), ("\nerror({})", "(error object is a table value)"),
      ("\nerror(42)", "42"),
      ("\nerror(true)", "true"), ("\nerror(type)", "function"),
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
