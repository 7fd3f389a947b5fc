import StarlingModel
import Testing

@testable import StarlingFavorites

/// Pages by cursor while rows come and go, for every field that has an order.
@Suite struct PagingTests {
  private static let orders =
    StoreFixture.car.fields.filter { $0.type != .list }.flatMap { [$0.name, "-" + $0.name] }
    + ["starred_at", "-starred_at", "first_seen", "-first_seen"]

  /// Values with many ties, texts that differ in case alone, and as many absent ones.
  private func car(_ number: Int, _ random: inout SplitMix) -> Entity {
    var values: [String: Value] = [
      "site": .text("s\(number % 3)"), "uid": .text("\(number)"),
    ]
    let texts = ["a", "A", "b:c", "é", "电池", "", "z\u{0}", "ß"]
    if random.chance(70) { values["name"] = .text(random.pick(texts)) }
    if random.chance(70) { values["energy"] = .text(random.pick(texts)) }
    if random.chance(70) { values["doors"] = .integer(Int64(random.below(4)) - 2) }
    if random.chance(70) { values["rating"] = .real(Double(random.below(5)) / 3 - 0.5) }
    if random.chance(60) { values["electric"] = .boolean(random.chance(50)) }
    if random.chance(50) { values["url"] = .text("https://e.example/\(random.below(4))") }
    if random.chance(70) {
      let low = random.chance(70) ? Double(random.below(4)) * 10_000.5 : nil
      values["price"] = .money(Money(low: low, high: low, currency: "CNY", text: "p"))
    }
    return Entity(kind: "car_type", key: "", values: values)
  }

  private func store(_ clock: TestClock, _ random: inout SplitMix) throws -> FavoritesStore {
    let store = try FavoritesStore(
      .memory, model: StoreFixture.model, options: StoreOptions(clock: { clock.read() }))
    for number in 0..<120 {
      if number % 5 == 0 { clock.advance(1) }
      let car = car(number, &random)
      try store.insert(car)
      if random.chance(30) { try store.delete(kind: "car_type", key: key(number)) }
    }
    return store
  }

  private func key(_ number: Int) -> String { "s\(number % 3)/\(number)" }

  @Test(
    "what is there all along comes once and in order, nothing comes twice, whatever comes and goes",
    arguments: orders, [Query.Scope.favorites, .everything])
  func churn(_ order: String, _ scope: Query.Scope) throws {
    var random = SplitMix(state: 7)
    let clock = TestClock()
    let store = try store(clock, &random)
    func everything() throws -> [String] {
      let query = Query(kind: "car_type", scope: scope, order: Query.Order(parsing: order))
      var keys: [String] = []
      _ = try store.forEachRow(query) { row in
        keys.append(String(decoding: row.key, as: UTF8.self))
        return true
      }
      return keys
    }
    let before = try everything()
    var stayed = Set(before)
    var next = 120
    var seen: [String] = []
    var after: Cursor?
    repeat {
      var query = Query(kind: "car_type", scope: scope, order: Query.Order(parsing: order))
      query.limit = random.below(9) + 1
      query.after = try after.map { try #require(Cursor($0.text), "\($0.text)") }
      after = try store.forEachRow(query) { row in
        seen.append(String(decoding: row.key, as: UTF8.self))
        return true
      }
      clock.advance(1)
      for _ in 0..<3 where next < 200 {
        try store.insert(car(next, &random))
        next += 1
      }
      // Also the row that the cursor stands on.
      for gone in [seen.last, before.randomElement(using: &random)].compactMap({ $0 }) {
        try store.delete(kind: "car_type", key: gone)
        if scope == .favorites || order.hasSuffix("starred_at") { stayed.remove(gone) }
      }
    } while after != nil
    let twice = Dictionary(grouping: seen, by: { $0 }).filter { $0.value.count > 1 }
    // A favorite that is taken back moves to the end of an order by stars, where it may come again.
    if !order.hasSuffix("starred_at") { #expect(twice.isEmpty) }
    let there = seen.filter { stayed.contains($0) }
    #expect(there == before.filter { stayed.contains($0) })
    #expect(Set(seen).isSuperset(of: stayed))
  }

  @Test("each gives what is there all along, while the loop inserts and deletes", arguments: orders)
  func each(_ order: String) throws {
    var random = SplitMix(state: 11)
    let clock = TestClock()
    let store = try FavoritesStore(
      .memory, model: StoreFixture.model, options: StoreOptions(clock: { clock.read() }))
    for number in 0..<700 { try store.insert(car(number, &random)) }
    let query = Query(kind: "car_type", order: Query.Order(parsing: order))
    let before = try store.fetch(query).map(\.entity.key)
    var stayed = Set(before)
    var seen: [String] = []
    var next = 700
    clock.advance(1)
    try store.each(query) { favorite throws(FavoritesError) in
      seen.append(favorite.entity.key)
      if seen.count % 3 == 0, next < 900 {
        try store.insert(car(next, &random))
        next += 1
      }
      if seen.count % 5 == 0, let gone = before.randomElement(using: &random) {
        if try store.delete(kind: "car_type", key: gone) { stayed.remove(gone) }
      }
      return true
    }
    #expect(Set(seen).count == seen.count)
    #expect(seen.filter { stayed.contains($0) } == before.filter { stayed.contains($0) })
  }

  @Test("a hundred thousand keys are asked in one look, with doubles and keys that are none")
  func manyKeys() throws {
    let store = try StoreFixture.store()
    try store.transaction { () throws(FavoritesError) in
      for number in 0..<2000 { try store.insert(StoreFixture.item(number)) }
    }
    let keys = (0..<100_000).map { StoreFixture.link($0 % 50_000) } + ["", "\u{0}"]
    let found = try store.containing(kind: "news", keys: keys)
    #expect(found.count == 2000)
    for number in 0..<4000 { #expect(found.contains(StoreFixture.link(number)) == (number < 2000)) }
  }
}
