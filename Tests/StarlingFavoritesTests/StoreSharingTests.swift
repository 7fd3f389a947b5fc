import StarlingModel
import Testing

@testable import StarlingFavorites

/// Several stores on one file.
@Suite struct StoreSharingTests {
  private let folder = TemporaryFolder()

  @Test("two stores on one file see each other's changes, kinds and refusals")
  func twoStores() throws {
    let first = try folder.store(model: KindModel())
    let second = try folder.store()
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
    let first = try folder.store()
    let second = try folder.store()
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
    _ = try folder.store()
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
    let store = try folder.store()
    #expect(try store.count(Query(kind: "news")) == 4 * 66)
    #expect(try store.refusals().count == 4 * 34)
    #expect(try store.check().isEmpty)
  }

  @Test("an interrupt check stops a long query, and the store goes on")
  func interrupt() throws {
    let store = try folder.store()
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
    let store = try folder.store()
    try store.insert(StoreFixture.item(0))
    let reader = try folder.store()
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
}
