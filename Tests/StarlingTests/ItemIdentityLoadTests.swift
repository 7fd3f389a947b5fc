import StarlingFavorites
import StarlingModel
import Testing

@testable import Starling

/// The rule of `ItemIdentity`, from feeds to a database.
@Suite struct ItemIdentityLoadTests {
  private let folder = TemporaryFolder()

  private func host() -> Host {
    Host(
      Host.Configuration(
        database: .file(folder.path + "/s.db"), pluginFolders: [packageFolder + "/plugins"]))
  }

  private func rss(_ items: String..., link: String = "") -> String {
    "<rss version=\"2.0\"><channel><title>T</title>\(link)"
      + items.map { "<item>\($0)</item>" }.joined() + "</channel></rss>"
  }

  private func load(_ host: Host, _ feed: String) throws -> Starling.LoadReport {
    try host.load(
      FeedInput(.bytes(Array(feed.utf8), name: "feed")), plugin: "news")
  }

  private func titles(_ host: Host) throws -> [String] {
    let query = Query(kind: "news", scope: .everything)
    return try host.store().entities(query).compactMap { entity in
      if case .text(let title) = entity.values["title"] { title } else { nil }
    }.sorted()
  }

  private func counts(_ report: Starling.LoadReport) -> [Int] {
    [report.new, report.changed, report.unchanged, report.duplicates]
  }

  private let shared = (
    a: "<guid>same</guid><title>A</title><pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate>",
    b: "<guid>same</guid><title>B</title><pubDate>Tue, 02 Jan 2024 00:00:00 GMT</pubDate>",
    c: "<guid>same</guid><title>C</title><pubDate>Wed, 03 Jan 2024 00:00:00 GMT</pubDate>"
  )

  @Test("two items that share a guid stay two, however often and in whatever order they come")
  func keepsSharedApart() throws {
    let host = host()
    #expect(counts(try load(host, rss(shared.a, shared.b))) == [2, 0, 0, 0])
    #expect(counts(try load(host, rss(shared.a, shared.b))) == [0, 0, 2, 0])
    #expect(counts(try load(host, rss(shared.b, shared.a))) == [0, 0, 2, 0])
    #expect(counts(try load(host, rss(shared.c, shared.b, shared.a))) == [1, 0, 2, 0])
    #expect(counts(try load(host, rss(shared.c, shared.b))) == [0, 0, 2, 0])
    #expect(try titles(host) == ["A", "B", "C"])
  }

  @Test("items that share a guid at different addresses stay what they are")
  func tellsApartByAddress() throws {
    let host = host()
    let feed = rss(
      "<guid>same</guid><link>https://e.example/1</link><title>A</title>",
      "<guid>same</guid><link>https://e.example/2</link><title>B</title>")
    #expect(counts(try load(host, feed)) == [2, 0, 0, 0])
    #expect(counts(try load(host, feed)) == [0, 0, 2, 0])
  }

  @Test("an item that comes twice is one, is reported, and changes nothing at the next load")
  func reportsDuplicates() throws {
    let host = host()
    let feed = rss(
      "<guid>1</guid><title>a</title>", "<guid>2</guid><title>b</title>",
      "<guid>2</guid><title>b again</title><description>more</description>",
      "<guid>3</guid><title>c</title>", "<guid>4</guid><title>d</title>",
      link: "<link>https://e.example/</link>")
    let report = try load(host, feed)
    #expect(counts(report) == [4, 0, 0, 1])
    #expect(report.isComplete)
    #expect(counts(try load(host, feed)) == [0, 0, 4, 1])
    #expect(try titles(host) == ["a", "b", "c", "d"])
  }

  @Test("items without ids are the same when the feed is loaded again, reordered and grown")
  func keepsUnnamed() throws {
    let host = host()
    let items = ["a", "b", "c"].map {
      "<title>\($0)</title><pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate><guid></guid>"
    }
    #expect(counts(try load(host, rss(items[0], items[1]))) == [2, 0, 0, 0])
    #expect(counts(try load(host, rss(items[1], items[0]))) == [0, 0, 2, 0])
    #expect(counts(try load(host, rss(items[2], items[1], items[0]))) == [1, 0, 2, 0])
    let corrected = items[0] + "<description>corrected</description>"
    #expect(counts(try load(host, rss(corrected))) == [0, 1, 0, 0])
  }

  @Test("a feed that moves from http to https keeps its entities, favorites and refusals")
  func followsSchemes() throws {
    let host = host()
    let store = try host.store()
    func feed(_ scheme: String) -> String {
      rss(
        "<guid>\(scheme)://e.example/1</guid><title>A</title>",
        "<link>\(scheme)://e.example/2</link><title>B</title>",
        "<guid isPermaLink=\"false\">\(scheme)://e.example/3</guid><title>C</title>")
    }
    #expect(counts(try load(host, feed("http"))) == [3, 0, 0, 0])
    try store.insert(Entity(kind: "news", key: "http://e.example/1"))
    try store.delete(kind: "news", key: "http://e.example/2", refuse: true)
    #expect(counts(try load(host, feed("https"))) == [0, 3, 0, 0])
    #expect(counts(try load(host, feed("https"))) == [0, 0, 3, 0])
    #expect(try store.contains(kind: "news", key: "https://e.example/1"))
    #expect(try store.contains(kind: "news", key: "http://e.example/1"))
    #expect(try store.isRefused(kind: "news", key: "https://e.example/2"))
    // A source that lags behind changes nothing.
    #expect(counts(try load(host, feed("http"))) == [0, 0, 3, 0])
    #expect(try titles(host) == ["A", "B", "C"])
    let entity = try #require(try store.get(kind: "news", key: "https://e.example/1"))
    #expect(entity.entity.values["link"] == .text("https://e.example/1"))
  }

  @Test("an http address that comes later than https is the same entity")
  func acceptsOldSchemes() throws {
    let host = host()
    #expect(
      counts(try load(host, rss("<link>https://e.example/1</link><title>A</title>"))) == [
        1, 0, 0, 0,
      ])
    #expect(
      counts(try load(host, rss("<link>http://e.example/1</link><title>A</title>"))) == [
        0, 0, 1, 0,
      ])
    #expect(
      counts(
        try load(
          host,
          rss(
            "<link>http://e.example/1</link><title>A</title>",
            "<link>https://e.example/1</link><title>A</title>"))) == [0, 0, 1, 1])
  }
}
