import StarlingFavorites
import StarlingModel
import StarlingTestSupport
import Testing

@testable import Starling

@Suite struct RulesEvaluateTests {
  @Test("a rule stars what matches and keeps what it saw")
  func star() throws {
    let rules = try RulesSupport.prepared(
      """
      rule "EV under 20万" {
        kind = "car_type", energy = is "EV", price = below "20万", star, tag "shortlist" }
      """)
    let price = try #require(Money(parsing: "16.59-25.13万"))
    let outcome = try RulesSupport.outcome(
      rules, RulesSupport.car, ["energy": "ev", "price": .money(price)])
    #expect(
      outcome.stars == [
        RuleStar(
          rule: "EV under 20万", version: rules.rules[0].version,
          evidence: [
            Evidence(field: "energy", value: "ev", condition: "is \"EV\""),
            Evidence(field: "price", value: "16.59-25.13万", condition: "below \"20万\""),
          ], tags: ["shortlist"])
      ])
    let none = try RulesSupport.outcome(rules, RulesSupport.car, ["energy": "EV"])
    #expect(none.stars.isEmpty)
  }

  @Test("skip and stop end the run; stars given before stay")
  func ends() throws {
    let rules = try RulesSupport.prepared(
      """
      rule "First" { kind = "news", title = has "lua", star }
      rule "Sponsored" { title = has{ "sponsored", "赞助" }, skip }
      rule "Enough" { kind = "news", title = has "enough", star, stop }
      rule "Rest" { kind = "news", star }
      """)
    func stars(_ title: String) throws -> ([String], Int?) {
      let outcome = try RulesSupport.outcome(rules, RulesSupport.news, ["title": .text(title)])
      return (outcome.stars.map(\.rule), outcome.endedBy)
    }
    #expect(try stars("About Lua") == (["First", "Rest"], nil))
    #expect(try stars("Sponsored: Lua") == (["First"], 1))
    #expect(try stars("赞助") == ([], 1))
    #expect(try stars("enough") == (["Enough"], 2))
  }

  @Test("a rule without a kind is asked of each kind with its fields")
  func unnamedKinds() throws {
    let rules = try RulesSupport.prepared("rule \"A\" { title = has \"x\", star }")
    #expect(try RulesSupport.outcome(rules, RulesSupport.news, ["title": "x"]).stars.count == 1)
    #expect(try RulesSupport.outcome(rules, RulesSupport.post, ["title": "x"]).stars.count == 1)
    #expect(try RulesSupport.outcome(rules, RulesSupport.car, ["name": "x"]).stars.isEmpty)
  }

  @Test("tags of a rule without a star go with a star of this run, else to a favorite")
  func tags() throws {
    let rules = try RulesSupport.prepared(
      """
      rule "Tag" { kind = "news", title = has "x", tag("a", "b") }
      rule "Star" { kind = "news", author = "me", star, tag{ "b", "c" } }
      """)
    let starred = try RulesSupport.outcome(
      rules, RulesSupport.news, ["title": "x", "author": "me"])
    #expect(starred.stars.map(\.tags) == [["b", "c", "a"]])
    #expect(starred.tags.isEmpty)
    let only = try RulesSupport.outcome(rules, RulesSupport.news, ["title": "x"])
    #expect(only.stars.isEmpty)
    #expect(only.tags.map(\.tags) == [["a", "b"]])
    #expect(only.tags.first?.rule == "Tag")
  }

  @Test("a function sees the fields as Lua values, and what it read is the evidence")
  func function() throws {
    let rules = try RulesSupport.prepared(
      """
      rule "My own words" { kind = "post",
        when = function(p) return p.likes > p.replies, "more likes than replies" end, star }
      """)
    let outcome = try RulesSupport.outcome(
      rules, RulesSupport.post, ["likes": 5, "replies": 3, "title": "x"])
    #expect(
      outcome.stars.first?.evidence == [
        Evidence(field: "likes", value: "5", condition: "more likes than replies"),
        Evidence(field: "replies", value: "3", condition: "more likes than replies"),
      ])
    #expect(
      try RulesSupport.outcome(rules, RulesSupport.post, ["likes": 1, "replies": 3]).stars.isEmpty)
    #expect(rules.failures.isEmpty)
  }

  @Test("money, lists and times come to a function as tables and integers, absent fields as nil")
  func values() throws {
    let rules = try RulesSupport.prepared(
      """
      rule "Car" { kind = "car_type", star, when = function(c)
        local names = {}
        for name in pairs(c) do names[#names + 1] = name end
        return c.price.low == 165900 and c.price.high == 251300 and c.price.text == "16.59-25.13万"
          and c.price.currency == "CNY" and c.energy == nil and c.kind == "car_type" and c.key == "k"
          and table.concat(names, ",") == "name,price" and type(c) == "table"
      end }
      rule "News" { kind = "news", star, when = function(n)
        return #n.categories == 2 and n.categories[2] == "b" and n.published == 1796040000
      end }
      """)
    let price = try #require(Money(parsing: "16.59-25.13万"))
    let car = try RulesSupport.outcome(
      rules, RulesSupport.car, ["name": "n", "price": .money(price)])
    #expect(car.stars.count == 1)
    let news = try RulesSupport.outcome(
      rules, RulesSupport.news,
      ["categories": .list(["a", "b"]), "published": .time(RulesSupport.now)])
    #expect(news.stars.count == 1)
    #expect(rules.failures == [])
  }

  @Test("a function is asked only when the conditions of its rule hold")
  func lazy() throws {
    let rules = try RulesSupport.prepared(
      "rule \"A\" { kind = \"post\", likes = above(5), when = function(p) error('x') end, star }")
    _ = try RulesSupport.outcome(rules, RulesSupport.post, ["likes": 1])
    #expect(rules.failures.isEmpty)
    _ = try RulesSupport.outcome(rules, RulesSupport.post, ["likes": 6])
    #expect(rules.failures.count == 1)
  }

  @Test("an error in a function is kept with its line and is no match; the next rule goes on")
  func failure() throws {
    let rules = try RulesSupport.prepared(
      """
      rule "A" { kind = "post", star, when = function(p)
        return p.likes > 5
      end }
      rule "B" { kind = "post", star, when = function(p) return p.like end }
      rule "C" { kind = "post", star }
      """)
    for _ in 0..<3 {
      let outcome = try RulesSupport.outcome(rules, RulesSupport.post, ["replies": 1])
      #expect(outcome.stars.map(\.rule) == ["C"])
    }
    #expect(rules.failures.map(\.count) == [3, 3])
    #expect(
      rules.failures[0].fault.description
        == "conf/rules.lua:2: rule \"A\": attempt to compare number with nil")
    #expect(
      rules.failures[1].fault.description
        == "conf/rules.lua:4: rule \"B\": unknown field \"like\" of kind \"post\"; did you mean \"likes\"?"
    )
    rules.begin()
    #expect(rules.failures.isEmpty)
  }

  @Test("an entity that a function keeps is of no use for the next one")
  func kept() throws {
    let rules = try RulesSupport.prepared(
      """
      local kept
      rule "A" { kind = "post", star, when = function(p)
        kept = kept or p
        return kept.likes == 1
      end }
      """)
    #expect(try RulesSupport.outcome(rules, RulesSupport.post, ["likes": 1]).stars.count == 1)
    #expect(try RulesSupport.outcome(rules, RulesSupport.post, ["likes": 1]).stars.isEmpty)
    #expect(rules.failures.count == 1)
  }

  @Test("the functions of a run share its time, and a stop ends the run")
  func time() throws {
    let rules = try RulesSupport.prepared(
      """
      rule "A" { kind = "post", star, when = function(p)
        while true do pcall(function() while true do end end) end
      end }
      """, limits: Limits(time: .milliseconds(50)))
    let time = ProcessorTime.spent {
      let error = #expect(throws: HostError.self) {
        try RulesSupport.outcome(rules, RulesSupport.post, ["likes": 1])
      }
      #expect(error?.kind == .time)
      #expect(
        error?.description == "conf/rules.lua:2: rule \"A\": stopped: its time was over")
    }
    #expect(time < .milliseconds(150))
    rules.begin()
    #expect(throws: HostError.self) {
      try RulesSupport.outcome(rules, RulesSupport.post, ["likes": 1])
    }
  }

  @Test("a function that takes too much memory ends the run")
  func memory() throws {
    let rules = try RulesSupport.prepared(
      """
      local all = {}
      rule "A" { kind = "post", star, when = function(p)
        for i = 1, 1e9 do all[i] = { i } end
      end }
      """, limits: Limits(memoryBytes: 4 << 20))
    let error = #expect(throws: HostError.self) {
      try RulesSupport.outcome(rules, RulesSupport.post, ["likes": 1])
    }
    #expect(error?.kind == .memory)
  }

  @Test("a kind that was not prepared is an error and not a silent no")
  func unprepared() throws {
    let rules = try RulesSupport.rules("rule \"A\" { kind = \"news\", star }")
    let error = #expect(throws: HostError.self) {
      try RulesSupport.outcome(rules, RulesSupport.news, ["title": "x"])
    }
    #expect(error?.message.contains("news") == true)
  }
}
