import StarlingModel
import Testing

@Suite struct ConditionErrorTests {
  private func message(_ field: String, _ test: StarlingModel.Test) -> String? {
    do {
      _ = try Matcher(
        .test(field: field, test), kind: MatcherTests.kind, now: MatcherTests.now)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("a condition that cannot be asked says which field and word, and what was expected")
  func messages() {
    let cases: [(String, StarlingModel.Test, String)] = [
      ("nmae", .has(["x"]), "unknown field \"nmae\" of kind \"car_type\"; did you mean \"name\"?"),
      ("battery", .missing, "unknown field \"battery\" of kind \"car_type\""),
      ("name", .above(5), "field \"name\" is text: above compares numbers, prices and times"),
      (
        "seats", .has(["5"]),
        "field \"seats\" is integer: has asks a text, a url, a list or a price"
      ),
      ("seats", .since(.ago(5)), "field \"seats\" is integer: since asks a time"),
      ("seats", .above("5"), "field \"seats\": above needs a number, not \"5\""),
      (
        "price", .below("cheap"),
        "field \"price\": below needs an amount such as 200000 or \"20万\", not \"cheap\""
      ),
      (
        "price", .below("暂无报价"),
        "field \"price\": below needs an amount such as 200000 or \"20万\", not \"暂无报价\""
      ),
      (
        "published", .above("soon"),
        "field \"published\": above needs a time such as \"2026-11-30\", not \"soon\""
      ),
      ("electric", .is(["yes"]), "field \"electric\": is needs true or false, not \"yes\""),
      ("name", .is([true]), "field \"name\": is needs a text, not true"),
      (
        "name", .has([""]),
        "field \"name\": has has an empty text or list, which would hold always or never"
      ),
      (
        "name", .is([]),
        "field \"name\": is has an empty text or list, which would hold always or never; "
          + "say missing for an absent value"
      ),
      ("range", .above(.real(.nan)), "field \"range\": above needs a number, not nan"),
    ]
    for (field, test, expected) in cases { #expect(message(field, test) == expected) }
  }

  @Test("conditions nest to a stated depth and no deeper")
  func depth() throws {
    func nested(_ depth: Int) -> Condition {
      (0..<depth).reduce(.test(field: "name", .missing)) { inner, _ in .not(inner) }
    }
    _ = try Matcher(nested(50), kind: MatcherTests.kind, now: MatcherTests.now)
    #expect(throws: ConditionError.tooDeep) {
      try Matcher(nested(51), kind: MatcherTests.kind, now: MatcherTests.now)
    }
  }
}
