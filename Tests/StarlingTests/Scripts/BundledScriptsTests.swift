import Glibc
import StarlingFavorites
import StarlingModel
import Testing

@testable import Starling

/// Runs each script of `scripts/` on one prepared database against a golden output.
@Suite struct BundledScriptsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// The golden file's name.
    var name: String
    var script: String
    var arguments: [String] = []
    var input = ""

    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(name: "bookmarks-html", script: "bookmarks-html", arguments: ["news", "post"]),
    Case(name: "compare-cars", script: "compare-cars", arguments: ["--below", "30万"]),
    Case(name: "digest", script: "digest", arguments: ["--since", "7d"]),
    Case(name: "digest-usage", script: "digest", arguments: ["--sinse"]),
    Case(name: "export-csv", script: "export-csv", arguments: ["car_type"]),
    Case(name: "export-csv-all", script: "export-csv", arguments: ["--all", "news"]),
    Case(name: "forum-activity", script: "forum-activity", arguments: ["--since", "30d"]),
    Case(name: "near-duplicates", script: "near-duplicates", arguments: ["--least", "0.5"]),
    Case(name: "opml-of-sites", script: "opml-of-sites"),
    Case(name: "price-drops", script: "price-drops", arguments: ["--all"]),
    Case(name: "prune-old", script: "prune-old", arguments: ["--older-than", "60", "--yes"]),
    Case(
      name: "star-keywords", script: "star-keywords", arguments: ["--tag", "found"],
      input: "lua # a language\n\n电池\nrefused\n"),
    Case(name: "stats", script: "stats"),
    Case(name: "tag-by-site", script: "tag-by-site", arguments: ["--prefix", "site:"]),
  ]

  private static let folder =
    "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
  private static let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
  private static let day: Int64 = 86400
  private static let now: Int64 = 1_796_025_600  // 2026-11-30T08:00:00Z

  private final class Clock {
    var now = BundledScriptsTests.now
  }

  private final class Streams {
    var output: [UInt8] = []
    var input: [[UInt8]] = []
  }

  @Test("each script gives what its golden file says", arguments: cases)
  func golden(_ example: Case) throws {
    let (output, status) = try Self.run(example)
    let ending = status == 0 ? [] : Array("status \(status)\n".utf8)
    try Self.compare(output + ending, "\(Self.folder)/Fixtures/scripts/\(example.name).txt")
  }

  @Test(
    "what a script cannot take is told with its usage and status 2, before any output",
    arguments: [
      ("bookmarks-html", ["nosuch"]), ("bookmarks-html", ["--tag"]),
      ("compare-cars", ["--below", "cheap"]), ("compare-cars", ["--below"]),
      ("compare-cars", [""]), ("digest", ["nosuch"]), ("digest", ["--since", "x"]),
      ("export-csv", ["nosuch"]), ("forum-activity", ["--top", "x"]),
      ("forum-activity", ["--top", "-1"]), ("forum-activity", ["--since", "x"]),
      ("near-duplicates", ["nosuch"]), ("near-duplicates", ["--least"]),
      ("opml-of-sites", ["--least", "x"]), ("price-drops", ["nosuch"]),
      ("prune-old", ["--kind", "nosuch"]), ("star-keywords", ["--kind", "nosuch", "x"]),
      ("star-keywords", [""]), ("stats", ["--top", "x"]), ("tag-by-site", ["news", "nosuch"]),
    ])
  func usage(script: String, arguments: [String]) throws {
    let (output, status) = try Self.run(
      Case(name: script, script: script, arguments: arguments))
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
    #expect(status == 2)
    #expect(lines.count == 1, "\(lines)")
    #expect(lines.first?.contains("usage: starling run \(script).lua") == true, "\(lines)")
  }

  @Test(
    "each script tells its usage with --help, and does nothing", arguments: Set(cases.map(\.script))
  )
  func help(script: String) throws {
    let (output, status) = try Self.run(Case(name: script, script: script, arguments: ["--help"]))
    #expect(status == 0)
    let text = String(decoding: output, as: UTF8.self)
    #expect(text.hasPrefix("usage: starling run \(script).lua") && text.hasSuffix("\n"), "\(text)")
    #expect(text.split(separator: "\n").count == 1)
  }

  /// Runs a script on the prepared database.
  ///
  /// - Returns: what it wrote and logged, and its status.
  private static func run(_ example: Case) throws -> ([UInt8], Int32) {
    let clock = Clock()
    let streams = Streams()
    streams.input = [Array(example.input.utf8)]
    let host = Host(
      Host.Configuration(
        database: .memory, pluginFolders: [Self.root + "/plugins"],
        clock: { Timestamp(secondsSinceEpoch: clock.now) },
        log: { line in
          streams.output += Array("\(line.level.rawValue): \(line.message)\n".utf8)
        }))
    try Self.fill(try host.storeWithPlugins(), clock)
    let script = Script(
      file: "\(Self.root)/scripts/\(example.script).lua", arguments: example.arguments)
    let io = ScriptIO(
      write: { piece in
        streams.output += piece
        return true
      },
      read: { _ in streams.input.isEmpty ? [] : streams.input.removeFirst() })
    let status = try host.run(script, io: io)
    return (streams.output, status)
  }

  private static func compare(_ output: [UInt8], _ path: String) throws {
    if getenv("UPDATE_GOLDEN") != nil { try Files.replace(path, with: output) }
    let golden = String(decoding: try Files.read(path), as: UTF8.self)
    #expect(String(decoding: output, as: UTF8.self) == golden)
  }

  /// Eleven favorites of several kinds, sites, causes and ages, and as many that are none.
  private static func fill(_ store: FavoritesStore, _ clock: Clock) throws {
    try fillNews(store, clock)
    try fillThreads(store, clock)
    try fillCars(store, clock)
    clock.now = now
  }

  private static func at(_ daysAgo: Int64, _ clock: Clock) { clock.now = now - daysAgo * day }

  private static func fillNews(_ store: FavoritesStore, _ clock: Clock) throws {
    func news(_ number: Int, _ title: String, _ daysAgo: Int64, site: String) -> Entity {
      let link = "https://\(site)/\(number)"
      return Entity(
        kind: "news", key: link,
        values: [
          "link": .text(link), "title": .text(title), "author": .text("Ann"),
          "summary": .text("What \"\(title)\" <means>; and more."),
          "categories": .list(["a, b", "c"]),
          "published": .time(Timestamp(secondsSinceEpoch: now - daysAgo * day)),
        ])
    }
    let rule = Cause.Origin.rule(name: "Lua & friends", version: "0123abcd")
    let evidence = [Evidence(field: "title", value: "Lua 5.5", condition: "word \"Lua\"")]
    at(400, clock)
    try store.insert(
      news(1, "Lua 5.4 released", 400, site: "old.example"), by: rule, evidence: evidence)
    at(100, clock)
    try store.insert(news(2, "An old favorite", 100, site: "old.example"), by: .hand)
    at(3, clock)
    try store.insert(
      news(3, "Lua 5.5 is *out*", 3, site: "www.news.example"), by: rule, evidence: evidence,
      tags: ["dev"])
    at(2, clock)
    try store.insert(
      news(4, "Lua 5.5 is out, finally", 2, site: "news.example"), by: .hand, note: "read again")
    at(1, clock)
    try insertUnstarred(news(5, "Embedding Lua in an app", 1, site: "news.example"), store)
    try insertUnstarred(news(6, "新的电池工厂", 1, site: "news.example"), store)
    let refused = news(7, "A refused story", 1, site: "news.example")
    try insertUnstarred(refused, store)
    try store.delete(kind: "news", key: refused.key, by: .hand)
  }

  private static func fillThreads(_ store: FavoritesStore, _ clock: Clock) throws {
    func post(_ id: Int64, _ title: String, _ forum: String, _ daysAgo: Int64) -> Entity {
      var entity = Entity(kind: "post", key: "")
      entity["site"] = "forum.example"
      entity["id"] = .text(String(id))
      entity["title"] = .text(title)
      entity["url"] = .text("https://forum.example/t/\(id)")
      entity["forum"] = .text(forum)
      entity["replies"] = .integer(id * 10)
      entity["likes"] = .integer(id)
      entity["published"] = .time(Timestamp(secondsSinceEpoch: now - daysAgo * day))
      return entity
    }
    at(5, clock)
    try store.insert(post(1, "Which editor?", "Tools", 5), by: .script(name: "pick.lua"))
    try store.insert(
      post(2, "Which editor, again?", "Tools", 4),
      by: .import(file: "bookmarks.html", line: 12), tags: ["later"])
    try insertUnstarred(post(3, "Release party", "Events", 3), store)
    try insertUnstarred(post(4, "Last year's party", "Events", 300), store)
  }

  private static func fillCars(_ store: FavoritesStore, _ clock: Clock) throws {
    func car(_ uid: String, _ name: String, _ energy: String, _ price: String) -> Entity {
      var entity = Entity(kind: "car_type", key: "")
      entity["site"] = "cars.example"
      entity["uid"] = .text(uid)
      entity["name"] = .text(name)
      entity["series"] = .text("Comet")
      entity["energy"] = .text(energy)
      if let money = Money(parsing: price) { entity["price"] = .money(money) }
      entity["url"] = .text("https://cars.example/\(uid)")
      return entity
    }
    let rule = Cause.Origin.rule(name: "EV under 20万", version: "89abcdef")
    at(10, clock)
    for (uid, name, seen, price) in [
      ("1", "Comet Air", "16.59万", "15.59万"), ("2", "Comet Pro", "19.9万", "21.2万"),
      ("3", "Comet | GT", "18万", "18万"),
    ] {
      let evidence = [Evidence(field: "price", value: seen, condition: "below \"20万\"")]
      try store.insert(
        car(uid, name, "EV", price), by: rule, evidence: evidence, tags: ["shortlist"])
    }
    try store.insert(car("4", "Comet Max", "EV", "暂无报价"), by: .hand)
    try insertUnstarred(car("5", "Comet Diesel", "diesel", "12-14万"), store)
  }

  /// Stores an entity that is no favorite.
  private static func insertUnstarred(_ entity: Entity, _ store: FavoritesStore) throws {
    let handle = try store.handle(kind: entity.kind)
    let batch = try store.beginLoad(source: "https://feeds.example/")
    _ = try batch.add(handle, try store.record(of: entity, handle))
    _ = try batch.commit()
  }
}
