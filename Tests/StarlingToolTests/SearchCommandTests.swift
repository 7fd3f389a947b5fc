import StarlingModel
import Testing

@testable import StarlingTool

@Suite struct SearchCommandTests {
  let place = Workplace()

  init() {
    place.write(
      "plugins/things.lua",
      """
      --- @api 1
      --- @summary things
      local M = {}
      M.kinds = { thing = { key = { "id" }, fields = { id = "url", title = "text", words = "list" } } }
      function M.accepts(feed) return feed.format == "rss" end
      function M.map(item)
        return { kind = "thing", id = item.url, title = item.title, words = item.categories }
      end
      return M
      """)
    let titles = ["新电池技术", "École (Paris)", "market", "the market market"]
    let items = titles.enumerated().map { number, title in
      "<item><title>\(title)</title><link>https://e.org/\(number)</link>"
        + "<category>all</category><category>Health \(number)</category></item>"
    }
    place.write(
      "a.xml",
      "<rss version=\"2.0\"><channel><title>t</title>\(items.joined())</channel></rss>")
    _ = place.run("load", "@a.xml")
    _ = place.run("star", "thing", "https://e.org/0")
  }

  @Test("what a search finds, of favorites and of everything, the best first")
  func finding() {
    #expect(place.run("search", "电池").out.contains("新电池技术"))
    #expect(place.run("search", "ecole").out == "")
    #expect(place.run("search", "ecole", "--all").out.contains("École (Paris)"))
    #expect(place.run("search", "--all", "market", "--kind", "thing").lines.count == 3)
    #expect(place.run("search", "\"", "--all").status == 0)
    #expect(place.run("search", "\"", "--all").err.contains("there is no word in this text"))
    #expect(place.run("search", "", "--all").out == "")
  }

  @Test("on a terminal the words are bold, in what is searched alone")
  func bold() {
    let outcome = place.run(
      ["search", "电池", "--all"], isTerminal: true, environment: ["TERM": "xterm"])
    #expect(outcome.out.contains("新\u{1B}[1m电池\u{1B}[0m技术"), "\(outcome.out)")
    let plain = place.run(
      ["search", "health", "--all"], isTerminal: true,
      environment: ["TERM": "xterm", "NO_COLOR": "1"])
    #expect(!plain.out.contains("\u{1B}"))
    #expect(plain.lines.count == 6)
  }

  @Test("with --json each line says where the words stand")
  func matches() {
    let outcome = place.run("search", "电池", "--json")
    #expect(
      outcome.out.contains("\"matches\":[{\"field\":\"title\",\"start\":1,\"end\":3}]"),
      "\(outcome.out)")
    let list = place.run("search", "health paris", "--all", "--json")
    #expect(list.lines.count == 1)
    #expect(
      list.out.contains(
        "\"matches\":[{\"field\":\"title\",\"start\":7,\"end\":12},"
          + "{\"field\":\"words\",\"item\":1,\"start\":0,\"end\":6}]"), "\(list.out)")
    #expect(!place.run("list", "thing", "--json").out.contains("matches"))
  }
}
