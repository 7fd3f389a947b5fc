import StarlingModel
import Testing

@testable import StarlingFavorites

@Suite struct LoadBatchTests {
  let store: FavoritesStore
  let news: KindHandle
  let clock = TestClock()

  init() throws {
    store = try FavoritesStore(
      .memory, model: StoreFixture.model, options: StoreOptions(clock: clock.read))
    news = try store.handle(kind: "news")
  }

  private func load(
    _ numbers: [Int], stars: [RuleStar] = [], dry: Bool = false
  ) throws -> LoadReport {
    let batch = try store.beginLoad(source: "feed", dry: dry)
    for number in numbers {
      try batch.add(news, try store.record(of: StoreFixture.item(number), news), stars: stars)
    }
    return try batch.commit()
  }

  private let star = RuleStar(
    rule: "R", version: "1",
    evidence: [Evidence(field: "title", value: "Item", condition: "has \"Item\"")], tags: ["t"])

  @Test("a second load finds everything unchanged and stars nothing twice")
  func twice() throws {
    let first = try load([1, 2, 2, 3], stars: [star])
    #expect(first == LoadReport(new: 3, starred: 3, repeated: 1))
    let second = try load([1, 2, 2, 3], stars: [star])
    #expect(second == LoadReport(unchanged: 3, already: 3, repeated: 1))
    #expect(try store.history().count == 3)
    #expect(
      try store.causes(kind: "news", key: StoreFixture.link(1)).first?.evidence == star.evidence)
    #expect(try store.count(Query(kind: "news", tag: "t")) == 3)
  }

  @Test("a refusal holds against a load, and is counted")
  func refusal() throws {
    try store.delete(kind: "news", key: StoreFixture.link(1))
    #expect(try load([1, 2], stars: [star]) == LoadReport(new: 2, starred: 1, refused: 1))
    #expect(try !store.contains(StoreFixture.item(1)))
    #expect(try store.entity(kind: "news", key: StoreFixture.link(1)) != nil)
  }

  @Test("a dry load reports the same and leaves nothing")
  func dry() throws {
    #expect(try load([1, 2], stars: [star], dry: true) == LoadReport(new: 2, starred: 2))
    #expect(try store.count(Query(kind: "news", scope: .everything)) == 0)
    #expect(try store.history().isEmpty)
    #expect(try load([1, 2], stars: [star]) == LoadReport(new: 2, starred: 2))
  }

  @Test("an entity that cannot be kept is refused alone; abandoning leaves nothing")
  func abandon() throws {
    let batch = try store.beginLoad(source: "feed")
    try batch.add(news, try store.record(of: StoreFixture.item(1), news))
    var record = EntityRecord()
    record.reset(fieldCount: news.kind.fields.count)
    #expect(throws: FavoritesError.self) { try batch.add(news, record) }
    try batch.add(news, try store.record(of: StoreFixture.item(2), news))
    batch.abandon()
    #expect(try store.count(Query(kind: "news", scope: .everything)) == 0)
    #expect(!store.isInTransaction)
  }

  @Test("a changed text is written, also into the index that ignores case")
  func changed() throws {
    _ = try load([1])
    let batch = try store.beginLoad(source: "feed")
    try batch.add(news, try store.record(of: StoreFixture.item(1, title: "ÉCOLE"), news))
    #expect(try batch.commit().changed == 1)
    let found = try store.entities(
      Query(kind: "news", where: .test(field: "title", .is([.text("école")]))))
    #expect(found.count == 1)
  }

  @Test("entities wait in a spool, in memory or in a file, and come back as they were")
  func spool() throws {
    for limit in [1 << 20, 1000, 1] {
      let spool = EntitySpool(memoryLimitBytes: limit)
      var expected: [Entity] = []
      for number in 0..<500 {
        var entity = StoreFixture.item(number)
        entity["categories"] = .list(["a", String(repeating: "b", count: number * 3)])
        let record = try store.record(of: entity, news)
        expected.append(record.entity(kind: news.kind))
        try spool.append(kind: number % 3, record, stars: number % 5 == 0 ? [star] : [])
      }
      let car = try store.handle(kind: "car_type")
      let priced = Entity(
        kind: "car_type", key: "a/b",
        values: [
          "price": .money(Money(low: 1, high: nil, currency: "CNY", text: "1 元")), "doors": -5,
          "rating": -0.5, "electric": false,
        ])
      try spool.append(kind: 9, try store.record(of: priced, car))
      var found: [Entity] = []
      var stars = 0
      try spool.forEach { kind, record, given, _ throws(FavoritesError) in
        found.append(record.entity(kind: kind == 9 ? car.kind : news.kind))
        stars += given.count
        if !given.isEmpty { #expect(given == [star]) }
      }
      #expect(found == expected + [priced])
      #expect(stars == 100)
      #expect(spool.count == 501)
    }
  }

  @Test("what a source had at its last load it has for as long as it says that nothing changed")
  func unchanged() throws {
    _ = try load([1, 2])
    clock.advance(10 * 86400)
    _ = try load([2, 3])
    for _ in 0..<20 {
      clock.advance(10 * 86400)
      try store.noteUnchanged(source: "feed")
      try store.noteUnchanged(source: "nosuch")
      try store.pruneDaily()
    }
    #expect(try store.entity(kind: "news", key: StoreFixture.link(1)) == nil)
    #expect(try store.entity(kind: "news", key: StoreFixture.link(2)) != nil)
    #expect(try store.entity(kind: "news", key: StoreFixture.link(3)) != nil)
  }

  @Test("entities that no feed has any more are forgotten, favorites and what was one are not")
  func prune() throws {
    _ = try load([1, 2, 3, 4])
    try store.insert(StoreFixture.item(2))
    try store.insert(StoreFixture.item(3))
    try store.delete(kind: "news", key: StoreFixture.link(3), by: .script(name: "S"))
    #expect(try store.prune() == 0)
    clock.advance(89 * 86400)
    #expect(try store.prune() == 0)
    clock.advance(2 * 86400)
    #expect(try store.prune() == 2)
    #expect(try store.contains(StoreFixture.item(2)))
    #expect(try store.entity(kind: "news", key: StoreFixture.link(3)) != nil)
    #expect(try store.entity(kind: "news", key: StoreFixture.link(1)) == nil)
  }
}
