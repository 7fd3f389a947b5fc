import StarlingModel
import Testing

@testable import StarlingFavorites

@Suite struct QueryTests {
  let store: FavoritesStore

  init() throws {
    store = try StoreFixture.store()
  }

  private func numbers(_ entities: [Entity]) -> [Int] {
    entities.map { Int($0.key.split(separator: "/").last ?? "") ?? -1 }
  }

  private func car(_ uid: String, _ values: [String: Value]) throws {
    var values = values
    values["uid"] = .text(uid)
    try store.insert(Entity(kind: "car_type", key: "", values: values))
  }

  private func cars(_ condition: Condition, order: String? = nil) throws -> [String] {
    let query = Query(
      kind: "car_type", where: condition, order: order.map { Query.Order(parsing: $0) })
    let found = try store.fetch(query).map(\.entity.key)
    #expect(try store.count(query) == found.count)
    return order == nil ? found.sorted() : found
  }

  @Test("conditions on numbers, prices, times, texts and flags find what the matcher finds")
  func conditions() throws {
    func price(_ low: Double?) -> Value {
      .money(Money(low: low, high: low, currency: "CNY", text: low.map { "\($0)" } ?? "暂无报价"))
    }
    try car("a", ["price": price(165_900), "doors": 5, "energy": "EV", "electric": true])
    try car("b", ["price": price(200_000), "doors": 3, "energy": "ev", "rating": 4.5])
    try car("c", ["price": price(nil), "energy": "ＥＶ", "electric": false])
    try car("d", ["energy": "ÉK", "doors": 4])
    try car("e", [:])
    func test(_ field: String, _ test: StarlingModel.Test) -> Condition {
      .test(field: field, test)
    }
    let cases: [(Condition, [String])] = [
      (test("price", .below(.text("20万"))), ["a"]),
      (test("price", .atMost(.integer(200_000))), ["a", "b"]),
      (test("price", .missing), ["d", "e"]),
      (.not(test("price", .below(.text("20万")))), ["b"]),
      (test("energy", .is([.text("Ev")])), ["a", "b"]),
      (test("energy", .is([.text("ék")])), ["d"]),
      (test("energy", .is([.text("éK"), .text("eV")])), ["a", "b", "d"]),
      (.not(test("energy", .is([.text("EV")]))), ["c", "d", "e"]),
      (test("doors", .between(.integer(3), .integer(4))), ["b", "d"]),
      (test("doors", .above(.real(3.5))), ["a", "d"]),
      (test("electric", .is([.boolean(true)])), ["a"]),
      (.not(test("electric", .is([.boolean(true)]))), ["b", "c", "d", "e"]),
      (test("rating", .atLeast(.real(4.5))), ["b"]),
      (.any([test("doors", .is([.integer(5)])), test("energy", .has(["ＥＶ"]))]), ["a", "c"]),
      (.all([test("doors", .missing), .not(test("energy", .missing))]), ["c"]),
      (.all([]), ["a", "b", "c", "d", "e"]), (.any([]), []),
    ]
    for (condition, expected) in cases { #expect(try cars(condition) == expected, "\(condition)") }
  }

  @Test("what SQL finds is what the matcher finds, for conditions made at random")
  func agreement() throws {
    var random = SplitMix(state: 42)
    let texts = ["EV", "ev", "Ev\u{0}", "Ev\u{0}x", "É", "é", "ß", "ss", "K", "\u{212A}", "电池", ""]
    for number in 0..<120 {
      var values: [String: Value] = [:]
      if random.chance(70) { values["energy"] = .text(random.pick(texts)) }
      if random.chance(70) { values["name"] = .text(random.pick(texts)) }
      if random.chance(70) { values["doors"] = .integer(Int64(random.below(6))) }
      if random.chance(70) { values["rating"] = .real(Double(random.below(6)) / 2) }
      if random.chance(50) { values["electric"] = .boolean(random.chance(50)) }
      if random.chance(60) {
        let low = random.chance(80) ? Double(random.below(6)) : nil
        values["price"] = .money(Money(low: low, high: low, currency: nil, text: "p"))
      }
      try car("\(number)", values)
    }
    func condition(_ depth: Int) -> Condition {
      if depth > 0, random.chance(60) {
        let parts = (0..<random.below(3) + 1).map { _ in condition(depth - 1) }
        return random.chance(30) ? .not(parts[0]) : random.chance(50) ? .all(parts) : .any(parts)
      }
      let number = Value.integer(Int64(random.below(6)))
      let real = Value.real(Double(random.below(12)) / 4)
      let text = random.pick(texts.filter { !$0.isEmpty })
      return random.pick([
        .test(field: random.pick(["energy", "name"]), .is([.text(text)])),
        .test(field: random.pick(["energy", "name"]), .has([text])),
        .test(field: random.pick(["doors", "rating", "price"]), .atLeast(number)),
        .test(field: random.pick(["doors", "rating", "price"]), .below(real)),
        .test(field: "doors", .between(number, .integer(3))),
        .test(field: random.pick(["energy", "doors", "price", "electric"]), .missing),
        .test(field: "electric", .is([.boolean(random.chance(50))])),
        .test(field: "doors", .is([number, .integer(1)])),
      ])
    }
    let all = try store.entities(Query(kind: "car_type"))
    let handle = try store.handle(kind: "car_type")
    for _ in 0..<400 {
      let asked = condition(3)
      let matcher = try Matcher(asked, kind: handle.kind, now: StoreFixture.noon)
      let expected = try all.filter { matcher.matches(try store.record(of: $0, handle)) }
      let found = try store.fetch(Query(kind: "car_type", where: asked)).map(\.entity.key)
      #expect(found.sorted() == expected.map(\.key).sorted(), "\(asked)")
      #expect(try store.count(Query(kind: "car_type", where: asked)) == found.count)
    }
  }

  @Test("rows come in the order asked, absent values last, in both directions")
  func order() throws {
    try car("a", ["doors": 5, "name": "b"])
    try car("b", ["doors": 3, "name": "A"])
    try car("c", ["name": "a"])
    try car("d", ["doors": 3])
    #expect(try cars(.all([]), order: "doors") == ["b", "d", "a", "c"])
    #expect(try cars(.all([]), order: "-doors") == ["a", "d", "b", "c"])
    #expect(try cars(.all([]), order: "name") == ["b", "c", "a", "d"])
    #expect(try cars(.all([]), order: "first_seen") == ["a", "b", "c", "d"])
    #expect(throws: FavoritesError.self) { try cars(.all([]), order: "dors") }
  }

  @Test(
    "pages follow one another without gap or double while rows come and go",
    arguments: ["published", "-published", "title", "-starred_at", "first_seen", "-summary"])
  func paging(_ order: String) throws {
    for number in 0..<50 {
      var item = StoreFixture.item(number)
      if number % 7 == 0 { item["published"] = nil }
      if number % 3 == 0 { item["summary"] = .text("s\(number % 4)") }
      try store.insert(item)
    }
    let all = try store.fetch(Query(kind: "news", order: Query.Order(parsing: order)))
      .map(\.entity.key)
    var seen: [String] = []
    var after: Cursor?
    repeat {
      var query = Query(kind: "news", order: Query.Order(parsing: order), limit: 7)
      query.after = try after.map { try #require(Cursor($0.text)) }
      let page = try store.page(query)
      seen += page.rows.map(\.entity.key)
      after = page.next
      // What was given already goes away; an offset would skip as many.
      if let first = seen.first, seen.count == 7 { try store.delete(kind: "news", key: first) }
    } while after != nil
    #expect(seen == all)
  }

  @Test("each goes on in chunks, and the store may be changed meanwhile")
  func each() throws {
    for number in 0..<600 { try store.insert(StoreFixture.item(number)) }
    var count = 0
    try store.each(Query(kind: "news", order: .field("published", descending: false))) {
      favorite throws(FavoritesError) in
      count += 1
      return try store.delete(kind: "news", key: favorite.entity.key)
    }
    #expect(count == 600)
    #expect(try store.count(Query(kind: "news")) == 0)
  }

  @Test("tags, text and scope narrow")
  func narrowing() throws {
    try store.insert(StoreFixture.item(1, title: "固态电池 news"), tags: ["ev"])
    try store.insert(StoreFixture.item(2, title: "other"), tags: ["ev", "x"])
    try store.insert(StoreFixture.item(3))
    try store.delete(kind: "news", key: StoreFixture.link(3))
    #expect(numbers(try store.fetch(Query(kind: "news", tag: "x")).map(\.entity)) == [2])
    #expect(numbers(try store.fetch(Query(kind: "news", text: "电池 NEWS")).map(\.entity)) == [1])
    #expect(try store.count(Query(kind: "news")) == 2)
    #expect(numbers(try store.entities(Query(kind: "news", scope: .everything))) == [3, 2, 1])
  }

  private static let lists = [
    Query(kind: "news"), Query(kind: "news", order: .starredAt(descending: false)),
    Query(kind: "news", order: .firstSeen(descending: true)),
    Query(kind: "news", order: .field("published", descending: true)),
    Query(kind: "news", order: .field("published", descending: false)),
    Query(kind: "news", order: .field("title", descending: false)),
    Query(kind: "news", text: "item"), Query(kind: "news", text: "item news"),
    Query(kind: "car_type"), Query(kind: "car_type", order: .field("name", descending: true)),
    Query(kind: "car_type", order: .field("doors", descending: true)),
  ]

  @Test(
    "a cursor is good for its own list alone: its kind, its order, its search", arguments: lists)
  func wrongCursor(_ list: Query) throws {
    for number in 0..<3 {
      try store.insert(StoreFixture.item(number, title: "item news \(number)"))
      try store.insert(
        Entity(
          kind: "car_type", key: "s/\(number)",
          values: ["name": .text("n\(number)"), "doors": .integer(Int64(number))]))
    }
    var first = list
    first.limit = 1
    let next = try #require(try store.page(first).next)
    let cursor = try #require(Cursor(next.text))
    for var other in Self.lists {
      other.after = cursor
      if other.kind == list.kind, other.order == list.order, other.text == list.text {
        #expect(try store.page(other).rows.count == 2)
        continue
      }
      let error = #expect(throws: FavoritesError.self) { try store.page(other) }
      let said = error?.description ?? ""
      #expect(said.contains("the cursor belongs to a "), "\(said)")
      if other.kind != list.kind { #expect(said.contains("for kind \(list.kind)"), "\(said)") }
    }
  }

  @Test("what is no cursor is none")
  func noCursor() {
    for text in ["x:1:2", "o:5:", "news/title:x:1:2", "news:t:1:2", "/title:t:1:2", "", ":::"] {
      #expect(Cursor(text) == nil, "\(text)")
    }
  }

  @Test("the in-memory set answers as the store does, and refreshes")
  func members() throws {
    let news = try store.handle(kind: "news")
    let members = try store.members(news)
    func has(_ key: String) -> Bool { Array(key.utf8).withUnsafeBytes { members.contains($0) } }
    #expect(members.count == 0)
    #expect(!has(""))
    for number in 0..<3000 { try store.insert(StoreFixture.item(number)) }
    #expect(!has(StoreFixture.link(1)), "it is a snapshot")
    try members.refresh()
    #expect(members.count == 3000)
    for number in 0..<6000 { #expect(has(StoreFixture.link(number)) == (number < 3000)) }
    #expect(!has(StoreFixture.link(1) + "\u{0}"))
    #expect(!has(""))
  }
}

/// A generator with a seed, so that a failure can be seen again.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
