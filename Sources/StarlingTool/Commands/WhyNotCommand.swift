import Starling
import StarlingModel

extension Command {
  static let whyNot = Command(
    spec: CommandSpec(
      "why-not", operands: "RULE KIND KEY",
      summary: "Why a rule does not star an entity: which clause failed, and the value it met",
      options: [rulesOption] + limitOptions, minimumOperands: 3, maximumOperands: 3)
  ) { context throws(ToolError) in
    let rules = try context.checkedRules(try context.rulesFile("why-not"))
    let answer = try hosted { () throws(HostError) in
      try context.host.whyNot(
        rule: context.operand(0), of: rules, kind: context.operand(1), key: context.operand(2))
    }
    let text = RuleWhyNotText(io: context.io)
    if context.isJSON { text.writeJSON(answer) } else { text.write(answer) }
    return .done
  }
}

/// The answer of `why-not`.
private struct RuleWhyNotText {
  let io: ToolIO

  func write(_ answer: RuleWhyNot) {
    for line in reasons(answer) { io.out.writeLine(TerminalText.line(line)) }
    for clause in answer.clauses {
      let style: TextStyle = clause.outcome == .held ? .green : .red
      let outcome = io.styled(clause.outcome.rawValue, style)
      let value = clause.value.isEmpty ? "(absent)" : clause.value
      io.out.writeLine(
        "  " + TerminalText.line("\(clause.field) = \(value) (\(clause.condition)):") + " "
          + outcome)
    }
  }

  private func reasons(_ answer: RuleWhyNot) -> [String] {
    let name = "rule \"\(answer.rule.name)\" (\(answer.rule.version))"
    var lines = [name + " " + summary(answer)]
    if let before = answer.shadowedBy {
      lines.append("it does not come to its turn: rule \"\(before)\" ends the run before it")
    }
    if answer.isRefused { lines.append("you refused this; starling refusals lift lifts that") }
    if answer.isFavorite { lines.append("it is a favorite") }
    return lines
  }

  private func summary(_ answer: RuleWhyNot) -> String {
    switch answer.answer {
    case .matches:
      answer.rule.actions.contains(.star) ? "matches" : "matches, and has no star among its actions"
    case .otherKind(let kinds?): "is for other kinds: \(kinds.joined(separator: ", "))"
    case .otherKind(nil): "asks fields that this kind does not have"
    case .fails: "does not match"
    case .saysNo: "does not match: its function says no"
    case .raises(let fault): "does not match: its function raised an error: \(fault)"
    }
  }

  func writeJSON(_ answer: RuleWhyNot) {
    var json = JSONWriter()
    json.beginObject()
    json.member("rule", answer.rule.name)
    json.member("version", answer.rule.version)
    json.name("matches")
    if case .matches = answer.answer { json.boolean(true) } else { json.boolean(false) }
    json.member("reason", summary(answer))
    json.name("clauses")
    json.beginArray()
    for clause in answer.clauses {
      json.beginObject()
      json.member("field", clause.field)
      json.member("condition", clause.condition)
      json.member("value", clause.value)
      json.member("outcome", clause.outcome.rawValue)
      json.endObject()
    }
    json.endArray()
    if let before = answer.shadowedBy { json.member("shadowed_by", before) }
    json.name("favorite")
    json.boolean(answer.isFavorite)
    json.name("refused")
    json.boolean(answer.isRefused)
    json.endObject()
    json.newline()
    io.out.write(json.bytes)
  }
}
