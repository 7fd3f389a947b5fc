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
    #expect(content.problems.map(\.line) == [2])
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
