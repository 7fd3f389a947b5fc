import StarlingFavorites
import StarlingLua
package import StarlingModel

/// The rules of one file, from top to bottom.
///
/// `prepare` checks them against the kinds; then each entity is asked with `evaluate`. Declared
/// conditions never enter Lua; a `when` function does, and only when the conditions of its rule
/// hold. Synchronous and of one owner, like the Lua state behind it.
public final class RuleSet {
  /// The file as the user named it.
  public let file: String
  public let rules: [Rule]
  /// What the check found that does not keep the rules from being used: a kind that a rule without
  /// `kind` cannot ask.
  public internal(set) var warnings: [RuleFault] = []
  /// The `when` functions that raised an error since `begin`; each counted as no match.
  public private(set) var failures: [RuleFailure] = []

  private(set) var definitions: [RuleDefinition]
  var plans: [RulePlan] = []
  private(set) var state: LuaState
  /// Reads the same text again.
  var remake: (() throws(RulesError) -> RuleSet)?
  var limits: Limits
  private let view = RuleEntityView()
  var cache = FoldCache()
  private var lastPlan = 0
  private var timeAtBegin: Duration = .zero
  /// What regular expressions took in this run.
  private var patternTime: Duration = .zero

  init(file: String, definitions: [RuleDefinition], state: LuaState, limits: Limits) {
    self.file = file
    self.definitions = definitions
    self.rules = definitions.map(\.rule)
    self.state = state
    self.limits = limits
  }

  /// Begins a run over one feed: the time of its `when` functions, and that of its regular
  /// expressions, is counted from here.
  package func begin() {
    failures = []
    if state.isLost { renewState() }
    timeAtBegin = state.timeUsed
    patternTime = .zero
    state.resetPeakMemory()
  }

  /// Runs the file again in a new Lua state: an earlier stop left the old one of no use.
  private func renewState() {
    guard let fresh = try? remake?() else { return }
    state = fresh.state
    definitions = fresh.definitions
    for index in plans.indices { plans[index].adopt(definitions) }
  }

  /// Asks the rules about one entity.
  ///
  /// - Parameter outcome: emptied first.
  /// - Throws: `HostError` of kind `time`, `memory` or `canceled` when a `when` function or a regular
  ///   expression was stopped, which ends the run; of kind `host` for a kind that `prepare` was not
  ///   given.
  package func evaluate(
    _ record: borrowing EntityRecord, kind: Kind, into outcome: inout RuleOutcome
  ) throws(HostError) {
    outcome.reset()
    let plan = try plan(for: kind)
    cache.begin()
    for index in plans[plan].matchers.indices {
      guard try verdict(index, ofPlan: plan, record) == .held else { continue }
      let step = plans[plan].steps[index]
      var asked: [Evidence] = []
      if let function = step.function {
        guard case .yes(let seen) = try ask(function, of: step, record, kind) else { continue }
        asked = seen
      }
      give(step, plans[plan].matchers[index], record, asked, &outcome)
      if step.ends {
        outcome.endedBy = step.rule
        break
      }
    }
    outcome.settleTags()
  }

  /// What the conditions of a rule say of an entity.
  ///
  /// - Throws: when the regular expressions of this run took longer than it has.
  func verdict(
    _ index: Int, ofPlan plan: Int, _ record: borrowing EntityRecord
  ) throws(HostError) -> Verdict {
    guard let matcher = plans[plan].matchers[index] else { return .held }
    guard matcher.hasPatterns else { return matcher.verdict(record, &cache) }
    // Nothing else takes so long that it counts.
    let start = ContinuousClock.now
    let verdict = matcher.verdict(record, &cache)
    patternTime += ContinuousClock.now - start
    if patternTime > limits.time {
      throw stopped(.interrupted(.time), rules[plans[plan].steps[index].rule])
    }
    return verdict
  }

  private func give(
    _ step: RulePlan.Step, _ matcher: Matcher?, _ record: borrowing EntityRecord,
    _ asked: [Evidence], _ outcome: inout RuleOutcome
  ) {
    guard step.stars || !step.tags.isEmpty else { return }
    let star = star(step, matcher, record, asked)
    if step.stars { outcome.stars.append(star) } else { outcome.tags.append(star) }
  }

  /// What a rule gives to an entity for which it holds.
  func star(
    _ step: RulePlan.Step, _ matcher: Matcher?, _ record: borrowing EntityRecord,
    _ asked: [Evidence]
  ) -> RuleStar {
    let rule = rules[step.rule]
    let held = matcher?.explain(record, &cache).filter { $0.verdict == .held }
    return RuleStar(
      rule: rule.name, version: rule.version,
      evidence: (held ?? []).map(\.evidence) + asked, tags: step.tags)
  }

  func plan(for kind: Kind) throws(HostError) -> Int {
    if lastPlan < plans.count, plans[lastPlan].kind.name == kind.name { return lastPlan }
    guard let found = plans.firstIndex(where: { $0.kind.name == kind.name }) else {
      throw HostError(
        .host, "the rules were not checked against the kind \"\(kind.name)\"", subject: file)
    }
    lastPlan = found
    return found
  }
}

@available(*, unavailable)
extension RuleSet: Sendable {}

// MARK: - Functions

extension RuleSet {
  /// What a `when` function says, with what it read.
  enum Answer {
    case yes([Evidence])
    case no([Evidence])
    /// It raised an error, which counts as no.
    case failed(RuleFault)
  }

  /// Asks a `when` function.
  ///
  /// - Throws: when it was stopped.
  func ask(
    _ function: LuaFunction, of step: RulePlan.Step, _ record: borrowing EntityRecord, _ kind: Kind
  ) throws(HostError) -> Answer {
    view.begin(record, kind: kind, known: step.known)
    let document = state.lend(view)
    defer {
      // A function that kept the entity must not see the next one through it.
      state.retract(document)
      view.end()
    }
    do throws(LuaError) {
      return try state.call(
        function, budget: timeLeft, arguments: { $0.push(document, node: 0) },
        results: { results throws(LuaError) -> Answer in
          let reason = results[2].text(atMost: Evidence.longest + 4) ?? "when"
          let evidence = evidence(reason, kind)
          return results[1].isTrue ? .yes(evidence) : .no(evidence)
        })
    } catch {
      return .failed(try note(error, of: step))
    }
  }

  /// What is left for the functions of this run.
  private var timeLeft: Duration {
    max(.nanoseconds(1), limits.time - (state.timeUsed - timeAtBegin))
  }

  private func evidence(_ reason: String, _ kind: Kind) -> [Evidence] {
    if view.reads.isEmpty {
      return [Evidence(shortened: "when", value: "", condition: reason)]
    }
    return view.reads.map { field in
      Evidence(
        shortened: kind.fields[field].name, value: view.record.value(field)?.description ?? "",
        condition: reason)
    }
  }

  private func note(
    _ error: LuaError, of step: RulePlan.Step
  ) throws(HostError) -> RuleFault {
    let rule = rules[step.rule]
    switch error {
    case .interrupted, .outOfMemory, .stringTooLong: throw stopped(error, rule)
    default: break
    }
    let raised = HostError(error)
    let line = raised.location?.line ?? rule.location.line
    let fault = RuleFault(
      raised.message, rule: rule.name, location: SourceLocation(file: file, line: line),
      traceback: raised.traceback)
    if let index = failures.firstIndex(where: { $0.fault == fault }) {
      failures[index].count += 1
    } else if failures.count < RuleSet.failuresKept {
      failures.append(RuleFailure(fault: fault, count: 1))
    }
    return fault
  }

  private func stopped(_ error: LuaError, _ rule: Rule) -> HostError {
    let stop = HostError(error, in: state)
    let line = stop.location?.line ?? rule.location.line
    return HostError(
      stop.kind, "rule \"\(rule.name)\": \(error.description)",
      location: SourceLocation(file: file, line: line), traceback: stop.traceback, cause: error)
  }

  /// How many different failures of a run are kept.
  static let failuresKept = 100
}
