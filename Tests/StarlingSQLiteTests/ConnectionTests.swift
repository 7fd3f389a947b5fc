import CSQLite3
import Testing

@testable import StarlingSQLite

@Suite struct ConnectionTests {
  let connection: Connection

  init() throws {
    connection = try Connection(path: "", mode: .create, busyTimeoutMilliseconds: 0)
    try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, value ANY) STRICT")
  }

  @Test("a blob is filled a piece at a time, and not beyond its end")
  func blobs() throws {
    try connection.execute("CREATE TABLE b (id INTEGER PRIMARY KEY, bytes BLOB)")
    let insert = try connection.prepare("INSERT INTO b VALUES (7, ?1)")
    insert.bindZeroBlob(1, count: 80_000)
    try insert.run()
    try connection.writeBlob("b", column: "bytes", row: 7) { blob in
      for number in 0..<9_999 { blob.append(UInt64(number) << 32) }
    }
    let select = try connection.prepare("SELECT bytes FROM b")
    #expect(try select.step())
    let bytes = try #require(select.blob(0))
    #expect(bytes.count == 80_000)
    for number in [0, 1, 2_048, 9_998] {
      #expect(bytes.load(fromByteOffset: number * 8, as: UInt64.self) == UInt64(number) << 32)
    }
    #expect(bytes.load(fromByteOffset: 79_992, as: UInt64.self) == 0)
    select.reset()
    #expect(throws: SQLiteError.self) {
      try connection.writeBlob("b", column: "bytes", row: 7) { blob in
        for _ in 0..<10_001 { blob.append(1) }
      }
    }
    #expect(throws: SQLiteError.self) {
      try connection.writeBlob("b", column: "bytes", row: 8) { $0.append(1) }
    }
  }

  @Test("values come back as they were bound: empty, with NUL, not UTF-8, at the ends of a range")
  func values() throws {
    let insert = try connection.prepare("INSERT INTO t (value) VALUES (?1)")
    let select = try connection.prepare("SELECT value FROM t ORDER BY id DESC LIMIT 1")
    for text in ["", "a\u{0}b", "电池", String(repeating: "x", count: 100_000)] {
      insert.bind(1, text)
      try insert.run()
      #expect(try select.step())
      #expect(select.string(0) == text)
      #expect(select.type(0) == .text)
      select.reset()
    }
    for bytes: [UInt8] in [[], [0xff, 0, 0xfe], Array("é".utf8)] {
      try bytes.withUnsafeBytes { bytes in
        insert.bindStatic(1, bytes)
        try insert.run()
      }
      #expect(try select.step())
      #expect(select.bytes(0).map(Array.init) == bytes)
      select.reset()
    }
    for number in [Int64.min, -1, 0, .max] {
      insert.bind(1, number)
      try insert.run()
      #expect(try select.step())
      #expect(select.integer(0) == number)
      select.reset()
    }
    insert.bind(1, nil as String?)
    try insert.run()
    #expect(try select.step())
    #expect(select.isNull(0))
    #expect(select.bytes(0) == nil)
    #expect(select.string(0) == nil)
  }

  @Test("an error has its code, its message and the statement, and no bound value")
  func errors() throws {
    let syntax = #expect(throws: SQLiteError.self) { try connection.prepare("SELEC 1") }
    #expect(syntax?.code == .error)
    #expect(syntax?.description.contains("SELEC 1") == true)
    let insert = try connection.prepare("INSERT INTO t (id, value) VALUES (?1, 'secret')")
    insert.bind(1, Int64(1))
    try insert.run()
    let double = #expect(throws: SQLiteError.self) { try insert.run() }
    #expect(double?.code == .constraint)
    #expect(double?.extendedCode == 1555, "SQLITE_CONSTRAINT_PRIMARYKEY")
    #expect(throws: SQLiteError.self) { try connection.prepare("") }
    let folder = #expect(throws: SQLiteError.self) {
      try Connection(path: "/nowhere/at/all", mode: .create, busyTimeoutMilliseconds: 0)
    }
    #expect(folder?.code == .cannotOpen)
  }

  @Test("a misspelt name in double quotes is an error, not a text")
  func quotedNames() {
    #expect(throws: SQLiteError.self) { try connection.prepare("SELECT \"valeu\" FROM t") }
  }

  @Test("a cached statement is given to one user at a time")
  func cache() throws {
    let sql = "SELECT 1 UNION SELECT 2"
    try connection.withStatement(sql) { outer throws(SQLiteError) in
      #expect(try outer.step())
      try connection.withStatement(sql) { inner throws(SQLiteError) in
        #expect(inner !== outer)
        #expect(try inner.step())
      }
      #expect(try outer.step())
      #expect(outer.integer(0) == 2)
    }
    for number in 0..<300 { _ = try connection.integer("SELECT \(number)") }
    #expect(try connection.integer(sql) == 1)
  }

  @Test("levels of a transaction roll back on their own, and all of it as a whole")
  func levels() throws {
    func count() throws -> Int64? { try connection.integer("SELECT count(*) FROM t") }
    try connection.begin()
    try connection.execute("INSERT INTO t VALUES (1, 1)")
    try connection.begin()
    try connection.execute("INSERT INTO t VALUES (2, 2)")
    try connection.begin()
    try connection.execute("INSERT INTO t VALUES (3, 3)")
    try connection.commit()
    connection.rollback()
    #expect(try count() == 1)
    #expect(connection.depth == 1)
    try connection.commit()
    #expect(!connection.isInTransaction)
    try connection.begin()
    try connection.execute("DELETE FROM t")
    connection.rollback()
    #expect(try count() == 1)
    connection.rollback()
    #expect(connection.depth == 0)
  }

  @Test("an interrupt check stops a statement that would go on for ever")
  func interrupt() throws {
    let endless =
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    var asked = 0
    connection.setInterruptCheck {
      asked += 1
      return asked > 10
    }
    let error = #expect(throws: SQLiteError.self) { try connection.integer(endless) }
    #expect(error?.code == .interrupted)
    connection.setInterruptCheck(nil)
    #expect(try connection.integer("SELECT 1") == 1)
  }

  @Test("the codes are SQLite's")
  func codes() {
    let codes: [(SQLiteError.Code, Int32)] = [
      (.error, SQLITE_ERROR), (.permission, SQLITE_PERM), (.busy, SQLITE_BUSY),
      (.locked, SQLITE_LOCKED), (.outOfMemory, SQLITE_NOMEM), (.readOnly, SQLITE_READONLY),
      (.interrupted, SQLITE_INTERRUPT), (.inputOutput, SQLITE_IOERR), (.corrupt, SQLITE_CORRUPT),
      (.full, SQLITE_FULL), (.cannotOpen, SQLITE_CANTOPEN), (.tooBig, SQLITE_TOOBIG),
      (.constraint, SQLITE_CONSTRAINT), (.misuse, SQLITE_MISUSE),
      (.notADatabase, SQLITE_NOTADB),
    ]
    for (code, raw) in codes { #expect(code.rawValue == raw) }
  }

  @Test("a statement in use keeps its connection's database open until it is gone")
  func lifetime() throws {
    var other: Connection? = try Connection(path: "", mode: .create, busyTimeoutMilliseconds: 0)
    let statement = try other?.prepare("SELECT 7")
    other = nil
    #expect(try statement?.step() == true)
    #expect(statement?.integer(0) == 7)
  }
}
