import StarlingModel
import StarlingSQLite
import Testing

@testable import StarlingFavorites

/// Look-ups in a kind of so many entities that a long row of them is answered from the keys alone.
@Suite struct HeldKeysTests {
  private let folder = TemporaryFolder()

  private func open() throws -> FavoritesStore {
    try FavoritesStore(
      .file("\(folder.path)/store.db"), model: StoreFixture.model, options: StoreFixture.options())
  }

  /// Every other entity is a favorite.
  private func fill(_ store: FavoritesStore, _ count: Int64 = HeldKeys.fewestEntities) throws {
    let kind = try store.handle(kind: "news").id
    try store.connection.execute(
      """
      WITH RECURSIVE c (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i + 1 < \(count))
      INSERT INTO news (rowid, key, first_seen, last_seen)
        SELECT i + 1, 'https://e.example/' || i, 0, 0 FROM c;
      INSERT INTO favorites (entity, kind, starred_at)
        SELECT rowid, \(kind), 0 FROM news WHERE rowid % 2 = 1;
      UPDATE counters SET value = \(count) WHERE name = 'entity'
      """)
  }

  private func has(_ store: FavoritesStore, _ key: String) throws -> Bool {
    let handle = try store.handle(kind: "news")
    return try unsafe Array(key.utf8).span.bytes.withUnsafeBytes { key throws(FavoritesError) in
      try unsafe store.contains(handle, key: key)
    }
  }

  /// Asks until the keys are held.
  private func warm(_ store: FavoritesStore) throws {
    try store.beginReading()
    try ask(store, from: 0)
    #expect(try holds(store))
  }

  private func ask(_ store: FavoritesStore, from start: Int) throws {
    for number in start..<(start + HeldKeys.first) {
      #expect(try has(store, StoreFixture.link(number)) == (number % 2 == 0))
    }
    let most = HeldKeys.patience(entities: HeldKeys.fewestEntities)
    #expect(try store.heldKeys(store.handle(kind: "news"), for: most - HeldKeys.first - 1) == nil)
    #expect(try has(store, StoreFixture.link(start)) == (start % 2 == 0))
  }

  private func holds(_ store: FavoritesStore) throws -> Bool {
    let handle = try store.handle(kind: "news")
    return try store.heldKeys(handle, for: 0) != nil
  }

  @Test("the answers are the same, of old keys too, and of pages of keys")
  func answers() throws {
    let store = try open()
    try fill(store)
    try store.rekey(kind: "news", from: StoreFixture.link(70), to: "https://e.example/new")
    try warmAround(store)
    for number in 0..<5000 {
      #expect(try has(store, StoreFixture.link(number)) == (number % 2 == 0))
    }
    #expect(try has(store, "https://e.example/new"))
    #expect(try !has(store, "https://e.example/"))
    let found = try store.containing(
      kind: "news", keys: (0..<100).map { StoreFixture.link($0) } + ["https://e.example/new"])
    #expect(found.count == 51)
  }

  private func warmAround(_ store: FavoritesStore) throws {
    try store.beginReading()
    try ask(store, from: 100)
    #expect(try holds(store))
  }

  @Test("a change by this store is seen at once")
  func ownChange() throws {
    let store = try open()
    try fill(store)
    try warm(store)
    try store.insert(StoreFixture.item(1))
    try store.beginReading()
    #expect(try !holds(store))
    #expect(try has(store, StoreFixture.link(1)))
    try store.delete(kind: "news", key: StoreFixture.link(0))
    try store.beginReading()
    #expect(try !has(store, StoreFixture.link(0)))
  }

  @Test(
    "a change by another is seen in the next read transaction, and keys hold where there is none")
  func othersChange() throws {
    let store = try open()
    try fill(store)
    try warm(store)
    store.endReading()
    try store.beginReading()
    #expect(try holds(store))
    let other = try open()
    try other.insert(StoreFixture.item(1))
    #expect(try !has(store, StoreFixture.link(1)), "the transaction sees one state of the file")
    store.endReading()
    try store.beginReading()
    #expect(try has(store, StoreFixture.link(1)))
    #expect(try !holds(store))
  }

  @Test("within a transaction and without one the file is asked")
  func asked() throws {
    let store = try open()
    try fill(store)
    try warm(store)
    try store.transaction { () throws(FavoritesError) in
      try store.insert(StoreFixture.item(1))
      let handle = try store.handle(kind: "news")
      #expect(try store.heldKeys(handle, for: 0) == nil)
      #expect(try store.contains(kind: "news", key: StoreFixture.link(1)))
    }
    #expect(try store.contains(kind: "news", key: StoreFixture.link(1)))
  }

  @Test("the reading of the keys is a small part of the look-ups, or soon paid for by slow ones")
  func patience() {
    #expect(HeldKeys.patience(entities: 100_000) == 100_000)
    #expect(HeldKeys.patience(entities: 1_000_000) == 31_250)
    #expect(HeldKeys.patience(entities: 270_000) == 8_437)
  }

  @Test("of a kind with few entities no keys are held")
  func few() throws {
    let store = try open()
    try fill(store, HeldKeys.fewestEntities / 4)
    try store.beginReading()
    for number in 0..<(2 * HeldKeys.first) { _ = try has(store, StoreFixture.link(number)) }
    #expect(try !holds(store))
  }
}
