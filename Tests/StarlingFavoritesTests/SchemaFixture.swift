import Glibc
import StarlingModel

@testable import StarlingFavorites

/// What every file in `Fixtures/schemas` holds: `N.db` was written by the version whose schema was
/// number N, with `write(to:)` as it was then, and is never written again. Kinds and rows are its
/// own, so that it does not change with the other fixtures.
enum SchemaFixture {
  static let folder =
    #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/Fixtures/schemas"

  /// The versions that there is a file of.
  static var versions: [Int64] {
    var found: [Int64] = []
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".db"), let version = Int64(name.dropLast(3)) { found.append(version) }
    }
    return found.sorted()
  }

  static let kinds = [
    Kind(
      name: "news", key: .fields(["link"]),
      fields: [
        Field("link", .url), Field("title", .text), Field("summary", .text),
        Field("categories", .list), Field("published", .time),
      ], indexes: ["title", "published"]),
    Kind(
      name: "car_type", key: .fields(["site", "uid"]),
      fields: [
        Field("site", .text), Field("uid", .text), Field("name", .text), Field("price", .money),
        Field("doors", .integer), Field("rating", .real), Field("electric", .boolean),
        Field("url", .url),
      ], indexes: ["name", "price"]),
    Kind(name: "thought", key: .auto, fields: [Field("text", .text)]),
  ]

  static let noon = Timestamp(secondsSinceEpoch: 1_800_000_000)
  static let rule = "Swift and Lua"
  static let titles = [
    "Swift 6.3 released", "电动汽车降价二十万", "Café ÉCOLE straße", "東京のニュース", "Ｆｕｌｌ width",
    "quotes \" and ' and %_ (unbalanced", "İstanbul ıı", "emoji 🚗 car", "a", "",
  ]

  static func link(_ number: Int) -> String { "https://news.example/\(number)?a=b&c=%2F" }

  static func news(_ number: Int) -> Entity {
    Entity(
      kind: "news", key: "",
      values: [
        "link": .text(link(number)), "title": .text(titles[number % titles.count]),
        "summary": .text("Summary \(number): \(titles[(number + 3) % titles.count])"),
        "categories": .list(["one", "\(number)"]),
        "published": .time(Timestamp(secondsSinceEpoch: Int64(number) * 86400)),
      ])
  }

  static func car(_ number: Int) -> Entity {
    Entity(
      kind: "car_type", key: "",
      values: [
        "site": "cars.example", "uid": .text("0\(number)/7%"), "name": .text("车型 \(number)"),
        "price": .money(
          Money(
            low: 165_900 + Double(number), high: 251_300, currency: "CNY",
            text: "16.59-25.13万")),
        "doors": .integer(5), "rating": .real(4.25), "electric": .boolean(number % 2 == 0),
        "url": .text("https://cars.example/\(number)"),
      ])
  }

  static let evidence = [
    Evidence(field: "title", value: "Swift 6.3 \"released\"", condition: "has \"swift\"")
  ]

  /// Makes a database with everything that a version can keep.
  static func write(to path: String) throws(FavoritesError) {
    var now = noon
    let model = KindModel.merging([("fixture", kinds.map { KindDeclaration($0) })]).model
    let store = try FavoritesStore(
      .file(path), model: model, options: StoreOptions(clock: { now }))
    let news = try store.handle(kind: "news")
    for round in ["1", "2"] {
      store.startRun("load news.xml")
      let batch = try store.beginLoad(source: "https://news.example/feed")
      for number in 0..<60 {
        let stars =
          number % 10 == 0
          ? [RuleStar(rule: rule, version: round, evidence: evidence, tags: ["dev"])] : []
        try batch.add(news, try store.record(of: self.news(number), news), stars: stars)
      }
      _ = try batch.commit()
      store.endRun()
      now = Timestamp(secondsSinceEpoch: now.secondsSinceEpoch + 3600)
    }
    try store.insert(self.news(10), tags: ["mine", "逗号, tag"], note: "a note\nof two lines")
    try store.insert(self.news(11), by: .script(name: "digest.lua"))
    try store.insert(self.news(12), by: .import(file: "bookmarks.html", line: 42))
    try store.untag(kind: "news", key: link(20), ["dev"])
    try store.note(kind: "news", key: link(20), "before")
    try store.note(kind: "news", key: link(20), "after")
    try store.delete(kind: "news", key: link(30))
    try store.delete(kind: "news", key: "https://news.example/never-seen")
    try store.delete(kind: "news", key: link(40), by: .script(name: "digest.lua"))
    try store.delete(kind: "news", key: link(41))
    try store.allow(kind: "news", key: link(41))
    try store.rekey(kind: "news", from: link(50), to: "https://news.example/fifty")
    for number in 0..<5 { try store.insert(car(number)) }
    try store.insert(Entity(kind: "thought", key: "", values: ["text": "an idea"]))
    store.startRun("script: to be undone")
    for number in 5..<8 { try store.insert(car(number), by: .script(name: "s")) }
    if let run = store.endRun() { _ = try store.undo(.run(run)) }
    try store.setSetting("rules.good", "rule \"x\" { star }")
  }
}
