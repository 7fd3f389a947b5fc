import StarlingModel
import StarlingSQLite
import Testing

@testable import StarlingFavorites

/// Backups, full disks, and what is mended.
@Suite struct StoreCareTests {
  private let folder = TemporaryFolder()

  @Test("a backup is whole while others write, and restoring keeps what it replaces")
  func backup() throws {
    let store = try folder.store()
    try store.insert(StoreFixture.item(1))
    try store.backup(to: "\(folder.path)/b.db")
    #expect(throws: FavoritesError.self) { try store.backup(to: "\(folder.path)/b.db") }
    try store.insert(StoreFixture.item(2))
    let kept = try FavoritesStore.restore(
      from: "\(folder.path)/b.db", to: "\(folder.path)/a.db", options: StoreFixture.options())
    #expect(try store.contains(StoreFixture.item(1)))
    #expect(try !store.contains(StoreFixture.item(2)))
    let replaced = try FavoritesStore(.file(try #require(kept)), options: StoreFixture.options())
    #expect(try replaced.contains(StoreFixture.item(2)))
    try store.insert(StoreFixture.item(3))
    #expect(try store.check().isEmpty)
    #expect(throws: FavoritesError.self) {
      try FavoritesStore.restore(from: "\(folder.path)/none.db", to: "\(folder.path)/a.db")
    }
    #expect(try store.contains(StoreFixture.item(3)))
  }

  @Test("restoring over a file that is no database keeps that file")
  func restoreOverJunk() throws {
    let store = try folder.store("b.db")
    try store.insert(StoreFixture.item(1))
    folder.write(Array("junk".utf8), to: "a.db")
    let kept = try FavoritesStore.restore(
      from: "\(folder.path)/b.db", to: "\(folder.path)/a.db", options: StoreFixture.options())
    #expect(
      kept.map { folder.read(String($0.dropFirst(folder.path.utf8.count + 1))) }
        == Array("junk".utf8))
    #expect(try folder.store().contains(StoreFixture.item(1)))
  }

  @Test("a full disk gives a clear error, keeps what was there, and the store goes on")
  func fullDisk() throws {
    let store = try folder.store()
    try store.insert(StoreFixture.item(0))
    // SQLite answers as on a full disk when a database may not have more pages.
    let pages = try #require(try store.connection.integer("PRAGMA page_count"))
    try store.connection.execute("PRAGMA max_page_count = \(pages + 20)")
    func fill() throws(FavoritesError) {
      for number in 1..<2000 { try store.insert(StoreFixture.item(number)) }
    }
    let error = #expect(throws: FavoritesError.self) {
      try store.transaction { () throws(FavoritesError) in try fill() }
    }
    guard case .full = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(try store.count(Query(kind: "news", scope: .everything)) == 1)
    #expect(!store.isInTransaction)
    // Somebody who catches the error within the transaction cannot keep a half of it.
    try store.begin()
    #expect(throws: FavoritesError.self) { try fill() }
    let broken = #expect(throws: FavoritesError.self) { try store.commit() }
    guard case .brokenTransaction = broken else {
      return #expect(Bool(false), "\(String(describing: broken))")
    }
    #expect(try store.count(Query(kind: "news", scope: .everything)) == 1)
    try store.connection.execute("PRAGMA max_page_count = 1000000")
    try store.transaction { () throws(FavoritesError) in try fill() }
    #expect(try store.count(Query(kind: "news")) == 2000)
    #expect(try store.check().isEmpty)
  }

  @Test("what can be mended is mended")
  func mending() throws {
    let store = try folder.store()
    try store.insert(StoreFixture.item(1))
    try store.insert(StoreFixture.item(2))
    try store.connection.execute(
      """
      DELETE FROM causes WHERE favorite = 1; INSERT INTO tags VALUES (77, 'lost');
      INSERT INTO favorites VALUES (99, 1, 0, NULL); UPDATE counters SET value = 0
      """)
    #expect(try store.check().count >= 4)
    try store.mend()
    #expect(try store.check().isEmpty)
    #expect(try store.causes(kind: "news", key: StoreFixture.link(1)).map(\.origin) == [.hand])
    try store.insert(StoreFixture.item(3))
    #expect(try store.count(Query(kind: "news")) == 3)
  }
}
