import StarlingLua
import StarlingModel
import Testing

@testable import Starling

@Suite struct RulesConditionReaderTests {
  /// Reads the table that a Lua expression gives.
  private func read(_ expression: String) throws -> Condition {
    let state = try LuaState(.rules)
    let environment = ApiEnvironment(
      context: .rules, name: "test", clock: { Timestamp(secondsSinceEpoch: 0) }, log: { _ in })
    try ApiRegistry.install(into: state, environment: environment)
    let chunk = try state.load("return " + expression, name: "test")
    return try state.call(chunk) { results throws(LuaError) in
      try ConditionReader.read(results[1])
    }
  }

  private func message(_ expression: String) throws -> String {
    let error = #expect(throws: LuaError.self) { try read(expression) }
    return error?.description ?? ""
  }

  @Test("a plain value and a plain list mean is")
  func plainValues() throws {
    #expect(try read("{ energy = 'EV' }") == .test(field: "energy", .is(["EV"])))
    #expect(try read("{ likes = { 1, 2 } }") == .test(field: "likes", .is([1, 2])))
    #expect(try read("{ hot = true }") == .test(field: "hot", .is([true])))
    #expect(try read("{ energy = is 'EV' }") == .test(field: "energy", .is(["EV"])))
  }

  @Test("each word takes one value, several, or a list of them")
  func words() throws {
    #expect(try read("{ t = has 'a' }") == .test(field: "t", .has(["a"])))
    #expect(try read("{ t = has('a', 'b') }") == .test(field: "t", .has(["a", "b"])))
    #expect(try read("{ t = word{ 'a', 'b' } }") == .test(field: "t", .word(["a", "b"])))
    #expect(try read("{ n = at_least(5) }") == .test(field: "n", .atLeast(5)))
    #expect(try read("{ n = at_most(2.5) }") == .test(field: "n", .atMost(2.5)))
    #expect(try read("{ p = above '20万' }") == .test(field: "p", .above("20万")))
    #expect(try read("{ p = below '20万' }") == .test(field: "p", .below("20万")))
    #expect(try read("{ n = between(1, 5) }") == .test(field: "n", .between(1, 5)))
    #expect(try read("{ n = between{ 1, 5 } }") == .test(field: "n", .between(1, 5)))
    #expect(try read("{ d = since '7d' }") == .test(field: "d", .since(.ago(604_800))))
    #expect(
      try read("{ d = before '2026-11-30' }")
        == .test(field: "d", .before(.at(Timestamp(secondsSinceEpoch: 1_795_996_800)))))
    #expect(try read("{ t = missing }") == .test(field: "t", .missing))
  }

  @Test("named keys are read in the order of their bytes")
  func order() throws {
    let condition = try read("{ b = 1, a = 2, c = 3, any{ z = 1, y = 2 } }")
    #expect(
      condition
        == .all([
          .test(field: "a", .is([2])), .test(field: "b", .is([1])), .test(field: "c", .is([3])),
          .any([.test(field: "y", .is([2])), .test(field: "z", .is([1]))]),
        ]))
  }

  @Test(
    "what a condition says of itself reads back as the same condition",
    arguments: [
      #"{ price = below "20万", published = since "7d" }"#,
      #"{ title = any { has "a", word "b" } }"#,
      #"{ title = not_(has "x") }"#,
      #"{ title = not_(is { "x", "y" }) }"#,
      #"{ likes = all { above(5), below(9) } }"#,
      #"{ any { { a = is(1) }, { b = is(2) } } }"#,
      #"{ a = is(1), not_ { b = is(1), c = missing } }"#,
      #"{ not_ { any { { a = is(1) }, { b = is(2) } } } }"#,
      #"{ a = between(1, 5), b = is(1), { a = has "x" } }"#,
      #"{ d = before "2026-11-30T00:00:00Z" }"#,
    ])
  func roundTrip(text: String) throws {
    let condition = try read(text)
    #expect(condition.description == text)
    #expect(try read(condition.description) == condition)
  }

  @Test(
    "a wrong operand is an error that names the field and what is wrong",
    arguments: [
      ("{ t = has(5) }", "field \"t\": `has` looks for text, not 5; put it in quotes"),
      ("{ t = has{} }", "field \"t\": the list is empty"),
      ("{ t = has{ 'a', x = 'b' } }", "not a table with names"),
      ("{ t = any{ has 'a', x = 1 } }", "not a table with names"),
      ("{ t = { has 'a', has 'b' } }", "join conditions with `any` or `all`"),
      ("{ d = since 'yesterdayish' }", "`since` needs a time such as \"7d\" (ago)"),
      ("{ n = between(1) }", "`between` takes two values, got 1"),
      ("{ n = above{ 1, 2 } }", "`above` takes one value, got 2"),
      ("{ n = 0/0 }", "not finite"),
      ("{ n = function() end }", "a value is expected, got function"),
      ("{ has 'a' }", "`has` asks no field; write `field = has`"),
      ("{ 'a' }", "a string is no condition"),
      ("{ t = star }", "`star` is an action and asks nothing"),
      ("{ any{} }", "`any` has no condition"),
      ("{ not_{} }", "`not_` has no condition"),
      ("{ t = has(nil) }", "test:1: bad argument #1 to 'has' (value expected, got nil)"),
      ("{ t = matches(5) }", "field \"t\": `matches` looks for text, not 5; put it in quotes"),
      ("5", "table of conditions expected, got number"),
    ])
  func refused(expression: String, why: String) throws {
    let text = try message(expression)
    #expect(text.contains(why), "\(text)")
  }

  @Test("conditions nested beyond the limit are refused, also a table that holds itself")
  func depth() throws {
    let deep =
      String(repeating: "not_(", count: 60) + "{ a = 1 }" + String(repeating: ")", count: 60)
    #expect(try message(deep).contains("deeper than 50"))
    let field = String(repeating: "not_(", count: 60) + "1" + String(repeating: ")", count: 60)
    #expect(try message("{ a = \(field) }").contains("deeper than 50"))
    #expect(
      try message("(function() local t = {}; t[1] = t; return t end)()").contains("deeper than 50"))
  }
}
