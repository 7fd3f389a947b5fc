import StarlingModel
import Testing

@testable import StarlingFavorites

/// A refusal is of a thing: it goes along when a kind's key changes, when that is undone, and when
/// it is done again.
@Suite struct RekeyRefusalTests {
  let store: FavoritesStore
  private static let kind = Kind(
    name: "thing", key: .fields(["site", "id"]),
    fields: [Field("site", .text), Field("id", .text), Field("url", .url)])
  private static let rule = Cause.Origin.rule(name: "R", version: "1")

  init() throws {
    store = try StoreFixture.ticking(KindModel.merging([("p", [KindDeclaration(Self.kind)])]).model)
  }

  private func thing(_ id: String, url: String? = nil) -> Entity {
    var entity = Entity(kind: "thing", key: "", values: ["site": "s", "id": .text(id)])
    if let url { entity["url"] = .text(url) }
    return entity
  }

  /// The favorites with who chose them, the refusals, and whether keys stand for others.
  private func state() throws -> [String] {
    var lines: [String] = []
    for entity in try store.entities(Query(kind: "thing", scope: .everything)) {
      let favorite = try store.get(kind: "thing", key: entity.key)
      lines.append("\(entity.key) \(favorite?.causes.map(\.origin) ?? [])")
    }
    return lines + (try store.refusals().map { "\($0.key) refused at \($0.at)" })
  }

  private func rekey(_ field: String) throws -> Int64 {
    try #require(try store.rekey(kind: "thing", fields: [field], apply: true).run)
  }

  private func undo(_ run: Int64) throws -> Int64 {
    let report = try store.undo(.run(run))
    #expect(report.left.isEmpty, "\(report.left)")
    #expect(try store.check().isEmpty)
    return try #require(report.run)
  }

  @Test(
    "one of something never seen comes back from the entity that it went into, and goes there again",
    arguments: [Cause.Origin.hand, Self.rule, .script(name: "s")])
  func unseen(who: Cause.Origin) throws {
    try store.insert(thing("1", url: "u"), by: who)
    try store.delete(kind: "thing", key: "s/gone")
    let before = try state()
    let run = try rekey("site")
    let after = try state()
    #expect(try store.contains(kind: "thing", key: "s/1") == (who == .hand))
    var back = try undo(run)
    #expect(try state() == before)
    #expect(try !store.contains(kind: "thing", key: "s/gone"))
    #expect(try store.insert(thing("gone"), by: Self.rule).outcome == .refused)
    #expect(try store.entity(kind: "thing", key: "s/gone") == nil)
    let again = try undo(back)
    #expect(try state() == after)
    #expect(try store.entity(kind: "thing", key: "s/gone")?.key == "s")
    // By the run that did it first as well as by the one that did it again.
    back = try undo(run)
    #expect(try state() == before)
    _ = try undo(try undo(back))
    #expect(try state() == before)
    #expect(again != run)
  }

  @Test("two things that are refused become one, and part again")
  func merged() throws {
    for id in ["1", "2"] {
      try store.insert(thing(id, url: "u"), by: Self.rule)
      try store.delete(kind: "thing", key: "s/\(id)")
    }
    try store.insert(thing("3", url: "u"), by: Self.rule)
    try store.delete(kind: "thing", key: "u")
    let before = try state()
    let run = try rekey("url")
    #expect(try state() == ["u []"] + [try #require(try state().last)])
    let back = try undo(run)
    #expect(try state() == before)
    _ = try undo(try undo(back))
    #expect(try state() == before)
  }

  @Test("one that was made since goes back with the entity, and there again")
  func since() throws {
    for id in ["1", "2", "3"] { try store.insert(thing(id, url: "u\(id)"), by: Self.rule) }
    let run = try rekey("url")
    try store.delete(kind: "thing", key: "s/3")
    #expect(try store.refusals().map(\.key) == ["u3"])
    let back = try undo(run)
    #expect(try store.refusals().map(\.key) == ["s/3"])
    #expect(try store.insert(thing("3"), by: Self.rule).outcome == .refused)
    try store.delete(kind: "thing", key: "s/1")
    _ = try undo(back)
    #expect(try store.refusals().map(\.key) == ["u1", "u3"])
    for id in ["1", "3"] {
      #expect(try store.insert(thing(id, url: "u\(id)"), by: Self.rule).outcome == .refused)
    }
    #expect(try store.contains(kind: "thing", key: "s/2"))
  }

  @Test(
    "one that was lifted since stays lifted, and one of the new rule's key goes back by its key")
  func lifted() throws {
    try store.insert(thing("1", url: "u1"), by: Self.rule)
    try store.delete(kind: "thing", key: "s/1")
    let run = try rekey("url")
    try store.insert(thing("1", url: "u1"))
    _ = try undo(run)
    #expect(try store.refusals().isEmpty)
    #expect(try store.contains(kind: "thing", key: "s/1"))

    let second = try rekey("id")
    try store.delete(kind: "thing", key: "9")
    _ = try undo(second)
    // A key of one field does not tell the other: the refusal is left under it.
    #expect(try store.refusals().map(\.key) == ["9"])
    let third = try rekey("id")
    _ = try undo(third)
    #expect(try store.refusals().map(\.key) == ["9"])
  }

  @Test("a key that was refused before any entity had it outweighs what comes to it")
  func waiting() throws {
    try store.insert(thing("1", url: "u"), by: Self.rule)
    try store.delete(kind: "thing", key: "u")
    let before = try state()
    let run = try rekey("url")
    #expect(try !store.contains(kind: "thing", key: "u"))
    #expect(try store.isRefused(kind: "thing", key: "s/1"))
    _ = try undo(run)
    #expect(try state() == before)
  }

  @Test("a refusal of an entity that became part of another goes back to it, again and again")
  func mergedAgain() throws {
    for id in ["1", "2"] { try store.insert(thing(id), by: Self.rule) }
    let first = try rekey("site")
    _ = try undo(first)
    try store.delete(kind: "thing", key: "s/1")
    /// A refusal that went over and back is of that time.
    func refused() throws -> [String] { try store.refusals().map(\.key) }
    var back = first
    for _ in 0..<2 {
      // It becomes one again, with a refusal that it had not at first.
      back = try #require(try store.undo(.last).run)
      back = try undo(back)
      #expect(try refused() == ["s/1"])
    }
  }

  @Test("what went with a kind's key goes back with all of it, and by nothing else")
  func together() throws {
    for id in ["1", "2"] { try store.insert(thing(id), by: .hand) }
    try store.delete(kind: "thing", key: "s/2")
    let before = try state()
    let run = try rekey("id")
    let after = try state()
    let changes = try store.history(HistoryFilter(run: run))
    let moved = try #require(changes.first { $0.action == .refuse })
    let left = try store.undo(.change(moved.id)).left
    #expect(left.map(\.reason) == ["it went over with its key, and goes back with that"])
    #expect(try state() == after)
    let rule = try #require(changes.first { $0.action == .rekey && $0.key.isEmpty })
    #expect(try store.undo(.change(rule.id)).left.isEmpty)
    #expect(try state() == before)
    #expect(try store.undo(.last).left.isEmpty)
    #expect(try state() == after)
  }
}
