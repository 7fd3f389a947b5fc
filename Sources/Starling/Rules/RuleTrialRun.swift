import StarlingFavorites
import StarlingModel

/// Asks the rules about everything that is stored, and notes what would change.
struct RuleTrialRun {
  let rules: RuleSet
  let store: FavoritesStore
  /// Only entities that were seen since; nil for all.
  let since: Timestamp?
  /// Entries to keep for each change.
  let limit: Int
  private(set) var trial = RuleTrial()
  private var record = EntityRecord()
  private var outcome = RuleOutcome()
  private var matches: [Int]

  init(rules: RuleSet, store: FavoritesStore, since: Timestamp?, limit: Int) {
    self.rules = rules
    self.store = store
    self.since = since
    self.limit = limit
    matches = Array(repeating: 0, count: rules.rules.count)
  }

  /// - Throws: when a `when` function was stopped, or the store cannot be read.
  mutating func run() throws(HostError) {
    rules.begin()
    for kind in store.kinds {
      try RuleScan.forEachRow(of: kind, in: store, since: since) { row throws(HostError) in
        try take(row)
        return true
      }
    }
    trial.failures = rules.failures
    trial.matches = zip(rules.rules, matches).map { ($0.name, $1) }
  }

  private mutating func take(_ row: EntityRow) throws(HostError) {
    trial.entities += 1
    row.fill(&record)
    try rules.evaluate(record, kind: row.kind, into: &outcome)
    do throws(FavoritesError) {
      try noteStars(row)
      try noteCauses(row)
    } catch {
      throw HostError(.database, error.description, cause: error)
    }
    try noteOthers(row)
  }

  private mutating func noteStars(_ row: EntityRow) throws(FavoritesError) {
    guard !outcome.stars.isEmpty else { return }
    var change = RuleTrial.Change.already
    if row.starredAt == nil {
      let key = record.string(record.key)
      change = try store.isRefused(kind: row.kind.name, key: key) ? .refused : .starred
    }
    note(change, row, outcome.stars.map(\.rule), outcome.stars[0].evidence)
  }

  /// The causes that the rules would not give again.
  private mutating func noteCauses(_ row: EntityRow) throws(FavoritesError) {
    guard row.starredAt != nil else { return }
    let causes = try row.causes()
    let given = Set(outcome.stars.map(\.rule))
    let gone = causes.filter { cause in
      if case .rule(let name, _) = cause.origin { !given.contains(name) } else { false }
    }
    guard let first = gone.first else { return }
    let names = gone.compactMap { cause in
      if case .rule(let name, _) = cause.origin { name } else { nil }
    }
    note(.noLonger, row, names, first.evidence, stays: gone.count < causes.count)
  }

  /// Rules that did not come to their turn, and rules that could not compare.
  private mutating func noteOthers(_ row: EntityRow) throws(HostError) {
    let plan = try rules.plan(for: row.kind)
    let ended = outcome.endedBy
    for index in rules.plans[plan].steps.indices {
      let place = rules.plans[plan].steps[index].rule
      let rule = rules.rules[place]
      let isLate = ended.map { place > $0 } ?? false
      if !isLate, rules.plans[plan].steps[index].function != nil {
        // It was asked in its turn; asking again would count its errors twice.
        if outcome.stars.contains(where: { $0.rule == rule.name }) { matches[place] += 1 }
        continue
      }
      switch try rules.judge(index, ofPlan: plan, record) {
      case .matches(let star) where isLate:
        note(
          .shadowed, row, [rule.name], star.evidence, shadowedBy: ended.map { rules.rules[$0].name }
        )
      case .matches: matches[place] += 1
      case .cannotCompare(let clauses):
        let met = clauses.filter { $0.verdict == .cannotCompare }
        note(.cannotCompare, row, [rule.name], met.map(\.evidence))
      case .fails, .saysNo, .raises: break
      }
    }
  }

  private mutating func note(
    _ change: RuleTrial.Change, _ row: EntityRow, _ rules: [String], _ evidence: [Evidence],
    shadowedBy: String? = nil, stays: Bool = true
  ) {
    trial.add(
      RuleTrial.Entry(
        change: change, kind: row.kind.name, key: record.string(record.key),
        title: record.title(row.kind), rules: rules, evidence: evidence,
        shadowedBy: shadowedBy, stays: stays),
      limit: limit)
  }
}
