import Glibc
import StarlingModel
import StarlingSQLite
import Testing

@testable import StarlingFavorites

/// The write-ahead log while somebody reads in one transaction for long.
@Suite struct StoreLogTests {
  let folder = TemporaryFolder()
  var path: String { folder.path + "/a.db" }

  private func open() throws -> FavoritesStore {
    var options = StoreFixture.options()
    options.busyTimeout = .milliseconds(200)
    return try FavoritesStore(.file(path), model: StoreFixture.model, options: options)
  }

  /// An entity of a megabyte, in a field that is not searched.
  private func large(_ number: Int) -> Entity {
    var entity = StoreFixture.item(number)
    entity.values["link"] = .text(
      "https://e.example/\(number)?" + String(repeating: "x", count: 99))
    entity.values["summary"] = .text(String(repeating: ".", count: 1 << 20))
    return entity
  }

  /// Loads feeds of four megabytes until one is refused.
  private func fill(_ store: FavoritesStore, from number: Int = 0) -> FavoritesError? {
    do throws(FavoritesError) {
      let news = try store.handle(kind: "news")
      for feed in 0..<15 {
        let batch = try store.beginLoad(source: "feed")
        for item in 0..<4 {
          try batch.add(news, try store.record(of: large(number + feed * 4 + item), news))
        }
        _ = try batch.commit()
        #expect(store.connection.logBytes < FavoritesStore.mostLogBytes)
      }
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "a foreign reader's log stays under 64 MB: loads are refused first, then all, with the reason")
  func longReader() throws {
    let store = try open()
    try store.insert(StoreFixture.item(0))
    let reader = try Connection(path: path, mode: .readOnly, busyTimeoutMilliseconds: 0)
    try reader.beginReading()
    #expect(try reader.integer("SELECT count(*) FROM news") == 1)

    let refused = fill(store)
    guard case .logFull = refused else { return #expect(Bool(false), "\(refused as Any)") }
    #expect(refused?.description.contains("end that program and try again") == true)
    let length = store.connection.logBytes
    #expect(length >= FavoritesStore.longLogBytes)
    let loaded = try store.count(Query(kind: "news", scope: .everything))

    // What is small is still written, for some time.
    #expect(try store.toggle(StoreFixture.item(1)))
    var inserted = 0
    let error = #expect(throws: FavoritesError.self) {
      for number in 1000..<1100 {
        try store.insert(large(number))
        inserted += 1
      }
    }
    guard case .logFull = error else { return #expect(Bool(false), "\(error as Any)") }
    #expect(inserted > 5)
    #expect(store.connection.logBytes < FavoritesStore.mostLogBytes)
    #expect(try reader.integer("SELECT count(*) FROM news") == 1)

    // Nothing is lost, and with the reader gone all goes on.
    #expect(
      try store.count(Query(kind: "news", scope: .everything)) == loaded + 1 + inserted)
    try reader.endReading()
    #expect(fill(store, from: 5000) == nil)
    #expect(try store.insert(large(2000)).outcome == .starred)
    #expect(store.connection.logBytes < FavoritesStore.fullLogBytes)
    #expect(try store.check().isEmpty)
  }

  @Test("a load that would fill the log of a reader is taken back as a whole")
  func longLoad() throws {
    let store = try open()
    let news = try store.handle(kind: "news")
    let reader = try Connection(path: path, mode: .readOnly, busyTimeoutMilliseconds: 0)
    try reader.beginReading()
    _ = try reader.integer("SELECT count(*) FROM news")
    for number in 0..<20 { try store.insert(large(number)) }

    let batch = try store.beginLoad(source: "feed")
    let error = #expect(throws: FavoritesError.self) {
      for number in 0..<2000 {
        var entity = large(number + 100)
        entity.values["summary"] = .text(String(repeating: ".", count: 60_000))
        try batch.add(news, try store.record(of: entity, news))
      }
    }
    guard case .logFull = error else { return #expect(Bool(false), "\(error as Any)") }
    batch.abandon()
    #expect(store.connection.logBytes < FavoritesStore.mostLogBytes)
    #expect(try store.count(Query(kind: "news", scope: .everything)) == 20)
  }

  @Test("one load that is larger than the log may be is refused beside a reader, and done without")
  func hugeLoad() throws {
    let store = try open()
    let news = try store.handle(kind: "news")
    let bytes: Int64 = 120 << 20
    func load() throws(FavoritesError) -> Int64 {
      let batch = try store.beginLoad(source: "feed", bytes: bytes)
      var most: Int64 = 0
      for number in 0..<Int(bytes >> 20) {
        try batch.add(news, try store.record(of: large(number), news))
        most = max(most, store.connection.logBytes)
      }
      _ = try batch.commit()
      return most
    }
    // A reader of an empty log, and one of a log with something in it.
    for isFilled in [false, true] {
      #expect(store.connection.truncateLog())
      if isFilled { try store.insert(StoreFixture.item(9000)) }
      let reader = try Connection(path: path, mode: .readOnly, busyTimeoutMilliseconds: 0)
      try reader.beginReading()
      let before = try reader.integer("SELECT count(*) FROM news")
      let error = #expect(throws: FavoritesError.self) { try load() }
      guard case .logFull = error else { return #expect(Bool(false), "\(error as Any)") }
      #expect(store.connection.logBytes < FavoritesStore.mostLogBytes)
      #expect(try reader.integer("SELECT count(*) FROM news") == before)
      try reader.endReading()
    }
    #expect(try load() > FavoritesStore.mostLogBytes)
    #expect(store.connection.logBytes < FavoritesStore.logLimitBytes)
    #expect(try store.count(Query(kind: "news", scope: .everything)) >= Int(bytes >> 20))
  }

  /// A process of its own that reads in one transaction until it is closed.
  private func foreignReader(_ store: FavoritesStore) throws -> UnsafeMutablePointer<FILE> {
    let program = try #require(CrashProgram.path)
    let reader = try #require(popen("'\(program)' read '\(path)'", "w"))
    while !store.connection.isReadElsewhere { usleep(10_000) }
    return reader
  }

  @Test(
    "one transaction that would fill the log beside another program's reader is taken back as a whole",
    .enabled(if: CrashProgram.path != nil, "the program is not built"), arguments: [0, 60])
  func longTransaction(readerComesAfter count: Int) throws {
    let store = try open()
    try store.insert(StoreFixture.item(0))
    #expect(!store.connection.isReadElsewhere)
    var reader: UnsafeMutablePointer<FILE>?
    defer { if let reader { pclose(reader) } }
    var inserted = 0
    let error = #expect(throws: FavoritesError.self) {
      try store.transaction { () throws(FavoritesError) in
        for number in 1..<300 {
          if inserted == count { reader = try? foreignReader(store) }
          try store.insert(large(number))
          inserted += 1
        }
      }
    }
    guard case .logFull = error else { return #expect(Bool(false), "\(error as Any)") }
    if count == 0 { #expect(store.connection.logBytes < FavoritesStore.mostLogBytes) }
    #expect(inserted < max(64, count + 3))
    #expect(try store.count(Query(kind: "news", scope: .everything)) == 1)
    if let open = reader { pclose(open) }
    reader = nil
    #expect(!store.connection.isReadElsewhere)
    try store.transaction { () throws(FavoritesError) in
      for number in 1..<100 { try store.insert(large(number)) }
    }
    #expect(store.connection.logBytes < FavoritesStore.logLimitBytes)
    #expect(try store.check().isEmpty)
  }

  @Test(
    "a kind's new key, and taking it back, is not begun beside another program's reader",
    .enabled(if: CrashProgram.path != nil, "the program is not built"))
  func rekeyBeside() throws {
    let store = try open()
    // A few entities whose rowids are far apart count as many.
    try store.insert(StoreFixture.item(0))
    try store.connection.execute("UPDATE counters SET value = 400000 WHERE name = 'entity'")
    let again = try open()
    try again.insert(StoreFixture.item(1))
    let news = try #require(again.handles.first)
    #expect(try again.mostEntities(news) > 390_000)
    func refusal(_ body: () throws -> Void) throws {
      let reader = try foreignReader(again)
      defer { pclose(reader) }
      let error = #expect(throws: FavoritesError.self) { try body() }
      guard case .logFull = error else { return #expect(Bool(false), "\(error as Any)") }
      #expect(again.connection.logBytes < 1 << 20)
    }
    try refusal { _ = try again.rekey(kind: "news", fields: ["title"], apply: true) }
    let report = try again.rekey(kind: "news", fields: ["title"], apply: true)
    try refusal { _ = try again.undo(.last) }
    try refusal { _ = try again.undo(.run(try #require(report.run))) }
    #expect(try again.undo(.run(try #require(report.run))).left.isEmpty)
  }

  @Test(
    "a transaction waits for another program's reader that ends in time",
    .enabled(if: CrashProgram.path != nil, "the program is not built"))
  func readerEnds() throws {
    var options = StoreFixture.options()
    options.busyTimeout = .seconds(30)
    let store = try FavoritesStore(.file(path), model: StoreFixture.model, options: options)
    try store.insert(StoreFixture.item(0))
    let program = try #require(CrashProgram.path)
    // It reads for a second.
    #expect(system("(sleep 1 | '\(program)' read '\(path)') &") == 0)
    while !store.connection.isReadElsewhere { usleep(10_000) }
    try store.transaction { () throws(FavoritesError) in
      for number in 1..<80 { try store.insert(large(number)) }
    }
    #expect(try store.count(Query(kind: "news", scope: .everything)) == 80)
  }

  @Test("with the reader gone the log is taken over before the next load")
  func readerGone() throws {
    let store = try open()
    let reader = try Connection(path: path, mode: .readOnly, busyTimeoutMilliseconds: 0)
    try reader.beginReading()
    _ = try reader.integer("SELECT count(*) FROM news")
    guard case .logFull = fill(store) else { return #expect(Bool(false), "not refused") }
    var options = StoreFixture.options()
    options.busyTimeout = .seconds(30)
    let patient = try FavoritesStore(.file(path), model: StoreFixture.model, options: options)
    try reader.endReading()
    let batch = try patient.beginLoad(source: "feed")
    _ = try batch.commit()
    #expect(patient.connection.logBytes < 1 << 20)
  }
}
