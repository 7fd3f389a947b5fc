import Testing

@testable import StarlingTool

/// Sources: where they stand, and what `sync` makes of them.
@Suite struct SourcesCommandTests {
  private let place = Workplace()

  private func run(_ arguments: String...) -> Workplace.Outcome {
    place.write("plugins/things.lua", Workplace.plugin())
    place.write("ok.xml", Workplace.feed(items: 2))
    return place.run(arguments)
  }

  @Test("a source that is added stands in sources.opml, and sync loads it")
  func addsAndLoads() {
    let added = run("sources", "add", place.path("ok.xml"), "--name", "Ok & <co>", "--every", "30m")
    #expect(added.out == "Ok & <co>: added to @config/starling/sources.opml\n", "\(added)")
    let list = run("sources", "list", "--json").out
    #expect(list.contains("\"source\":\"Ok & <co>\",\"url\":\"@ok.xml\",\"every\":1800"), "\(list)")
    let synced = run("sync")
    #expect(synced.out == "@ok.xml: things: 2 items, 2 new; 0 starred\n", "\(synced)")
    #expect(run("sources", "list").out.contains("in order"))
    let removed = run("sources", "remove", "Ok & <co>")
    #expect(removed.status == 0, "\(removed)")
    #expect(run("sync").status == 3)
    #expect(run("list", "thing", "--all", "--json").lines.count == 2)
  }

  @Test("sources of init.lua and of OPML files are one list; options reach the plugin")
  func mergesLists() {
    place.write(
      "config/starling/init.lua",
      """
      source "first" { url = "\(place.path("ok.xml"))", plugin = "things", site = "e.org" }
      sources "more.opml"
      """)
    place.write(
      "config/starling/more.opml",
      "<opml><body><outline text=\"F\"><outline text=\"second\" xmlUrl=\"@none.xml\"/>"
        + "</outline></body></opml>")
    let list = run("sources", "list", "--json").lines
    #expect(list.count == 2)
    #expect(
      list.first?.contains("\"written_in\":\"@config/starling/init.lua:1\"") == true, "\(list)")
    let all = run("sync")
    #expect(all.status == 1)
    #expect(all.out == "@ok.xml: things: 2 items, 2 new; 0 starred\n", "\(all)")
    #expect(run("sync", "first").status == 0)
    let unknown = run("sync", "frist")
    #expect(unknown.status == 3)
    #expect(unknown.err.contains("source frist: no such source; did you mean `first`?"))
    let removed = run("sources", "remove", "first")
    #expect(removed.status == 3)
    #expect(removed.err.contains("it is written in @config/starling/init.lua:1; take it out there"))
  }

  @Test("a second name or URL is refused, and so are a time and a plugin that are none")
  func refuses() {
    _ = run("sources", "add", "https://e.org/feed", "--name", "a")
    #expect(run("sources", "add", "https://e.org/feed").status == 3)
    #expect(run("sources", "add", "https://e.org/2", "--name", "a").status == 3)
    #expect(run("sources", "add", "https://e.org/3", "--every", "soon").status == 3)
    #expect(run("sources", "add", "https://e.org/3", "--every", "0s").status == 3)
    for word in ["not a url", "ftp://e.org/feed", "@none.xml", "-"] {
      let refused = run("sources", "add", word)
      #expect(refused.status == 3)
      #expect(refused.err.contains("neither a URL that begins with"), "\(refused.err)")
    }
    #expect(run("sources", "add", "https://e.org/4", "--plugin", "thngs").err.contains("things"))
    #expect(run("sources", "list", "--json").lines.count == 1)
  }

  @Test("what another program wrote into sources.opml stays")
  func keepsTheRest() {
    place.write(
      "config/starling/sources.opml",
      "<opml version=\"2.0\"><head><title>Mine</title></head><body>"
        + "<outline text=\"Tech\" note=\"n\"><outline text=\"A\" xmlUrl=\"https://e.org/a\"/></outline>"
        + "</body></opml>")
    _ = run("sources", "add", "https://e.org/b", "--name", "B")
    _ = run("sources", "remove", "A")
    place.write("none", "")
    let text = run("import", "@config/starling/sources.opml", "--dry-run").out
    #expect(text.contains("1 feed is a source"), "\(text)")
    #expect(run("sources", "list", "--json").lines.count == 1)
  }

  @Test("an outline with entities of its own is refused and not expanded")
  func refusesBombs() {
    place.write(
      "config/starling/sources.opml",
      "<!DOCTYPE opml [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]>"
        + "<opml><body><outline text=\"&b;\" xmlUrl=\"https://e.org/a\"/></body></opml>")
    let outcome = run("sources", "list")
    #expect(outcome.status == 1)
    #expect(outcome.err.contains("this is no outline (OPML)"))
  }

  @Test("open takes addresses of the web alone")
  func opensTheWebAlone() {
    let page = "{ page = { key = \"id\", fields = { id = \"text\", url = \"url\" } } }"
    place.write("plugins/pages.lua", Workplace.plugin(kinds: page, accepts: false))
    _ = run("star", "page", "1", "url=file:///etc/passwd")
    let refused = run("open", "page", "1")
    #expect(refused.status == 3)
    #expect(refused.err == "starling: page 1: it has no address of the web\n")
    #expect(run("open", "page", "2").status == 1)
  }
}
