import Testing

@testable import StarlingTool

/// Favorites from and to other tools.
@Suite struct ImportCommandTests {
  private let place = Workplace()

  private static let bookmarks = """
    <!DOCTYPE NETSCAPE-Bookmark-file-1>
    <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
    <TITLE>Bookmarks</TITLE>
    <H1>Bookmarks</H1>
    <DL><p>
        <DT><H3 PERSONAL_TOOLBAR_FOLDER="true">Bookmarks bar</H3>
        <DL><p>
            <DT><A HREF="https://e.org/1?utm_source=x" ADD_DATE="1388534400000000">One</A>
            <DT><H3>Cars</H3>
            <DL><p>
                <DT><A HREF="https://e.org/2" ADD_DATE="1388534400" TAGS="ev,车">电池 &amp; co</A>
                <DD>a note
                over lines
            </DL><p>
            <DT><H3>Read</H3>
            <DL><p><DT><A HREF="https://e.org/2">Two</A></DL><p>
            <DT><A HREF="javascript:alert(1)">no</A>
        </DL><p>
    </DL><p>
    """

  private func run(_ arguments: String...) -> Workplace.Outcome {
    let news =
      "{ news = { key = \"link\", fields = { link = \"url\", title = \"text\", hits = \"integer\","
      + " price = \"money\", words = \"list\", at = \"time\" } } }"
    place.write("plugins/news.lua", Workplace.plugin(kinds: news))
    return place.run(arguments)
  }

  @Test("bookmarks become favorites with folders for tags, each address once")
  func readsBookmarks() {
    place.write("b.html", ImportCommandTests.bookmarks)
    let outcome = run("import", "@b.html")
    #expect(
      outcome.out == "@b.html: bookmarks: 4 read, 2 starred, 1 said twice, 1 failed\n", "\(outcome)"
    )
    #expect(outcome.status == 1)
    #expect(outcome.err == "starling: @b.html:17: its address is none of the web\n")
    let list = run("list", "news", "--json").out
    #expect(list.contains("\"key\":\"https://e.org/1\""))
    #expect(
      list.contains(
        "\"title\":\"电池 & co\",\"starred_at\":\"2014-01-01T00:00:00Z\","
          + "\"tags\":[\"Cars\",\"Read\",\"ev\",\"车\"],\"note\":\"a note over lines\","
          + "\"causes\":[{\"by\":\"import\",\"file\":\"b.html\",\"line\":11,"), "\(list)")
  }

  @Test("a second import changes nothing, and undo takes the first back")
  func isRepeatable() throws {
    place.write("b.html", ImportCommandTests.bookmarks)
    _ = run("import", "@b.html")
    #expect(run("import", "@b.html").out.contains("2 favorites already"))
    let history = run("history", "--json").lines
    let runs = history.compactMap { $0.firstMatch(of: /"run":([0-9]+)/)?.1 }
    let first = try #require(runs.last)
    #expect(run("undo", "--run", String(first)).status == 0)
    #expect(run("list").lines.count <= 1)
  }

  @Test("an import does not override a refusal, nor the user's own note")
  func holdsRefusals() {
    place.write("b.html", ImportCommandTests.bookmarks)
    _ = run("unstar", "news", "https://e.org/1")
    _ = run("star", "news", "https://e.org/2", "--note", "mine")
    let outcome = run("import", "@b.html")
    #expect(outcome.out.contains("1 favorite already, 1 refused"), "\(outcome)")
    #expect(run("contains", "news", "https://e.org/1").status == 1)
    #expect(run("list", "--json").out.contains("\"note\":\"mine\""))
  }

  @Test("--dry-run says what it would do and does nothing")
  func canBeTried() {
    place.write("b.html", ImportCommandTests.bookmarks)
    let outcome = run("import", "@b.html", "--dry-run")
    #expect(outcome.out.contains("2 starred") && outcome.out.contains("nothing was changed"))
    #expect(run("contains", "news", "https://e.org/2").status == 1)
  }

  @Test("an address that an entity has is starred as that entity")
  func findsEntities() {
    let page = "{ page = { key = \"id\", fields = { id = \"text\", url = \"url\" } } }"
    place.write("plugins/pages.lua", Workplace.plugin(kinds: page, accepts: false))
    _ = run("star", "page", "7", "url=https://e.org/2")
    place.write("b.html", ImportCommandTests.bookmarks)
    #expect(run("import", "@b.html").out.contains("1 starred, 1 favorite already"))
    #expect(run("list", "page", "--json").out.contains("\"tags\":[\"Cars\",\"Read\",\"ev\",\"车\"]"))
  }

  @Test("links of an outline are taken, and its feeds are counted")
  func readsOutlines() {
    place.write(
      "f.opml",
      """
      <?xml version="1.0"?><opml version="2.0"><head/><body>
      <outline text="Tech"><outline type="rss" text="F" xmlUrl="https://e.org/rss"/>
      <outline type="link" text="A &amp; B" url="https://e.org/x"
        created="Tue, 11 Jul 2006 17:56:10 GMT" category="/Boston/Weather"/></outline></body></opml>
      """)
    let outcome = run("import", "@f.opml")
    #expect(outcome.out.hasPrefix("@f.opml: outline: 1 read, 1 starred\n"), "\(outcome)")
    #expect(outcome.out.contains("1 feed is a source"))
    let list = run("list", "--json").out
    #expect(list.contains("\"title\":\"A & B\",\"starred_at\":\"2006-07-11T17:56:10Z\""), "\(list)")
    #expect(list.contains("\"tags\":[\"Boston/Weather\",\"Tech\"]"))
  }

  @Test("an outline that nests deeper than any stack, or breaks off, does no harm")
  func survivesOutlines() {
    let deep = String(repeating: "<outline text=\"a\">", count: 100_000)
    place.write("deep.opml", "<opml><body>" + deep)
    #expect([0, 1].contains(run("import", "@deep.opml").status))
    place.write("cut.opml", "<opml><body><outline text=\"A\" url=\"https://e.org/a\"/><outl")
    #expect(run("import", "@cut.opml").out.contains("1 starred"))
  }

  @Test("comma-separated values are read with quotes, and a line without an address is named")
  func readsCSV() {
    place.write(
      "p.csv",
      "title,url,time_added,tags,status\r\n\"A, \"\"b\"\"\nc\",https://e.org/1,1700000000,ev|x,unread"
        + "\r\nNo address,,1,,\r\n")
    let outcome = run("import", "@p.csv")
    #expect(outcome.err == "starling: @p.csv:4: it has no address\n")
    #expect(run("list", "--json").out.contains("\"title\":\"A, \\\"b\\\"\\nc\""))
    #expect(run("list", "--json").out.contains("\"starred_at\":\"2023-11-14T22:13:20Z\""))
  }

  @Test("what export writes as JSON comes back whole")
  func roundTrip() {
    _ = run(
      "star", "news", "https://e.org/1", "title=T", "hits=7", "price=16.59-25.13万", "words=a,b",
      "at=2020-01-02", "--tag", "x", "--note", "n")
    let exported = run("export").out
    place.write("e.jsonl", exported)
    let other = place.run(["--db", "@y.db", "--plugins", "@plugins", "import", "@e.jsonl"])
    #expect(other.out == "@e.jsonl: json: 1 read, 1 starred\n", "\(other)")
    let back = place.run(["--db", "@y.db", "export"]).out
    let withoutCauses: (String) -> Substring? = { $0.firstMatch(of: /^(.*),"causes"/)?.1 }
    #expect(withoutCauses(back) == withoutCauses(exported))
    #expect(withoutCauses(back) != nil)
  }

  @Test("no link is exported that a browser would run", arguments: ["bookmarks", "opml"])
  func leavesScriptsOut(_ format: String) {
    for address in ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd"] {
      _ = run("star", "news", address, "title=T")
    }
    _ = run("star", "news", "HTTPS://e.org/1", "title=T")
    let exported = run("export", "--format", format)
    #expect(exported.out.contains("e.org/1"))
    #expect(exported.err.contains("3 favorites have no address of the web"), "\(exported)")
    for part in ["javascript:", "data:", "file:"] { #expect(!exported.out.contains(part)) }
  }

  @Test("exported bookmarks and outlines are read back", arguments: ["bookmarks", "opml"])
  func exports(_ format: String) {
    _ = run(
      "star", "news", "https://e.org/?a=1&b=%22", "title=<A> & \"B\"", "--tag", "x", "--note", "n")
    place.write("plugins/things.lua", Workplace.plugin())
    _ = run("star", "thing", "7")
    let exported = run("export", "--format", format)
    #expect(exported.err.contains("1 favorite has no address"))
    place.write("e", exported.out)
    _ = place.run(["--db", "@y.db", "--plugins", "@plugins", "import", "@e"])
    let back = place.run(["--db", "@y.db", "list", "--json"]).out
    #expect(back.contains("\"title\":\"<A> & \\\"B\\\"\""), "\(back)")
    #expect(back.contains("\"tags\":[\"x\"],\"note\":\"n\""))
  }

  @Test("a list of objects with addresses is read as Pinboard writes it")
  func readsPinboard() {
    place.write(
      "pin.json",
      "[{\"href\":\"https://e.org/\",\"description\":\"Pin\",\"extended\":\"note\","
        + "\"time\":\"2020-01-02T03:04:05Z\",\"tags\":\"a b\"}, 7]")
    let outcome = run("import", "@pin.json")
    #expect(outcome.err == "starling: @pin.json:2: it is no object\n")
    #expect(run("list", "--json").out.contains("\"tags\":[\"a\",\"b\"],\"note\":\"note\""))
  }

  @Test("a file of no known form is refused with the forms that are known")
  func refusesOthers() {
    place.write("x.txt", "hello\n")
    let outcome = run("import", "@x.txt")
    #expect(outcome.status == 3)
    #expect(outcome.err.contains("@x.txt: of no form that is known; bookmarks (HTML), OPML"))
    #expect(run("import", "@none").status == 3)
    place.write("o.db", "SQLite format 3\0 and no more")
    #expect(run("import", "@o.db").status == 3)
  }
}
