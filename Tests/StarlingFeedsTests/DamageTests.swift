import Glibc
import Testing

@testable import StarlingFeeds

@Suite struct DamageTests {
  private func decode(_ text: String, url: String? = nil) throws -> FeedDecoder {
    let decoder = FeedDecoder(FeedOptions(url: url))
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: 65536) {
      try decoder.append(Array(bytes[start..<min(start + 65536, bytes.count)]))
    }
    try decoder.finish()
    return decoder
  }

  private func milliseconds(_ body: () throws -> Void) rethrows -> Int {
    let clock = ContinuousClock()
    let time = try clock.measure(body)
    return Int(time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000)
  }

  @Test("a cut feed gives what it holds and the byte where it ends")
  func readsCutFeeds() throws {
    let whole =
      "<rss><channel><title>T</title><item><title>One</title></item><item><title>Two</title>"
    for end in whole.utf8.indices.dropFirst(8) {
      let text = String(whole[..<end])
      let decoder = try decode(text)
      #expect(decoder.isCut)
      #expect(decoder.damage.last { $0.kind == .cut }?.offset == text.utf8.count)
    }
    let decoder = try decode(whole)
    #expect(decoder.next()?.string(.title) == "One")
    #expect(decoder.next()?.string(.title) == "Two")
    #expect(decoder.next() == nil)
  }

  @Test(
    "damage of JSON in another character set has its byte, and never one behind the end",
    arguments: [7, 65536])
  func namesBytesOfConvertedJSON(size: Int) throws {
    func place(_ letter: UInt8, _ size: Int) throws -> Int {
      let head = Array("{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"".utf8)
      let title = [UInt8](repeating: letter, count: 120)
      let bytes = head + title + Array("\",\"items\":[] \"x\":1}".utf8)
      let decoder = FeedDecoder(FeedOptions(contentType: "application/json; charset=iso-8859-1"))
      for start in stride(from: 0, to: bytes.count, by: size) {
        try decoder.append(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      try decoder.finish()
      let offset = try #require(decoder.damage.first { $0.kind == .badJSON }).offset
      #expect(offset <= bytes.count)
      return offset
    }
    // This letter becomes two bytes of UTF-8, so that places move.
    let moved = try place(0xE9, size)
    if size > 120 { #expect(try place(0x65, size) == moved) }
  }

  @Test(
    "whatever an item leaves open, the next ones come",
    arguments: ["w<br>", "<p>", "<b>x<i>"], [85, 255, 256, 300, 12_000])
  func closesWhatIsOpen(markup: String, count: Int) throws {
    let open = String(repeating: markup, count: count)
    let items = (1...30).map { "<item><title>\($0)</title></item>" }.joined()
    let rss = try decode(
      "<rss><channel><item><description>\(open)</description></item>\(items)</channel></rss>")
    var titles: [String?] = []
    while let item = rss.next() { titles.append(item.string(.title)) }
    #expect(titles == [nil] + (1...30).map(String.init))
    #expect(!rss.isCut && !rss.damage.contains { $0.kind == .strayEndTags })
    let atom = try decode(
      "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><content type=\"xhtml\"><div>\(open)"
        + "</div></content></entry><entry><title>2</title></entry></feed>")
    #expect(atom.next() != nil)
    #expect(atom.next()?.string(.title) == "2")
    #expect(!atom.isCut)
  }

  @Test("relative links of RSS are to its page, and stay where the document has no address")
  func usesThePage() throws {
    let text =
      "<rss><channel><link>https://e.example/blog/</link><item><link>p/1</link></item></channel></rss>"
    let loaded = try decode(text, url: "https://feeds.example/e.xml")
    #expect(loaded.next()?.string(.url) == "https://e.example/blog/p/1")
    #expect(try decode(text).next()?.string(.url) == "p/1")
  }

  @Test("whatever a document is cut in, it gives one report")
  func reportsCutsOnce() throws {
    let whole = """
      <?xml version="1.0" encoding="utf-8"?><rss><channel><item><title a="1">Ä &amp; é</title>
      <pubDate>Mon, 01 Jan 2024 10:00:00 GMT</pubDate><description><![CDATA[ <b>中</b> ]]>
      </description><!-- c --><enclosure url='u' length="1"/>
      """
    let bytes = Array(whole.utf8)
    for end in 50..<bytes.count {
      let decoder = FeedDecoder()
      try decoder.append(Array(bytes[..<end]))
      try decoder.finish()
      #expect(decoder.damage.map(\.kind) == [.cut] && decoder.damage[0].offset == end)
    }
  }

  @Test(
    "a report names the byte of the document, whatever was converted before it",
    arguments: [
      ("\u{FEFF}", ""), ("<?xml version=\"1.0\"?>\r\n", "\r\n"), ("", "é\u{92}\r\n"),
    ])
  func namesBytes(start: String, line: String) throws {
    for lines in [1, 3, 20_000] {
      let head =
        start + "<rss><channel>"
        + String(repeating: "<item><title>x\(line)</title></item>", count: lines)
      let text = head + "<item><title>a & b</title></item></channel></rss>"
      let decoder = try decode(text)
      #expect(
        decoder.damage == [FeedDamage(.bareAmpersands, offset: head.utf8.count + 15)], "\(lines)")
    }
  }

  @Test("a report names the byte of a document in another charset, and of one with bad bytes")
  func namesConvertedBytes() throws {
    let head =
      Array("<?xml version=\"1.0\" encoding=\"gbk\"?><rss><channel><item><title>".utf8)
      + Array(repeating: [0xD6, 0xD0, 0x0D, 0x0A], count: 50_000).joined()
    let decoder = FeedDecoder()
    let all = head + Array("& b</title></item></channel></rss>".utf8)
    for start in stride(from: 0, to: all.count, by: 65536) {
      try decoder.append(Array(all[start..<min(start + 65536, all.count)]))
    }
    try decoder.finish()
    #expect(decoder.damage == [FeedDamage(.bareAmpersands, offset: head.count)])
    let bad = FeedDecoder()
    let start = Array("<rss><channel><item><title>é".utf8) + [0xFF, 0xFF]
    try bad.append(start + Array("& b</title></item></channel></rss>".utf8))
    try bad.finish()
    #expect(
      bad.damage == [
        FeedDamage(.replacedBytes, offset: start.count - 2, count: 2),
        FeedDamage(.bareAmpersands, offset: start.count),
      ])
  }

  @Test("a time that cannot be read is named with its item")
  func namesItemsOfTimes() throws {
    let decoder = try decode(
      "<rss><channel><item/><item><pubDate>soon</pubDate></item></channel></rss>")
    #expect(decoder.damage == [FeedDamage(.badDates, offset: 0, detail: "soon", item: 2)])
    let json = try decode(
      #"{"version":"https://jsonfeed.org/version/1","items":[{"id":"a","date_published":"soon"}]}"#)
    _ = json.next()
    #expect(json.damage == [FeedDamage(.badDates, offset: 0, detail: "soon", item: 1)])
  }

  @Test("an empty document is refused as such")
  func refusesEmpty() {
    for text in ["", " ", "\n\t\n"] {
      #expect(throws: FeedError.empty) { try decode(text) }
    }
  }

  @Test("a web page is refused, and the feeds that it announces are named")
  func namesFeedsOfPages() {
    let page = """
      <!DOCTYPE html><html><head><title>Blog</title>
      <link rel="stylesheet" href="s.css"><link rel="alternate" type="application/rss+xml" href="/rss">
      <link rel='alternate' type='application/atom+xml' title=x href='https://b.example/atom?a=1&amp;b=2'>
      <link rel="alternate" hreflang="de" href="/de"></head><body><p>Hello<br>there</body></html>
      """
    #expect(
      throws: FeedError.html(feeds: ["https://a.example/rss", "https://b.example/atom?a=1&b=2"])
    ) {
      try decode(page, url: "https://a.example/blog/")
    }
    #expect(throws: FeedError.html(feeds: [])) { try decode("<html><body>x</body></html>") }
    #expect(throws: FeedError.html(feeds: ["/f"])) {
      try decode("<!doctype html><head><link rel=alternate type=text/xml href=/f></head>")
    }
  }

  @Test("what is no feed says what it is")
  func refusesOthers() {
    #expect(throws: FeedError.notAFeed("its root element is <opml>")) {
      try decode("<?xml version=\"1.0\"?><opml><body/></opml>")
    }
    #expect(throws: FeedError.notAFeed("it begins with \"Not found\"")) { try decode("Not found") }
  }

  @Test("entities that grow are refused or inert, quickly")
  func limitsEntities() throws {
    var bomb = "<!DOCTYPE r [<!ENTITY a0 \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\">"
    for level in 1...9 {
      let uses = String(repeating: "&a\(level - 1);", count: 10)
      bomb += "<!ENTITY a\(level) \"\(uses)\">"
    }
    bomb += "]><rss><channel><item><title>x&a9;</title></item></channel></rss>"
    let long =
      "<!DOCTYPE r [<!ENTITY a \"" + String(repeating: "a", count: 50_000)
      + "\">]><rss><channel><item><title>"
    let quadratic =
      long + String(repeating: "&a;", count: 50_000) + "</title></item></channel></rss>"
    for text in [bomb, quadratic] {
      let time = try milliseconds {
        let item = try decode(text).next()
        #expect((item?.bytes.count ?? 0) < 3 << 20)
      }
      // A second in a release build; a debug build on a busy machine takes longer.
      #expect(time < 5000)
    }
  }

  @Test("external entities read nothing")
  func readsNoFiles() throws {
    let text = """
      <!DOCTYPE r [<!ENTITY f SYSTEM "file:///etc/passwd"><!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]>
      <rss><channel><item><title>x&f;y</title></item></channel></rss>
      """
    #expect(try decode(text).next()?.string(.title) == "x&f;y")
  }

  @Test("hostile shapes cost neither time nor memory")
  func survivesShapes() throws {
    let count = 50_000
    let shapes = [
      "<rss><channel><item>" + String(repeating: "<a>", count: count),
      "<rss><channel><item>" + String(repeating: "</a>", count: count),
      "<rss><channel>" + String(repeating: "<item>", count: count),
      "<rss><channel><item><title>" + String(repeating: "&", count: count),
      "<rss><channel><item><title>" + String(repeating: "]]>", count: 20_000),
      "<rss><channel><item><title " + String(repeating: "a=\"b\" ", count: 20_000),
      "<rss><channel><item>" + String(repeating: "<a/>", count: count),
      "<rss><channel><item><title>" + String(repeating: "<b><i></b>", count: 20_000),
    ]
    for shape in shapes {
      let time = try milliseconds {
        let decoder = try decode(shape)
        while decoder.next() != nil {}
      }
      #expect(time < 15_000)
    }
  }

  @Test("text beyond the limit of an item is cut off, and the next item is read")
  func limitsItems() throws {
    let text =
      "<rss><channel><item><title>" + String(repeating: "x", count: 17 << 20)
      + "</title></item><item><title>next</title></item></channel></rss>"
    let decoder = try decode(text)
    #expect((decoder.next()?.bytes.count ?? 0) <= FeedBuilder.maximumItemBytes + 100)
    #expect(decoder.next()?.string(.title) == "next")
    #expect(decoder.damage.map(\.kind) == [.oversized])
  }

  @Test(
    "what a parser would stop at costs itself, never what follows",
    arguments: [
      "<title>a\u{FFFF}b</title>", "<enclosure url=\"https://e.example/\u{FFFE}1\"/>",
      "<x\u{FFFF}y>z</x\u{FFFF}y>", "<é:×x>z</é:×x>", "<·>z</·>", "<“quoted”>",
      "<a:b:c d:e:f=\"x\"/>",
      "<x xmlns:=\"q\" xmlns:xml=\"u\" xmlns:xmlns=\"v\" xmlns=\"http://www.w3.org/2000/xmlns/\"/>",
      "<:a>z</:a>", "<a:>z</a:>", "<:/>", "<x : :a=\"1\" a:=\"2\"/>", "<x \u{300}=\"1\"/>",
      "<x\u{3000}y/>",
      "<title>&e;</title>", "<x a=\"&e;\"/>", "<x a=\"1\" a=\"2\" b:a=\"3\" xml:a=\"4\"/>",
      "<title>]]>]]]]>></title>", "<title><![CDATA[]]]]><![CDATA[>]]></title>",
      "<title>\u{1}\u{B}</title>",
    ])
  func goesOn(behind markup: String) throws {
    let text =
      "<!DOCTYPE rss [<!ENTITY e \"p\u{1}\u{FFFF}q\">]><rss><channel><item>\(markup)</item>"
      + "<item><title>next</title></item></channel></rss>"
    for url in [nil, "https://e.example/"] {
      let decoder = try decode(text, url: url)
      #expect(!decoder.damage.contains { $0.kind == .refusedMarkup })
      var last: Item?
      while let item = decoder.next() { last = item }
      #expect(last?.string(.title) == "next")
    }
  }

  @Test("a text of many pieces is one text, and each text is its own element's")
  func keepsTextsApart() throws {
    var text = "<rss><channel>"
    for number in 0..<3000 {
      text +=
        "<item><title>t\(number) &amp; <![CDATA[<b>]]>\(number)</title><guid>g\(number)</guid></item>"
    }
    text += "<item><title>" + String(repeating: "long &lt; ", count: 40_000) + "</title></item>"
    let decoder = try decode(text + "</channel></rss>")
    for number in 0..<3000 {
      let item = try #require(decoder.next())
      #expect(item.string(.title) == "t\(number) & <b>\(number)")
      #expect(item.string(.id) == "g\(number)")
    }
    #expect(decoder.next()?.string(.title)?.utf8.count == 40_000 * 7 - 1)
    #expect(decoder.damage.isEmpty)
  }

  @Test("a document of ever new names takes no longer for each, and keeps its items")
  func limitsNames() throws {
    var text = "<rss><channel>"
    for number in 0..<300 {
      text += "<item><title>t\(number)</title>"
      for name in 0..<200 {
        text += "<x\(number)y\(name) a\(number)y\(name)='1'>k</x\(number)y\(name)>"
      }
      text += "</item>"
    }
    let decoder = try decode(text + "</channel></rss>")
    #expect(decoder.damage.contains { $0.kind == .tooManyNames })
    var count = 0
    while let item = decoder.next() {
      #expect(item.string(.title) == "t\(count)")
      count += 1
    }
    #expect(count == 300)
  }
}
