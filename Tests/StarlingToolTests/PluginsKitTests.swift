import Testing

@testable import StarlingTool

/// The author's commands: a plugin is begun and its fixtures are run.
@Suite struct PluginsKitTests {
  @Test("a new plugin passes its own test at once, and is written only once")
  func new() {
    let place = Workplace()
    place.makeFolder("plugins")
    let made = place.run("plugins", "new", "owls")
    #expect(made.status == 0, "\(made.err)")
    #expect(made.lines.first == "@plugins/owls/plugin.lua: written")
    #expect(made.out.contains("It makes `owls`: id text, title text"))
    #expect(made.out.contains("starling plugins test owls --update"))
    let tested = place.run("plugins", "test", "owls")
    #expect(tested == Workplace.Outcome(status: 0, out: "ok owls: 1 passed\n", err: ""))
    let again = place.run("plugins", "new", "owls")
    #expect(again.status == 3)
    #expect(again.err.hasPrefix("starling: @plugins/owls/plugin.lua: there is a plugin"))
    let file = place.run("plugins", "new", "@plugins/owls")
    #expect(file.err == "starling: @plugins/owls: is there already, and nothing is overwritten\n")
    let bad = place.run("plugins", "new", "../a b")
    #expect(bad.status == 3)
    #expect(bad.err.contains("letters, digits, - and _"))
  }

  @Test("a plugin is drafted from a JSON feed never seen before, and passes its test at once")
  func draftJSON() {
    let place = Workplace()
    place.write(
      "boats.json",
      #"""
      {"meta":{"page":1},"result":{"boats":[
        {"boatId":900719925474099312345,"Name":"A &amp; B","pubDate":"2026-03-01T10:00:00Z",
         "price":"12,500 EUR","link":"/boats/1","skipper":{"name":"Ann"},"kind":"sloop",
         "sizes":[1,2],"photos":[{"src":"x"}],"end":true,"seen_at":1750000000000},
        {"boatId":2,"Name":null,"pubDate":"2026-03-02T10:00:00Z","price":"9,000 EUR",
         "link":"/boats/2","skipper":null,"kind":"ketch","sizes":[],"end":false,
         "seen_at":1750000001000}]}}
      """#)
    let made = place.run(
      "plugins", "new", "boats", "--from", "@boats.json", "--url", "https://boats.example/api/v1")
    #expect(made.status == 0, "\(made.err)")
    #expect(
      made.out.contains(
        """
        It makes `boats`: boat_id text, name text, pub_date time, price money, link url, \
        skipper_name text, kind_text text, sizes list, end boolean, seen_at time. \
        Its fixture gives 2 entities.
        """), "\(made.out)")
    #expect(place.run("plugins", "test", "boats").out == "ok boats: 1 passed\n")
    let tried = place.run(
      "plugins", "try", "boats", "@boats.json", "--json", "--url", "https://boats.example/api/v1")
    let first = #"""
      {"kind":"boats","key":"900719925474099312345","boat_id":"900719925474099312345",\#
      "name":"A & B","pub_date":"2026-03-01T10:00:00Z","price":{"low":12500,"high":12500,\#
      "currency":"EUR","text":"12,500 EUR"},"link":"https://boats.example/boats/1",\#
      "skipper_name":"Ann","kind_text":"sloop","sizes":["1","2"],"end":true,\#
      "seen_at":"2025-06-15T15:06:40Z"}
      """#
    #expect(tried.lines.first == first, "\(tried.err)")
    let loaded = place.run("load", "@boats.json", "--url", "https://boats.example/api/v1")
    #expect(loaded.out.hasPrefix("@boats.json: boats: 2 items, 2 new"), "\(loaded.err)")
  }

  @Test("a draft of a saved page has its relative links, and takes the site's next page too")
  func draftPage() throws {
    let place = Workplace()
    place.write(
      "page.json",
      #"{"list":[{"path":"/1","promo":"x","title":"a"},{"path":"/2","title":"b"}]}"#)
    place.write("next.json", #"{"list":[{"path":"/3","title":"c"}]}"#)
    let made = place.run("plugins", "new", "pages", "--from", "@page.json")
    #expect(made.status == 0, "\(made.err)")
    #expect(place.run("plugins", "test", "pages").out == "ok pages: 1 passed\n")
    #expect(place.run("load", "@next.json").out.contains("1 new"))
    let other = place.run(
      "plugins", "new", "others", "--from", "@page.json", "--url", "https://e.org/api")
    #expect(other.out.contains("try others @page.json --url https://e.org/api --watch"))
  }

  @Test("a draft shows how the lists inside of items become entities of their own")
  func draftInnerLists() throws {
    let place = Workplace()
    place.write(
      "brands.json",
      #"""
      {"brands":[
        {"id":1,"name":"A","series":[{"sid":"a1","Name":"One"},{"sid":"a2","Name":"Two"}],"tags":[]},
        {"id":2,"name":"B","series":[{"sid":"b1","Name":"Three"}],"tags":[1]}]}
      """#)
    #expect(place.run("plugins", "new", "brands", "--from", "@brands.json").status == 0)
    let text = place.text("plugins/brands/plugin.lua")
    let hint = """
        -- A list in each item: item.series, of sid, Name. To make an entity of each of its elements,
        -- return a list:
        --   local found = {}
        --   for _, one in ipairs(item.series or {}) do
        --     found[#found + 1] = { kind = "brands", sid = one.sid, name = one.Name }
        --   end
        --   return found

      """
    #expect(text.contains(hint), "\(text)")
    #expect(!text.contains("Also there:"))
  }

  @Test("a plugin is drafted from an RSS feed with elements of its own")
  func draftRSS() {
    let place = Workplace()
    place.write(
      "film.xml",
      """
      <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:f="urn:f"><channel>
      <title>Films</title><link>https://films.example/</link>
      <item><guid>a</guid><title>One</title><link>https://films.example/1</link>
      <f:runTime>93</f:runTime><media:thumbnail url="https://films.example/1.jpg"/>
      <pubDate>Mon, 06 Sep 2025 16:45:00 GMT</pubDate></item>
      <item><guid>b</guid><title>Two</title><link>https://films.example/2</link></item>
      </channel></rss>
      """)
    let made = place.run("plugins", "new", "film-list", "--from", "@film.xml")
    #expect(made.status == 0, "\(made.err)")
    #expect(made.out.contains("It makes `film_list`: id text, title text, url url"), "\(made.out)")
    #expect(made.out.contains("f_run_time integer"), "\(made.out)")
    let tested = place.run("plugins", "test", "film-list")
    #expect(tested.out == "ok film-list: 1 passed\n")
  }

  @Test("a plugin is drafted from JSON whose items stand under their keys")
  func draftKeyed() {
    let place = Workplace()
    place.write(
      "tides.json",
      #"""
      {"source":{"name":"harbor"},"stations":{
        "B-7":{"name":"North","height":1.25,"at":"2026-03-01T10:00:00Z","links":[{"href":"x"}]},
        "A-1":{"name":"South","height":0.5,"at":"2026-03-01T11:00:00Z","links":[{"href":"y"},{"href":"z"}]}}}
      """#)
    let made = place.run("plugins", "new", "tides", "--from", "@tides.json")
    #expect(made.status == 0, "\(made.err)")
    #expect(
      made.out.contains(
        "It makes `tides`: id text, name text, height real, at time. Its fixture gives 2 entities."),
      "\(made.out)")
    #expect(place.run("plugins", "test", "tides").out == "ok tides: 1 passed\n")
    #expect(place.run("plugins", "check", "tides").out == "tides: nothing found\n")
    let tried = place.run("plugins", "try", "tides", "@tides.json", "--json")
    #expect(
      tried.lines.first
        == #"{"kind":"tides","key":"B-7","id":"B-7","name":"North","height":1.25,"at":"2026-03-01T10:00:00Z"}"#
    )
    // The whole document may be such an object, and its values may have an id too.
    place.write("all.json", #"{"a":{"id":1,"name":"x"},"b":{"id":2,"name":"y"}}"#)
    let all = place.run("plugins", "new", "all", "--from", "@all.json")
    #expect(all.out.contains("It makes `all`: item_id text, id text, name text."), "\(all.out)")
    #expect(place.run("plugins", "test", "all").out == "ok all: 1 passed\n")
    place.write("list.json", #"[{"id":1,"name":"x"}]"#)
    #expect(place.run("load", "@list.json").err.contains("no plugin accepts this json feed"))
  }

  @Test("a plugin is drafted from JSON that is rows under a list of names")
  func draftRows() {
    let place = Workplace()
    place.write(
      "table.json",
      #"""
      {"columns":["Station ID","name","height"],"data":{"x":1},
       "rows":[["B-7","North",1.25],["A-1","South",2]]}
      """#)
    let made = place.run("plugins", "new", "table", "--from", "@table.json")
    #expect(made.status == 0, "\(made.err)")
    #expect(
      made.out.contains(
        "It makes `table`: station_id text, name text, height real. Its fixture gives 2 entities."),
      "\(made.out)")
    #expect(place.run("plugins", "test", "table").out == "ok table: 1 passed\n")
    let tried = place.run("plugins", "try", "table", "@table.json", "--json")
    #expect(
      tried.lines.first
        == #"{"kind":"table","key":"B-7","station_id":"B-7","name":"North","height":1.25}"#)
    place.write("bare.json", #"[[1,"a"],[2,"b"]]"#)
    let bare = place.run("plugins", "new", "bare", "--from", "@bare.json")
    #expect(bare.out.contains("column_1 integer, column_2 text."), "\(bare.out)")
    #expect(place.run("plugins", "test", "bare").out == "ok bare: 1 passed\n")
  }

  @Test("numbers and truth values of XML are guessed from what its texts are")
  func draftDigits() {
    let place = Workplace()
    place.write(
      "r.xml",
      """
      <rss version="2.0" xmlns:x="urn:x"><channel><title>T</title>
      <item><guid>a</guid><x:n>5</x:n><x:b>true</x:b><x:r>1.5</x:r><x:zip>01234</x:zip><x:ref_id>7</x:ref_id></item>
      <item><guid>b</guid><x:n>-6</x:n><x:b>false</x:b><x:r>0.5</x:r><x:zip>91234</x:zip><x:ref_id>8</x:ref_id></item>
      </channel></rss>
      """)
    let made = place.run("plugins", "new", "r", "--from", "@r.xml")
    #expect(
      made.out.contains(
        "id text, x_n integer, x_b boolean, x_r real, x_zip text, x_ref_id text."), "\(made.out)")
    #expect(place.run("plugins", "test", "r").out == "ok r: 1 passed\n")
  }

  @Test("what is said of a fixture has the types that it needs, and has its input")
  func fixtureOptions() {
    let place = birds()
    let cases: [(String, String)] = [
      ("[]", "an object expected"), (#"{"url":5}"#, "`url` is a text"),
      (#"{"accepts":"no"}"#, "`accepts` is true or false"),
      (#"{"options":[1]}"#, "`options` is an object"),
      (#"{"options":{"x":null}}"#, "the option `x` is a text, a number, true or false"),
    ]
    for (text, message) in cases {
      place.write("plugins/birds/fixtures/list.options.json", text)
      let outcome = place.run("plugins", "test", "birds")
      #expect(outcome.status == 1)
      #expect(outcome.out.contains("list.options.json: " + message), "\(outcome.out)")
    }
    place.write("plugins/birds/fixtures/list.options.json", "{}")
    for name in ["notes.txt", "README.md", "list.json~"] {
      place.write("plugins/birds/fixtures/" + name, "text")
    }
    place.write("plugins/birds/fixtures/gone.options.json", "{}")
    let outcome = place.run("plugins", "test", "birds")
    #expect(outcome.out.contains("gone.options.json: its input is not there"))
    #expect(!outcome.out.contains("notes") && !outcome.out.contains("~"), "\(outcome.out)")
  }

  @Test("a feed with nothing to map begins no plugin, and leaves no folder")
  func draftNothing() {
    let place = Workplace()
    place.write("none.json", #"{"a":[1,2],"b":{"c":"d"}}"#)
    let made = place.run("plugins", "new", "none", "--from", "@none.json")
    #expect(made.status == 3)
    #expect(
      made.err
        == "starling: @none.json: no list of objects or of rows in it: "
        + "begin with plugins new NAME alone\n")
    #expect(place.run("plugins", "test", "@plugins/none").status == 3)
  }

  /// A plugin `birds` with one fixture of three items, one of which is left out.
  private func birds(title: String = "text.plain(item.title)") -> Workplace {
    let place = Workplace()
    place.write(
      "plugins/birds/plugin.lua",
      """
      --- @api 1
      --- @summary Birds
      local M = {}
      M.kinds = { bird = { key = "id", fields = { id = "text", title = "text", seen = "integer" } } }
      function M.accepts(feed) return feed.site == "birds.example" end
      function M.map(item)
        if item.hidden then return nil, "hidden" end
        return { kind = "bird", id = item.id, title = \(title), seen = item.seen }
      end
      return M
      """)
    place.write(
      "plugins/birds/fixtures/list.json",
      #"[{"id":1,"title":"Owl","seen":3},{"id":2,"title":"Wren"},{"id":3,"hidden":true}]"#)
    place.write("plugins/birds/fixtures/list.options.json", #"{"url":"https://birds.example/b"}"#)
    return place
  }

  @Test("a fixture without what is expected fails, and --update writes it")
  func updates() {
    let place = birds()
    let failed = place.run("plugins", "test", "birds")
    #expect(failed.status == 1)
    #expect(
      failed.out.contains("there is no @plugins/birds/fixtures/list.expected.jsonl; --update"))
    let updated = place.run("plugins", "test", "birds", "--update")
    #expect(updated.status == 0)
    #expect(
      updated.out
        == "ok birds: 1 updated\n  @plugins/birds/fixtures/list.json: updated\n")
    #expect(place.run("plugins", "test").out == "ok birds: 1 passed\n")
    #expect(place.run("plugins", "test", "@plugins/birds").out == "ok birds: 1 passed\n")
    for path in ["birds/", "birds/.", "birds/fixtures/..", "birds/plugin.lua"] {
      #expect(place.run("plugins", "test", "@plugins/" + path).out == "ok birds: 1 passed\n")
    }
  }

  @Test("what differs is shown entity by entity and field by field, and the status is 1")
  func differences() {
    let place = birds()
    place.write(
      "plugins/birds/fixtures/list.expected.jsonl",
      """
      {"kind":"bird","key":"1","id":"1","title":"Barn owl","seen":3,"color":"white"}

      {"key":"9","kind":"bird","id":"9"}
      {"left_out":"hidden","count":2}
      """)
    let outcome = place.run("plugins", "test", "birds")
    #expect(outcome.status == 1)
    #expect(
      outcome.out == """
        failed birds: 1 failed
          @plugins/birds/fixtures/list.json
            ~ bird 1
                title  expected "Barn owl"
                       got      "Owl"
                color  expected "white"
                       got      nothing
            - bird 9  expected, and not given
                id  "9"
            + bird 2  given, and not expected
                id     "2"
                title  "Wren"
            left out, "hidden": expected 2, got 1

        """)
    let json = place.run("plugins", "test", "birds", "--json")
    #expect(json.status == 1)
    #expect(
      json.out.contains(
        #"""
        {"change":"changed","kind":"bird","key":"1","fields":[{"field":"title",\#
        "expected":"\"Barn owl\"","got":"\"Owl\""}
        """#), "\(json.out)")
  }

  @Test("another key for nearly the same values is one entity that changed")
  func keys() {
    let place = birds()
    place.write(
      "plugins/birds/fixtures/list.expected.jsonl",
      """
      {"kind":"bird","key":"a/1","id":"1","title":"Owl","seen":3}
      {"kind":"bird","key":"2","id":"2","title":"Wren"}
      {"left_out":"hidden","count":1}
      """)
    let outcome = place.run("plugins", "test", "birds")
    #expect(
      outcome.out.contains("    ~ bird a/1\n        key  expected a/1\n             got      1\n"))
    place.write(
      "plugins/birds/fixtures/list.expected.jsonl",
      """
      {"kind":"bird","key":"2","title":"Wren","id":"2"}
      {"kind":"bird","key":"1","seen":3,"id":"1","title":"Owl"}
      {"left_out":"hidden","count":1}
      """)
    let moved = place.run("plugins", "test", "birds")
    #expect(moved.out.contains("~ bird 1  given at another place in the order"))
  }

  @Test("fixtures run at a fixed time, which the plugin sees, and with the same random numbers")
  func fixedClock() {
    let place = Workplace()
    place.write(
      "plugins/clock/plugin.lua",
      """
      --- @api 1
      local M = {}
      M.kinds = {
        tick = { key = "id", fields = { id = "text", at = "time", random = "text", seed = "text" } },
      }
      function M.map(item, feed)
        local random = tostring(math.random(1 << 40))
        return {
          id = item.id, at = feed.loaded_at - 3600, random = random,
          seed = tostring(math.randomseed()),
        }
      end
      return M
      """)
    place.write("plugins/clock/fixtures/a.json", #"[{"id":1},{"id":2}]"#)
    #expect(place.run("plugins", "test", "clock", "--update").status == 0)
    let written = place.run("plugins", "test", "clock", "--json")
    #expect(written.out.contains(#""outcome":"passed""#), "\(written)")
    let expected = Guide.read(place.path("plugins/clock/fixtures/a.expected.jsonl")) ?? ""
    let lines = expected.split(separator: "\n")
    #expect(lines.count == 2)
    for line in lines {
      #expect(line.contains(#""at":"2027-01-15T07:00:00Z""#), "\(line)")
      #expect(line.contains(#""seed":"1800000000""#), "\(line)")
    }
    // Outside of tests it is the time of the load.
    place.write("feed.json", #"[{"id":1}]"#)
    #expect(place.run("load", "@feed.json", "--plugin", "clock").status == 0)
    let stored = place.run("list", "tick", "--all", "--json").out
    #expect(stored.contains(#""at":"20"#) && !stored.contains("2027-01-15T07:00:00Z"), "\(stored)")
  }

  @Test("an item that fails fails the test, with the plugin's line, and nothing is rewritten")
  func failures() {
    let place = birds(title: "item.title:upper()")
    place.write(
      "plugins/birds/fixtures/list.json", #"[{"id":1,"title":"Owl"},{"id":2}]"#)
    place.write("plugins/birds/fixtures/list.expected.jsonl", "{\"kind\":\"bird\",\"key\":\"1\"}\n")
    for arguments in [["plugins", "test", "birds"], ["plugins", "test", "birds", "--update"]] {
      let outcome = place.run(arguments)
      #expect(outcome.status == 1)
      #expect(
        outcome.out.contains(
          "    item 2: @plugins/birds/plugin.lua:8: attempt to index a nil value (field 'title')"),
        "\(outcome.out)")
    }
  }

  @Test("a fixture that the plugin does not accept, and faults in its files, are said")
  func faults() {
    let place = birds()
    _ = place.run("plugins", "test", "birds", "--update")
    place.write("plugins/birds/fixtures/list.options.json", #"{"url":"https://cats.example/b"}"#)
    #expect(place.run("plugins", "test", "birds").out.contains("`accepts` does not take it"))
    place.write(
      "plugins/birds/fixtures/list.options.json",
      #"{"url":"https://cats.example/b","accepts":false}"#)
    #expect(place.run("plugins", "test", "birds").status == 0)
    place.write("plugins/birds/fixtures/list.options.json", #"{"urll":"https://birds.example/b"}"#)
    let misspelt = place.run("plugins", "test", "birds")
    #expect(misspelt.status == 1)
    #expect(misspelt.out.contains("there is no `urll`; did you mean `url`?"))
    place.write("plugins/birds/fixtures/gone.expected.jsonl", "")
    #expect(
      place.run("plugins", "test", "birds").out.contains(
        "fixtures/gone.expected.jsonl: its input is not there"))
  }

  @Test("a refused plugin fails its test, one without fixtures is told, and no name is guessed")
  func refusals() {
    let place = Workplace()
    place.write("plugins/things.lua", Workplace.plugin())
    place.write("plugins/future.lua", Workplace.plugin(api: 2))
    let all = place.run("plugins", "test")
    #expect(all.status == 1)
    #expect(
      all.out.hasPrefix("failed future is refused: @plugins/future.lua:1: written for plugin"))
    let none = place.run("plugins", "test", "things")
    #expect(none.status == 1)
    #expect(none.out.hasPrefix("  things has no fixtures: put an input"))
    let unknown = place.run("plugins", "test", "thigns")
    #expect(unknown.status == 3)
    #expect(unknown.err == "starling: plugin thigns: no such plugin; did you mean `things`?\n")
  }
}
