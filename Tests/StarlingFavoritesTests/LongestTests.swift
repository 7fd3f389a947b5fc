import StarlingModel
import Testing

@testable import StarlingFavorites
@testable import StarlingSQLite

/// What is attached to a favorite has a length at which it can be read again.
@Suite struct LongestTests {
  let store: FavoritesStore
  let link = StoreFixture.link(1)

  init() throws {
    store = try StoreFixture.store()
    try store.insert(StoreFixture.item(1))
  }

  private func refusal(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return String(describing: error)
    }
  }

  @Test("a note is refused beyond 64 KB, and taken up to there")
  func notes() throws {
    let longest = String(repeating: "n", count: 64 << 10)
    try store.note(kind: "news", key: link, longest)
    let changes = try store.history().count
    #expect(
      refusal { try store.note(kind: "news", key: link, longest + "n") }
        == "kind news, field note: the note has 65537 bytes; at most 65536 can be kept")
    #expect(refusal { try store.insert(StoreFixture.item(2), note: longest + "n") } != nil)
    #expect(try store.get(kind: "news", key: link)?.note == longest)
    #expect(try store.history().count == changes)
    #expect(try store.entity(kind: "news", key: StoreFixture.link(2)) == nil)
  }

  @Test("so is a tag beyond 256 bytes, and more than 100 at once")
  func tags() throws {
    let longest = String(repeating: "t", count: 256)
    try store.tag(kind: "news", key: link, [longest])
    #expect(refusal { try store.tag(kind: "news", key: link, ["a", longest + "t"]) } != nil)
    let many = (1...101).map { "tag \($0)" }
    #expect(
      refusal { try store.tag(kind: "news", key: link, many) }
        == "kind news, field tags: 101 tags at once; at most 100 can be given")
    #expect(refusal { try store.insert(StoreFixture.item(2), tags: many) } != nil)
    try store.tag(kind: "news", key: link, Array(many.dropLast()))
    #expect(try store.get(kind: "news", key: link)?.tags.count == 101)
  }

  @Test("so is a key beyond 8 KB, but one that is there already can be taken away")
  func keys() throws {
    let long = "https://e.example/" + String(repeating: "k", count: 8 << 10)
    let entity = Entity(kind: "news", key: "", values: ["link": .text(long)])
    #expect(refusal { try store.insert(entity) }?.contains("at most 8192") == true)
    #expect(refusal { try store.delete(kind: "news", key: long) }?.contains("8192") == true)
    #expect(try !store.contains(kind: "news", key: long))
    try store.connection.execute("UPDATE news SET key = '\(long)', link = '\(long)'")
    #expect(try store.delete(kind: "news", key: long))
  }

  @Test("an import goes on after what is too long, and says it")
  func imports() throws {
    var long = ImportedFavorite(line: 1, entity: StoreFixture.item(2))
    long.note = String(repeating: "n", count: 100_000)
    let short = ImportedFavorite(line: 2, entity: StoreFixture.item(3))
    var failures: [Int] = []
    try store.importing([long, short], file: "f", tags: [], isDry: false) { favorite, result in
      if case .failure = result { failures.append(favorite.line) }
      return false
    }
    #expect(failures == [1])
    #expect(try store.contains(kind: "news", key: StoreFixture.link(3)))
  }

  @Test("what cannot be bound is an error, never NULL")
  func bindings() throws {
    store.connection.limitValues(bytes: 1 << 20)
    let statement = try store.connection.prepare("SELECT ?1 IS NULL")
    statement.bind(1, String(repeating: "x", count: 2 << 20))
    let error = #expect(throws: SQLiteError.self) { _ = try statement.step() }
    #expect(error?.code == .tooBig)
    statement.bind(1, "short")
    #expect(try statement.step())
    #expect(statement.integer(0) == 0)
    statement.reset()
    store.connection.limitValues(bytes: nil)
    statement.bind(1, String(repeating: "x", count: 2 << 20))
    #expect(try statement.step())
  }

  @Test("a history with texts of another time is told in bounded memory, and taken back in so much")
  func oldHistory() throws {
    for number in 1...10 { try store.note(kind: "news", key: link, "note \(number)") }
    try store.connection.execute(
      """
      UPDATE history SET detail = json_object('was', 0, 'after', printf('%.*c', 5000000, 'x'))
      WHERE action = 'note'
      """)
    var (held, most) = (0, 0)
    store.setBudget(
      ReadBudget(
        longestValue: 8 << 20,
        hold: { bytes in
          held += bytes
          most = max(most, held)
          return held < 16 << 20
        }, letGo: { held -= $0 }))
    #expect(try store.history().count == 11)
    #expect(most < 1 << 20)
    #expect(try store.changes(since: 0).count == 11)
    held = 0
    for _ in 1...10 {
      let error = #expect(throws: FavoritesError.self) { _ = try store.undo(.change(11)) }
      if case .outOfMemory = error {} else { Issue.record("\(String(describing: error))") }
      held = 0
    }
    store.setBudget(nil)
    #expect(try store.undo(.change(11)).undone.count == 1)
    #expect(try store.check().isEmpty)
  }
}
