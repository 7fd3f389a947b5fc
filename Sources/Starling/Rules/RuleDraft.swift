package import StarlingFavorites
import StarlingModel

/// A rule that is made of a query, and its way into a rules file.
package struct RuleDraft: Sendable {
  package let name: String
  /// As it is written into the file.
  package let text: String
  /// What the query says and a rule does not: `order`, `limit`.
  package let leftOut: [String]
  private let condition: Condition
  private let kind: String

  /// - Throws: `HostError` of kind `host` when the query says what no rule can.
  package init(name: String, query: Query) throws(HostError) {
    guard !name.utf8.allSatisfy({ $0 <= 0x20 }) else {
      throw HostError(.host, "a rule needs a name")
    }
    let unsayable = [("tag", query.tag != nil), ("text", query.text != nil)]
    for (option, isGiven) in unsayable where isGiven {
      throw HostError(
        .host, "no rule can say the query's `\(option)`; put it into `where` or leave it out")
    }
    let table = query.condition.description
    guard table != "{}" else {
      throw HostError(
        .host,
        "the query has no condition, and a rule of it would star every \(query.kind); ask "
          + "with { where = ... }")
    }
    self.name = name
    condition = query.condition
    kind = query.kind
    leftOut = [
      ("order", query.order != nil), ("limit", query.limit != nil), ("after", query.after != nil),
    ].filter(\.1).map(\.0)
    // `{ a = is "x" }` without its braces.
    let conditions = table.dropFirst(2).dropLast(2)
    let quotedName = Value.text(name).ruleText
    text = "rule \(quotedName) { kind = \"\(query.kind)\", \(conditions), star }"
  }

  /// Whether a rule that was read back says the same.
  func isSaid(by rule: Rule) -> Bool {
    rule.name == name && rule.kinds == [kind] && rule.actions == [.star]
      && rule.condition.description == condition.description
  }
}

extension Host {
  /// A file's rules with one more at the end, as a check and for a trial; nothing is written.
  ///
  /// - Parameter isConfiguration: whether the file is the user's `init.lua`.
  /// - Throws: every fault of the file that it would be.
  package func rules(
    adding draft: RuleDraft, to file: String, isConfiguration: Bool
  ) throws(RulesError) -> RuleSet {
    let source = try rulesText(file) + Array((draft.text + "\n").utf8)
    let rules = try checkedRules(source, file, isConfiguration: isConfiguration)
    guard let rule = rules.rules.last, draft.isSaid(by: rule) else {
      throw RulesError([RuleFault("the query cannot be said as a rule: \(draft.text)")])
    }
    return rules
  }

  /// Writes a rule at the end of a file, which is made when there is none.
  package func append(_ draft: RuleDraft, to file: String) throws(HostError) {
    let isOpenLine =
      ((try? rulesText(file, endsLine: false)) ?? []).last.map { $0 != 0x0A } ?? false
    try Files.append(file, Array(((isOpenLine ? "\n" : "") + draft.text + "\n").utf8))
  }

  private func rulesText(_ file: String, endsLine: Bool = true) throws(RulesError) -> [UInt8] {
    guard Files.entry(file) != nil else { return [] }
    var source = try ruleLoader.read(file)
    if endsLine, let last = source.last, last != 0x0A { source.append(0x0A) }
    return source
  }

  private func checkedRules(
    _ source: [UInt8], _ file: String, isConfiguration: Bool
  ) throws(RulesError) -> RuleSet {
    let kinds = (try? storeWithPlugins())?.kinds ?? model.kinds
    let rules: RuleSet
    if isConfiguration {
      let loader = ConfigurationLoader(
        limits: configuration.limits, clock: configuration.clock, log: configuration.log,
        kinds: kinds)
      rules = try loader.load(source: source, file: file).rules
    } else {
      var loader = ruleLoader
      loader.kinds = kinds
      rules = try loader.load(source: source, file: file)
    }
    try rules.prepare(for: kinds, now: configuration.clock())
    return rules
  }
}
