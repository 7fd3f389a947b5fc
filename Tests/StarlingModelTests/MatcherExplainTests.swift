import StarlingModel
import Testing

@Suite struct MatcherExplainTests {
  private func explain(_ condition: Condition, _ entity: Entity = MatcherTests.car) throws
    -> [String]
  {
    let matcher = try Matcher(condition, kind: MatcherTests.kind, now: MatcherTests.now)
    var record = EntityRecord()
    record.fill(from: entity, kind: MatcherTests.kind)
    return matcher.explain(record).map {
      "\($0.field) | \($0.condition) | \($0.value) | \($0.verdict)"
    }
  }

  @Test("each clause says its field, condition, value and verdict, as people read them")
  func clauses() throws {
    let condition = Condition.all([
      .test(field: "energy", .is(["EV"])), .test(field: "price", .below("20万")),
      .test(field: "published", .since(.ago(604_800))), .test(field: "seats", .above(6)),
      .test(field: "tags_seen", .has(["x", "长续航"])), .not(.test(field: "name", .word(["X"]))),
    ])
    #expect(
      try explain(condition) == [
        "energy | is \"EV\" | EV | held",
        "price | below \"20万\" | 16.59-25.13万 | held",
        "published | since \"7d\" | 2027-01-14T04:13:20Z | held",
        "seats | above(6) | 5 | failed",
        "tags_seen | has { \"x\", \"长续航\" } | Family, 长续航 | held",
        "name | not_(word \"X\") | Model Ü 电池 Pro | held",
      ])
    #expect(
      try explain(condition, MatcherTests.blank)[1...3] == [
        "price | below \"20万\" |  | cannotCompare",
        "published | since \"7d\" |  | cannotCompare", "seats | above(6) |  | cannotCompare",
      ])
  }

  @Test("any over several fields gives the alternative that held, or all when none did")
  func alternatives() throws {
    let cheap = Condition.all([
      .test(field: "price", .below("10万")), .test(field: "seats", .is([5])),
    ])
    let electric = Condition.test(field: "electric", .is([true]))
    let never = Condition.test(field: "name", .is(["x"]))
    #expect(try explain(.any([cheap, electric])) == ["electric | is(true) | true | held"])
    #expect(
      try explain(.any([cheap, never])) == [
        "price | below \"10万\" | 16.59-25.13万 | failed", "seats | is(5) | 5 | held",
        "name | is \"x\" | Model Ü 电池 Pro | failed",
      ])
    #expect(
      try explain(.not(cheap)) == [
        "price, seats | not_ { price = below \"10万\", seats = is(5) } | 16.59-25.13万, 5 | held"
      ])
  }

  @Test("any and all of one field are one clause")
  func oneField() throws {
    let condition = Condition.any([
      .test(field: "name", .has(["zzz"])),
      .all([.test(field: "name", .has(["model"])), .test(field: "name", .has(["pro"]))]),
    ])
    #expect(
      try explain(condition) == [
        "name | any { has \"zzz\", all { has \"model\", has \"pro\" } } | Model Ü 电池 Pro | held"
      ])
  }

  @Test("a long text is cut to what surrounds the find")
  func excerpt() throws {
    let long =
      String(repeating: "前 Ⱥ ", count: 200) + "NEEDLE" + String(repeating: " 后", count: 300)
    var entity = MatcherTests.car
    entity["name"] = .text(long)
    let matcher = try Matcher(
      .test(field: "name", .has(["needle"])), kind: MatcherTests.kind, now: MatcherTests.now)
    var record = EntityRecord()
    record.fill(from: entity, kind: MatcherTests.kind)
    let value = try #require(matcher.explain(record).first?.value)
    #expect(value.contains("NEEDLE"))
    #expect(value.utf8.count <= 246)
    #expect(value.hasPrefix("…"))
    #expect(value.hasSuffix("…"))
    #expect(!value.contains("\u{FFFD}"))
  }
}
