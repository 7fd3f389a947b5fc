import Testing

@testable import StarlingTool

#if canImport(Glibc)
  import Glibc
#endif

/// What is changed while `watch` runs.
@Suite struct SourceWatchTests {
  private let place = Workplace()
  private let io: ToolIO

  init() {
    io = ToolIO.memory(environment: [
      "HOME": place.folder, "XDG_DATA_HOME": place.folder,
      "XDG_CONFIG_HOME": place.folder + "/config",
    ])
    place.write("plugins/things/plugin.lua", Workplace.plugin(body: "require('words')(item)"))
    place.write("plugins/things/words.lua", "return function() end")
    place.write("ok.xml", Workplace.feed(items: 2))
    source()
  }

  private func source(_ more: String = "") {
    place.write(
      "init.lua",
      "source \"ok\" { url = \"\(place.path("ok.xml"))\", plugin = \"things\", every = \"1s\" }\n"
        + more)
  }

  private func watch(_ more: String...) throws -> SourceWatch {
    let arguments = ["watch", "--config", "@init.lua", "--max-time", "1s"] + more
    guard
      case .command(_, let parsed) = try ArgumentParser.parse(
        place.standing(arguments), tool: Command.tool)
    else { throw ToolError("watch", "no command") }
    return try SourceWatch(CommandContext(parsed, io: io, usesLua: true))
  }

  /// What a round says when all sources are due again.
  private func round(_ watch: inout SourceWatch) throws -> String {
    usleep(1_100_000)
    let (out, err) = (io.out.text.count, io.err.text.count)
    try watch.round()
    return place.relative(String(io.err.text.dropFirst(err)))
      + place.relative(String(io.out.text.dropFirst(out)))
  }

  private static let loaded = "@ok.xml: things: 2 items, "

  @Test("a plugin in quarantine is used again when a module of it was mended")
  func mendedModule() throws {
    place.write("plugins/things/words.lua", "return function() while true do end end")
    var watch = try watch()
    for _ in 1...3 { #expect(try round(&watch).contains("stopped: its time was over")) }
    #expect(try round(&watch).contains("in quarantine since"))
    place.write("plugins/things/words.lua", "return function() end")
    let text = try round(&watch)
    #expect(
      text.hasPrefix("starling: plugin things: swapped: the changed one is used\n"), "\(text)")
    #expect(text.contains(Self.loaded + "2 new"), "\(text)")
  }

  @Test("a plugin in quarantine is used again after a lift by another process")
  func lifted() throws {
    place.write(
      "plugins/things/words.lua",
      "return function(item) if item.title == 'loop' then while true do end end end")
    place.write(
      "ok.xml", Workplace.feed(items: 2).replacing("<title>Item 2<", with: "<title>loop<"))
    var watch = try watch()
    for _ in 1...3 { _ = try round(&watch) }
    #expect(try round(&watch).contains("in quarantine since"))
    #expect(place.run("plugins", "lift", "things").status == 0)
    place.write("ok.xml", Workplace.feed(items: 2))
    let text = try round(&watch)
    #expect(text.hasPrefix("starling: plugin things: lifted: it is used again\n"), "\(text)")
    #expect(text.contains(Self.loaded + "2 new"), "\(text)")
  }

  @Test("a changed plugin is swapped; a broken one leaves the old one, which is said once")
  func changedPlugin() throws {
    var watch = try watch()
    #expect(try round(&watch) == Self.loaded + "2 new; 0 starred\n")
    place.write("plugins/things/plugin.lua", "--- @api 1\nreturn +\n")
    let broken = try round(&watch)
    #expect(
      broken.hasPrefix(
        "starling: plugin things: kept the old one: @plugins/things/plugin.lua:2: unexpected"),
      "\(broken)")
    #expect(broken.contains(Self.loaded + "2 unchanged"), "\(broken)")
    #expect(try round(&watch) == Self.loaded + "2 unchanged; 0 starred\n")
    place.write(
      "plugins/things/plugin.lua", Workplace.plugin(body: "item.title = 'Mended ' .. item.title"))
    let swapped = try round(&watch)
    #expect(swapped.hasPrefix("starling: plugin things: swapped"), "\(swapped)")
    #expect(swapped.contains("2 changed"), "\(swapped)")
  }

  @Test(
    "changed rules count at once; broken ones leave the last good ones, and every round says so")
  func rules() throws {
    place.write("r.lua", "rule \"None\" { kind = \"thing\", title = \"nothing\", star }\n")
    var watch = try watch("--rules", "@r.lua")
    #expect(try round(&watch).hasSuffix("0 starred\n"))
    place.write("r.lua", "rule \"One\" { kind = \"thing\", title = has \"Item 1\", star }\n")
    let changed = try round(&watch)
    #expect(changed.hasPrefix("starling: @r.lua: read again: 1 rule\n"), "\(changed)")
    #expect(changed.contains("1 starred"), "\(changed)")
    place.write("r.lua", "rule \"One\" { kind = \"thing\", titel = has \"Item 2\", star }\n")
    for _ in 1...2 {
      let broken = try round(&watch)
      #expect(broken.contains("did you mean \"title\"?"), "\(broken)")
      #expect(broken.contains("@r.lua: the last good rules stay in force"), "\(broken)")
      #expect(broken.split(separator: "\n").count == 3, "\(broken)")
    }
    place.write("r.lua", "rule \"Two\" { kind = \"thing\", title = has \"Item\", star }\n")
    let mended = try round(&watch)
    #expect(mended.hasPrefix("starling: @r.lua: read again: 1 rule\n"), "\(mended)")
    #expect(!mended.contains("stay in force"), "\(mended)")
    #expect(place.run("list", "thing", "--json").lines.count == 2)
  }

  @Test(
    "sources and rules of a changed init.lua count from the next round on; a broken one keeps all")
  func configuration() throws {
    place.write("more.xml", Workplace.feed(items: 3))
    var watch = try watch()
    #expect(try round(&watch) == Self.loaded + "2 new; 0 starred\n")
    source(
      "source \"more\" { url = \"\(place.path("more.xml"))\", every = \"1s\" }\n"
        + "rule \"One\" { kind = \"thing\", title = has \"Item 1\", star }\n")
    let more = try round(&watch)
    #expect(
      more.hasPrefix(
        "starling: source more: added\nstarling: @init.lua: read again: 1 rule\n"), "\(more)")
    #expect(more.contains("@more.xml: things: 3 items, 1 new"), "\(more)")
    #expect(more.contains("1 starred"), "\(more)")
    source("source \"more\" { ulr = 1 }\n")
    for _ in 1...2 {
      let broken = try round(&watch)
      #expect(broken.hasPrefix("starling: @init.lua:2: "), "\(broken)")
      #expect(broken.contains("@init.lua: the last good rules stay in force"), "\(broken)")
      #expect(broken.contains("@more.xml: "), "\(broken)")
    }
    source()
    let less = try round(&watch)
    #expect(less.hasPrefix("starling: source more: removed\n"), "\(less)")
    #expect(!less.contains("@more.xml"), "\(less)")
  }

  @Test("a source that is added to sources.opml meanwhile is loaded")
  func outline() throws {
    var watch = try watch()
    _ = try round(&watch)
    place.write("more.xml", Workplace.feed(items: 3))
    let added = place.run(
      "sources", "add", place.path("more.xml"), "--name", "more", "--config", "@init.lua")
    #expect(added.status == 0, "\(added)")
    let text = try round(&watch)
    #expect(text.hasPrefix("starling: source more: added\n"), "\(text)")
    #expect(text.contains("@more.xml: things: 3 items"), "\(text)")
  }
}
