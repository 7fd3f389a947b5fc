import StarlingModel
import Testing

@testable import StarlingFavorites

@Suite struct ReadingTests {
  private func rows(
    _ sql: String, _ store: FavoritesStore
  ) throws(FavoritesError) -> (names: [String], rows: [[Value?]]) {
    var names: [String] = []
    var rows: [[Value?]] = []
    try store.read(
      sql: sql, memoryBytes: 64 << 20, isOver: { false }, columns: { names = $0 },
      row: { row in
        rows.append(row)
        return rows.count < 1_000
      })
    return (names, rows)
  }

  @Test("a question in SQL has names and values")
  func reads() throws {
    let store = try StoreFixture.store()
    _ = try store.insert(StoreFixture.item(1))
    let found = try rows("SELECT 1 AS one, 'x', NULL, 0.5, x'00FF', count(*) FROM favorites", store)
    #expect(found.names.first == "one")
    #expect(
      found.rows == [
        [.integer(1), .text("x"), nil, .real(0.5), .text("(2 bytes)"), .integer(1)]
      ])
    #expect(try rows("SELECT title FROM news;  ", store).rows.count == 1)
    #expect(try rows("EXPLAIN QUERY PLAN SELECT * FROM news", store).rows.count >= 1)
    #expect(try rows("PRAGMA table_info(favorites)", store).rows.count > 2)
    #expect(try rows("PRAGMA user_version", store).rows.count == 1)
    #expect(
      try rows(
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n", store
      )
      .rows.count == 1_000)
  }

  @Test(
    "nothing else is done: no change, no file, no setting, no transaction, no second statement",
    arguments: [
      "DELETE FROM favorites", "INSERT INTO favorites DEFAULT VALUES",
      "UPDATE news SET title = 'x'",
      "DROP TABLE news", "CREATE TABLE t (x)", "CREATE TEMP TABLE t (x)",
      "CREATE VIEW v AS SELECT 1",
      "ATTACH '/tmp/starling-attached.db' AS other", "DETACH main", "VACUUM",
      "VACUUM INTO '/tmp/starling-vacuumed.db'", "PRAGMA journal_mode = DELETE",
      "PRAGMA user_version = 7", "PRAGMA writable_schema = 1", "PRAGMA query_only = 0", "BEGIN",
      "COMMIT", "SAVEPOINT s", "REINDEX", "ANALYZE", "SELECT load_extension('x')",
      "SELECT 1; DELETE FROM favorites", "", ";", "-- nothing", "SELECT nothing FROM nowhere",
      "WITH x AS (SELECT 1) DELETE FROM favorites", "EXPLAIN DELETE FROM favorites",
    ])
  func refuses(sql: String) throws {
    let store = try StoreFixture.store()
    _ = try store.insert(StoreFixture.item(1))
    #expect(throws: FavoritesError.self, "\(sql)") { try rows(sql, store) }
    #expect(!store.isInTransaction)
    // The store itself goes on.
    _ = try store.insert(StoreFixture.item(2))
    #expect(try rows("SELECT * FROM favorites", store).rows.count == 2)
  }

  @Test("a question without end can be stopped")
  func stops() throws {
    let store = try StoreFixture.store()
    var asked = 0
    store.setInterrupt {
      asked += 1
      return asked > 50
    }
    let endless =
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"
    let error = #expect(throws: FavoritesError.self) { try rows(endless, store) }
    if case .stopped = error {} else { Issue.record("\(String(describing: error))") }
  }
}
