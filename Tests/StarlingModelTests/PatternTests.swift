import Testing

@testable import StarlingModel

/// `matches`: regular expressions in conditions.
@Suite struct PatternTests {
  private static let kind = Kind(
    name: "thing", key: .fields(["id"]),
    fields: [
      Field("id", .text), Field("title", .text), Field("words", .list), Field("price", .money),
      Field("count", .integer),
    ])

  private func record(_ values: [String: Value]) throws -> EntityRecord {
    var record = EntityRecord()
    record.fill(
      from: Entity(kind: "thing", key: "1", values: values), kind: PatternTests.kind)
    return record
  }

  private func verdict(
    _ field: String, _ patterns: [String], _ values: [String: Value]
  ) throws -> Verdict {
    let matcher = try Matcher(
      .test(field: field, .matches(patterns)), kind: PatternTests.kind,
      now: Timestamp(secondsSinceEpoch: 0))
    var cache = FoldCache()
    return matcher.verdict(try record(values), &cache)
  }

  @Test(
    "an expression is found anywhere, without regard to case, in every script",
    arguments: [
      ("^swift\\b.*6\\.[0-9]", "Swift and Lua 6.3", true), ("ÉCOLE", "une école", true),
      ("ΣΟΦΌΣ", "σοφός", true), ("电.车", "纯电动车", true), ("^a$", "ab", false),
      ("\\p{Han}{4}", "纯电动车", true), ("\\p{Han}{5}", "纯电动车", false), ("(?-i)a", "A", false),
    ])
  func finds(pattern: String, text: String, isFound: Bool) throws {
    let answer = try verdict("title", [pattern], ["title": .text(text)])
    #expect(answer == (isFound ? .held : .failed))
  }

  @Test("one of several is enough; lists are asked element by element, prices by their text")
  func fields() throws {
    #expect(try verdict("title", ["x", "b$"], ["title": "ab"]) == .held)
    #expect(try verdict("words", ["^b$"], ["words": .list(["a", "b"])]) == .held)
    #expect(try verdict("words", ["^ab$"], ["words": .list(["a", "b"])]) == .failed)
    let price = try #require(Money(parsing: "16.59-25.13万"))
    #expect(try verdict("price", ["万$"], ["price": .money(price)]) == .held)
    #expect(try verdict("title", ["a"], [:]) == .failed)
  }

  @Test("an expression that does not parse is refused with the byte at fault")
  func refusesFaults() throws {
    #expect(
      throws: ConditionError.badPattern(
        field: "title", pattern: "a(b", offset: 3, reason: "missing closing parenthesis")
    ) { try verdict("title", ["a(b"], [:]) }
    #expect(throws: ConditionError.self) { try verdict("title", ["a\\Cb"], [:]) }
    #expect(throws: ConditionError.self) { try verdict("title", [""], [:]) }
    #expect(throws: ConditionError.self) { try verdict("count", ["1"], [:]) }
    let deep = String(repeating: "(", count: 10_000) + String(repeating: ")", count: 10_000)
    #expect(throws: ConditionError.self) { try verdict("title", [deep], [:]) }
  }

  @Test(
    "an expression that backtracks for ever ends, and cannot be compared",
    arguments: ["(a+)+$", "(a|aa)+$", "(?:a?){40}a{40}b", "(.*)*(.*)*(.*)*(.*)*x$"])
  func ends(pattern: String) throws {
    let text = String(repeating: "a", count: 60_000) + "!"
    let clock = ContinuousClock()
    let start = clock.now
    let answer = try verdict("title", [pattern], ["title": .text(text)])
    #expect(answer != .held)
    #expect(clock.now - start < .seconds(2))
    #expect(
      try Matcher(
        .not(.test(field: "title", .matches(["(a+)+$"]))), kind: PatternTests.kind,
        now: Timestamp(secondsSinceEpoch: 0)
      ).matches(try record(["title": .text(text)])) == false)
  }

  @Test(
    "an expression that reads the whole text again and again ends, and cannot be compared",
    arguments: [
      ("^(?=(s+)+t)", "s", 100, "?t"), ("(s+s+)+t", "s", 100_000, "?t"),
      ("(?:.*+x|a)*z", "a", 200_000, "x?z"), ("[^x]*+y", "a", 1_000_000, "xy"),
      ("^(.*)\\1c", "a", 100_000, "?c"), ("(a*)*\\1b", "a", 100_000, "?b"),
    ])
  func readsOnAndOn(pattern: String, letter: String, count: Int, end: String) throws {
    let text = String(repeating: letter, count: count) + end
    let start = ContinuousClock.now
    #expect(
      try verdict("title", [pattern], ["title": .text(text)]) == .cannotCompare)
    #expect(ContinuousClock.now - start < .seconds(2))
    // Of a list whose elements all take so long, a few are enough.
    let list = Value.list(Array(repeating: text, count: 300))
    #expect(try verdict("words", [pattern], ["words": list]) == .cannotCompare)
    #expect(ContinuousClock.now - start < .seconds(4))
  }

  @Test("long texts are searched whole, whichever way it is done")
  func longTexts() throws {
    let text = String(repeating: "The quick brown fox 12 ", count: 3_000) + "costs 42 kg"
    for (pattern, isFound) in [
      ("\\d+ kg$", true), ("^the.*kg", true), ("fox (\\d+) the", true), ("lazy|dog", false),
      ("(\\w)\\1\\1", false), ("[0-9]{3}", false),
    ] {
      let answer = try verdict("title", [pattern], ["title": .text(text)])
      #expect(answer == (isFound ? .held : .failed), "\(pattern)")
    }
  }

  @Test("evidence of a long text shows what surrounds the find")
  func explains() throws {
    let text = String(repeating: "字", count: 500) + "Swift 6.3" + String(repeating: "字", count: 500)
    let matcher = try Matcher(
      .test(field: "title", .matches(["swift [0-9]"])), kind: PatternTests.kind,
      now: Timestamp(secondsSinceEpoch: 0))
    let outcome = try #require(matcher.explain(try record(["title": .text(text)])).first)
    #expect(outcome.condition == "matches \"swift [0-9]\"")
    #expect(outcome.value.contains("Swift 6.3") && outcome.value.utf8.count < 300)
    #expect(outcome.verdict == .held)
  }
}
