import Starling
import StarlingModel

/// A trial of rules as a diff, for people or as JSON Lines.
struct RuleTrialText {
  let io: ToolIO
  let isJSON: Bool
  /// At most so many lines for each mark; nil for all that the trial has.
  var limit: Int?
  /// What was done with the rules that were tried.
  var ending = "nothing was written"

  func write(_ trial: RuleTrial) {
    if isJSON {
      for entry in trial.entries { writeJSON(entry) }
      return writeSummary(trial)
    }
    for change in RuleTrial.Change.allCases {
      var entries = trial.entries.filter { $0.change == change }
      if let limit { entries = Array(entries.prefix(limit)) }
      for entry in entries { writeText(entry) }
      let hidden = trial.counts[change, default: 0] - entries.count
      if hidden > 0 { io.out.writeLine("\(change.mark) and \(hidden) more") }
    }
    let counts = RuleTrial.Change.allCases.compactMap { change in
      trial.counts[change].map { "\($0) \(change.rawValue)" }
    }
    let unmatched = trial.matches.filter { $0.count == 0 }.map { "\"\($0.rule)\"" }
    if !unmatched.isEmpty {
      io.out.writeLine(
        TerminalText.line("matching nothing: " + unmatched.joined(separator: ", ")))
    }
    io.out.writeLine(
      "\(CountText.of(trial.entities, "entity", "entities")): "
        + (counts.isEmpty ? "nothing would change" : counts.joined(separator: ", "))
        + "; " + ending)
  }

  private func writeText(_ entry: RuleTrial.Entry) {
    let mark = io.styled(entry.change.mark, style(entry.change))
    let title = io.styled(TerminalText.line(entry.title), .bold)
    io.out.writeLine("\(mark) \(entry.kind)  \(title)")
    let names = entry.rules.map { "\"\($0)\"" }.joined(separator: ", ")
    io.out.writeLine("    " + TerminalText.line(words(entry, names)))
    for evidence in entry.evidence {
      io.out.writeLine("      " + TerminalText.line(CauseText.evidence(evidence)))
    }
  }

  private func words(_ entry: RuleTrial.Entry, _ names: String) -> String {
    switch entry.change {
    case .starred: "rule \(names)"
    case .already: "already yours; rule \(names)"
    case .refused: "you refused it; rule \(names)"
    case .cannotCompare: "rule \(names) cannot compare"
    case .shadowed: "rule \(names), but for \"\(entry.shadowedBy ?? "")\" before it"
    case .noLonger:
      "rule \(names) no longer matches; it stays"
        + (entry.stays ? " for other causes" : ": a rule takes nothing back, `undo --rule` does")
    }
  }

  private func style(_ change: RuleTrial.Change) -> TextStyle {
    switch change {
    case .starred: .green
    case .noLonger: .red
    case .already, .shadowed: .dim
    case .refused, .cannotCompare: .yellow
    }
  }

  private func writeJSON(_ entry: RuleTrial.Entry) {
    var json = JSONWriter()
    json.beginObject()
    json.member("change", RuleTrialText.name(of: entry.change))
    json.member("kind", entry.kind)
    json.member("key", entry.key)
    json.member("title", entry.title)
    json.name("rules")
    json.beginArray()
    for rule in entry.rules { json.text(rule) }
    json.endArray()
    json.evidence(entry.evidence)
    if let name = entry.shadowedBy { json.member("shadowed_by", name) }
    if entry.change == .noLonger {
      json.name("stays")
      json.boolean(entry.stays)
    }
    finish(&json)
  }

  /// The last line: `{"entities":12,"counts":{...},"matches":{...}}`.
  private func writeSummary(_ trial: RuleTrial) {
    var json = JSONWriter()
    json.beginObject()
    json.name("entities")
    json.integer(Int64(trial.entities))
    json.name("counts")
    json.beginObject()
    for change in RuleTrial.Change.allCases {
      json.name(RuleTrialText.name(of: change))
      json.integer(Int64(trial.counts[change, default: 0]))
    }
    json.endObject()
    json.name("matches")
    json.beginObject()
    for (rule, count) in trial.matches {
      json.name(rule)
      json.integer(Int64(count))
    }
    json.endObject()
    finish(&json)
  }

  private func finish(_ json: inout JSONWriter) {
    json.endObject()
    json.newline()
    io.out.write(json.bytes)
  }

  /// `no_longer` for programs, "no longer" for people.
  private static func name(of change: RuleTrial.Change) -> String {
    String(change.rawValue.map { $0 == " " ? "_" : $0 })
  }
}
