import Glibc
import StarlingModel
import StarlingSQLite
import Testing

@testable import StarlingFavorites

/// Each released version of the schema, as a file that it wrote, opens with this build and loses
/// nothing.
///
/// A new schema version needs a file of its own before it is released: `UPDATE_GOLDEN=1 swift test
/// --filter SchemaVersionTests` writes `Fixtures/schemas/N.db` where there is none.
@Suite(.serialized) struct SchemaVersionTests {
  let folder = TemporaryFolder()

  /// A copy of a version's file, so that nothing here changes the file itself.
  private func copy(_ version: Int64) throws -> String {
    let stream = try #require(fopen("\(SchemaFixture.folder)/\(version).db", "r"))
    defer { fclose(stream) }
    var bytes = [UInt8](repeating: 0, count: 8 << 20)
    let count = fread(&bytes, 1, bytes.count, stream)
    #expect(count < bytes.count)
    folder.write(Array(bytes.prefix(count)), to: "\(version).db")
    return "\(folder.path)/\(version).db"
  }

  @Test("there is a file of the present version")
  func present() throws {
    let path = "\(SchemaFixture.folder)/\(Schema.version).db"
    if getenv("UPDATE_GOLDEN") != nil, access(path, F_OK) != 0 {
      try SchemaFixture.write(to: path)
    }
    #expect(
      SchemaFixture.versions.contains(Schema.version),
      "UPDATE_GOLDEN=1 swift test --filter SchemaVersionTests writes it")
    #expect(SchemaFixture.versions.last == Schema.version)
  }

  @Test(
    "what a version kept is there, can be searched and changed, and is whole",
    arguments: SchemaFixture.versions)
  func opening(_ version: Int64) throws {
    let path = try copy(version)
    for round in 0..<2 {
      let store = try FavoritesStore(.file(path), options: StoreFixture.options())
      #expect(try store.connection.integer("PRAGMA user_version") == Schema.version)
      #expect(try store.check().isEmpty)
      try expectContents(store)
      if round == 0 { try expectHistory(store) }
      try expectChanges(store)
      #expect(try store.check().isEmpty)
    }
  }

  private func expectContents(_ store: FavoritesStore) throws {
    #expect(store.kinds == SchemaFixture.kinds)
    #expect(try store.count(Query(kind: "news", scope: .everything)) == 60)
    for number in 0..<60 where number != 50 {
      var item = SchemaFixture.news(number)
      item.key = SchemaFixture.link(number)
      if item["title"] == .text("") { item["title"] = nil }
      #expect(try store.entity(kind: "news", key: item.key) == item)
    }
    let starred = [0, 10, 11, 12, 20, 50]
    for number in 0..<60 {
      #expect(
        try store.contains(kind: "news", key: SchemaFixture.link(number))
          == starred.contains(number), "\(number)")
    }
    let ten = try #require(try store.get(kind: "news", key: SchemaFixture.link(10)))
    #expect(ten.tags == ["dev", "mine", "逗号, tag"])
    #expect(ten.note == "a note\nof two lines")
    #expect(ten.starredAt == SchemaFixture.noon)
    let rule = Cause.Origin.rule(name: SchemaFixture.rule, version: "2")
    #expect(Set(ten.causes.map(\.origin)) == [rule, .hand])
    #expect(ten.causes.first { $0.origin == rule }?.evidence == SchemaFixture.evidence)
    #expect(
      try store.causes(kind: "news", key: SchemaFixture.link(12)).map(\.origin)
        == [.import(file: "bookmarks.html", line: 42)])
    let twenty = try #require(try store.get(kind: "news", key: SchemaFixture.link(20)))
    #expect(twenty.tags.isEmpty)
    #expect(twenty.note == "after")
    let fifty = try #require(try store.get(kind: "news", key: SchemaFixture.link(50)))
    #expect(fifty.entity.key == "https://news.example/fifty")
    #expect(
      try store.refusals().map(\.key) == [
        SchemaFixture.link(30), "https://news.example/never-seen",
      ]
    )
    #expect(try store.count(Query(kind: "car_type")) == 5)
    #expect(try store.count(Query(kind: "car_type", scope: .everything)) == 8)
    for number in 0..<8 {
      var car = SchemaFixture.car(number)
      car.key = "cars.example/0\(number)%2F7%25"
      #expect(try store.entity(kind: "car_type", key: car.key) == car)
    }
    #expect(try store.fetch(Query(kind: "thought")).map { $0.entity["text"] } == ["an idea"])
    #expect(try store.setting("rules.good") == "rule \"x\" { star }")
    for (text, count) in [("电动汽车", 12), ("école", 12), ("ニュース", 12)] {
      let found = try store.count(Query(kind: "news", scope: .everything, text: text))
      #expect(found == count, "\(text)")
    }
  }

  private func expectHistory(_ store: FavoritesStore) throws {
    let changes = try store.history(HistoryFilter(limit: 1000))
    #expect(changes.count == 38)
    #expect(changes.filter { $0.isUndone }.count == 3)
    #expect(
      Set(changes.map(\.action)) == Set(Change.Action.allCases).subtracting([.uncause, .undo]))
    #expect(changes.map(\.id) == changes.map(\.id).sorted(by: >))
  }

  /// Work that touches each of the old rows' tables, and takes itself back.
  private func expectChanges(_ store: FavoritesStore) throws {
    let key = SchemaFixture.link(12)
    let deleted = try #require(try store.history(HistoryFilter(kind: "news", key: key)).last)
    #expect(deleted.action == .star)
    try store.delete(kind: "news", key: key)
    #expect(try store.insert(SchemaFixture.news(12), by: .script(name: "s")).outcome == .refused)
    #expect(try store.insert(SchemaFixture.news(30), by: .script(name: "s")).outcome == .refused)
    _ = try store.undo(.last)
    #expect(try store.contains(kind: "news", key: key))
    let report = try store.undo(.rule(SchemaFixture.rule))
    #expect(!(try store.contains(kind: "news", key: SchemaFixture.link(0))))
    #expect(try store.contains(kind: "news", key: SchemaFixture.link(10)))
    _ = try store.undo(.run(try #require(report.run)))
    #expect(try store.contains(kind: "news", key: SchemaFixture.link(0)))
  }
}
