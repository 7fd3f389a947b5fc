import StarlingModel
import Testing

@testable import StarlingFeeds

@Suite struct ItemTests {
  private func items(_ body: String, namespaces: String = "") throws -> [Item] {
    let decoder = FeedDecoder(FeedOptions(url: "https://e.example/feed"))
    try decoder.append(
      Array("<rss version=\"2.0\" \(namespaces)><channel>\(body)</channel></rss>".utf8))
    try decoder.finish()
    var items: [Item] = []
    while let item = decoder.next() { items.append(item) }
    return items
  }

  @Test("an element of RSS or Atom with more than its field holds stays reachable too")
  func keepsOwnElements() throws {
    let item = try #require(
      try items(
        """
        <item><title>T</title><category domain="d">c</category><category>e</category>
        <guid isPermaLink="false">g</guid><link hreflang="de">https://e.example/1</link>
        <enclosure url="u" type="t" length="1"/><source url="s">S</source></item>
        """
      ).first)
    #expect(item.elements.map { item.string($0.name) } == ["category", "link", "source"])
    #expect(item.elements.map { item.string($0.text) } == ["c", "https://e.example/1", "S"])
    #expect(item.attributes.map { item.string($0.name) } == ["domain", "hreflang", "url"])
    #expect(item.attributes.map { item.string($0.value) } == ["d", "de", "s"])
    #expect(item.isPermaLink == false)
    #expect(item.categories.map { item.string($0) } == ["c", "e"])
  }

  @Test("an author of whom more than the name is known is an element too")
  func keepsPeople() throws {
    let decoder = FeedDecoder()
    try decoder.append(
      Array(
        """
        <feed xmlns="http://www.w3.org/2005/Atom"><entry><author><name>Ann</name><email>a@e.example</email>
        </author><author><name>Bob</name></author></entry></feed>
        """.utf8))
    try decoder.finish()
    let item = try #require(decoder.next())
    #expect(item.elements.map { item.string($0.name) } == ["author", "name", "email"])
    #expect(item.elements.map(\.end) == [3, 2, 3])
    #expect(item.authors.count == 2)
  }

  @Test("elements of every namespace stay reachable under the usual prefixes, with their children")
  func keepsElements() throws {
    let items = try items(
      """
      <item><m:group><m:content url="a.mp4" type="video/mp4"><m:title>T</m:title></m:content></m:group>
      <i:duration>12:30</i:duration><s:comments>7</s:comments><x:own a="1" x:b="2">text</x:own><plain>p</plain></item>
      """,
      namespaces: """
        xmlns:m="http://search.yahoo.com/mrss/" xmlns:i="http://www.itunes.com/DTDs/Podcast-1.0.dtd"
        xmlns:s="http://purl.org/rss/1.0/modules/slash/" xmlns:x="urn:x"
        """)
    let item = try #require(items.first)
    let names = item.elements.map { item.string($0.name) }
    #expect(
      names == [
        "media:group", "media:content", "media:title", "itunes:duration", "slash:comments", "x:own",
        "plain",
      ])
    #expect(item.elements.map(\.end) == [3, 3, 3, 4, 5, 6, 7])
    #expect(item.string(item.elements[3].text) == "12:30")
    let own = item.attributes[item.elements[5].attributes]
    #expect(own.map { item.string($0.name) } == ["a", "x:b"])
    #expect(own.map { item.string($0.value) } == ["1", "2"])
    #expect(item.string(.title) == "T")
  }

  @Test("items without an id get one that is stable and differs where the items do")
  func makesIds() throws {
    let body = "<item><title>a</title></item><item><title>b</title></item>"
    let first = try items(body).compactMap { $0.string(.id) }
    let second = try items("<item><title>new</title></item>" + body).compactMap { $0.string(.id) }
    #expect(Set(first).count == 2)
    #expect(Array(second.dropFirst()) == first)
    #expect(try items("<item><link>/x</link></item>").first?.string(.id) == "https://e.example/x")
  }

  @Test("a guid is a link only when it may be one")
  func readsGuids() throws {
    let items = try items(
      """
      <item><guid>https://e.example/1</guid></item><item><guid isPermaLink="false">https://e.example/2</guid></item>
      <item><guid>plain</guid></item><item><link>https://e.example/l</link><guid>https://e.example/g</guid></item>
      """)
    #expect(
      items.map { $0.string(.url) } == ["https://e.example/1", nil, nil, "https://e.example/l"])
  }

  @Test("a picture is the thumbnail, the podcast's image or the enclosure, whichever is there")
  func findsPictures() throws {
    let items = try items(
      """
      <item><enclosure type="image/png" url="/e.png"/><media:thumbnail url="/t.png"/></item>
      <item><enclosure type="image/png" url="/e.png"/></item>
      <item><itunes:image href="/i.png"/></item><item><image><url>/u.png</url></image></item>
      """)
    #expect(
      items.map { $0.string(.image) } == ["t", "e", "i", "u"].map { "https://e.example/\($0).png" })
  }

  @Test("storage is used again and nothing of the item before shines through")
  func reusesStorage() throws {
    let decoder = FeedDecoder()
    try decoder.append(
      Array(
        "<rss><channel><item><title>a</title><link>http://x/</link><category>c</category></item><item/></channel></rss>"
          .utf8))
    try decoder.finish()
    var item = Item()
    #expect(decoder.next(into: &item))
    #expect(item.string(.title) == "a")
    #expect(decoder.next(into: &item))
    #expect(item.string(.title) == nil)
    #expect(item.categories.isEmpty)
    #expect(item.place == 2)
    #expect(!decoder.next(into: &item))
  }

  @Test("a date that cannot be read is absent and said")
  func reportsBadDates() throws {
    let decoder = FeedDecoder()
    try decoder.append(
      Array(
        "<rss><channel><item><title>a</title><pubDate>soon</pubDate></item></channel></rss>".utf8))
    try decoder.finish()
    let item = try #require(decoder.next())
    #expect(item.published == nil)
    #expect(decoder.damage.first?.kind == .badDates)
    #expect(decoder.damage.first?.detail == "soon")
  }
}
