import StarlingModel
import Testing

/// `Test` is also a type of the testing library.
private typealias Asked = StarlingModel.Test

@Suite struct MatcherTests {
  static let kind = Kind(
    name: "car_type", key: .fields(["uid"]),
    fields: [
      Field("uid", .text), Field("name", .text), Field("url", .url), Field("energy", .text),
      Field("price", .money), Field("seats", .integer), Field("range", .real),
      Field("electric", .boolean), Field("published", .time), Field("tags_seen", .list),
    ])
  static let now = Timestamp(secondsSinceEpoch: 1_800_000_000)

  static let car = Entity(
    kind: "car_type", key: "1",
    values: [
      "uid": "1", "name": "Model Ü 电池 Pro", "url": "https://Example.com/A", "energy": "EV",
      "price": .money(Money(low: 165_900, high: 251_300, currency: "CNY", text: "16.59-25.13万")),
      "seats": 5, "range": 512.5, "electric": true,
      "published": .time(Timestamp(secondsSinceEpoch: 1_799_900_000)),
      "tags_seen": .list(["Family", "长续航"]),
    ])
  static let blank = Entity(kind: "car_type", key: "2", values: ["uid": "2"])
  static let unpriced = Entity(
    kind: "car_type", key: "3",
    values: ["price": .money(Money(low: nil, high: nil, currency: nil, text: "暂无报价"))])

  private func verdict(_ condition: Condition, _ entity: Entity) throws -> Verdict {
    let matcher = try Matcher(condition, kind: Self.kind, now: Self.now)
    var record = EntityRecord()
    record.fill(from: entity, kind: Self.kind)
    var cache = FoldCache()
    cache.begin()
    let verdict = matcher.verdict(record, &cache)
    #expect(matcher.matches(record) == (verdict == .held))
    return verdict
  }

  private static let presentCases: [(String, Asked, Bool)] = [
    ("name", .is(["model ü 电池 pro"]), true), ("name", .is(["model", "MODEL Ü 电池 PRO"]), true),
    ("name", .is(["model ü"]), false), ("name", .has(["电池"]), true),
    ("name", .has(["x", "PRO"]), true),
    ("name", .has(["prox"]), false), ("name", .word(["ü"]), true), ("name", .word(["mod"]), false),
    ("url", .has(["EXAMPLE.com/a"]), true), ("uid", .is([1]), true),
    ("seats", .is([5]), true), ("seats", .is([5.0]), true), ("seats", .is([4, 5]), true),
    ("seats", .is([5.5]), false), ("seats", .above(4.5), true), ("seats", .above(5), false),
    ("seats", .atLeast(5), true), ("seats", .atLeast(5.1), false), ("seats", .atMost(5), true),
    ("seats", .below(5), false), ("seats", .below(5.5), true), ("seats", .between(5, 5), true),
    ("seats", .between(6, 4), false), ("seats", .above(1e300), false),
    ("seats", .below(1e300), true),
    ("range", .above(512), true), ("range", .is([512.5]), true), ("range", .below(512.5), false),
    ("range", .atMost(512.5), true), ("range", .between(512, 513), true),
    ("electric", .is([true]), true), ("electric", .is([false]), false),
    ("electric", .is([false, true]), true),
    ("price", .below("20万"), true), ("price", .below(165_900), false),
    ("price", .atMost("16.59万"), true),
    ("price", .is(["¥165,900"]), true), ("price", .is([165_900]), true),
    ("price", .above("25万"), false),
    ("price", .between("15万", "17万"), true), ("price", .has(["25.13"]), true),
    ("published", .since(.ago(100_000)), true), ("published", .since(.ago(99_999)), false),
    ("published", .before(.at(Timestamp(secondsSinceEpoch: 1_799_900_000))), false),
    ("published", .before(.at(Timestamp(secondsSinceEpoch: 1_799_900_001))), true),
    ("published", .above("2026-01-01"), true),
    ("published", .between("2026-01-01T00:00:00Z", "2030-01-01"), true),
    ("tags_seen", .is(["family"]), true), ("tags_seen", .is(["fam"]), false),
    ("tags_seen", .has(["续航"]), true), ("tags_seen", .has(["family长"]), false),
    ("tags_seen", .word(["长续航"]), true), ("tags_seen", .is(["FAMILY", "x"]), true),
    ("name", .missing, false),
  ]

  @Test(
    "a test of a present value holds or fails",
    arguments: presentCases)
  private func present(_ field: String, _ test: Asked, holds: Bool) throws {
    let condition = Condition.test(field: field, test)
    #expect(try verdict(condition, Self.car) == (holds ? .held : .failed))
    #expect(try verdict(.not(condition), Self.car) == (holds ? .failed : .held))
  }

  private static let absentComparisons: [(String, Asked)] = [
    ("seats", .is([5])), ("seats", .above(0)), ("range", .below(1e9)), ("price", .below("20万")),
    ("published", .since(.ago(0))), ("price", .is([5])),
  ]

  @Test(
    "a comparison of what is absent is no match, and neither is its negation",
    arguments: absentComparisons)
  private func absentComparison(_ field: String, _ test: Asked) throws {
    for entity in [Self.blank, Self.unpriced] {
      #expect(try verdict(.test(field: field, test), entity) == .cannotCompare)
      #expect(try verdict(.not(.test(field: field, test)), entity) == .cannotCompare)
    }
  }

  private static let absentTexts: [(String, Asked)] = [
    ("name", .has(["x"])), ("name", .word(["x"])), ("name", .is(["x"])), ("tags_seen", .has(["x"])),
    ("tags_seen", .is(["x"])), ("electric", .is([true])),
  ]

  @Test(
    "has, word and is of an absent text are plainly false",
    arguments: absentTexts)
  private func absentText(_ field: String, _ test: Asked) throws {
    #expect(try verdict(.test(field: field, test), Self.blank) == .failed)
    #expect(try verdict(.not(.test(field: field, test)), Self.blank) == .held)
  }

  @Test("a price without an amount matches by its text")
  func unpricedText() throws {
    #expect(try verdict(.test(field: "price", .is(["暂无报价"])), Self.unpriced) == .held)
    #expect(try verdict(.test(field: "price", .is([5, "暂无报价"])), Self.unpriced) == .held)
    #expect(try verdict(.test(field: "price", .is(["16.59万", "暂无报价"])), Self.car) == .held)
    #expect(try verdict(.test(field: "price", .missing), Self.blank) == .held)
  }

  @Test("all, any and not combine three values")
  func logic() throws {
    let held = Condition.test(field: "uid", .is(["2"]))
    let failed = Condition.test(field: "uid", .is(["x"]))
    let unknown = Condition.test(field: "seats", .above(1))
    let cases: [(Condition, Verdict)] = [
      (.all([]), .held), (.any([]), .failed), (.not(.all([])), .failed),
      (.all([held, held]), .held), (.all([unknown, failed]), .failed),
      (.all([held, unknown]), .cannotCompare), (.any([failed, unknown]), .cannotCompare),
      (.any([unknown, held]), .held), (.not(.any([unknown, held])), .failed),
      (.not(.all([unknown, failed])), .held), (.not(.not(unknown)), .cannotCompare),
      (.all([.any([failed, held]), .not(failed)]), .held),
    ]
    for (condition, expected) in cases { #expect(try verdict(condition, Self.blank) == expected) }
  }

  @Test("whole numbers beyond 2^53 compare exactly with whole numbers and reals")
  func exactNumbers() throws {
    let big: Int64 = 9_007_199_254_740_993
    let entity = Entity(
      kind: "car_type", key: "4",
      values: ["seats": .integer(big), "range": .real(9_007_199_254_740_992)])
    func holds(_ field: String, _ test: Asked) throws -> Bool {
      try verdict(.test(field: field, test), entity) == .held
    }
    #expect(try holds("seats", .is([.integer(big)])))
    #expect(try !holds("seats", .is([.integer(big - 1)])))
    #expect(try holds("seats", .above(.real(9_007_199_254_740_992))))
    #expect(try !holds("seats", .is([.real(9_007_199_254_740_992)])))
    #expect(try holds("range", .below(.integer(big))))
    #expect(try !holds("range", .atLeast(.integer(big))))
    #expect(try holds("range", .atLeast(.integer(big - 1))))
    #expect(try !holds("range", .is([.integer(big)])))
  }

  @Test("the ends of the integers bound without overflow")
  func extremes() throws {
    let entity = Entity(kind: "car_type", key: "5", values: ["seats": .integer(.max)])
    func holds(_ test: Asked) throws -> Bool {
      try verdict(.test(field: "seats", test), entity) == .held
    }
    #expect(try !holds(.above(.integer(.max))))
    #expect(try !holds(.above(1e19)))
    #expect(try !holds(.atLeast(1e19)))
    #expect(try holds(.atMost(1e19)))
    #expect(try holds(.above(-1e19)))
    #expect(try !holds(.below(.integer(.min))))
    #expect(try !holds(.below(-1e19)))
  }

  @Test("one cache serves many rules and then the next entity")
  func sharesCache() throws {
    var cache = FoldCache()
    var record = EntityRecord()
    let words = (0..<40).map { "word\($0)x" }
    let matchers = try words.map {
      try Matcher(.test(field: "name", .has([$0])), kind: Self.kind, now: Self.now)
    }
    for index in 0..<40 {
      let text = String(repeating: "abc ", count: index * 7) + words[index].uppercased() + " end"
      record.fill(
        from: Entity(kind: "car_type", key: "k", values: ["name": .text(text)]), kind: Self.kind)
      cache.begin()
      let found = matchers.indices.filter { matchers[$0].matches(record, &cache) }
      #expect(found == [index])
    }
  }

  @Test("`is` among many values holds for just those", arguments: [1, 7, 8, 9, 10, 33, 500])
  func manyValues(count: Int) throws {
    var random = SystemRandomNumberGenerator()
    let numbers = Set((0..<count).map { _ in Int64.random(in: 0..<1000, using: &random) })
    func asked(_ field: String, _ value: (Int64) -> Value) throws -> Set<Int64> {
      let values = numbers.shuffled().map(value)
      return Set(
        try (0..<1000).filter {
          let entity = Entity(kind: "car_type", key: "1", values: [field: value($0)])
          return try verdict(.test(field: field, .is(values)), entity) == .held
        })
    }
    #expect(try asked("name") { .text("Ü\($0)") } == numbers)
    #expect(try asked("seats") { .integer($0) } == numbers)
    #expect(try asked("range") { .real(Double($0) + 0.5) } == numbers)
    #expect(try asked("published") { .time(Timestamp(secondsSinceEpoch: $0)) } == numbers)
    // A list holds one of them at its end, a price is asked by its amount or its text.
    for number in numbers {
      let values = Asked.is(numbers.map { .text("tag\($0)") })
      let list = Value.list(["tag", "tag1000", "TAG\(number)"])
      let entity = Entity(kind: "car_type", key: "1", values: ["tags_seen": list])
      #expect(try verdict(.test(field: "tags_seen", values), entity) == .held)
    }
    let prices = Asked.is(numbers.map { .integer($0) } + [.text("暂无报价")])
    #expect(try verdict(.test(field: "price", prices), Self.unpriced) == .held)
    #expect(try verdict(.test(field: "price", prices), Self.car) == .failed)
    // Values that no whole number equals are equal to none.
    let halves = Asked.is(numbers.map { .real(Double($0) + 0.5) } + [.integer(5)])
    #expect(try verdict(.test(field: "seats", halves), Self.car) == .held)
    #expect(
      try verdict(.test(field: "seats", .is(numbers.map { .real(Double($0) + 0.5) })), Self.car)
        == .failed)
  }
}
