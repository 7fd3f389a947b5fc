import StarlingFeeds
import Testing

@Suite struct FeedDecoderCutTests {
  @Test(
    "a document that ends before its root does is cut, and says at which byte",
    arguments: [
      "<rss version=\"2.0\"><channel><item><title>A</title></item>",
      "<rss version=\"2.0\"><channel><item><title>A</title></item><item><title>B",
      "<rss version=\"2.0\"><channel><item><title>A</title></item></channel></rs",
      "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><title>A</title></entry>",
    ])
  func cut(text: String) throws {
    let decoder = FeedDecoder()
    try decoder.append(Array(text.utf8))
    try decoder.finish()
    #expect(decoder.isCut)
    #expect(decoder.damage.contains { $0.kind == .cut && $0.offset == text.utf8.count })
    #expect(decoder.next().map { $0.string(.title) } == "A")
  }

  @Test(
    "half an address, an id or a time is none, and the report names it",
    arguments: [
      ("<link>https://e.example/long/article-4", "<link>"),
      ("<guid>https://e.example/long/4", "<guid>"), ("<pubDate>Mon, 01 Jan 2024 10:0", "<pubDate>"),
      ("<dc:identifier>long-4", "<dc:identifier>"),
    ])
  func halves(text: String, element: String) throws {
    let decoder = FeedDecoder()
    let whole = "<item><title>A</title><link>https://e.example/1</link></item>"
    let head = "<rss version=\"2.0\"><channel>\(whole)<item><title>B</title>"
    try decoder.append(Array((head + text).utf8))
    try decoder.finish()
    #expect(decoder.next()?.string(.url) == "https://e.example/1")
    let item = try #require(decoder.next())
    #expect(item.string(.title) == "B")
    #expect(item.string(.url) == nil && item.string(.id) == nil && item.published == nil)
    #expect(decoder.damage.map(\.kind) == [.cut])
    #expect(decoder.damage[0].detail == "inside of \(element), which is left out")
  }

  @Test("an address that is whole stays, however short behind it the end is")
  func wholeAddress() throws {
    let decoder = FeedDecoder()
    try decoder.append(
      Array("<rss><channel><item><title>A</title><link>https://e.example/1</link>".utf8))
    try decoder.finish()
    let item = try #require(decoder.next())
    #expect(item.string(.url) == "https://e.example/1" && item.string(.id) == "https://e.example/1")
    #expect(decoder.damage[0].detail.isEmpty)
  }

  @Test("a document that is whole is not cut")
  func whole() throws {
    let decoder = FeedDecoder()
    let text = "<rss version=\"2.0\"><channel><item><title>A</title></item></channel></rss>"
    try decoder.append(Array(text.utf8))
    try decoder.finish()
    #expect(!decoder.isCut)
    #expect(decoder.damage.isEmpty)
  }
}
