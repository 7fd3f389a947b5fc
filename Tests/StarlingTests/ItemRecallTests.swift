import StarlingFavorites
import StarlingModel
import Testing

@testable import Starling

/// Which items of a feed that is loaded again are mapped: a plugin that logs each item tells.
@Suite final class ItemRecallTests {
  let folder = TemporaryFolder()
  private var mapped: [String] = []
  private var now = Timestamp(secondsSinceEpoch: 1_800_000_000)

  init() {
    writePlugin()
  }

  private func writePlugin(_ change: String = "") {
    folder.write(
      "plugins/p.lua",
      """
      --- @api 1
      --- @summary things
      local M = {}
      M.kinds = { thing = { key = { "id" }, fields = {
        id = "url", title = "text", words = "list", published = "time", more = "text" } } }
      function M.accepts(feed) return feed.format == "rss" end
      function M.map(item, feed)
        log.info(item.title)
        if item.title == "none" then return nil, "left out" end
        local thing = { kind = "thing", id = item.url, title = item.title .. (feed.options.x or ""),
          words = item.categories, published = item.published }\(change)
        if item.title == "two" then return { thing, { kind = "thing", id = item.url .. "b" } } end
        return thing
      end
      return M
      """)
  }

  private func feed(_ titles: [String], link: String = "https://e.org/") -> String {
    let items = titles.enumerated().map { number, title in
      "<item><title>\(title)</title><link>\(link)\(number)</link><category>c</category>"
        + "<pubDate>Mon, 01 Jun 2026 12:00:00 GMT</pubDate></item>"
    }
    return folder.write(
      "a.xml",
      "<rss version=\"2.0\"><channel><title>t</title>\(items.joined())</channel></rss>")
  }

  private func host() -> Host {
    Host(
      Host.Configuration(
        database: .file(folder.path + "/x.db"), pluginFolders: [folder.path + "/plugins"],
        clock: { [unowned self] in now }, log: { [unowned self] in mapped.append($0.message) }))
  }

  /// Loads and gives what was mapped.
  @discardableResult
  private func load(
    _ path: String, rules: String? = nil, options: [String: OptionValue] = [:], host: Host? = nil
  ) throws -> (mapped: [String], report: Starling.LoadReport) {
    mapped = []
    let host = host ?? self.host()
    var input = FeedInput(argument: path)
    input.options = options
    let set = try rules.map { try host.rules(file: folder.write("rules.lua", $0)) }
    let report = try host.load(input, rules: set)
    return (mapped, report)
  }

  @Test("an item that is as it was is not mapped again, and counts as unchanged")
  func same() throws {
    let path = feed(["a", "b", "c"])
    #expect(try load(path).mapped == ["a", "b", "c"])
    let again = try load(path)
    #expect(again.mapped == [])
    #expect(again.report.unchanged == 3)
    #expect(again.report.items == 3)
    let changed = try load(feed(["a", "b2", "c"]))
    #expect(changed.mapped == ["b2"])
    #expect((changed.report.unchanged, changed.report.changed) == (2, 1))
    #expect(try load(feed(["a", "b", "c"])).mapped == ["b"])
    #expect(try load(feed(["c"], link: "https://e.org/2#")).mapped == ["c"])
    #expect(try load(feed(["a", "b", "c"])).mapped == ["a", "b", "c"])
  }

  @Test("of a long feed every item is known")
  func long() throws {
    let path = feed((0..<2_100).map { "item \($0)" })
    #expect(try load(path).mapped.count == 2_100)
    let again = try load(path)
    #expect(again.mapped.isEmpty)
    #expect(again.report.unchanged == 2_100)
  }

  @Test("another plugin, other options and another address of the feed map everything again")
  func context() throws {
    let path = feed(["a", "b"])
    try load(path)
    #expect(try load(path, options: ["x": .text("!")]).mapped == ["a", "b"])
    #expect(try load(path, options: ["x": .text("!")]).mapped == [])
    writePlugin("  -- changed")
    #expect(try load(path, options: ["x": .text("!")]).mapped == ["a", "b"])
    #expect(try host().store().entity(kind: "thing", key: "https://e.org/0")?["title"] == "a!")
  }

  @Test("an entity that another has changed or that is gone is made again")
  func changedEntities() throws {
    let path = feed(["a", "b"])
    try load(path)
    let host = host()
    let store = try host.store()
    let key = "https://e.org/1"
    try store.insert(Entity(kind: "thing", key: key, values: ["title": "by hand"]))
    #expect(try load(path, host: host).mapped == ["b"])
    #expect(try store.entity(kind: "thing", key: key)?["title"] == "b")
    // One with more than the item gives is mapped each time: rules see what the item gives.
    try store.insert(Entity(kind: "thing", key: key, values: ["more": "m"]))
    #expect(try load(path, host: host).mapped == ["b"])
    #expect(try load(path, host: host).mapped == ["b"])
    now = Timestamp(secondsSinceEpoch: now.secondsSinceEpoch + 100 * 86400)
    #expect(try load(feed(["b"], link: "https://e.org/1#"), host: host).mapped == ["b"])
    #expect(try store.entity(kind: "thing", key: "https://e.org/0") == nil)
    #expect(try load(feed(["a", "b"]), host: host).mapped == ["a", "b"])
  }

  @Test("a load forgets what no feed has had for the keeping time, once a day")
  func kept() throws {
    func keys() throws -> [String] {
      try host().store().entities(Query(kind: "thing", scope: .everything)).map(\.key).sorted()
    }
    let (zero, one) = ("https://e.org/0", "https://e.org/1")
    try load(feed(["a", "b"]))
    try host().store().insert(Entity(kind: "thing", key: one))
    let later = feed(["c"], link: "https://e.org/later")
    try load(later)
    now = Timestamp(secondsSinceEpoch: now.secondsSinceEpoch + 89 * 86400)
    try load(later)
    #expect(try keys() == [zero, one, "https://e.org/later0"])
    now = Timestamp(secondsSinceEpoch: now.secondsSinceEpoch + 2 * 86400)
    #expect(throws: HostError.self) { try load(folder.path + "/none.xml") }
    #expect(try keys().contains(zero))
    try load(later)
    // The favorite stays.
    #expect(try keys() == [one, "https://e.org/later0"])
  }

  @Test("what is known is seen again, so that it is kept")
  func seen() throws {
    let path = feed(["a"])
    try load(path)
    let host = host()
    for _ in 0..<5 {
      now = Timestamp(secondsSinceEpoch: now.secondsSinceEpoch + 50 * 86400)
      #expect(try load(path, host: host).mapped == [])
      #expect(try host.store().prune() == 0)
    }
  }

  @Test("rules that are new star what is known, and a favorite that was taken back stays so")
  func rules() throws {
    let path = feed(["a", "b", "c"])
    let first = "rule \"R\" { title = is \"a\", star }"
    #expect(try load(path, rules: first).report.starCount == 1)
    let second =
      "rule \"S\" { title = is \"b\", words = has \"c\", published = since \"2026-01-01\", star }"
    let starred = try load(path, rules: second)
    #expect(starred.mapped == [])
    #expect(starred.report.starCount == 1)
    #expect(starred.report.unchanged == 3)
    let host = host()
    try host.store().delete(kind: "thing", key: "https://e.org/1")
    let refused = try load(path, rules: second, host: host)
    #expect(refused.mapped == [])
    #expect((refused.report.starCount, refused.report.refused) == (0, 1))
    #expect(try host.store().check().isEmpty)
  }

  @Test("what became no entity, two, or one together with another item is mapped each time")
  func ambiguous() throws {
    let path = feed(["none", "two", "x"])
    for _ in 0..<3 { #expect(try load(path).mapped.prefix(2) == ["none", "two"]) }
    #expect(try load(path).mapped == ["none", "two"])
    #expect(try load(path).report.leftOut.map(\.count) == [1])
    let twins = folder.write(
      "b.xml",
      "<rss version=\"2.0\"><channel><title>t</title>"
        + "<item><title>new</title><link>https://e.org/7</link></item>"
        + "<item><title>old</title><link>https://e.org/7</link></item></channel></rss>")
    #expect(try load(twins).mapped == ["new", "old"])
    for _ in 0..<3 {
      #expect(try load(twins).mapped == ["old"])
      #expect(try host().store().entity(kind: "thing", key: "https://e.org/7")?["title"] == "new")
    }
  }
}
