/// The answer of a condition for an entity.
package enum Verdict: UInt8, Sendable {
  case held
  case failed
  /// An absent value or a price without an amount met a comparison: no match, also under `not_`.
  case cannotCompare
}

/// What one clause of a condition met in an entity: evidence where it held, a reason where not.
package struct ClauseOutcome: Hashable, Sendable {
  /// The field that was asked; several joined by `, ` where a clause asks several.
  package var field: String
  /// As the rule says it: `below "20万"`.
  package var condition: String
  /// As people read it, long texts cut to the surroundings of what was found; empty when absent.
  package var value: String
  package var verdict: Verdict

  package init(field: String, condition: String, value: String, verdict: Verdict) {
    self.field = field
    self.condition = condition
    self.value = value
    self.verdict = verdict
  }

  package var evidence: Evidence {
    Evidence(shortened: field, value: value, condition: condition)
  }
}
