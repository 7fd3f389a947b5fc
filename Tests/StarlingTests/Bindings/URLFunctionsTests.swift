import StarlingLua
import Testing

@testable import Starling

@Suite struct URLFunctionsTests {
  @Test(
    "url.join gives absolute addresses",
    arguments: [
      ("'https://a.example/x/y'", "'/t/5'", "https://a.example/t/5"),
      ("'https://a.example/x/y'", "'z?q=1'", "https://a.example/x/z?q=1"),
      ("'https://a.example/x/y'", "'//b.example/p.jpg'", "https://b.example/p.jpg"),
      ("nil", "'http://c.example/1'", "http://c.example/1"),
    ])
  func join(base: String, relative: String, expected: String) throws {
    let lua = try BindingHarness()
    #expect(try lua.value("url.join(\(base), \(relative))") == .string(expected))
  }

  @Test(
    "an address that cannot be told is nil",
    arguments: [
      "url.join('https://a.example', nil)", "url.join(nil, 'x')", "url.join(nil, nil)",
      "url.canonical(nil)", "url.canonical('relative')", "url.host(nil)", "url.host('x/y')",
      "url.parse(nil)",
    ])
  func unknown(expression: String) throws {
    #expect(try BindingHarness().value(expression) == .nil)
  }

  @Test("url.canonical takes off what does not name the page")
  func canonical() throws {
    let lua = try BindingHarness()
    #expect(
      try lua.value("url.canonical('HTTPS://News.Example:443/a?utm_source=x&id=5#top')")
        == .string("https://news.example/a?id=5"))
    #expect(
      try lua.value("url.host('https://User@News.Example:8080/a')") == .string("news.example"))
  }

  @Test("url.parse gives the parts, with the query decoded")
  func parse() throws {
    let lua = try BindingHarness()
    let parts = try lua.value("url.parse('http://h.example:81/p%20q?a=1+2&b=%E7%94%B5&a=3&c#f')")
    #expect(parts["scheme"] == .string("http"))
    #expect(parts["port"] == .integer(81))
    #expect(parts["path"] == .string("/p%20q"))
    #expect(parts["fragment"] == .string("f"))
    let query = try #require(parts["query"])
    #expect(query["a"] == .string("1 2"))
    #expect(query["b"] == .string("电"))
    #expect(query["c"] == .string(""))
  }

  @Test("text that is not UTF-8 is a bad argument that names the byte")
  func invalid() throws {
    #expect(
      try BindingHarness().failure("url.host('http://\\xFF/')")
        == "test.lua:1: bad argument #1 to 'host' "
        + "(UTF-8 text expected, got an invalid byte at 8)")
  }
}
