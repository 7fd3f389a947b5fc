import StarlingLua
import Testing

@testable import Starling

@Suite struct JSONFunctionsTests {
  @Test(
    "values keep their kind from JSON to Lua and back",
    arguments: [
      "null", "true", "\"电池 \\\"x\\\" \\\\ \\n\"", "[]", "{}", "[1,2.5,-7]",
      "{\"a\":[],\"b\":{},\"c\":null}", "9007199254740993", "[[[]]]", "{\"\":0}",
      "{\"a\":{\"b\":[{\"c\":1},null,{}]}}",
    ])
  func roundTrip(json: String) throws {
    let value = try BindingHarness().value("json.encode(json.decode([==[\(json)]==]))")
    #expect(value == .string(json))
  }

  @Test("integers beyond 64 bits are their digits")
  func bigInteger() throws {
    #expect(
      try BindingHarness().value("json.decode('[12345678901234567890123]')[1]")
        == .string("12345678901234567890123"))
  }

  @Test("null is json.null, which is neither nil nor a table")
  func null() throws {
    let lua = try BindingHarness()
    #expect(try lua.value("json.decode('[null]')[1] == json.null") == .boolean(true))
    #expect(try lua.value("json.null == nil") == .boolean(false))
    #expect(try lua.value("json.encode({ a = json.null })") == .string("{\"a\":null}"))
  }

  @Test("members are sorted, so that the same value is the same text")
  func order() throws {
    #expect(
      try BindingHarness().value("json.encode({ b = 1, a = 2, [\"10\"] = 3, [\"é\"] = 4 })")
        == .string("{\"10\":3,\"a\":2,\"b\":1,\"é\":4}"))
  }

  @Test(
    "what JSON cannot say is an error with its path",
    arguments: [
      ("{ a = { 1, 0/0 } }", "a[2]: a number that JSON has expected, got nan"),
      ("-math.huge", "a number that JSON has expected, got an infinity"),
      ("{ f = print or load }", "f: a value that JSON has expected, got a function"),
      ("{ 1, x = 2 }", "a list 1...n or fields with names expected, got both in one table"),
      ("{ [1] = 1, [3] = 3 }", "a list with holes or other keys"),
      ("{ [2.5] = 1 }", "a list with holes or other keys"),
      ("{ t = 'a\\xFFb' }", "t: UTF-8 text expected, got an invalid byte at 2"),
    ])
  func refusals(value: String, message: String) throws {
    let text = value.replacing("print or load", with: "load")
    let failure = try #require(try BindingHarness().failure("return json.encode(\(text))"))
    #expect(failure.contains("bad argument #1 to 'encode'"))
    #expect(failure.contains(message))
  }

  @Test("a cycle is an error, and a metatable cannot lie")
  func hostile() throws {
    let lua = try BindingHarness()
    let cycle = try #require(lua.failure("local t = {} t.t = t return json.encode(t)"))
    #expect(cycle.contains("a cycle or a deeper one"))
    #expect(
      try lua.value(
        "json.encode(setmetatable({ 1 }, { __index = { 2, 3 }, __len = function() return 9 end }))")
        == .string("[1]"))
  }

  @Test("a small table that would be a huge text is stopped by the memory limit")
  func explosion() throws {
    let lua = try BindingHarness()
    let failure = lua.failure(
      "local t = { 'xxxxxxxx' } for _ = 1, 60 do t = { t, t } end return json.encode(t)")
    #expect(try #require(failure).contains("not enough memory"))
    #expect(try lua.value("1") == .integer(1))
  }

  @Test(
    "what is no JSON is an error that says where",
    arguments: [
      "", "{", "[1,]", "{\"a\":1,}", "nul", "01", "'a'", "\"\\x\"", "[1] 2", "\u{FEFF}[1]",
    ])
  func malformed(json: String) throws {
    let failure = try #require(try BindingHarness().failure("json.decode([==[\(json)]==])"))
    #expect(failure.contains("bad argument #1 to 'decode'"))
  }

  @Test("bytes that are not UTF-8 are no JSON")
  func invalid() throws {
    #expect(try BindingHarness().failure("json.decode('[\"a\\xFF\"]')") != nil)
  }
}
