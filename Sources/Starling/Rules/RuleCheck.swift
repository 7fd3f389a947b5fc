import StarlingModel

/// Checks one rule against the kinds.
struct RuleCheck {
  let definition: RuleDefinition
  let kinds: [Kind]
  let now: Timestamp
  /// The kinds that the rule is for, by their place, with its condition made ready; nil when it
  /// has none.
  private(set) var matchers: [(kind: Int, matcher: Matcher?)] = []
  private(set) var faults: [RuleFault] = []
  private(set) var warnings: [RuleFault] = []

  init(definition: RuleDefinition, kinds: [Kind], now: Timestamp) {
    self.definition = definition
    self.kinds = kinds
    self.now = now
  }

  mutating func run() {
    if let names = definition.rule.kinds { runNamed(names) } else { runUnnamed() }
  }

  private mutating func runNamed(_ names: [String]) {
    for name in names {
      guard let kind = kinds.firstIndex(where: { $0.name == name }) else {
        let nearest = Spelling.nearest(to: name, among: kinds.map(\.name))
        faults.append(
          definition.fault(
            "unknown kind \"\(name)\"" + RuleCheck.hint(nearest, among: kinds.map(\.name)),
            field: "kind"))
        continue
      }
      compile(kind) { check, fault in check.faults.append(fault) }
    }
  }

  /// A rule without `kind` is for each kind that has its fields.
  private mutating func runUnnamed() {
    let fields = definition.rule.condition.fields
    let fitting = kinds.indices.filter { kind in
      fields.allSatisfy { kinds[kind].index(of: $0) != nil }
    }
    guard !fitting.isEmpty else { return explainNoKind(fields) }
    var each: [(fault: RuleFault, kinds: [String])] = []
    for kind in fitting {
      compile(kind) { check, fault in
        let name = check.kinds[kind].name
        if let known = each.firstIndex(where: { $0.fault == fault }) {
          each[known].kinds.append(name)
        } else {
          each.append((fault, [name]))
        }
      }
    }
    let found = each.map { RuleCheck.naming($0.kinds, of: fitting.count, in: $0.fault) }
    if matchers.isEmpty {
      faults += found
    } else {
      // It works for one kind at least, and says aloud for which it does not.
      warnings += found
    }
  }

  /// A fault with the kinds for which it is one, where there are others.
  private static func naming(_ kinds: [String], of count: Int, in fault: RuleFault) -> RuleFault {
    guard kinds.count < count || count == 1 else { return fault }
    var fault = fault
    let names = kinds.map { "\"\($0)\"" }.joined(separator: ", ")
    fault.message += " (kind\(kinds.count == 1 ? "" : "s") \(names))"
    return fault
  }

  private mutating func explainNoKind(_ fields: [String]) {
    let known = Set(kinds.flatMap { $0.fields.map(\.name) })
    let unknown = fields.filter { !known.contains($0) }
    for field in unknown {
      let nearest = Spelling.nearest(to: field, among: known.union(["kind", "when"]))
      faults.append(
        definition.fault(
          "no kind has a field \"\(field)\"" + RuleCheck.hint(nearest, among: []), field: field))
    }
    if unknown.isEmpty {
      let list = fields.map { "\"\($0)\"" }.joined(separator: ", ")
      faults.append(
        definition.fault(
          kinds.isEmpty ? "there are no kinds; is a plugin missing?" : "no kind has all of \(list)")
      )
    }
  }

  private mutating func compile(
    _ kind: Int, _ report: (inout RuleCheck, RuleFault) -> Void
  ) {
    let condition = definition.rule.condition
    if case .all(let parts) = condition, parts.isEmpty {
      return matchers.append((kind, nil))
    }
    do throws(ConditionError) {
      matchers.append((kind, try Matcher(condition, kind: kinds[kind], now: now)))
    } catch {
      for fault in allFaults(of: condition, kind: kinds[kind]) ?? [fault(error, kinds[kind])] {
        report(&self, fault)
      }
    }
  }

  /// The compiler stops at the first fault; asking part by part finds one in each.
  private func allFaults(of condition: Condition, kind: Kind) -> [RuleFault]? {
    guard case .all(let parts) = condition else { return nil }
    var faults: [RuleFault] = []
    for part in parts {
      do throws(ConditionError) {
        _ = try Matcher(part, kind: kind, now: now)
      } catch {
        faults.append(fault(error, kind))
      }
    }
    return faults.isEmpty ? nil : faults
  }

  private func fault(_ error: ConditionError, _ kind: Kind) -> RuleFault {
    switch error {
    case .unknownField(let field, _, nil):
      definition.fault(
        error.description + RuleCheck.hint(nil, among: kind.fields.map(\.name)), field: field)
    case .unknownField(let field, _, _), .wrongType(let field, _, _, _),
      .unreadable(let field, _, _, _), .empty(let field, _), .badPattern(let field, _, _, _):
      definition.fault(error.description, field: field)
    case .tooDeep: definition.fault(error.description)
    }
  }

  /// The nearest right spelling, or else all of a short list.
  private static func hint(_ nearest: String?, among names: [String]) -> String {
    if let nearest { return "; did you mean \"\(nearest)\"?" }
    return names.isEmpty ? "" : "; there are " + names.joined(separator: ", ")
  }
}
