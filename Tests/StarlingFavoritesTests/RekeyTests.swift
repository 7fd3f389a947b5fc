import StarlingModel
import StarlingSQLite
import Testing

@testable import StarlingFavorites

/// A kind gets another key: seen before it is done, and taken back to where it was.
@Suite struct RekeyTests {
  let store: FavoritesStore
  private static let kind = Kind(
    name: "thing", key: .fields(["site", "id"]),
    fields: [
      Field("site", .text), Field("id", .text), Field("url", .url), Field("title", .text),
      Field("code", .text),
    ], indexes: ["title"])

  init() throws {
    store = try StoreFixture.ticking(KindModel.merging([("p", [KindDeclaration(Self.kind)])]).model)
  }

  private func thing(_ id: Int, url: String?, code: String? = nil) -> Entity {
    var entity = Entity(
      kind: "thing", key: "",
      values: ["site": "s", "id": .text("\(id)"), "title": .text("Thing \(id)")])
    if let url { entity["url"] = .text(url) }
    if let code { entity["code"] = .text(code) }
    return entity
  }

  private func load(_ entities: [Entity]) throws {
    let handle = try store.handle(kind: "thing")
    let batch = try store.beginLoad(source: "feed")
    for entity in entities { try batch.add(handle, try store.record(of: entity, handle)) }
    _ = try batch.commit()
  }

  /// Everything that a user sees of the store, and its refusals, by key.
  private func state() throws -> [String] {
    var lines: [String] = []
    for entity in try store.entities(Query(kind: "thing", scope: .everything)) {
      let favorite = try store.get(kind: "thing", key: entity.key)
      lines.append(
        "\(entity.key) \(entity.values.count) \(favorite?.tags ?? ["none"]) "
          + "\(favorite?.note ?? "") \(favorite?.causes.map(\.origin) ?? [])")
    }
    return lines.sorted() + (try store.refusals().map(\.key)) + ["\(store.kinds)"]
  }

  @Test("a preview counts and shows, and changes nothing")
  func preview() throws {
    try load([thing(1, url: "u1"), thing(2, url: nil), thing(3, url: "u1"), thing(4, url: "s/4")])
    try store.delete(kind: "thing", key: "s/1")
    try store.delete(kind: "thing", key: "s/99")
    let before = try store.connection.texts("SELECT sql FROM sqlite_schema ORDER BY name")
    let seen = try state()
    let report = try store.rekey(kind: "thing", fields: ["url"], apply: false)
    #expect(report.moved == 1)
    #expect(report.merged == 1)
    #expect(report.keyless == 1)
    #expect(report.unchanged == 1)
    #expect(report.keylessExamples == ["s/2"])
    #expect(report.mergedExamples == [RekeyReport.Example(from: "s/1", to: "u1")])
    #expect(report.refusals == 1)
    #expect(report.refusalsLeft == 1)
    #expect(report.run == nil)
    #expect(try state() == seen)
    #expect(try store.connection.texts("SELECT sql FROM sqlite_schema ORDER BY name") == before)
  }

  @Test("old keys stand for the new ones in look-ups, loads and refusals, and undo takes all back")
  func applying() throws {
    try load((0..<20).map { thing($0, url: "https://e.example/\($0)") })
    for number in 0..<5 {
      try store.insert(
        thing(number, url: nil), by: .rule(name: "R", version: "1"), tags: ["t"], note: "n")
    }
    try store.delete(kind: "thing", key: "s/7")
    try store.rekey(kind: "thing", from: "s/3", to: "s/three")
    let before = try state()
    let report = try store.rekey(kind: "thing", fields: ["url"], apply: true)
    #expect(report.moved == 20)
    #expect(store.model["thing"]?.key == .fields(["url"]))
    for number in 0..<20 {
      for key in ["s/\(number)", "https://e.example/\(number)"] {
        let entity = try #require(try store.entity(kind: "thing", key: key))
        #expect(entity.key == "https://e.example/\(number)")
        #expect(try store.contains(kind: "thing", key: key) == (number < 5))
        #expect(try store.isRefused(kind: "thing", key: key) == (number == 7))
      }
    }
    #expect(try store.entity(kind: "thing", key: "s/three") != nil)
    // A feed by the new rule meets the same entities; so does one with the old keys.
    try load([thing(1, url: "https://e.example/1")])
    #expect(try store.count(Query(kind: "thing", scope: .everything)) == 20)
    #expect(
      try store.insert(thing(7, url: "https://e.example/7"), by: .script(name: "s")).outcome
        == .refused)
    var next = Self.kind
    next.key = .fields(["url"])
    try store.register(KindModel.merging([("next", [KindDeclaration(next)])]).model)
    #expect(try store.check().isEmpty)

    let undone = try store.undo(.run(try #require(report.run)))
    #expect(undone.left.isEmpty)
    #expect(try state() == before)
    #expect(try store.check().isEmpty)
    _ = try store.undo(.run(try #require(undone.run)))
    #expect(store.model["thing"]?.key == .fields(["url"]))
    #expect(try store.contains(kind: "thing", key: "s/4"))
    #expect(try store.check().isEmpty)
  }

  @Test("a refusal that the new key had before stays when its rekeying is undone")
  func refusedTwice() throws {
    try load([thing(1, url: "https://e.example/1"), thing(2, url: "https://e.example/2")])
    for key in ["s/1", "https://e.example/1", "s/2", "https://e.example/9"] {
      try store.delete(kind: "thing", key: key)
    }
    let before = try state()
    let report = try store.rekey(kind: "thing", fields: ["url"], apply: true)
    #expect(try store.isRefused(kind: "thing", key: "https://e.example/2"))
    _ = try store.undo(.run(try #require(report.run)))
    #expect(try state() == before)
    #expect(try store.refusals(kind: "thing").count == 4)
  }

  @Test("entities that get one key become one, with all causes, tags and notes, and part again")
  func merging() throws {
    try load([thing(1, url: "u"), thing(2, url: "v"), thing(3, url: "w")])
    try load([thing(11, url: "u"), thing(12, url: "v"), thing(13, url: "w")])
    let rule = Cause.Origin.rule(name: "R", version: "1")
    try store.insert(thing(1, url: nil), tags: ["mine"], note: "note")
    try store.insert(thing(11, url: nil), by: rule, tags: ["r"])
    try store.insert(thing(2, url: nil), by: rule, tags: ["r"])
    try store.delete(kind: "thing", key: "s/3")
    try store.insert(thing(13, url: nil), by: rule)
    let before = try state()
    let report = try store.rekey(kind: "thing", fields: ["url"], apply: true)
    #expect(report.merged == 3)
    #expect(try store.count(Query(kind: "thing", scope: .everything)) == 3)
    let first = try #require(try store.get(kind: "thing", key: "u"))
    #expect(Set(first.causes.map(\.origin)) == [rule, .hand])
    #expect(first.tags == ["mine", "r"])
    #expect(first.note == "note")
    #expect(try store.get(kind: "thing", key: "s/2")?.causes.map(\.origin) == [rule])
    // The user's no outweighs a rule's star.
    #expect(try store.isRefused(kind: "thing", key: "s/13"))
    #expect(try !store.contains(kind: "thing", key: "w"))
    #expect(try store.check().isEmpty)
    #expect(
      try store.history(HistoryFilter(limit: 500)).allSatisfy {
        $0.action == .rekey || $0.key != ""
      })
    let undone = try store.undo(.run(try #require(report.run)))
    #expect(undone.left.isEmpty, "\(undone.left)")
    #expect(try state() == before)
    #expect(try store.check().isEmpty)
    _ = try store.undo(.run(try #require(undone.run)))
    #expect(try store.isRefused(kind: "thing", key: "s/13"))
    #expect(try !store.contains(kind: "thing", key: "w"))
    #expect(try store.count(Query(kind: "thing", scope: .everything)) == 3)
    #expect(try store.get(kind: "thing", key: "s/1")?.tags == ["mine", "r"])
    #expect(try store.check().isEmpty)
  }

  @Test("two entities may change places")
  func swapping() throws {
    try load([
      thing(1, url: nil, code: "2"), thing(2, url: nil, code: "1"), thing(3, url: nil, code: "4"),
    ])
    try store.insert(thing(1, url: nil))
    _ = try store.rekey(kind: "thing", fields: ["id"], apply: true)
    let before = try state()
    let report = try store.rekey(kind: "thing", fields: ["code"], apply: true)
    #expect(report.moved == 3)
    #expect(try store.entity(kind: "thing", key: "2")?["id"] == "1")
    #expect(try store.entity(kind: "thing", key: "1")?["id"] == "2")
    #expect(try store.contains(kind: "thing", key: "2"))
    #expect(try !store.contains(kind: "thing", key: "1"))
    #expect(try store.undo(.run(try #require(report.run))).left.isEmpty)
    #expect(try state() == before)
    #expect(try store.check().isEmpty)
  }

  @Test("fields that cannot be a key are refused, with the reason")
  func refused() throws {
    func reason(_ fields: [String]) -> String {
      let error = #expect(throws: FavoritesError.self) {
        try store.rekey(kind: "thing", fields: fields, apply: true)
      }
      return error?.description ?? ""
    }
    #expect(reason(["titel"]).contains("did you mean \"title\"?"))
    #expect(reason(["site", "id"]).contains("made of these fields already"))
    #expect(reason(["id", "id"]).contains("twice"))
    #expect(reason([]).contains("names no field"))
    #expect(!store.isInTransaction)
  }

  @Test("one entity takes in another that has the key already, and a refusal meets a favorite")
  func one() throws {
    try load([thing(1, url: nil), thing(2, url: nil)])
    try store.insert(thing(1, url: nil), tags: ["a"])
    let before = try state()
    store.startRun("rekey")
    #expect(try store.rekey(kind: "thing", from: "s/1", to: "s/2"))
    let run = try #require(store.endRun())
    #expect(try store.get(kind: "thing", key: "s/1")?.tags == ["a"])
    #expect(try store.count(Query(kind: "thing", scope: .everything)) == 1)
    #expect(try store.undo(.run(run)).left.isEmpty)
    #expect(try state() == before)
    // One that was refused before it was ever seen.
    try store.delete(kind: "thing", key: "s/8")
    #expect(try store.rekey(kind: "thing", from: "s/8", to: "s/9"))
    #expect(try store.insert(thing(9, url: nil), by: .script(name: "s")).outcome == .refused)
    #expect(try store.isRefused(kind: "thing", key: "s/8"))
    _ = try store.undo(.last)
    #expect(try !store.isRefused(kind: "thing", key: "s/9"))
    #expect(try store.isRefused(kind: "thing", key: "s/8"))
    #expect(try !store.rekey(kind: "thing", from: "s/none", to: "s/x"))
  }

  @Test("what was stored under a key that is taken back is found under the one before")
  func strays() throws {
    try load([thing(1, url: "u1")])
    let run = try #require(store.rekey(kind: "thing", fields: ["url"], apply: true).run)
    try store.insert(thing(2, url: "u2"))
    try load([thing(3, url: "u3")])
    #expect(try store.contains(kind: "thing", key: "u2"))
    #expect(try store.undo(.run(run)).left.isEmpty)
    #expect(try store.contains(thing(2, url: "u2")))
    #expect(try store.contains(kind: "thing", key: "u2"))
    try load([thing(2, url: "u2"), thing(3, url: "u3")])
    let keys = try store.entities(Query(kind: "thing", scope: .everything)).map(\.key)
    #expect(Set(keys) == ["s/1", "s/2", "s/3"])
    _ = try store.undo(.last)
    #expect(try store.contains(kind: "thing", key: "u2"))
    #expect(try store.contains(kind: "thing", key: "s/2"))
    #expect(try store.check().isEmpty)
  }
}
