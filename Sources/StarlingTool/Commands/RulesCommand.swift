import Starling
import StarlingModel

extension Command {
  static let rulesCheck = Command(
    spec: CommandSpec(
      "rules check", operands: "[FILE]",
      summary: "Check a rules file: every fault with its line and the nearest right spelling",
      options: [rulesOption] + limitOptions, maximumOperands: 1)
  ) { context throws(ToolError) in
    let file = try context.rulesFile("rules check")
    do throws(RulesError) {
      let rules = try context.rules(of: file)
      for warning in rules.warnings { context.io.report(warning.description) }
      if context.isJSON {
        Answer.write(
          context, [("file", .text(file)), ("rules", .integer(Int64(rules.rules.count)))],
          ("ok", true))
      } else {
        context.io.out.writeLine(
          TerminalText.line("\(file): \(CountText.of(rules.rules.count, "rule")), in order"))
      }
      return .done
    } catch {
      context.report(error)
      return .failed
    }
  }

  static let rulesList = Command(
    spec: CommandSpec(
      "rules list", operands: "[FILE]", summary: "List the rules of a file with their versions",
      options: [rulesOption] + limitOptions, maximumOperands: 1)
  ) { context throws(ToolError) in
    let rules = try context.checkedRules(try context.rulesFile("rules list"))
    if context.isJSON {
      for rule in rules.rules { context.writeJSON(rule) }
      return .done
    }
    var table = Table(
      [
        Table.Column("rule", .name), Table.Column("version"), Table.Column("kinds"),
        Table.Column("conditions"), Table.Column("actions"), Table.Column("at"),
      ], io: context.io, wayToAll: "--json shows all")
    for rule in rules.rules {
      table.add([
        rule.name, rule.version, rule.kinds?.joined(separator: ", ") ?? "",
        rule.condition.description + (rule.hasFunction ? ", when" : ""),
        rule.actions.map(\.text).joined(separator: ", "), rule.location.description,
      ])
    }
    table.finish()
    return .done
  }
}

extension CommandContext {
  /// Every fault in a line of its own.
  func report(_ error: RulesError) {
    for fault in error.faults { io.report(fault.description, ErrorDetail(fault)) }
  }

  fileprivate func writeJSON(_ rule: Rule) {
    var json = JSONWriter()
    json.beginObject()
    json.member("name", rule.name)
    json.member("version", rule.version)
    if let kinds = rule.kinds {
      json.name("kinds")
      json.beginArray()
      for kind in kinds { json.text(kind) }
      json.endArray()
    }
    json.member("condition", rule.condition.description)
    json.name("when")
    json.boolean(rule.hasFunction)
    json.name("actions")
    json.beginArray()
    for action in rule.actions { json.text(action.text) }
    json.endArray()
    json.member("file", rule.location.file)
    json.name("line")
    json.integer(Int64(rule.location.line))
    json.endObject()
    json.newline()
    io.out.write(json.bytes)
  }
}
