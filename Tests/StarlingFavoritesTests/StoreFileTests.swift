import Glibc
import StarlingModel
import StarlingSQLite
import Testing

@testable import StarlingFavorites

@Suite struct StoreFileTests {
  private let folder = TemporaryFolder()

  private func refusal(_ name: String = "a.db") -> FavoritesError? {
    #expect(throws: FavoritesError.self) { try folder.store(name) }
  }

  @Test("what was kept is there after opening again, also without the plugins")
  func reopening() throws {
    do {
      let store = try folder.store()
      try store.insert(StoreFixture.item(1), tags: ["a"], note: "n")
      try store.delete(kind: "news", key: StoreFixture.link(2))
    }
    let store = try folder.store(model: KindModel())
    #expect(store.kinds == StoreFixture.model.kinds)
    #expect(try store.get(kind: "news", key: StoreFixture.link(1))?.tags == ["a"])
    #expect(try store.isRefused(kind: "news", key: StoreFixture.link(2)))
    #expect(try store.check().isEmpty)
  }

  @Test(
    "a change to a file that was deleted, moved or replaced while it was open is an error",
    arguments: ["deleted", "moved", "replaced"])
  func moved(how: String) throws {
    let store = try folder.store()
    try store.insert(StoreFixture.item(1))
    let path = folder.path + "/a.db"
    switch how {
    case "deleted": #expect(unlink(path) == 0)
    case "moved": #expect(rename(path, path + ".old") == 0)
    default:
      try store.backup(to: path + ".new")
      #expect(rename(path + ".new", path) == 0)
    }
    for _ in 1...2 {
      #expect {
        try store.insert(StoreFixture.item(2))
      } throws: { error in
        if case .moved = error as? FavoritesError { true } else { false }
      }
    }
    #expect(try store.contains(kind: "news", key: StoreFixture.link(1)))
    #expect(!store.isInTransaction)
  }

  @Test("a file that is no database is told apart and left as it is")
  func notADatabase() throws {
    let text = Array(String(repeating: "no database at all\n", count: 100).utf8)
    folder.write(text, to: "a.db")
    guard case .notADatabase = refusal() else { return #expect(Bool(false), "wrong error") }
    #expect(folder.read("a.db") == text)
    #expect(folder.files() == ["a.db"])
  }

  @Test("what is too short for a database is no new one", arguments: [1, 2, 16, 99])
  func tooShort(_ count: Int) throws {
    do { try folder.store().insert(StoreFixture.item(1)) }
    let start = Array(folder.read("a.db").prefix(count))
    folder.write(start, to: "a.db")
    guard case .cutOff(_, count, nil) = refusal() else {
      return #expect(Bool(false), "wrong error")
    }
    #expect(folder.read("a.db") == start)
    #expect(folder.files() == ["a.db"])
  }

  @Test("an empty file is a new database, but not beside what shows that it was one")
  func empty() throws {
    folder.write([], to: "a.db")
    #expect(try FavoritesStore.problemOfEmptyFile("\(folder.path)/a.db") != nil)
    do { try folder.store().insert(StoreFixture.item(1)) }
    #expect(try FavoritesStore.problemOfEmptyFile("\(folder.path)/a.db") == nil)
    for name in ["a.db-wal", "a.db.replaced-1800000000", "a.db.damaged-1800000000"] {
      folder.write([], to: "a.db")
      folder.write([1, 2, 3], to: name)
      guard case .cutOff(_, 0, let beside?) = refusal() else {
        return #expect(Bool(false), "wrong error")
      }
      #expect(beside.hasSuffix(name))
      #expect(throws: FavoritesError.self) {
        try FavoritesStore.problemOfEmptyFile("\(folder.path)/a.db")
      }
      #expect(folder.read("a.db") == [])
      #expect(folder.read(name) == [1, 2, 3])
      unlink("\(folder.path)/\(name)")
    }
    do { _ = try folder.store() }
  }

  @Test("a database of another program is told apart and left as it is")
  func foreign() throws {
    let path = "\(folder.path)/a.db"
    do {
      let other = try Connection(path: path, mode: .create, busyTimeoutMilliseconds: 0)
      try other.execute("CREATE TABLE theirs (x)")
    }
    let before = folder.read("a.db")
    guard case .foreign = refusal() else { return #expect(Bool(false), "wrong error") }
    #expect(folder.read("a.db") == before)
  }

  @Test("a database of a newer version is refused, with both versions, and left as it is")
  func newer() throws {
    do { _ = try folder.store() }
    do {
      let other = try Connection(
        path: "\(folder.path)/a.db", mode: .readWrite, busyTimeoutMilliseconds: 0)
      try other.execute("PRAGMA user_version = 99")
    }
    let before = folder.read("a.db")
    let error = refusal()
    guard case .newerSchema(_, 99, Schema.version) = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(folder.read("a.db") == before)
    #expect(folder.files() == ["a.db"])
  }

  @Test("a newer or foreign database that was not closed is left as it is, down to its log")
  func newerWithLog() throws {
    for statement in ["PRAGMA user_version = 99", "PRAGMA application_id = 7"] {
      let path = "\(folder.path)/c.db"
      do {
        let store = try FavoritesStore(.file(path), options: StoreFixture.options())
        try store.connection.execute(statement)
        // As a process that was killed leaves it.
        folder.write(folder.read("c.db"), to: "d.db")
        folder.write(folder.read("c.db-wal"), to: "d.db-wal")
      }
      let before = (folder.read("d.db"), folder.read("d.db-wal"))
      #expect(before.1.count > 0)
      #expect(throws: FavoritesError.self) { try folder.store("d.db") }
      #expect(throws: FavoritesError.self) { try folder.store("d.db", readOnly: true) }
      #expect(folder.read("d.db") == before.0)
      #expect(folder.read("d.db-wal") == before.1)
      for name in folder.files() { unlink("\(folder.path)/\(name)") }
    }
  }

  @Test("a damaged file says so, and nothing crashes", arguments: [2, 5, 9, 30])
  func damaged(_ page: Int) throws {
    do {
      let store = try folder.store()
      for number in 0..<400 { try store.insert(StoreFixture.item(number)) }
    }
    var bytes = folder.read("a.db")
    #expect(bytes.count > (page + 1) * 4096)
    for place in page * 4096..<(page + 1) * 4096 { bytes[place] = UInt8(truncatingIfNeeded: place) }
    folder.write(bytes, to: "a.db")
    do {
      let store = try folder.store()
      let problems = try store.check()
      #expect(!problems.isEmpty)
    } catch let error as FavoritesError {
      guard case .corrupt = error else { return #expect(Bool(false), "\(error)") }
    }
  }

  @Test("a file that was cut says so")
  func cut() throws {
    do {
      let store = try folder.store()
      for number in 0..<400 { try store.insert(StoreFixture.item(number)) }
    }
    folder.write(Array(folder.read("a.db").prefix(20_000)), to: "a.db")
    #expect(throws: FavoritesError.self) {
      let problems = try folder.store().check()
      if let first = problems.first { throw FavoritesError.corrupt(path: "", detail: first.what) }
    }
  }

  @Test(
    "evidence and details that are no JSON hinder nobody, are named, and are mended",
    arguments: ["{", "", "x", "5", "\"a\"", "[1,\"a\",null]"])
  func damagedJSON(_ text: String) throws {
    let store = try folder.store()
    let evidence = [Evidence(field: "title", value: "v", condition: "c")]
    let rule = Cause.Origin.rule(name: "R", version: "1")
    for number in 1...2 {
      try store.insert(StoreFixture.item(number), by: rule, evidence: evidence, tags: ["t"])
    }
    try store.delete(kind: "news", key: StoreFixture.link(2))
    let quoted = text.replacing("'", with: "''")
    try store.connection.execute(
      "UPDATE causes SET evidence = '\(quoted)'; UPDATE history SET detail = '\(quoted)'")
    let key = StoreFixture.link(1)
    #expect(try store.causes(kind: "news", key: key).map(\.evidence) == [[]])
    #expect(try store.get(kind: "news", key: key)?.causes.map(\.origin) == [rule])
    #expect(try store.fetch(Query(kind: "news")).count == 1)
    #expect(try store.history().map(\.action) == [.unstar, .star, .star])
    let problems = try store.check()
    #expect(problems.contains { $0.what.contains("3 rows of history") })
    #expect(problems.contains { $0.what.contains("evidence") } == (text.first != "["))
    #expect(!problems.contains { !$0.canBeMended })
    let left = try store.undo(.last).left
    #expect(left.map(\.reason) == ["what it was is lost"])
    try store.mend()
    #expect(try store.check().isEmpty)
    #expect(try store.undo(.last).left.map(\.reason) == ["what it was is lost"])
    #expect(try store.contains(kind: "news", key: key))
  }

  @Test("a path that cannot be a database says why")
  func cannotOpen() throws {
    func reason(_ path: String, createFolders: Bool = false) -> String {
      var options = StoreFixture.options()
      options.createFolders = createFolders
      let error = #expect(throws: FavoritesError.self) {
        try FavoritesStore(.file(path), options: options)
      }
      return error?.description ?? ""
    }
    #expect(reason(folder.path).contains("it is a folder"))
    #expect(reason("\(folder.path)/no/a.db").contains("its folder: No such file or directory"))
    #expect(reason("/proc/no/a.db", createFolders: true).contains("its folder cannot be made"))
    #expect(reason("").contains("the path is empty"))
    folder.write([1], to: "file")
    #expect(reason("\(folder.path)/file/a.db").contains("Not a directory"))
  }

  @Test(
    "what is in a folder that cannot be written is read, and a change says why there can be none",
    .enabled(if: geteuid() != 0, "the superuser may write everywhere"))
  func readOnlyFolder() throws {
    do { try folder.store().insert(StoreFixture.item(1)) }
    chmod(folder.path, 0o500)
    defer { chmod(folder.path, 0o700) }
    let store = try folder.store()
    #expect(try store.contains(StoreFixture.item(1)))
    #expect(try store.check().isEmpty)
    let error = #expect(throws: FavoritesError.self) { try store.insert(StoreFixture.item(2)) }
    guard case .readOnly = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
  }

  @Test("a file that is read without a lock is whole, and is not read on when it has changed")
  func stillFile() throws {
    let path = "\(folder.path)/a.db"
    do { try folder.store().insert(StoreFixture.item(1)) }
    let still = try #require(StillFile(path))
    try still.check()
    do {
      let store = try folder.store()
      try store.insert(StoreFixture.item(2))
      #expect(StillFile(path) == nil, "what is in the log is not in the file")
      #expect(throws: FavoritesError.self) { try still.check() }
    }
    #expect(throws: FavoritesError.self) { try still.check() }
    #expect(StillFile(path) != nil)
    folder.write([1], to: "a.db-journal")
    #expect(StillFile(path) == nil)
    #expect(StillFile(folder.path) == nil)
  }

  @Test("a store that is open for reading only reads and refuses to write")
  func readOnly() throws {
    do { try folder.store().insert(StoreFixture.item(1)) }
    let store = try folder.store(readOnly: true)
    #expect(try store.contains(StoreFixture.item(1)))
    let error = #expect(throws: FavoritesError.self) { try store.insert(StoreFixture.item(2)) }
    guard case .readOnly = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(throws: FavoritesError.self) { try folder.store("none.db", readOnly: true) }
  }
}
