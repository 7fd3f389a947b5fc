import StarlingLua
import Testing

@testable import Starling

@Suite struct TextFunctionsTests {
  @Test("text.plain gives what a person would read, and nil for nil")
  func plain() throws {
    let lua = try BindingHarness()
    #expect(
      try lua.value("text.plain('<b>Ben &amp; Jerry</b>  &lt;3')") == .string("Ben & Jerry <3"))
    #expect(try lua.value("text.plain(nil)") == .nil)
    #expect(try lua.value("text.plain(12)") == .string("12"))
    #expect(try lua.value("text.plain('')") == .string(""))
  }

  @Test("text.trim takes every kind of white space off both ends")
  func trim() throws {
    let lua = try BindingHarness()
    #expect(try lua.value("text.trim('\\u{3000} \\u{A0}电 池\\u{FEFF}\\n')") == .string("电 池"))
    #expect(try lua.value("text.trim(' \\t ')") == .string(""))
    #expect(try lua.value("text.trim(nil)") == .nil)
    #expect(try lua.value("text.trim(7)") == .string("7"))
    #expect(try lua.value("#text.trim('\\xE3\\x80')") == .integer(2))
  }

  @Test("what is no text is a bad argument")
  func misuse() throws {
    let lua = try BindingHarness()
    #expect(
      lua.failure("text.plain({})")
        == "test.lua:1: bad argument #1 to 'plain' (string expected, got table)")
    #expect(
      lua.failure("text.trim(true)")
        == "test.lua:1: bad argument #1 to 'trim' (string expected, got boolean)")
  }
}
