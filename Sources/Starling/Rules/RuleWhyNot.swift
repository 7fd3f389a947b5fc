import StarlingFavorites
import StarlingModel

/// Why a rule does not star an entity, clause by clause.
public struct RuleWhyNot: Sendable {
  /// What one clause of the rule met.
  public struct Clause: Sendable {
    public enum Outcome: String, Sendable {
      case held
      case failed
      /// It met an absent value or a price without an amount.
      case cannotCompare = "cannot compare"
    }

    public var field: String
    /// As the rule says it: `below "20万"`; what a `when` function gave as its reason.
    public var condition: String
    /// As people read it; empty when absent.
    public var value: String
    public var outcome: Outcome
  }

  public enum Answer: Sendable {
    /// The rule holds.
    case matches
    /// The rule is for other kinds.
    case otherKind([String]?)
    /// Its conditions do not all hold.
    case fails
    /// Its conditions hold, and its `when` function says no.
    case saysNo
    /// Its conditions hold, and its `when` function raised an error.
    case raises(RuleFault)
  }

  public var rule: Rule
  public var answer: Answer
  /// In the order of the rule, those that held too.
  public var clauses: [Clause]
  /// The rule whose `skip` or `stop` keeps the entity from coming this far.
  public var shadowedBy: String?
  public var isFavorite: Bool
  /// Whether the user said no to the entity.
  public var isRefused: Bool
}

extension RuleSet {
  /// - Throws: when the rule or the entity is unknown, and when a `when` function was stopped.
  func whyNot(
    rule name: String, kind: String, key: String, in store: FavoritesStore
  ) throws(HostError) -> RuleWhyNot {
    guard let place = rules.firstIndex(where: { $0.name == name }) else {
      let nearest = Spelling.nearest(to: name, among: rules.map(\.name))
      throw HostError(
        .host,
        "no rule \"\(name)\"" + (nearest.map { "; did you mean \"\($0)\"?" } ?? ""),
        subject: file)
    }
    let (entity, isFavorite, isRefused) = try RuleSet.look(kind, key, store)
    guard let storedKind = store.kinds.first(where: { $0.name == kind }) else {
      throw HostError(.host, "no kind \"\(kind)\"")
    }
    var record = EntityRecord()
    record.fill(from: entity, kind: storedKind)
    begin()
    var outcome = RuleOutcome()
    try evaluate(record, kind: storedKind, into: &outcome)
    var whyNot = RuleWhyNot(
      rule: rules[place], answer: .otherKind(rules[place].kinds), clauses: [], shadowedBy: nil,
      isFavorite: isFavorite, isRefused: isRefused)
    if let ended = outcome.endedBy, ended < place { whyNot.shadowedBy = rules[ended].name }
    let plan = try plan(for: storedKind)
    if let index = plans[plan].steps.firstIndex(where: { $0.rule == place }) {
      whyNot.explain(
        try judge(index, ofPlan: plan, record),
        plans[plan].matchers[index]?.explain(record, &cache) ?? [])
    }
    return whyNot
  }

  private static func look(
    _ kind: String, _ key: String, _ store: FavoritesStore
  ) throws(HostError) -> (Entity, isFavorite: Bool, isRefused: Bool) {
    do throws(FavoritesError) {
      guard let entity = try store.entity(kind: kind, key: key) else {
        throw FavoritesError.notFound("\(kind) \"\(key)\" in the database")
      }
      return (
        entity, try store.contains(kind: kind, key: entity.key),
        try store.isRefused(kind: kind, key: entity.key)
      )
    } catch {
      throw HostError(.database, error.description, cause: error)
    }
  }
}

extension RuleWhyNot {
  fileprivate mutating func explain(_ judgement: RuleJudgement, _ outcomes: [ClauseOutcome]) {
    clauses = outcomes.map { outcome in
      Clause(
        field: outcome.field, condition: outcome.condition, value: outcome.value,
        outcome: outcome.verdict == .held
          ? .held : outcome.verdict == .failed ? .failed : .cannotCompare)
    }
    switch judgement {
    case .matches(let star):
      answer = .matches
      add(star.evidence.dropFirst(outcomes.count), .held)
    case .fails, .cannotCompare: answer = .fails
    case .saysNo(let evidence):
      answer = .saysNo
      add(evidence[...], .failed)
    case .raises(let fault): answer = .raises(fault)
    }
  }

  private mutating func add(_ evidence: ArraySlice<Evidence>, _ outcome: Clause.Outcome) {
    clauses += evidence.map {
      Clause(field: $0.field, condition: $0.condition, value: $0.value, outcome: outcome)
    }
  }
}
