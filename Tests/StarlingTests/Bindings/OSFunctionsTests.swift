import StarlingLua
import Testing

@testable import Starling

@Suite struct OSFunctionsTests {
  @Test("os.time is the host's clock, or a date in parts")
  func time() throws {
    let lua = try ScriptHarness()
    #expect(try lua.value("os.time()") == .integer(1_780_000_000))
    #expect(
      try lua.value(
        """
        (function()
          local t = os.date("*t", 1780000000)
          return os.time(t) == 1780000000 and os.time{ year = 2026, month = 14, day = -3 } ~= nil
        end)()
        """) == .boolean(true))
    #expect(try #require(lua.failure("os.time{ year = 2026 }")).contains("field 'month' missing"))
    #expect(
      try #require(lua.failure("os.time{ year = 'x', month = 1, day = 1 }"))
        .contains("field 'year' is not an integer"))
    #expect(lua.failure("os.time{ year = math.maxinteger, month = 1, day = 1 }") != nil)
  }

  @Test("os.date writes UTC and tables as Lua does")
  func date() throws {
    let lua = try ScriptHarness()
    #expect(try lua.value("os.date('!%Y-%m-%d %H:%M:%S', 0)") == .string("1970-01-01 00:00:00"))
    #expect(try lua.value("os.date('!*t', 86399).hour") == .integer(23))
    #expect(try lua.value("os.date('!*t', 0).wday") == .integer(5))
    #expect(try lua.value("os.date('!*t', 0).yday") == .integer(1))
    #expect(try lua.value("os.date('!*t', 0).isdst") == .boolean(false))
    #expect(
      lua.failure("os.date('%Ez', 0)")
        == "test.lua:1: bad argument #1 to 'date' (invalid conversion specifier '%Ez')")
    #expect(lua.failure("os.date('%Y', math.maxinteger)") != nil)
    #expect(lua.failure("os.date('%Y', 0/0)") != nil)
  }

  @Test("nothing else of the system is there")
  func absent() throws {
    let lua = try ScriptHarness()
    for name in ["execute", "remove", "rename", "tmpname", "setlocale"] {
      #expect(try lua.value("os.\(name)") == .nil)
    }
    for name in ["open", "popen", "tmpfile", "output", "input", "close"] {
      #expect(try lua.value("io.\(name)") == .nil)
    }
    #expect(try lua.value("type(os.clock())") == .string("number"))
  }
}
