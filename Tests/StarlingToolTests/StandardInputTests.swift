import Testing

@testable import StarlingTool

/// A hyphen is the standard input that the tool was given, not that of the process.
@Suite struct StandardInputTests {
  private let place = Workplace()
  private let feed = Workplace.feed(items: 3)

  init() { place.write("plugins/things.lua", Workplace.plugin()) }

  @Test("load reads a feed from it")
  func load() {
    let outcome = place.run(["load", "-"], input: feed)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.err == "")
    #expect(place.run("list", "thing", "--all", "--format", "{title}").lines.count == 3)
  }

  @Test("an empty one is no feed")
  func empty() {
    let outcome = place.run(["load", "-"])
    #expect(outcome.status == 3)
    #expect(outcome.err.hasPrefix("starling: -: "))
  }

  @Test("decode and plugins try read it too")
  func others() {
    let decoded = place.run(["decode", "-", "--base", "https://e.org/"], input: feed)
    #expect(decoded.out.contains("\"title\":\"Item 3\""))
    #expect(
      place.run(["decode", "-", "--json-value"], input: " { \"a\" : 1 } ").out == "{\"a\":1}\n")
    #expect(place.run(["decode", "-", "--json-value"], input: "{").status == 3)
    let tried = place.run(["plugins", "try", "things", "-"], input: feed)
    #expect(tried.out.contains("Item 2"))
  }

  @Test("import reads favorites from it")
  func importing() {
    _ = place.run(["load", "-"], input: feed)
    let list = "{\"kind\":\"thing\",\"key\":\"https://e.org/2\"}\n"
    let outcome = place.run(["import", "-"], input: list)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(place.run("contains", "thing", "https://e.org/2").status == 0)
  }
}
