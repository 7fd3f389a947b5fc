import Glibc
import Testing

@testable import StarlingTool

/// The life of a plugin that is stopped again and again, and what is kept of each plugin.
@Suite struct PluginsHealthTests {
  /// A plugin that never ends for the item `loop`, beside one that takes whatever is left.
  private func place(_ body: String = "while true do end") -> Workplace {
    let place = Workplace()
    place.write(
      "plugins/a.lua",
      Workplace.plugin(body: "if item.title == \"loop\" then \(body) end"))
    place.write(
      "plugins/b.lua",
      Workplace.plugin(kinds: "{ \"thing\" }").replacing("Things of a feed", with: "The rest"))
    place.write("ok.xml", Workplace.feed(items: 2))
    place.write(
      "loop.xml", Workplace.feed(items: 3).replacing("<title>Item 3<", with: "<title>loop<"))
    return place
  }

  private func load(_ place: Workplace, _ file: String) -> Workplace.Outcome {
    place.run("load", file, "--max-time", "40ms")
  }

  @Test("what has a plugin's name and is none stands in the list, and in no other's place")
  func broken() {
    let place = place()
    symlink("nowhere", place.path("plugins/dead.lua"))
    place.makeFolder("plugins/empty.lua")
    mkfifo(place.path("plugins/pipe.lua"), 0o600)
    place.makeFolder("plugins/notes")
    symlink("nowhere", place.path("plugins/c.lua"))
    place.write("more/c.lua", Workplace.plugin())
    let list = place.run("plugins", "list", "--plugins", "@more")
    for (name, reason) in [
      ("dead", "it is a link that leads nowhere"), ("empty", "it is a folder without plugin.lua"),
      ("pipe", "it is no file"),
    ] {
      let line = list.lines.first { $0.hasPrefix(name + " ") } ?? ""
      #expect(line.contains("refused") && line.contains(reason), "\(list.out)")
    }
    #expect(!list.out.contains("notes"))
    #expect(list.lines.count { $0.hasPrefix("c ") } == 1 && list.out.contains("@more/c.lua"))
    #expect(place.run("load", "@ok.xml").status == 0)
  }

  @Test("a link to a folder's plugin is that plugin, with its modules and fixtures")
  func linked() {
    let place = place()
    place.write("src/bird/plugin.lua", Workplace.plugin(body: "require('m')"))
    place.write("src/bird/m.lua", "return {}")
    place.write("src/bird/fixtures/a.xml", Workplace.feed(items: 1))
    symlink(place.path("src/bird/plugin.lua"), place.path("plugins/bird.lua"))
    #expect(place.run("plugins", "test", "bird", "--update").out.contains("1 updated"))
    #expect(place.run("plugins", "test", "@plugins/bird.lua").out.contains("1 passed"))
  }

  @Test("three stops in a row put a plugin in quarantine, and the others work on")
  func quarantine() {
    let place = place()
    for _ in 1...3 {
      let stopped = load(place, "@loop.xml")
      #expect(stopped.status == 3)
      #expect(stopped.err.contains("stopped: its time was over"))
    }
    let skipped = load(place, "@loop.xml")
    #expect(skipped.status == 0)
    #expect(skipped.out.hasPrefix("@loop.xml: b: 3 items"))
    #expect(
      skipped.err.hasPrefix(
        "starling: plugin a: @plugins/a.lua: in quarantine since 20"), "\(skipped.err)")
    #expect(
      skipped.err.contains(
        "Z, after 3 stops in a row (@plugins/a.lua:7: stopped: its time was over); it is used "
          + "again when its file changes, or after: starling plugins lift a"), "\(skipped.err)")
    let list = place.run("plugins", "list", "--json")
    #expect(list.lines[0].contains(#""state":"quarantined","error":{"kind":"plugin","#))
    #expect(list.lines[1].contains(#""state":"used""#))
    let named = place.run("load", "@ok.xml", "--plugin", "a")
    #expect(named.status == 3)
    #expect(named.err.contains("in quarantine since"))
    #expect(place.run("plugins", "test", "a").err == "")
  }

  @Test("a lift, or a change of the file, ends a quarantine")
  func ends() {
    let place = place()
    for _ in 1...3 { _ = load(place, "@loop.xml") }
    #expect(place.run("plugins", "lift", "a").out == "a: lifted; it is used again\n")
    #expect(place.run("plugins", "lift", "a").out == "a: was not in quarantine\n")
    #expect(load(place, "@ok.xml").out.hasPrefix("@ok.xml: a: 2 items"))
    #expect(place.run("plugins", "lift", "aa").status == 3)
    for _ in 1...3 { _ = load(place, "@loop.xml") }
    #expect(load(place, "@ok.xml").out.hasPrefix("@ok.xml: b:"))
    place.write("plugins/a.lua", Workplace.plugin(body: "-- mended"))
    let mended = load(place, "@loop.xml")
    #expect(mended.out.hasPrefix("@loop.xml: a: 3 items"))
    #expect(mended.err == "")
  }

  @Test("a feed that is mapped to its end between stops forgives them; memory counts as time does")
  func forgives() {
    let place = place("local t = {} while true do t[#t + 1] = (\"x\"):rep(1000) .. #t end")
    for _ in 1...2 {
      #expect(
        place.run("load", "@loop.xml", "--max-memory", "4MB").err.contains("not enough memory"))
    }
    #expect(load(place, "@ok.xml").out.hasPrefix("@ok.xml: a: 2 items"))
    for _ in 1...2 { _ = place.run("load", "@loop.xml", "--max-memory", "4MB") }
    #expect(load(place, "@ok.xml").out.hasPrefix("@ok.xml: a: 2 items"))
  }

  @Test("a plugin that is stopped while it loads is in quarantine after three tries, and not run")
  func atLoad() {
    let place = place()
    _ = load(place, "@ok.xml")
    place.write("plugins/a.lua", "--- @api 1\nwhile true do end\n")
    for _ in 1...3 {
      let outcome = load(place, "@ok.xml")
      // The third stop says that it is in quarantine.
      let said = outcome.err.hasPrefix("starling: plugin a: ")
      #expect(said && outcome.err.contains("@plugins/a.lua:2: stopped"), "\(outcome.err)")
    }
    let clock = ContinuousClock()
    let start = clock.now
    let list = place.run("plugins", "list", "--json")
    #expect(list.lines[0].contains(#""state":"quarantined""#), "\(list.out)")
    // Its own limit is five seconds.
    #expect(clock.now - start < .seconds(4))
  }

  @Test("what a plugin did is kept: calls, times, memory, stops and the last error")
  func statistics() {
    let place = place()
    #expect(place.run("plugins", "list", "--stats", "--json").lines[0].contains(#""calls":0"#))
    // `accepts` once and `map` for each item, but for those that are as they were.
    for _ in 1...2 { _ = load(place, "@ok.xml") }
    _ = load(place, "@loop.xml")
    let outcome = place.run("plugins", "list", "--stats", "--json")
    let line = outcome.lines[0]
    #expect(line.contains(#""stats":{"calls":8,"median_ns":"#), "\(line)")
    #expect(line.contains(#""stops":1,"last_error":"@plugins/a.lua:7: stopped: its time"#))
    let worst = number("worst_ns", in: line)
    #expect(worst > 30_000_000 && worst < 5_000_000_000)
    #expect(number("median_ns", in: line) < worst)
    #expect(number("peak_memory", in: line) > 10_000)
    let table = place.run("plugins", "list", "--stats")
    #expect(table.out.contains("last error"))
    place.write("plugins/a.lua", Workplace.plugin(body: "-- another text"))
    #expect(place.run("plugins", "list", "--stats", "--json").lines[0].contains(#""calls":0"#))
  }

  @Test("looking at plugins makes no database")
  func makesNone() {
    let place = place()
    _ = place.run("plugins", "list", "--stats")
    #expect(access(place.path("x.db"), F_OK) != 0)
  }

  @Test("looking at plugins adds none of their kinds to a database")
  func addsNone() {
    let place = place()
    _ = load(place, "@ok.xml")
    let before = place.run("run", "-e", "return #favorites.kinds()")
    place.write(
      "more/other.lua",
      Workplace.plugin(
        kinds: "{ other = { key = \"id\", fields = { id = \"text\", title = \"text\" } } }"
      ).replacing("kind = \"thing\"", with: "kind = \"other\""))
    place.write(
      "more/wrong.lua",
      Workplace.plugin(
        kinds: "{ thing = { key = \"id\", fields = { id = \"text\", title = \"real\" } } }"))
    let list = place.run("plugins", "list", "--plugins", "@more")
    #expect(
      list.out.contains("other") && list.out.contains("kind thing, field title"), "\(list.out)")
    #expect(place.run("run", "-e", "return #favorites.kinds()").out == before.out)
    place.write("r.lua", "rule \"a\" { kind = \"other\", star }")
    #expect(place.run("rules", "check", "--rules", "@r.lua").err.contains("unknown kind \"other\""))
  }

  @Test("what keeps a plugin from being asked is said where none takes the feed")
  func refusedReason() {
    let place = place()
    place.write("plugins/a.lua", "--- @api 1\n--- @summary A\nlocal x = nil .. 5\n")
    place.write("plugins/b.lua", "--- @api 9\n")
    let outcome = place.run("load", "@ok.xml")
    #expect(
      outcome.err.contains("not used: a (@plugins/a.lua:3: attempt to concatenate a nil value"))
  }

  @Test("a plugin is refused for its API, its text, or its kinds, each with the reason in the list")
  func refusals() {
    let place = place()
    place.write("plugins/c.lua", Workplace.plugin(api: 9))
    place.write("plugins/d.lua", "--- @api 1\nreturn 1 +\n")
    place.write(
      "plugins/e.lua",
      Workplace.plugin(
        kinds: "{ thing = { key = \"id\", fields = { id = \"text\", title = \"integer\" } } }"))
    let list = place.run("plugins", "list")
    #expect(list.out.contains("written for plugin API 9, and this program speaks 1"))
    #expect(list.out.contains("@plugins/d.lua:3: unexpected symbol near <eof>"))
    #expect(list.out.contains("kind thing, field title: it is integer here and text there"))
    #expect(list.lines.filter { $0.contains("refused") }.count == 3)
  }

  @Test("a Lua file among the plugins that says no API is listed as refused, and said when named")
  func noHeader() {
    let place = place()
    place.write("na/birds.lua", "local M = {}\n--- @api 1\nreturn M\n")
    place.write("na/bytes.lua", [0x1B] + Array("LuaT\0\u{19}".utf8))
    place.write("na/mere.lua", "return {}\n")
    let reasons = [
      "@na/birds.lua:2: its `@api` line is line 2, below code; a plugin begins with `--- @api 1`",
      "@na/bytes.lua:1: it is compiled Lua (bytecode), and a plugin is text",
      "@na/mere.lua:1: no `--- @api 1` line at its top, so it is not a plugin",
    ]
    let list = place.run("plugins", "list", "--plugins", "@na")
    let refused = list.lines.filter { $0.contains("refused") }
    #expect(refused.count == 3, "\(list)")
    for (line, reason) in zip(refused, reasons) { #expect(line.contains(reason), "\(line)") }
    let doctor = place.run("doctor", "--plugins", "@na")
    #expect(doctor.status == 1)
    for reason in reasons { #expect(doctor.err.contains(reason), "\(doctor.err)") }
    let named = place.run("plugins", "try", "@na/birds.lua", "@ok.xml")
    #expect(named.status == 3)
    #expect(named.err.contains(reasons[0]), "\(named.err)")
  }

  @Test("a plugin whose kinds contradict the database is refused alone")
  func contradictsDatabase() {
    let place = place()
    _ = load(place, "@ok.xml")
    place.write(
      "plugins/a.lua",
      Workplace.plugin(
        kinds: "{ other = { key = \"id\", fields = { id = \"text\", title = \"text\" } } }"
      ).replacing("kind = \"thing\"", with: "kind = \"other\""))
    place.write(
      "plugins/b.lua",
      Workplace.plugin(
        kinds: "{ thing = { key = \"id\", fields = { id = \"text\", title = \"real\" } } }"))
    let outcome = load(place, "@ok.xml")
    #expect(outcome.out.hasPrefix("@ok.xml: a: 2 items"), "\(outcome.err)")
    let named = place.run("load", "@ok.xml", "--plugin", "b")
    #expect(named.status == 3)
    #expect(named.err.contains("kind thing, field title"), "\(named.err)")
    let list = place.run("plugins", "list").lines
    let refused = list.filter { $0.contains("refused") }
    #expect(refused.count == 1 && refused[0].hasPrefix("b "), "\(list)")
    #expect(list.contains { $0.contains("kind thing, field title") }, "\(list)")
  }

  private func number(_ name: String, in line: String) -> Int {
    guard let place = line.ranges(of: "\"\(name)\":").first else { return -1 }
    return Int(line[place.upperBound...].prefix { $0.isNumber }) ?? -1
  }
}
