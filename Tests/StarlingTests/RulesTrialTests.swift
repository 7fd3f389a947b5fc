import StarlingFavorites
import StarlingModel
import Testing

@testable import Starling

@Suite struct RulesTrialTests {
  private let store: FavoritesStore

  init() throws {
    let model = KindModel.merging([
      (
        plugin: "test",
        declarations: RulesSupport.kinds.map { kind in
          KindDeclaration(kind.name, key: kind.key, fields: kind.fields, indexes: [])
        }
      )
    ]).model
    store = try FavoritesStore(
      .memory, model: model, options: StoreOptions(clock: { RulesSupport.now }))
  }

  /// Stores news as a feed would, each with its title as its link.
  private func load(_ titles: [String], rules: RuleSet? = nil) throws {
    let handle = try store.handle(kind: "news")
    let batch = try store.beginLoad(source: "test")
    var outcome = RuleOutcome()
    for title in titles {
      var record = EntityRecord()
      record.fill(
        from: Entity(
          kind: "news", key: title, values: ["link": .text(title), "title": .text(title)]),
        kind: handle.kind)
      try rules?.evaluate(record, kind: handle.kind, into: &outcome)
      try batch.add(handle, record, stars: outcome.stars)
    }
    _ = try batch.commit()
  }

  private func rules(_ source: String) throws -> RuleSet {
    let rules = try RulesSupport.rules(source)
    try rules.prepare(for: store.kinds, now: RulesSupport.now)
    rules.begin()
    return rules
  }

  private func trial(
    _ source: String, since: Timestamp? = nil, limit: Int = 100
  ) throws -> RuleTrial {
    var run = RuleTrialRun(rules: try rules(source), store: store, since: since, limit: limit)
    try run.run()
    return run.trial
  }

  private func lines(_ trial: RuleTrial) -> [String] {
    trial.entries.map { entry in
      "\(entry.change.mark) \(entry.key) \(entry.rules.joined(separator: "+"))"
        + (entry.shadowedBy.map { " by \($0)" } ?? "") + (entry.stays ? "" : " goes")
    }.sorted()
  }

  @Test("the trial shows what the rules would change, and writes nothing")
  func diff() throws {
    try load(
      ["old one", "hand"],
      rules: try rules(
        """
        rule "Old" { kind = "news", title = has "old", star }
        rule "Gone" { kind = "news", title = has "hand", star }
        """))
    try store.insert(Entity(kind: "news", key: "hand"))
    try load(["lua a", "lua b", "sponsored lua", "no lua"])
    _ = try store.delete(kind: "news", key: "no lua", refuse: true)
    let before = try store.history().count
    let trial = try trial(
      """
      rule "Sponsored" { title = has "sponsored", skip }
      rule "Old" { kind = "news", title = has "older", star }
      rule "Lua" { kind = "news", title = has "lua", star }
      rule "Hand" { kind = "news", title = "hand", star }
      """)
    #expect(
      lines(trial) == [
        "+ lua a Lua", "+ lua b Lua", "- hand Gone", "- old one Old goes", "= hand Hand",
        "x no lua Lua", "~ sponsored lua Lua by Sponsored",
      ])
    #expect(trial.counts[.starred] == 2)
    #expect(trial.entities == 6)
    #expect(trial.matches.map(\.count) == [1, 0, 3, 1])
    #expect(
      trial.entries.first { $0.change == .starred }?.evidence.first?.condition == "has \"lua\"")
    #expect(try store.history().count == before)
    #expect(try store.count(Query(kind: "news")) == 2)
  }

  @Test("a price without an amount is told from a price that is too high")
  func cannotCompare() throws {
    let handle = try store.handle(kind: "car_type")
    let batch = try store.beginLoad(source: "test")
    for (uid, price) in [("1", "暂无报价"), ("2", "30万"), ("3", "10万")] {
      var record = EntityRecord()
      let money = try #require(Money(parsing: price))
      record.fill(
        from: Entity(
          kind: "car_type", key: "s/\(uid)",
          values: ["site": "s", "uid": .text(uid), "name": .text(uid), "price": .money(money)]),
        kind: handle.kind)
      try batch.add(handle, record)
    }
    _ = try batch.commit()
    let source = "rule \"Cheap\" { kind = \"car_type\", price = below \"20万\", star }"
    let trial = try trial(source)
    #expect(lines(trial) == ["+ s/3 Cheap", "? s/1 Cheap"])
    #expect(trial.entries.first { $0.change == .cannotCompare }?.evidence.first?.value == "暂无报价")

    let rules = try rules(source)
    let high = try rules.whyNot(rule: "Cheap", kind: "car_type", key: "s/2", in: store)
    #expect(high.clauses.map(\.outcome) == [.failed])
    #expect(high.clauses.first?.value == "30万")
    #expect(high.clauses.first?.condition == "below \"20万\"")
    let none = try rules.whyNot(rule: "Cheap", kind: "car_type", key: "s/1", in: store)
    #expect(none.clauses.map(\.outcome) == [.cannotCompare])
  }

  @Test("only what was seen since counts, and only so many lines are kept")
  func bounds() throws {
    try load(["lua a", "lua b", "lua c"])
    let source = "rule \"Lua\" { kind = \"news\", title = has \"lua\", star }"
    let later = Timestamp(secondsSinceEpoch: RulesSupport.now.secondsSinceEpoch + 86_400 * 2)
    #expect(try trial(source, since: later).entities == 0)
    let some = try trial(source, since: RulesSupport.now, limit: 2)
    #expect(some.entries.count == 2)
    #expect(some.counts[.starred] == 3)
  }

  @Test("why not tells a rule of another kind, a shadow, a function's no, a function's error")
  func whyNot() throws {
    try load(["lua", "sponsored"])
    let rules = try rules(
      """
      rule "Sponsored" { kind = "news", title = has "sponsored", skip }
      rule "Posts" { kind = "post", star }
      rule "No" { kind = "news", star, when = function(n) return #n.title > 99, "long title" end }
      rule "Error" { kind = "news", star, when = function(n) return n.titel end }
      rule "All" { kind = "news", title = any { has "lua", has "sponsored" }, star }
      """)
    func ask(_ rule: String, _ key: String) throws -> RuleWhyNot {
      try rules.whyNot(rule: rule, kind: "news", key: key, in: store)
    }
    guard case .otherKind(["post"]) = try ask("Posts", "lua").answer else {
      Issue.record("a rule for posts")
      return
    }
    let no = try ask("No", "lua")
    guard case .saysNo = no.answer else {
      Issue.record("\(no)")
      return
    }
    #expect(no.clauses.map(\.condition) == ["long title"])
    #expect(no.clauses.map(\.value) == ["lua"])
    guard case .raises(let fault) = try ask("Error", "lua").answer else {
      Issue.record("an error")
      return
    }
    #expect(fault.location?.line == 4)
    let shadowed = try ask("All", "sponsored")
    #expect(shadowed.shadowedBy == "Sponsored")
    guard case .matches = shadowed.answer else {
      Issue.record("\(shadowed)")
      return
    }
    let unknown = #expect(throws: HostError.self) { try ask("Al", "lua") }
    #expect(unknown?.message == "no rule \"Al\"; did you mean \"All\"?")
    #expect(throws: HostError.self) { try ask("All", "never seen") }
  }

  @Test("applying gives the stars in one run that can be taken back, and no refusal is overridden")
  func apply() throws {
    try load(["lua a", "lua b", "lua no", "other"])
    _ = try store.delete(kind: "news", key: "lua no", refuse: true)
    try store.insert(Entity(kind: "news", key: "other"))
    let rules = try rules(
      """
      rule "Lua" { kind = "news", title = has "lua", star, tag "dev" }
      rule "Tag" { kind = "news", title = has "other", tag "seen" }
      """)
    var run = RuleApplicationRun(rules: rules, store: store, since: nil)
    let application = try run.run()
    #expect(application.entities == 4)
    #expect(application.starred == 2)
    #expect(application.refused == 1)
    #expect(try store.get(kind: "news", key: "lua a")?.tags == ["dev"])
    #expect(try store.get(kind: "news", key: "other")?.tags == ["seen"])
    #expect(try store.contains(kind: "news", key: "lua no") == false)
    var again = RuleApplicationRun(rules: rules, store: store, since: nil)
    #expect(try again.run().starred == 0)
    let id = try #require(application.run)
    _ = try store.undo(.run(id))
    #expect(try store.count(Query(kind: "news")) == 1)
  }

  @Test("a stop of a function takes back everything that was applied")
  func applyStopped() throws {
    try load(["lua a", "lua b"])
    let rules = try RulesSupport.rules(
      """
      rule "Lua" { kind = "news", title = has "lua a", star }
      rule "Loop" { kind = "news", title = has "lua b", when = function() while true do end end, star }
      """, limits: Limits(time: .milliseconds(30)))
    try rules.prepare(for: store.kinds, now: RulesSupport.now)
    let error = #expect(throws: HostError.self) {
      var run = RuleApplicationRun(rules: rules, store: store, since: nil)
      _ = try run.run()
    }
    #expect(error?.kind == .time)
    #expect(try store.count(Query(kind: "news")) == 0)
    #expect(try store.history().isEmpty)
  }

  @Test("the last good rules stand in for a broken file, and say so")
  func lastGood() throws {
    let path = "/tmp/starling-rules-\(UInt64.random(in: 0 ..< .max)).lua"
    defer { Fixture.remove(path) }
    let loader = RuleLoader(clock: { RulesSupport.now })
    let keeper = RuleKeeper(
      store: store, now: RulesSupport.now,
      read: { file throws(RulesError) in try loader.read(file) },
      parse: { source, file throws(RulesError) in try loader.load(source: source, file: file) })
    try Fixture.write("rule \"Broken\" { kind = \"news\" }", to: path)
    #expect(throws: RulesError.self) { try keeper.load(file: path) }
    try Fixture.write("rule \"Good\" { kind = \"news\", star }", to: path)
    #expect(try keeper.load(file: path).error == nil)
    try Fixture.write("rule \"Worse\" { kind = \"nws\", star }", to: path)
    let inForce = try keeper.load(file: path)
    #expect(inForce.rules.rules.map(\.name) == ["Good"])
    #expect(inForce.error?.faults.count == 1)
    #expect(throws: RulesError.self) { try keeper.load(file: path + ".none") }
  }
}
