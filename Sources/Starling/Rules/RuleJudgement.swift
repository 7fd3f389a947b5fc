import StarlingFavorites
import StarlingModel

/// What one rule says of one entity, with its reasons.
enum RuleJudgement {
  case matches(RuleStar)
  /// Each clause, those that held too.
  case fails([ClauseOutcome])
  /// A comparison met an absent value or a price without an amount, and nothing else failed.
  case cannotCompare([ClauseOutcome])
  /// The conditions hold, and the `when` function says no.
  case saysNo([Evidence])
  /// The conditions hold, and the `when` function raised an error.
  case raises(RuleFault)
}

extension RuleSet {
  /// Asks one rule by itself, whatever rules before it do.
  ///
  /// - Parameter index: the rule's place in the plan of the kind.
  func judge(
    _ index: Int, ofPlan plan: Int, _ record: borrowing EntityRecord
  ) throws(HostError) -> RuleJudgement {
    let step = plans[plan].steps[index]
    let matcher = plans[plan].matchers[index]
    switch try verdict(index, ofPlan: plan, record) {
    case .held: break
    case .failed: return .fails(matcher?.explain(record, &cache) ?? [])
    case .cannotCompare: return .cannotCompare(matcher?.explain(record, &cache) ?? [])
    }
    guard let function = step.function else {
      return .matches(star(step, matcher, record, []))
    }
    switch try ask(function, of: step, record, plans[plan].kind) {
    case .yes(let evidence): return .matches(star(step, matcher, record, evidence))
    case .no(let evidence): return .saysNo(evidence)
    case .failed(let fault): return .raises(fault)
    }
  }
}
