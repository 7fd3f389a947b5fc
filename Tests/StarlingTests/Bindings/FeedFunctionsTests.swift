import StarlingLua
import Testing

@testable import Starling

@Suite struct FeedFunctionsTests {
  @Test("a feed is decoded to what plugins get, with its entries")
  func rss() throws {
    let lua = try ScriptHarness()
    let feed = try lua.value(
      """
      feeds.decode([[<rss version="2.0"><channel><title>T</title><link>https://n.example/</link>
        <item><title>One</title><link>/1</link><guid>g1</guid></item>
        <item><title>Two</title><link>/2</link></item></channel></rss>]],
        { url = "https://n.example/feed.xml" })
      """)
    #expect(feed["format"] == .string("rss"))
    #expect(feed["title"] == .string("T"))
    #expect(feed["site"] == .string("n.example"))
    guard case .array(let entries)? = feed["entries"] else {
      Issue.record("no entries")
      return
    }
    #expect(entries.map { $0["title"]?.string } == ["One", "Two"])
    #expect(entries[0]["id"] == .string("g1"))
    #expect(entries[1]["url"] == .string("https://n.example/2"))
    #expect(feed["damage"] == nil)
  }

  @Test("plain JSON has a body and no entries; what is cut says so")
  func json() throws {
    let lua = try ScriptHarness()
    let feed = try lua.value("feeds.decode('{\"a\":[1,null,{}]}')")
    #expect(feed["format"] == .string("json"))
    #expect(feed["entries"] == .array([]))
    #expect(feed["body"]?["a"] != nil)
    let cut = try lua.value(
      "feeds.decode('<rss><channel><item><title>A</title></item><item><title>B')")
    #expect(cut["cut"] == .boolean(true))
    #expect(feed["cut"] == nil)
  }

  @Test("what is no feed, and an option that there is not, are errors")
  func misuse() throws {
    let lua = try ScriptHarness()
    #expect(
      try #require(lua.failure("feeds.decode('just text')"))
        .contains("bad argument #1 to 'decode'"))
    #expect(lua.failure("feeds.decode('')") != nil)
    #expect(
      try #require(lua.failure("feeds.decode('{}', { contenttype = 'x' })"))
        .contains("did you mean `content_type`?"))
  }

  @Test("what a decoded feed has is what its type says")
  func shape() throws {
    let lua = try ScriptHarness()
    let shape = try #require(ApiRegistry.shapes.first { $0.name == "starling.DecodedFeed" })
    let document = """
      <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"><id>i</id><title>t</title>
      <generator>g</generator><logo>https://n.example/l.png</logo><link href="https://n.example/"/>
      <entry><id>e</id></entry>
      """
    let names = try lua.value(
      """
      (function() local names = {}
      for name in pairs(feeds.decode([[\(document)]], { url = "https://n.example/feed" })) do
        names[#names + 1] = name
      end
      return table.concat(names, " ") end)()
      """)
    guard case .string(let text) = names else {
      Issue.record("no text")
      return
    }
    let known = Set(shape.fields.map(\.name))
    let unknown = text.split(separator: " ").map { String($0) }.filter { !known.contains($0) }
    #expect(unknown.isEmpty, "\(unknown)")
  }
}
