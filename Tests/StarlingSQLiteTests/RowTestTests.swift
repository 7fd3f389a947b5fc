import Testing

@testable import StarlingSQLite

@Suite struct RowTestTests {
  /// Holds where the first column is even and the second has the letter.
  private final class EvenWithLetter: RowTest {
    private(set) var asked = 0
    var isCostly = false

    func holds(_ values: SQLValues) -> Bool {
      asked += 1
      let text = values.bytes(1).map { String(decoding: $0, as: UTF8.self) } ?? ""
      return values.integer(0) % 2 == 0 && text.contains("x") && values.isNull(2)
        && values.real(3) == 0.5
    }
  }

  private func database() throws -> Connection {
    let database = try Connection(path: "", mode: .create, busyTimeoutMilliseconds: 0)
    try database.execute(
      """
      CREATE TABLE t (n INTEGER, text TEXT, none, half REAL);
      INSERT INTO t VALUES (1, 'ax', NULL, 0.5), (2, 'xb', NULL, 0.5), (4, 'y', NULL, 0.5),
        (6, 'x', 1, 0.5), (8, '', NULL, 0.5), (10, 'x', NULL, 0.5)
      """)
    return database
  }

  private let sql = "SELECT n FROM t WHERE row_test(?1, n, text, none, half) ORDER BY n LIMIT 2"

  @Test("a statement gives the rows for which the test that is bound to it holds")
  func rows() throws {
    let database = try database()
    let statement = try database.prepare(sql)
    let test = EvenWithLetter()
    let pointer = RowTestPointer(test)
    for _ in 0..<2 {
      statement.bind(1, pointer)
      var found: [Int64] = []
      while try statement.step() { found.append(statement.integer(0)) }
      #expect(found == [2, 10])
    }
    #expect(test.asked == 12)
    withExtendedLifetime(pointer) {}
  }

  @Test("where no test is bound, no row is given")
  func unbound() throws {
    let database = try database()
    let statement = try database.prepare(sql)
    statement.bind(1, Int64(5))
    #expect(try !statement.step())
  }

  @Test("a view of a file cannot ask it")
  func views() throws {
    let database = try database()
    try database.execute("CREATE VIEW v AS SELECT n FROM t WHERE row_test(n, n)")
    #expect(throws: SQLiteError.self) { try database.integer("SELECT count(*) FROM v") }
  }
}
