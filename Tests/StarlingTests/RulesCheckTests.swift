import StarlingModel
import Testing

@testable import Starling

@Suite struct RulesCheckTests {
  @Test(
    "what is wrong with a rule is said with file, line and the nearest right spelling",
    arguments: [
      (
        "\nrule \"A\" { kind = \"news\",\n  titel = has \"x\", star }",
        "conf/rules.lua:3: rule \"A\": unknown field \"titel\" of kind \"news\"; did you mean \"title\"?"
      ),
      (
        "rule \"A\" {\n title = has \"x\",\n prise = below \"20万\", star }",
        "conf/rules.lua:3: rule \"A\": no kind has a field \"prise\"; did you mean \"price\"?"
      ),
      (
        "rule \"A\" {\n knd = \"news\", star }",
        "conf/rules.lua:2: rule \"A\": no kind has a field \"knd\"; did you mean \"kind\"?"
      ),
      (
        "rule \"A\" {\n kind = \"new\", star }",
        "conf/rules.lua:2: rule \"A\": unknown kind \"new\"; did you mean \"news\"?"
      ),
      (
        "rule \"A\" { kind = \"car_type\",\n price = below \"cheap\", star }",
        "conf/rules.lua:2: rule \"A\": field \"price\": below needs an amount such as 200000 or \"20万\", not \"cheap\""
      ),
      (
        "rule \"A\" { kind = \"news\",\n published = since \"soonish\", star }",
        "conf/rules.lua:2: rule \"A\": field \"published\": `since` needs a time such as \"7d\" (ago) or \"2026-11-30\", not \"soonish\""
      ),
      (
        "rule \"A\" { kind = \"news\",\n title = has(5), star }",
        "conf/rules.lua:2: rule \"A\": field \"title\": `has` looks for text, not 5; put it in quotes"
      ),
      (
        "rule \"A\" { kind = \"post\", likes = has \"5\", star }",
        "conf/rules.lua:1: rule \"A\": field \"likes\" is integer: has asks a text, a url, a list or a price"
      ),
      (
        "rule \"A\" { kind = \"news\", title = has \"x\" }",
        "conf/rules.lua:1: rule \"A\": it does nothing; give it an action, such as star"
      ),
      (
        "rule \"A\" { star }",
        "conf/rules.lua:1: rule \"A\": it asks nothing and would match everything; give it a kind or a condition"
      ),
      (
        "rule \"A\" { kind = \"news\",\n\n\"star\" }",
        "conf/rules.lua:3: rule \"A\": a string is no action; the actions are star, tag, skip, stop"
      ),
      (
        "rule \"A\" { kind = \"news\", star,\n tag }",
        "conf/rules.lua:2: rule \"A\": `tag` needs a text, as in tag \"later\""
      ),
      (
        "rule \"A\" { kind = \"news\", star,\n has \"x\" }",
        "conf/rules.lua:2: rule \"A\": `has` asks no field; write `field = has`"
      ),
      (
        "rule \"A\" { kind = \"news\", star,\n missing }",
        "conf/rules.lua:2: rule \"A\": `missing` asks no field; write `field = missing`"
      ),
      (
        "rule \"A\" { kind = \"news\", star,\n notify }",
        "conf/rules.lua:2: rule \"A\": `notify` does not exist yet; take it out"
      ),
      (
        "rule \"A\" { kind = \"news\", star,\n notify \"me\" }",
        "conf/rules.lua:2: 'notify' does not exist yet; take it out"
      ),
      (
        "rule \"A\" { kind = \"news\",\n when = \"title\", star }",
        "conf/rules.lua:2: rule \"A\": `when` is a function, not a string"
      ),
      (
        "rule \"A\" { kind = \"news\", star }\n\nrule \"A\" { kind = \"post\", star }",
        "conf/rules.lua:3: rule \"A\": the rule on line 1 has the same name"
      ),
      (
        "rule \"A\" {\n kind = }",
        "conf/rules.lua:2: unexpected symbol near '}'"
      ),
      (
        "local r = rule \"A\"",
        "conf/rules.lua:1: rule \"A\": it has no table; write rule \"A\" { ... }"
      ),
      (
        "rule \"\" { kind = \"news\", star }",
        "conf/rules.lua:1: a rule needs a name"
      ),
      (
        "rule \"A\" { kind = 5, star }",
        "conf/rules.lua:1: rule \"A\": `kind` is the name of a kind or a list of names"
      ),
      (
        "rule \"A\" { kind = { \"news\", \"post\" },\n likes = above(5), star }",
        "conf/rules.lua:2: rule \"A\": unknown field \"likes\" of kind \"news\"; there are link, title, author, categories, published"
      ),
      (
        "rule \"A\" { likes = 5,\n price = below(3), star }",
        "conf/rules.lua:1: rule \"A\": no kind has all of \"likes\", \"price\""
      ),
    ])
  func fault(source: String, line: String) throws {
    #expect(try RulesSupport.faults(source) == [line])
  }

  @Test("a rule's name and its tags are as long as a history can hold for each favorite")
  func lengths() throws {
    let names = try RulesSupport.faults(
      "rule(('n'):rep(256)) { title = has 'x', star } rule(('m'):rep(4e6)) { title = has 'x', star }"
    )
    #expect(names.count == 1)
    #expect(names.first?.contains("the name has 4000000 bytes; at most 256 can be kept") == true)
    #expect((names.first ?? "").utf8.count < 400)
    let tags = try RulesSupport.faults(
      """
      local t = {} for i = 1, 1e5 do t[i] = 't' .. i end
      rule "many" { title = has 'x', star, tag(t) }
      rule "long" { title = has 'x', star, tag(('t'):rep(257)) }
      """)
    #expect(tags.count == 2)
    #expect(tags.first?.contains("100000 tags at once; at most 100 can be given") == true)
    #expect(tags.last?.contains("a tag has 257 bytes; at most 256 can be kept") == true)
  }

  @Test("what a cause keeps of a long text is its beginning")
  func evidence() throws {
    let text = String(repeating: "好", count: 200_000)
    for rule in [
      "rule 'r' { title = not_(has(('x'):rep(4e6))), star }",
      "rule 'r' { when = function(e) return e.title, ('r'):rep(4e6) end, star }",
    ] {
      let rules = try RulesSupport.prepared(rule)
      let outcome = try RulesSupport.outcome(rules, RulesSupport.news, ["title": .text(text)])
      let evidence = try #require(outcome.stars.first?.evidence.first)
      #expect(evidence.condition.utf8.count <= Evidence.longest + 3)
      #expect(evidence.value.utf8.count <= Evidence.longest + 3)
      #expect(evidence.condition.hasSuffix("…"))
    }
  }

  @Test("a field that is nil or stands twice is an error, as Lua leaves it out in silence")
  func dropped() throws {
    let faults = try RulesSupport.faults(
      """
      local words = {}
      rule "Nil" {
        kind = "news",
        title = words.none, star,
      }
      rule "Twice" { kind = "news", title = has "a",
        title = has "b", star }
      rule "Hole" { kind = "news", words.none, star, words.none }
      rule "Bracket" { kind = "news", ["title"] = words.none, star }
      rule "When" { kind = "news", when = words.none, star }
      """)
    #expect(
      faults == [
        "conf/rules.lua:4: rule \"Nil\": the value of `title` is nil, so it would not be asked",
        "conf/rules.lua:7: rule \"Twice\": `title` stands twice; join what it asks with `all` or `any`",
        "conf/rules.lua:8: rule \"Hole\": `words` is nil, so it would do nothing",
        "conf/rules.lua:8: rule \"Hole\": `words` is nil, so it would do nothing",
        "conf/rules.lua:9: rule \"Bracket\": the value of `title` is nil, so it would not be asked",
        "conf/rules.lua:10: rule \"When\": the value of `when` is nil, so it would not be asked",
      ])
  }

  @Test("all that is wrong in a file is said together, in the order of lines")
  func together() throws {
    let faults = try RulesSupport.faults(
      """
      rule "A" { kind = "news",
        title = has(1), author = has(2),
        "x" }
      rule "B" { kind = "news", star }
      rule "C" { kind = "news", star, stop, 5 }
      """)
    #expect(
      faults.map { String($0.prefix(17)) } == [
        "conf/rules.lua:2:", "conf/rules.lua:2:", "conf/rules.lua:3:", "conf/rules.lua:5:",
      ])
    let fields = try RulesSupport.faults(
      "rule \"A\" { kind = \"news\", titel = \"x\", autor = \"y\",\n any{ { titles = \"z\" } }, star }"
    )
    #expect(fields.count == 3)
    #expect(fields.last?.hasPrefix("conf/rules.lua:2:") == true)
  }

  @Test("rules before an error of Lua are checked against the kinds too")
  func luaErrorAndFields() throws {
    var loader = RuleLoader(clock: { RulesSupport.now })
    loader.kinds = RulesSupport.kinds
    let source =
      "rule \"A\" { kind = \"news\", titel = \"x\", star }\nrule \"B\" { title = hass \"x\" }"
    let error = #expect(throws: RulesError.self) {
      try loader.load(source: Array(source.utf8), file: "rules.lua")
    }
    #expect(
      error?.description == """
        rules.lua:1: rule "A": unknown field "titel" of kind "news"; did you mean "title"?
        rules.lua:2: undefined global 'hass'; did you mean 'has'?
        """)
  }

  @Test("what ends one rule hides nothing of those after it")
  func allFaults() throws {
    let faults = try RulesSupport.faults(
      """
      rule "A" { kind = "news", skp }
      rule "B" { kind = "news",
        title = has(), star }
      rule "C" { kind = "news", title = has "x", star }
      rule "D" { kind = "news", title = has "y", star }
      for _, word in ipairs { "x", "y" } do
        rule(word) { kind = "news", title = hass(word), star }
      end
      rule "E" { kind = "news" }
      """)
    #expect(faults.map { Int($0.split(separator: ":")[1]) } == [1, 3, 7, 9])
  }

  @Test("an error of Lua has its line, and rules before it are still checked")
  func luaError() throws {
    let faults = try RulesSupport.faults(
      "rule \"A\" { kind = \"news\" }\nlocal x = nil\nprint2(x)")
    #expect(faults.count == 2)
    #expect(faults.first?.contains("it does nothing") == true)
    #expect(faults.last?.hasPrefix("conf/rules.lua:3:") == true)
  }

  @Test("a file that runs for ever ends in its time and is an error")
  func endless() throws {
    let limits = Limits(time: .milliseconds(50))
    let error = #expect(throws: RulesError.self) {
      try RulesSupport.rules("while true do pcall(error) end", limits: limits)
    }
    #expect(error?.description == "conf/rules.lua:1: stopped: its time was over")
  }

  @Test("a rule without a kind warns of a kind that it cannot ask")
  func warning() throws {
    let shop = Kind(
      name: "shop", key: .auto, fields: [Field("price", .text)])
    let rules = try RulesSupport.rules("rule \"A\" {\n price = below(5), star }")
    try rules.prepare(for: RulesSupport.kinds + [shop], now: RulesSupport.now)
    #expect(
      rules.warnings.map(\.description) == [
        "conf/rules.lua:2: rule \"A\": field \"price\" is text: below compares numbers, prices and times (kind \"shop\")"
      ])
  }

  @Test("a fault that a rule has for every kind is said once, and for some kinds with their names")
  func everyKind() throws {
    let rule = "rule \"a\" { title = matches(\"(x\"), star }"
    #expect(
      try RulesSupport.faults(rule) == [
        "conf/rules.lua:1: rule \"a\": field \"title\": matches \"(x\": missing closing parenthesis, at byte 3"
      ])
    let kinds = ["a", "b", "c"].map { name in
      Kind(name: name, key: .auto, fields: [Field("price", name == "c" ? .money : .text)])
    }
    let rules = try RulesSupport.rules("rule \"A\" { price = below(5), star }")
    try rules.prepare(for: kinds, now: RulesSupport.now)
    #expect(rules.warnings.count == 1)
    #expect(rules.warnings.first?.message.hasSuffix("(kinds \"a\", \"b\")") == true)
  }

  @Test("rules may be made in a loop")
  func loop() throws {
    let rules = try RulesSupport.prepared(
      """
      for _, word in ipairs { "a", "b" } do
        rule("About " .. word) { kind = "news", title = has(word), star }
      end
      """)
    #expect(rules.rules.map(\.name) == ["About a", "About b"])
    #expect(rules.rules[1].location == SourceLocation(file: "conf/rules.lua", line: 2))
  }

  @Test("a byte order mark and a first line for the shell are no part of the text")
  func firstLine() throws {
    let rules = try RulesSupport.rules(
      "\u{FEFF}#!/usr/bin/env starling\nrule \"A\" { kind = \"news\", star }")
    #expect(rules.rules.first?.location.line == 2)
  }
}
