import Starling
import StarlingModel

extension Command {
  static let sinceOption = OptionSpec(
    "--since", value: "TIME", help: "only what was seen since: 30d (ago), 2026-11-30")

  static let rulesTry = Command(
    spec: CommandSpec(
      "rules try", operands: "[FILE]",
      summary: "Show what rules would change over what is stored; nothing is written",
      details:
        "+ would be starred, - a favorite by a rule that no longer matches, = yours already, "
        + "x refused, ? could not compare (no value, a price without an amount), ~ would match "
        + "but for an earlier rule's skip or stop.",
      options: [
        rulesOption, sinceOption,
        OptionSpec("--limit", value: "N", help: "at most N lines for each mark (default 1000)"),
      ] + limitOptions, maximumOperands: 1)
  ) { context throws(ToolError) in
    let rules = try context.checkedRules(try context.rulesFile("rules try"))
    for warning in rules.warnings { context.io.report(warning.description) }
    let since = try context.since()
    let limit = try context.arguments.number("--limit") ?? 1_000
    let trial = try context.interruptible("rules try") { () throws(HostError) in
      try context.host.tryRules(rules, since: since, limit: limit)
    }
    context.report(trial.failures)
    let text = RuleTrialText(io: context.io, isJSON: context.isJSON)
    text.write(trial)
    return trial.failures.isEmpty ? .done : .partly
  }

  static let rulesApply = Command(
    spec: CommandSpec(
      "rules apply", operands: "[FILE]",
      summary: "Star what rules match among what is stored, in one run that can be undone",
      options: [rulesOption, sinceOption] + limitOptions, maximumOperands: 1)
  ) { context throws(ToolError) in
    let rules = try context.checkedRules(try context.rulesFile("rules apply"))
    let since = try context.since()
    let done = try context.interruptible("rules apply") { () throws(HostError) in
      try context.host.applyRules(rules, since: since)
    }
    context.report(done.failures)
    context.write(done)
    return done.failures.isEmpty ? .done : .partly
  }
}

extension CommandContext {
  fileprivate func write(_ done: RuleApplication) {
    let counts = [
      ("entities", done.entities), ("starred", done.starred), ("causes_added", done.causesAdded),
      ("refused", done.refused),
    ]
    if isJSON {
      var members = counts.map { ($0.0, Value.integer(Int64($0.1))) }
      if let run = done.run { members.append(("run", .integer(run))) }
      return Answer.write(self, members)
    }
    var line = "\(CountText.of(done.entities, "entity", "entities")): \(done.starred) starred"
    if done.causesAdded > 0 { line += ", " + CountText.of(done.causesAdded, "more cause") }
    if done.refused > 0 { line += ", \(done.refused) refused" }
    if let run = done.run { line += "; `starling undo --run \(run)` takes it back" }
    io.out.writeLine(line)
  }
}
