import StarlingModel
import Testing

@Suite struct ConditionDescriptionTests {
  @Test("a condition prints as the rule language says it")
  func prints() {
    let a = Condition.test(field: "a", .is(["x"]))
    let b = Condition.test(field: "b", .has(["y", "z"]))
    let cases: [(Condition, String)] = [
      (a, "{ a = is \"x\" }"),
      (.all([a, b]), "{ a = is \"x\", b = has { \"y\", \"z\" } }"),
      (.all([]), "{}"),
      (.any([]), "{ any {} }"),
      (.any([a, b]), "{ any { { a = is \"x\" }, { b = has { \"y\", \"z\" } } } }"),
      (.not(.all([a, b])), "{ not_ { a = is \"x\", b = has { \"y\", \"z\" } } }"),
      (.not(a), "{ a = not_(is \"x\") }"),
      (.all([a, .not(a)]), "{ a = all { is \"x\", not_(is \"x\") } }"),
      (
        .all([a, b, .not(a)]),
        "{ a = is \"x\", b = has { \"y\", \"z\" }, { a = not_(is \"x\") } }"
      ),
      (.any([a, .not(a)]), "{ a = any { is \"x\", not_(is \"x\") } }"),
      (
        .all([b, .any([a, b])]),
        "{ b = has { \"y\", \"z\" }, any { { a = is \"x\" }, { b = has { \"y\", \"z\" } } } }"
      ),
    ]
    for (condition, expected) in cases { #expect(condition.description == expected) }
  }

  @Test("a test prints its word and operands as Lua")
  func tests() {
    let cases: [(StarlingModel.Test, String)] = [
      (.is([5]), "is(5)"), (.is([5.0]), "is(5.0)"),
      (.is([true, "a\"\\\n\u{1}b"]), "is { true, \"a\\\"\\\\\\n\\001b\" }"),
      (.between(1, "2万"), "between(1, \"2万\")"), (.missing, "missing"),
      (.word(["x"]), "word \"x\""),
      (.since(.ago(604_800)), "since \"7d\""), (.before(.ago(5400)), "before \"90m\""),
      (.since(.at(Timestamp(secondsSinceEpoch: 0))), "since \"1970-01-01T00:00:00Z\""),
      (.since(.ago(0)), "since \"0s\""), (.atLeast(.integer(.min)), "at_least(math.mininteger)"),
      (.atMost(-2.5), "at_most(-2.5)"),
    ]
    for (test, expected) in cases { #expect(test.description == expected) }
  }

  @Test(
    "a duration is a whole number and a unit",
    arguments: [
      ("7d", 604_800), ("90m", 5400), ("2w", 1_209_600), ("1y", 31_536_000), ("0s", 0),
      ("24h", 86_400),
    ] as [(String, Int64)])
  func durations(_ text: String, seconds: Int64) {
    #expect(Moment(parsing: text) == .ago(seconds))
  }

  @Test("what is no duration is a time or nothing")
  func moments() {
    #expect(Moment(parsing: "1970-01-02") == .at(Timestamp(secondsSinceEpoch: 86_400)))
    for text in ["", "d", "-7d", "+7d", "7", "7x", "1.5d", "9223372036854775807y"] {
      #expect(Moment.seconds(parsing: text) == nil)
    }
  }
}
