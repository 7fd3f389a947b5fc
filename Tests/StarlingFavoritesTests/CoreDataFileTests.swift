import Glibc
import StarlingModel
import StarlingSQLite
import Testing

@testable import StarlingFavorites

/// A store as Core Data writes it, read into favorites.
@Suite struct CoreDataFileTests {
  private let folder = TemporaryFolder()

  private static let forum = Kind(
    name: "forum", key: .fields(["site", "id"]),
    fields: [Field("site", .text), Field("id", .text), Field("title", .text)])
  private static let series = Kind(
    name: "car_series", key: .fields(["site", "id"]),
    fields: [Field("site", .text), Field("id", .text), Field("name", .text)])
  private static let type = Kind(
    name: "car_type", key: .fields(["site", "uid"]),
    fields: [
      Field("site", .text), Field("uid", .text), Field("name", .text), Field("series", .text),
      Field("price", .money),
    ])
  private static let kinds = [StoreFixture.news, forum, series, type]

  private func store(_ sql: String) throws -> String {
    let path = folder.path + "/Store.sqlite"
    let connection = try Connection(path: path, mode: .create, busyTimeoutMilliseconds: 100)
    try connection.execute(
      """
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Forum', 0), (2, 'Line', 0), (3, 'News', 0), (5, 'Type', 0);
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR, Z_PLIST BLOB);
      \(sql)
      """)
    return path
  }

  private func read(_ sql: String, site: String? = "e.example") throws -> CoreDataFile.Content {
    try CoreDataFile(path: try store(sql), site: site).read(CoreDataFileTests.kinds)
  }

  @Test("the id of a forum is its ZPOSTID and that of a line its ZSERIESID, kept as written")
  func ids() throws {
    let content = try read(
      """
      CREATE TABLE ZFORUM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZPOSTID VARCHAR, ZNAME VARCHAR);
      INSERT INTO ZFORUM VALUES (4, 1, '007', 'Seven');
      CREATE TABLE ZLINE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZSERIESID INTEGER, ZNAME VARCHAR);
      INSERT INTO ZLINE VALUES (1, 2, 9007199254740993, 'Long');
      """)
    #expect(content.favorites.map(\.entity.key) == ["e.example/007", "e.example/9007199254740993"])
    #expect(content.favorites[0].entity["title"] == .text("Seven"))
    #expect(content.favorites[0].line == 4)
  }

  @Test("rows of one uid are one type, and a row without a uid joins the only one of its name")
  func duplicates() throws {
    let content = try read(
      """
      CREATE TABLE ZTYPE (
        Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZUID INTEGER, ZNAME VARCHAR, ZPRICE VARCHAR);
      INSERT INTO ZTYPE VALUES
        (1, 5, NULL, 'Std', '16万'), (2, 5, 101, 'Std', NULL), (3, 5, 101, 'Std', '17万'),
        (4, 5, NULL, 'Std', NULL), (5, 5, 102, 'Pro', NULL), (6, 5, 103, 'Pro', NULL),
        (7, 5, NULL, 'Pro', NULL), (8, 5, NULL, NULL, '1万');
      """)
    #expect(
      content.favorites.map(\.entity.key).sorted()
        == ["e.example/101", "e.example/102", "e.example/103", "e.example/Pro"])
    #expect(content.rows == 8)
    #expect(content.duplicates == 3)
    #expect(content.problems.map(\.line) == [8])
    let first = try #require(content.favorites.first { $0.entity["uid"] == .text("101") })
    guard case .money(let price) = first.entity["price"] else {
      Issue.record("no price")
      return
    }
    #expect(price.low == 160_000)
  }

  @Test("a relationship gives the other row's name, and what has no place is named")
  func relationship() throws {
    let content = try read(
      """
      CREATE TABLE ZLINE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZSERIESID INTEGER, ZNAME VARCHAR);
      INSERT INTO ZLINE VALUES (9, 2, 66, 'Xia');
      CREATE TABLE ZTYPE (
        Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZUID INTEGER, ZNAME VARCHAR,
        ZLINE INTEGER, ZODD BLOB);
      INSERT INTO ZTYPE VALUES (1, 5, 1, 7, 'Std', 9, x'00');
      CREATE TABLE ZSETTING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZVALUE VARCHAR);
      INSERT INTO ZSETTING VALUES (1, 8, 'x');
      """)
    let type = try #require(content.favorites.first { $0.entity.kind == "car_type" })
    #expect(type.entity["series"] == .text("Xia"))
    #expect(Set(content.unused) == ["Type.ZODD", "SETTING"])
  }

  @Test("news are known by their canonical link, with dates that count from 2001")
  func news() throws {
    let content = try read(
      """
      CREATE TABLE ZNEWS (
        Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZTITLE VARCHAR, ZLINK VARCHAR, ZDATE TIMESTAMP);
      INSERT INTO ZNEWS VALUES
        (1, 3, 'A', 'https://A.example/1?utm_source=x', 0.5), (2, 3, 'No link', NULL, NULL);
      """)
    #expect(content.favorites.map(\.entity.key) == ["https://a.example/1"])
    #expect(
      content.favorites[0].entity["published"]
        == .time(Timestamp(secondsSinceEpoch: 978_307_200)))
    #expect(content.problems.map(\.line) == [2])
  }

  @Test("entities that share a parent's table are told apart by Z_ENT")
  func inheritance() throws {
    let content = try read(
      """
      CREATE TABLE ZFAVORITE (
        Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZTITLE VARCHAR, ZLINK VARCHAR, ZPOSTID INTEGER);
      INSERT INTO ZFAVORITE VALUES
        (1, 3, 'A', 'https://a.example/1', NULL), (2, 1, 'Forum', NULL, 5);
      """)
    #expect(content.favorites.map(\.entity.kind) == ["news", "forum"])
    #expect(content.favorites.map(\.entity.key) == ["https://a.example/1", "e.example/5"])
  }

  @Test("bytes are no text, but those of a UUID are one")
  func bytes() throws {
    let content = try read(
      """
      CREATE TABLE ZTYPE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZUID BLOB, ZNAME VARCHAR, ZPRICE);
      INSERT INTO ZTYPE VALUES
        (1, 5, x'0123456789abcdef0123456789abcdef', 'A', x'31'), (2, 5, x'fffe00', x'80', 'x'),
        (3, 5, zeroblob(1000000), 'B', 3);
      """)
    #expect(
      content.favorites.map(\.entity.key)
        == ["e.example/01234567-89AB-CDEF-0123-456789ABCDEF", "e.example/B"])
    #expect(content.favorites[0].entity["price"] == nil)
    #expect(
      content.problems.map { "\($0.line) \($0.what)" } == [
        "1 Type.ZPRICE: 1 byte of data are no money", "2 Type.ZUID: 3 bytes of data are no text",
        "2 Type.ZNAME: 1 byte of data are no text", "2 Type: it has nothing that identifies it",
        "3 Type.ZUID: 1000000 bytes of data are no text",
      ])
  }

  @Test("a value that no field can have is reported with its row and column, and the rest is taken")
  func unreadable() throws {
    let content = try read(
      """
      CREATE TABLE ZNEWS (
        Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZTITLE VARCHAR, ZLINK VARCHAR, ZDATE TIMESTAMP,
        ZSAVEDAT TIMESTAMP, ZNOTE VARCHAR);
      INSERT INTO ZNEWS VALUES
        (1, 3, CAST(x'41ff' AS TEXT), 'https://a.example/1', 'not a date', 1e300, x'00'),
        (2, 3, '  ', 'https://a.example/2', '', NULL, x''),
        (3, 3, 7, 'https://a.example/3', 1.5, 2.5, 8);
      """)
    #expect(content.favorites.count == 3)
    #expect(
      content.problems.map { "\($0.line) \($0.what)" } == [
        "1 News.ZTITLE: it is a text of bytes that are no UTF-8",
        "1 News.ZDATE: \"not a date\" is no time", "1 News.ZSAVEDAT: \"1.0e+300\" is no time",
        "1 News.ZNOTE: 1 byte of data are no text",
      ])
    #expect(content.favorites[2].note == "8" && content.favorites[2].entity["title"] == "7")
  }

  @Test("a reference to a row that is not there is reported")
  func dangling() throws {
    let content = try read(
      """
      CREATE TABLE ZLINE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZSERIESID INTEGER, ZNAME VARCHAR);
      INSERT INTO ZLINE VALUES (9, 2, 66, 'Xia'), (10, 2, 67, NULL);
      CREATE TABLE ZTYPE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZUID INTEGER, ZLINE INTEGER);
      INSERT INTO ZTYPE VALUES (1, 5, 7, 9), (2, 5, 8, 77), (3, 5, 9, NULL), (4, 5, 10, 10);
      """)
    #expect(content.favorites.filter { $0.entity.kind == "car_type" }.count == 4)
    let what = "it refers to row %d of ZLINE, which is not there or has no name"
    #expect(
      content.problems.map { "\($0.line) \($0.what)" }
        == [(2, 77), (4, 10)].map { line, row in
          "\(line) Type.ZLINE: " + what.replacing("%d", with: "\(row)")
        })
  }

  @Test("a damaged store is an error that speaks of it, and not of the database")
  func damaged() throws {
    let path = try store("CREATE TABLE ZNEWS (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER);")
    #expect(truncate(path, 5000) == 0)
    do throws(FavoritesError) {
      _ = try CoreDataFile(path: path).read(CoreDataFileTests.kinds)
      Issue.record("it was read")
    } catch {
      guard case .unreadable = error else { Issue.record("\(error)"); return }
      #expect(error.description.contains("nothing was taken over"), "\(error)")
    }
  }

  @Test("rows of one name and ids of their own cost no more than others", .timeLimit(.minutes(1)))
  func namesakes() throws {
    let content = try read(
      """
      CREATE TABLE ZTYPE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZUID VARCHAR, ZNAME VARCHAR);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      INSERT INTO ZTYPE SELECT i, 5, 'u' || i, 'Std' FROM n;
      """)
    #expect(content.favorites.count == 100_000 && content.duplicates == 0)
  }

  @Test("reading tells how far it is, and ends when it is told to")
  func steps() throws {
    let path = try store(
      """
      CREATE TABLE ZTYPE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZUID VARCHAR, ZNAME VARCHAR);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      INSERT INTO ZTYPE SELECT i, 5, 'u' || i, 'Std' FROM n;
      """)
    let file = CoreDataFile(path: path)
    var told: [Int] = []
    _ = try file.read(CoreDataFileTests.kinds) { rows, total in
      #expect(total == 3000)
      told.append(rows)
      return false
    }
    #expect(told.count > 5 && told == told.sorted())
    #expect {
      try file.read(CoreDataFileTests.kinds) { rows, _ in rows > 1000 }
    } throws: { error in
      if case .stopped = error as? FavoritesError { true } else { false }
    }
  }

  @Test("without names of entities and numbers of rows, tables are what they are called, or named")
  func bare() throws {
    let path = folder.path + "/Bare.sqlite"
    try Connection(path: path, mode: .create, busyTimeoutMilliseconds: 100).execute(
      """
      CREATE TABLE Z_PRIMARYKEY (Z_MAX INTEGER);
      CREATE TABLE ZFORUM (Z_PK INTEGER PRIMARY KEY, ZPOSTID, ZNAME);
      INSERT INTO ZFORUM VALUES (1, 'text', 12);
      CREATE TABLE ZTYPE (ZUID VARCHAR, ZNAME VARCHAR);
      INSERT INTO ZTYPE VALUES ('u', 'T');
      """)
    let content = try CoreDataFile(path: path).read(CoreDataFileTests.kinds)
    #expect(content.favorites.map(\.entity.key) == ["text"])
    #expect(content.favorites[0].entity["title"] == .text("12"))
    #expect(content.unused == ["TYPE"])
  }

  @Test("what is only in the write-ahead log is read, and no byte of the store changes")
  func log() throws {
    let path = try store("PRAGMA journal_mode = WAL")
    let writer = try Connection(path: path, mode: .readWrite, busyTimeoutMilliseconds: 100)
    try writer.execute(
      """
      CREATE TABLE ZFORUM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZPOSTID INTEGER);
      INSERT INTO ZFORUM VALUES (1, 1, 5);
      """)
    let before = folder.files().sorted()
    let content = try CoreDataFile(path: path, site: nil).read(CoreDataFileTests.kinds)
    #expect(content.favorites.map(\.entity.key) == ["5"])
    #expect(folder.files().sorted() == before)
    withExtendedLifetime(writer) {}
  }

  @Test("another SQLite file is refused")
  func foreign() throws {
    let path = folder.path + "/other.sqlite"
    try Connection(path: path, mode: .create, busyTimeoutMilliseconds: 100)
      .execute("CREATE TABLE ZNEWS (Z_PK INTEGER)")
    #expect(throws: FavoritesError.self) {
      try CoreDataFile(path: path).read(CoreDataFileTests.kinds)
    }
  }
}
