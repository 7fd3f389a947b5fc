import StarlingModel
import Testing

@testable import StarlingFavorites

@Suite struct UndoTests {
  let store: FavoritesStore
  let rule = Cause.Origin.rule(name: "R", version: "1")
  let key = StoreFixture.link(1)

  init() throws {
    store = try StoreFixture.store()
  }

  private func lastChange() throws -> Int64 {
    try #require(try store.history(HistoryFilter(limit: 1)).first?.id)
  }

  @Test("a rule that chose nothing is told with the nearest name of one that did")
  func nearestRule() throws {
    try store.insert(StoreFixture.item(1), by: .rule(name: "Cheap cars", version: "1"))
    let error = #expect(throws: FavoritesError.self) { try store.undo(.rule("Cheap car")) }
    #expect(
      error?.description
        == "there is no favorite that rule \"Cheap car\" chose; did you mean \"Cheap cars\"?")
  }

  @Test("undoing a rule takes its cause; the favorite stays while another is left")
  func undoRule() throws {
    try store.insert(StoreFixture.item(1), by: rule, tags: ["t"])
    try store.insert(StoreFixture.item(1))
    try store.insert(StoreFixture.item(2), by: .rule(name: "R", version: "0"))
    try store.insert(StoreFixture.item(3), by: .rule(name: "other", version: "1"))
    let report = try store.undo(.rule("R"))
    #expect(report.undone.count == 2)
    #expect(report.left.isEmpty)
    #expect(try store.causes(kind: "news", key: key).map(\.origin) == [.hand])
    #expect(try store.get(kind: "news", key: key)?.tags == [])
    #expect(try !store.contains(StoreFixture.item(2)))
    #expect(try !store.isRefused(kind: "news", key: StoreFixture.link(2)))
    #expect(try store.contains(StoreFixture.item(3)))
    #expect(throws: FavoritesError.self) { try store.undo(.rule("R")) }

    let run = try #require(report.run)
    _ = try store.undo(.run(run))
    #expect(try store.causes(kind: "news", key: key).map(\.origin).contains(rule))
    #expect(try store.get(kind: "news", key: key)?.tags == ["t"])
    #expect(try store.contains(StoreFixture.item(2)))
    #expect(try store.check().isEmpty)
  }

  @Test("undoing an unstar brings back causes, tags, note and time, and lifts its refusal")
  func unstar() throws {
    let evidence = [Evidence(field: "title", value: "a\"b", condition: "has \"a\"")]
    try store.insert(
      StoreFixture.item(1), by: rule, evidence: evidence, tags: ["x", "y\""], note: "n\\")
    let before = try store.get(kind: "news", key: key)
    try store.delete(kind: "news", key: key)
    #expect(try store.isRefused(kind: "news", key: key))
    let report = try store.undo(.change(try lastChange()))
    #expect(report.undone.map(\.action) == [.unstar])
    #expect(try store.get(kind: "news", key: key) == before)
    #expect(try !store.isRefused(kind: "news", key: key))
    // And back again.
    _ = try store.undo(.run(try #require(report.run)))
    #expect(try !store.contains(kind: "news", key: key))
    #expect(try store.isRefused(kind: "news", key: key))
    #expect(try store.history().first { $0.id == 2 }?.isUndone == false)
  }

  @Test("what the user has changed since is named and left")
  func left() throws {
    store.startRun("load a.xml")
    try store.insert(StoreFixture.item(1), by: rule)
    try store.insert(StoreFixture.item(2), by: rule)
    let run = try #require(store.endRun())
    try store.note(kind: "news", key: key, "mine")
    let report = try store.undo(.run(run))
    #expect(report.undone.map(\.key) == [StoreFixture.link(2)])
    #expect(report.left.map(\.reason) == ["you wrote a note since"])
    #expect(try store.contains(kind: "news", key: key))
    #expect(try !store.contains(StoreFixture.item(2)))
  }

  @Test("tags, notes and refusals are undone one by one, newest first")
  func oneByOne() throws {
    try store.insert(StoreFixture.item(1))
    try store.tag(kind: "news", key: key, ["a", "b"])
    try store.untag(kind: "news", key: key, ["a"])
    try store.note(kind: "news", key: key, "one")
    try store.note(kind: "news", key: key, "two")
    try store.delete(kind: "news", key: "never seen")
    func state() throws -> String {
      let favorite = try store.get(kind: "news", key: key)
      let refused = try store.isRefused(kind: "news", key: "never seen")
      return "\(favorite?.tags ?? ["none"]) \(favorite?.note ?? "-") \(refused)"
    }
    #expect(try state() == "[\"b\"] two true")
    let changes = try store.history().map(\.id)
    for (change, expected) in zip(
      changes,
      [
        "[\"b\"] two false", "[\"b\"] one false", "[\"b\"] - false", "[\"a\", \"b\"] - false",
        "[] - false", "[\"none\"] - false",
      ])
    {
      #expect(try store.undo(.change(change)).left.isEmpty)
      #expect(try state() == expected)
      #expect(throws: FavoritesError.self) { try store.undo(.change(change)) }
    }
  }

  @Test("`last` takes the last run back, an undo too: then what that had undone is there again")
  func last() throws {
    #expect(throws: FavoritesError.self) { try store.undo(.last) }
    try store.insert(StoreFixture.item(1), by: rule, tags: ["q", "rt"])
    store.startRun("load")
    try store.insert(StoreFixture.item(2), by: rule)
    _ = store.endRun()
    for isThere in [false, true, false, true] {
      _ = try store.undo(.last)
      #expect(try store.contains(StoreFixture.item(2)) == isThere)
      #expect(try store.get(kind: "news", key: key)?.tags == ["q", "rt"])
    }
  }

  @Test("a rule's newer version is undone to the older one, and back")
  func versions() throws {
    try store.insert(StoreFixture.item(1), by: rule)
    try store.insert(StoreFixture.item(1), by: .rule(name: "R", version: "2"))
    func versions() throws -> [Cause.Origin] {
      try store.causes(kind: "news", key: key).map(\.origin)
    }
    let report = try store.undo(.change(try lastChange()))
    #expect(try versions() == [rule])
    _ = try store.undo(.run(try #require(report.run)))
    #expect(try versions() == [.rule(name: "R", version: "2")])
  }

  @Test("a new key is undone, and the old one is found by itself again")
  func rekeying() throws {
    try store.insert(StoreFixture.item(1))
    try store.rekey(kind: "news", from: key, to: "new")
    _ = try store.undo(.last)
    #expect(try store.get(kind: "news", key: key)?.entity.key == key)
    #expect(try store.contains(kind: "news", key: "new"))
    #expect(try store.check().isEmpty)
  }

  @Test("history names each change with who and when, newest first, by page")
  func history() throws {
    try store.insert(StoreFixture.item(1), by: rule)
    try store.delete(kind: "news", key: key, by: .script(name: "S"))
    try store.delete(kind: "news", key: "other")
    let all = try store.history()
    #expect(all.map(\.action) == [.refuse, .unstar, .star])
    #expect(all.map(\.key) == ["other", key, key])
    #expect(all.map(\.by) == [.hand, .script(name: "S"), rule])
    let page = try store.history(HistoryFilter(before: all[0].id, limit: 1))
    #expect(page.map(\.action) == [.unstar])
    #expect(try store.history(HistoryFilter(kind: "news", key: key)).count == 2)
    #expect(try store.history(HistoryFilter(kind: "person")).isEmpty)
  }

  @Test("observers hear of each change once, after the outermost commit, and of no other")
  func observing() throws {
    var heard: [String] = []
    let token = try store.observe { heard.append("\($0.action) \($0.key.suffix(1))") }
    try store.insert(StoreFixture.item(1))
    #expect(heard == ["star 1"])
    try store.transaction { () throws(FavoritesError) in
      try store.insert(StoreFixture.item(2))
      try? store.transaction { () throws(FavoritesError) in
        try store.insert(StoreFixture.item(3))
        throw FavoritesError.notFound("x")
      }
      #expect(heard.count == 1)
    }
    #expect(heard == ["star 1", "star 2"])
    let batch = try store.beginLoad(source: "s", dry: true)
    try batch.star(
      try store.handle(kind: "news"), key: UnsafeRawBufferPointer(start: nil, count: 0),
      stars: [])
    _ = try batch.commit()
    #expect(heard.count == 2)
    store.stopObserving(token)
    try store.insert(StoreFixture.item(4))
    #expect(heard.count == 2)
  }
}
