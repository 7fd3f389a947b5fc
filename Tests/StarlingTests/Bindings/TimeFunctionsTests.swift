import StarlingLua
import Testing

@testable import Starling

@Suite struct TimeFunctionsTests {
  @Test(
    "time.parse reads what publishers write",
    arguments: [
      ("'2026-11-30T08:05:00Z'", 1_796_025_900), ("'Mon, 30 Nov 2026 08:05:00 GMT'", 1_796_025_900),
      ("1796025900", 1_796_025_900), ("1796025900000", 1_796_025_900),
      ("1796025900.75", 1_796_025_900), ("'1796025900'", 1_796_025_900),
    ])
  func parse(argument: String, expected: Int64) throws {
    #expect(try BindingHarness().value("time.parse(\(argument))") == .integer(expected))
  }

  @Test("what is no time is nil", arguments: ["nil", "''", "'soon'", "0/0", "math.huge", "1e300"])
  func unknown(argument: String) throws {
    #expect(try BindingHarness().value("time.parse(\(argument))") == .nil)
  }

  @Test("time.format writes RFC 3339 or what the format says, in UTC")
  func format() throws {
    let lua = try BindingHarness()
    #expect(try lua.value("time.format(1796025900)") == .string("2026-11-30T08:05:00Z"))
    #expect(
      try lua.value("time.format(1796025900, '%d.%m.%Y %H:%M %% 年')")
        == .string("30.11.2026 08:05 % 年"))
    #expect(try lua.value("time.format(-1)") == .string("1969-12-31T23:59:59Z"))
  }

  @Test("a format or a time that cannot be is a bad argument")
  func misuse() throws {
    let lua = try BindingHarness()
    #expect(
      lua.failure("time.format(0, '%Q')")
        == "test.lua:1: bad argument #2 to 'format' (invalid conversion specifier '%Q')")
    #expect(
      lua.failure("time.format(0, 'x%')")
        == "test.lua:1: bad argument #2 to 'format' (invalid conversion specifier '%')")
    #expect(
      lua.failure("time.format(0/0)")
        == "test.lua:1: bad argument #1 to 'format' (no time: a number of seconds expected)")
    #expect(lua.failure("time.format(math.maxinteger, '%Y')") != nil)
    #expect(lua.failure("time.format('soon')") != nil)
  }
}
