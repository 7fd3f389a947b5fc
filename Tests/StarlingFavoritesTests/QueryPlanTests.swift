import StarlingModel
import StarlingSQLite
import Testing

@testable import StarlingFavorites

/// Reads what SQLite plans for every statement that the store has.
@Suite struct QueryPlanTests {
  let store: FavoritesStore

  init() throws {
    store = try StoreFixture.store()
  }

  /// Steps that read a table or an index from end to end. JSON that is bound to the statement, a
  /// subquery's own row and the one-row result of a SELECT without a table are no tables.
  private func scans(_ sql: String) throws -> [String] {
    try store.connection.plan(sql).filter { line in
      line.hasPrefix("SCAN") && !line.contains("VIRTUAL TABLE") && line != "SCAN CONSTANT ROW"
        // The keys that are bound to a statement.
        && line != "SCAN p" && line != "SCAN \(KeyPage.size) CONSTANT ROWS"
        // Whether there is any tag at all: one row is read.
        && !line.hasPrefix("SCAN tags")
    }
  }

  @Test("no statement scans a table", arguments: StoreStatement.allCases)
  func fixed(_ statement: StoreStatement) throws {
    #expect(try scans(statement.sql) == [])
  }

  @Test(
    "no statement of a kind scans its table, but one that reads all keys for a set",
    arguments: KindStatement.allCases.filter { $0 != .keys })
  func ofKind(_ statement: KindStatement) throws {
    for handle in store.handles {
      #expect(try scans(statement.sql(handle.table)) == [], "\(handle.kind.name)")
    }
  }

  @Test("a page of keys is looked up by key, and starred by rowid")
  func page() throws {
    let plan = try store.connection.plan(
      KindStatement.containsPage.sql(store.handle(kind: "news").table))
    #expect(plan.contains { $0.hasPrefix("SEARCH e USING COVERING INDEX") }, "\(plan)")
    #expect(plan.contains { $0.hasPrefix("SEARCH f USING INTEGER PRIMARY KEY") }, "\(plan)")
  }

  @Test("contains, get, insert, delete, toggle and why only search")
  func searchesOnly() throws {
    let news = try store.handle(kind: "news")
    let asked =
      [KindStatement.contains, .rowOf, .find, .rowid, .keyOf].map { $0.sql(news.table) }
      + [
        StoreStatement.isFavorite, .causesOf, .tagsOf, .isRefused, .aliasTarget, .deleteFavorite,
        .deleteCauses, .deleteTags, .insertUnstarHistory, .findActor,
      ].map(\.sql)
    for sql in asked {
      for line in try store.connection.plan(sql) {
        #expect(
          line.hasPrefix("SEARCH") || line.contains("SUBQUERY") || line.hasPrefix("CORRELATED")
            || line.hasPrefix("SCAN tags"),
          "\(sql): \(line)")
      }
    }
  }

  private func plan(_ query: Query) throws -> String {
    let handle = try store.handle(kind: query.kind)
    return try store.compile(query, handle, counting: false).steps
      .flatMap { try store.connection.plan($0.sql) }.joined(separator: "\n")
  }

  @Test(
    "a where on a declared index uses it, over everything and over favorites",
    arguments: [
      ("price", StarlingModel.Test.below(.integer(5)), "car_type.price"),
      ("energy", .is([.text("EV")]), "car_type.energy"),
      ("energy", .is([.text("EV"), .text("PHEV")]), "car_type.energy"),
      ("url", .is([.text("https://e")]), "car_type.url"),
    ])
  func declaredIndex(_ field: String, _ test: StarlingModel.Test, _ index: String) throws {
    for number in 0..<600 {
      try store.insert(
        Entity(kind: "car_type", key: "x/\(number)", values: ["doors": .integer(Int64(number))]))
    }
    for scope in [Query.Scope.everything, .favorites] {
      let query = Query(
        kind: "car_type", scope: scope, where: .test(field: field, test),
        order: .field("doors", descending: true), limit: 10)
      let plan = try plan(query)
      #expect(plan.contains("SEARCH e USING INDEX \(index)"), "\(plan)")
      #expect(!plan.contains("SCAN e"), "\(plan)")
    }
  }

  @Test(
    "rows that are sorted anyway are gone through once, those without a value too",
    arguments: [false, true])
  func sortedOnce(_ descending: Bool) throws {
    let query = Query(
      kind: "car_type", scope: .everything,
      where: .test(field: "energy", .is([.text("EV")])),
      order: .field("doors", descending: descending), limit: 10)
    let handle = try store.handle(kind: "car_type")
    #expect(try store.compile(query, handle, counting: false).steps.count == 1)
  }

  @Test("the newest by an indexed time come from the index, without sorting")
  func indexedOrder() throws {
    for number in 0..<200 { try store.insert(StoreFixture.item(number)) }
    for scope in [Query.Scope.everything, .favorites] {
      let query = Query(
        kind: "news", scope: scope, where: .test(field: "published", .since(.ago(86400))),
        order: .field("published", descending: true), limit: 50)
      let handle = try store.handle(kind: "news")
      let first = try #require(try store.compile(query, handle, counting: false).steps.first)
      let plan = try store.connection.plan(first.sql)
      #expect(plan.contains { $0.contains("USING INDEX news.published") }, "\(plan)")
      #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
    }
    let newest = try #require(
      try store.compile(Query(kind: "news", limit: 50), store.handle(kind: "news"), counting: false)
        .steps.first)
    let plan = try store.connection.plan(newest.sql)
    #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
    #expect(plan.contains { $0.contains("favorites_by_kind") }, "\(plan)")
  }
}
