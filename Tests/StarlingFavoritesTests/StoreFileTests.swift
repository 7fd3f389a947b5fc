import Glibc
import StarlingModel
import StarlingSQLite
import Testing

@testable import StarlingFavorites

/// A folder of a test's own, removed with it.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/starling-tests-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { name in
      name.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? "/nowhere"
    }
  }

  deinit {
    for name in files() { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  func files() -> [String] {
    var names: [String] = []
    guard let folder = opendir(path) else { return [] }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    closedir(folder)
    return names
  }

  func write(_ bytes: [UInt8], to name: String) {
    guard let file = fopen("\(path)/\(name)", "w") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  func read(_ name: String) -> [UInt8] {
    guard let file = fopen("\(path)/\(name)", "r") else { return [] }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    var bytes = [UInt8](repeating: 0, count: ftell(file))
    rewind(file)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }
}

@Suite struct StoreFileTests {
  let folder = TemporaryFolder()

  private func open(
    _ name: String = "a.db", model: KindModel = StoreFixture.model, readOnly: Bool = false
  ) throws -> FavoritesStore {
    var options = StoreFixture.options()
    options.readOnly = readOnly
    return try FavoritesStore(.file("\(folder.path)/\(name)"), model: model, options: options)
  }

  private func refusal(_ name: String = "a.db") -> FavoritesError? {
    #expect(throws: FavoritesError.self) { try open(name) }
  }

  @Test("what was kept is there after opening again, also without the plugins")
  func reopening() throws {
    do {
      let store = try open()
      try store.insert(StoreFixture.item(1), tags: ["a"], note: "n")
      try store.delete(kind: "news", key: StoreFixture.link(2))
    }
    let store = try open(model: KindModel())
    #expect(store.kinds == StoreFixture.model.kinds)
    #expect(try store.get(kind: "news", key: StoreFixture.link(1))?.tags == ["a"])
    #expect(try store.isRefused(kind: "news", key: StoreFixture.link(2)))
    #expect(try store.check().isEmpty)
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
    do { try open().insert(StoreFixture.item(1)) }
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
    do { try open().insert(StoreFixture.item(1)) }
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
    do { _ = try open() }
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
    do { _ = try open() }
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
      #expect(throws: FavoritesError.self) { try open("d.db") }
      #expect(throws: FavoritesError.self) { try open("d.db", readOnly: true) }
      #expect(folder.read("d.db") == before.0)
      #expect(folder.read("d.db-wal") == before.1)
      for name in folder.files() { unlink("\(folder.path)/\(name)") }
    }
  }

  @Test("a damaged file says so, and nothing crashes", arguments: [2, 5, 9, 30])
  func damaged(_ page: Int) throws {
    do {
      let store = try open()
      for number in 0..<400 { try store.insert(StoreFixture.item(number)) }
    }
    var bytes = folder.read("a.db")
    #expect(bytes.count > (page + 1) * 4096)
    for place in page * 4096..<(page + 1) * 4096 { bytes[place] = UInt8(truncatingIfNeeded: place) }
    folder.write(bytes, to: "a.db")
    do {
      let store = try open()
      let problems = try store.check()
      #expect(!problems.isEmpty)
    } catch let error as FavoritesError {
      guard case .corrupt = error else { return #expect(Bool(false), "\(error)") }
    }
  }

  @Test("a file that was cut says so")
  func cut() throws {
    do {
      let store = try open()
      for number in 0..<400 { try store.insert(StoreFixture.item(number)) }
    }
    folder.write(Array(folder.read("a.db").prefix(20_000)), to: "a.db")
    #expect(throws: FavoritesError.self) {
      let problems = try open().check()
      if let first = problems.first { throw FavoritesError.corrupt(path: "", detail: first.what) }
    }
  }

  @Test(
    "evidence and details that are no JSON hinder nobody, are named, and are mended",
    arguments: ["{", "", "x", "5", "\"a\"", "[1,\"a\",null]"])
  func damagedJSON(_ text: String) throws {
    let store = try open()
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
    do { try open().insert(StoreFixture.item(1)) }
    chmod(folder.path, 0o500)
    defer { chmod(folder.path, 0o700) }
    let store = try open()
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
    do { try open().insert(StoreFixture.item(1)) }
    let still = try #require(StillFile(path))
    try still.check()
    do {
      let store = try open()
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
    do { try open().insert(StoreFixture.item(1)) }
    let store = try open(readOnly: true)
    #expect(try store.contains(StoreFixture.item(1)))
    let error = #expect(throws: FavoritesError.self) { try store.insert(StoreFixture.item(2)) }
    guard case .readOnly = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(throws: FavoritesError.self) { try open("none.db", readOnly: true) }
  }

  @Test("two stores on one file see each other's changes, kinds and refusals")
  func twoStores() throws {
    let first = try open(model: KindModel())
    let second = try open()
    try second.insert(StoreFixture.item(1))
    #expect(try first.contains(kind: "news", key: StoreFixture.link(1)))
    try first.register(
      KindModel.merging([
        ("x", [KindDeclaration("thing", key: .fields(["id"]), fields: [Field("id", .text)])])
      ]).model)
    // Numbers of entities are unique over all kinds, whoever makes them.
    for number in 0..<20 {
      try first.insert(Entity(kind: "thing", key: "\(number)"))
      try second.insert(StoreFixture.item(number))
      try second.insert(Entity(kind: "person", key: ""), by: .script(name: "S"))
    }
    #expect(try first.count(Query(kind: "thing")) == 20)
    #expect(try second.count(Query(kind: "thing")) == 20)
    #expect(try second.count(Query(kind: "person")) == 20)
    try second.delete(kind: "thing", key: "3")
    #expect(
      try first.insert(Entity(kind: "thing", key: "3"), by: .rule(name: "R", version: "1")).outcome
        == .refused)
    try first.rekey(kind: "thing", from: "4", to: "four")
    #expect(try second.contains(kind: "thing", key: "4"))
    #expect(try second.check().isEmpty)
  }

  @Test("observers hear of another store's changes once each, in order")
  func observingOthers() throws {
    let first = try open()
    let second = try open()
    var heard: [String] = []
    _ = try first.observe { heard.append($0.key.suffix(1) + $0.action.rawValue) }
    try second.insert(StoreFixture.item(1))
    try second.insert(StoreFixture.item(2))
    #expect(heard.isEmpty)
    try first.poll()
    try first.poll()
    #expect(heard == ["1star", "2star"])
    try second.delete(kind: "news", key: StoreFixture.link(1))
    try first.insert(StoreFixture.item(3))
    #expect(heard == ["1star", "2star", "1unstar", "3star"])
  }

  @Test("threads with a store each write to one file and none is turned away")
  func threads() async throws {
    _ = try open()
    let path = "\(folder.path)/a.db"
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          let store = try FavoritesStore(
            .file(path), model: StoreFixture.model, options: StoreFixture.options())
          for number in 0..<100 {
            try store.insert(StoreFixture.item(number * 4 + worker))
            if number % 3 == 0 { _ = try store.toggle(StoreFixture.item(number * 4 + worker)) }
          }
        }
      }
      try await group.waitForAll()
    }
    let store = try open()
    #expect(try store.count(Query(kind: "news")) == 4 * 66)
    #expect(try store.refusals().count == 4 * 34)
    #expect(try store.check().isEmpty)
  }

  @Test("an interrupt check stops a long query, and the store goes on")
  func interrupt() throws {
    let store = try open()
    try store.transaction { () throws(FavoritesError) in
      for number in 0..<3000 { try store.insert(StoreFixture.item(number)) }
    }
    store.setInterrupt { true }
    let error = #expect(throws: FavoritesError.self) {
      try store.count(Query(kind: "news", where: .test(field: "summary", .missing)))
    }
    guard case .stopped = error else { return #expect(Bool(false), "\(String(describing: error))") }
    store.setInterrupt(nil)
    #expect(try store.count(Query(kind: "news")) == 3000)
  }

  @Test("the log is cut back after a long reader has gone")
  func logSize() throws {
    let store = try open()
    try store.insert(StoreFixture.item(0))
    let reader = try open()
    try reader.beginReading()
    #expect(try reader.contains(StoreFixture.item(0)))
    for round in 0..<40 {
      try store.transaction { () throws(FavoritesError) in
        for number in 0..<100 {
          var item = StoreFixture.item(round * 100 + number)
          item["summary"] = .text(String(repeating: "x", count: 4000))
          try store.insert(item)
        }
      }
    }
    #expect(Int64(folder.read("a.db-wal").count) > FavoritesStore.logLimitBytes)
    reader.endReading()
    try store.insert(StoreFixture.item(1_000_000))
    #expect(Int64(folder.read("a.db-wal").count) <= FavoritesStore.logLimitBytes)
  }

  @Test("a backup is whole while others write, and restoring keeps what it replaces")
  func backup() throws {
    let store = try open()
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
    let store = try open("b.db")
    try store.insert(StoreFixture.item(1))
    folder.write(Array("junk".utf8), to: "a.db")
    let kept = try FavoritesStore.restore(
      from: "\(folder.path)/b.db", to: "\(folder.path)/a.db", options: StoreFixture.options())
    #expect(
      kept.map { folder.read(String($0.dropFirst(folder.path.utf8.count + 1))) }
        == Array("junk".utf8))
    #expect(try open().contains(StoreFixture.item(1)))
  }

  @Test("a full disk gives a clear error, keeps what was there, and the store goes on")
  func fullDisk() throws {
    let store = try open()
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
    let store = try open()
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
