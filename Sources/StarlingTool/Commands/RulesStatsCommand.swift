import Starling
import StarlingModel

extension Command {
  static let rulesStats = Command(
    spec: CommandSpec(
      "rules stats", operands: "[FILE]",
      summary: "What each rule matches among what is stored, what it starred, and when last",
      options: [rulesOption] + limitOptions, maximumOperands: 1)
  ) { context throws(ToolError) in
    let rules = try context.checkedRules(try context.rulesFile("rules stats"))
    let statistics = try hosted { () throws(HostError) in
      try context.host.ruleStatistics(rules)
    }
    if context.isJSON {
      for entry in statistics { context.writeJSON(entry) }
      return .done
    }
    var table = Table(
      [
        Table.Column("rule", .name), Table.Column("matches", isRight: true),
        Table.Column("favorites", isRight: true), Table.Column("last", .whole),
      ], io: context.io)
    for entry in statistics {
      table.add([
        entry.rule.name, String(entry.matches), String(entry.favorites),
        entry.last?.description ?? "never",
      ])
    }
    table.finish()
    return .done
  }
}

extension CommandContext {
  fileprivate func writeJSON(_ entry: RuleStatistics) {
    var members: [(String, Value)] = [
      ("rule", .text(entry.rule.name)), ("version", .text(entry.rule.version)),
      ("matches", .integer(Int64(entry.matches))),
      ("favorites", .integer(Int64(entry.favorites))),
    ]
    if let last = entry.last { members.append(("last", .time(last))) }
    Answer.write(self, members)
  }
}
