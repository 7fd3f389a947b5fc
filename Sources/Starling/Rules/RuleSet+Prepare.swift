package import StarlingModel

extension RuleSet {
  /// Checks the rules against the kinds and makes them ready.
  ///
  /// A rule with `kind` is asked of those kinds; one without of each kind that has all fields that
  /// it names. Call it before `evaluate`, and again for other kinds or for another time.
  ///
  /// - Parameters:
  ///   - kinds: those of the store, whose slots the records have.
  ///   - now: what `since "7d"` counts from.
  /// - Throws: every kind and field that is unknown and every condition that cannot be asked, with
  ///   its line; the rules are then as they were before.
  package func prepare(for kinds: [Kind], now: Timestamp) throws(RulesError) {
    var plans = kinds.map(RulePlan.init)
    var faults: [RuleFault] = []
    var warnings: [RuleFault] = []
    for (index, definition) in definitions.enumerated() {
      var check = RuleCheck(definition: definition, kinds: kinds, now: now)
      check.run()
      let known = Set(check.matchers.flatMap { kinds[$0.kind].fields.map(\.name) })
      for (kind, matcher) in check.matchers {
        plans[kind].append(
          definition, at: index, matcher: matcher,
          known: definition.function == nil ? [] : known)
      }
      faults += check.faults
      warnings += check.warnings
    }
    guard faults.isEmpty else { throw RulesError(faults) }
    self.plans = plans
    self.warnings = warnings
  }
}
