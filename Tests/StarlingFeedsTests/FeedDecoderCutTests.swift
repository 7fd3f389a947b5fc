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
