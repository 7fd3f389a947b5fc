import StarlingModel
import Testing

@testable import StarlingFeeds

@Suite struct FeedDecoderTests {
  private func decode(_ text: String, options: FeedOptions = FeedOptions()) throws -> [Item] {
    let decoder = FeedDecoder(options)
    try decoder.append(Array(text.utf8))
    try decoder.finish()
    var items: [Item] = []
    while let item = decoder.next() { items.append(item) }
    return items
  }

  @Test("RSS gives its items with their fields")
  func readsRSS() throws {
    let items = try decode(
      """
      <?xml version="1.0"?><rss version="2.0"><channel><title>T</title><item><title>One</title>
      <link>/a</link><guid isPermaLink="false">7</guid>
      <pubDate>Mon, 01 Jan 2024 10:00:00 EDT</pubDate></item></channel></rss>
      """, options: FeedOptions(url: "https://example.com/feed"))
    #expect(items.count == 1)
    #expect(items.first?.string(.title) == "One")
    #expect(items.first?.string(.url) == "https://example.com/a")
    #expect(items.first?.string(.id) == "7")
    #expect(items.first?.published?.description == "2024-01-01T14:00:00Z")
  }

  @Test("a JSON Feed with numbers for ids gives texts")
  func readsJSONFeed() throws {
    let items = try decode(
      #"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":123},{"id":"b"}]}"#)
    #expect(items.map { $0.string(.id) } == ["123", "b"])
  }
}
