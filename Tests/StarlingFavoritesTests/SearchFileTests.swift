import Glibc
import StarlingModel
import StarlingSQLite
import Testing

@testable import StarlingFavorites

@Suite struct SearchFileTests {
  let folder = TemporaryFolder()

  /// A file of the version before there was an index.
  private func oldFile(_ name: String, rows: Int) throws -> String {
    let path = "\(folder.path)/\(name)"
    let store = try FavoritesStore(
      .file(path), model: StoreFixture.model, options: StoreFixture.options())
    try store.transaction { () throws(FavoritesError) in
      for number in 0..<rows {
        try store.insert(StoreFixture.item(number, title: "电池 \(number)"))
      }
    }
    try store.connection.execute("DROP TABLE _search; PRAGMA user_version = 1")
    return path
  }

  @Test("a file of an older version gets its index when it is opened, and says how far it is")
  func migration() throws {
    let path = try oldFile("a.db", rows: 2500)
    var reading = StoreFixture.options()
    reading.readOnly = true
    do {
      let store = try FavoritesStore(.file(path), options: reading)
      #expect(try store.count(Query(kind: "news")) == 2500)
      #expect(try store.check().isEmpty)
      let error = #expect(throws: FavoritesError.self) {
        try store.fetch(Query(kind: "news", text: "电池"))
      }
      #expect(error?.description.contains("opened for writing") == true)
    }
    var told: [StoreStep] = []
    var options = StoreFixture.options()
    options.progress = { step in told.append(step) }
    let store = try FavoritesStore(.file(path), options: options)
    #expect(
      told == [.open, .schema(from: 1, to: 2)]
        + [1000, 2000, 2500].map { .search(rows: $0, of: 2500) } + [.ready])
    #expect(try store.count(Query(kind: "news", text: "电池")) == 2500)
    #expect(try store.fetch(Query(kind: "news", text: "电池 77")).count == 1)
    #expect(try store.check().isEmpty)
    let again = try FavoritesStore(.file(path), options: reading)
    #expect(try again.count(Query(kind: "news", text: "电池")) == 2500)
  }

  @Test("restoring a backup of an older version gives a file that can be searched")
  func restoring() throws {
    let old = try oldFile("old.db", rows: 10)
    let path = "\(folder.path)/b.db"
    let store = try FavoritesStore(
      .file(path), model: StoreFixture.model, options: StoreFixture.options())
    try store.insert(StoreFixture.item(99, title: "mine"))
    try FavoritesStore.restore(from: old, to: path, options: StoreFixture.options())
    // Who has the file open goes on with it.
    #expect(try store.count(Query(kind: "news", text: "电池")) == 10)
    try store.insert(StoreFixture.item(50, title: "电池 more"))
    #expect(try store.count(Query(kind: "news", text: "电池")) == 11)
    #expect(try store.check().isEmpty)
    #expect(folder.files().filter { $0.contains("restoring") }.isEmpty)
    // The backup itself stays as it was.
    var reading = StoreFixture.options()
    reading.readOnly = true
    #expect(try !FavoritesStore(.file(old), options: reading).hasSearchIndex)
  }

  @Test("the index can be asked by another program")
  func otherPrograms() throws {
    let path = "\(folder.path)/a.db"
    let store = try FavoritesStore(
      .file(path), model: StoreFixture.model, options: StoreFixture.options())
    try store.insert(StoreFixture.item(1, title: "新电池技术"))
    let other = try Connection(path: path, mode: .readOnly, busyTimeoutMilliseconds: 0)
    // As the comment in the schema says for two characters, one and three.
    for words in ["\"电池\"", "\"电\" *", "\"电池 池技\""] {
      let titles = try other.texts(
        """
        SELECT news.title FROM _search JOIN news ON news.rowid = _search.rowid
        WHERE _search MATCH '\(words)'
        """)
      #expect(titles == ["新电池技术"], "\(words)")
    }
    let schema = try other.texts("SELECT sql FROM sqlite_schema WHERE name = '_search'")
    #expect(schema.first?.contains("-- The words of all entities' texts") == true)
  }
}
