import Starling
import StarlingFavorites
import StarlingModel

extension Command {
  static let rekey = Command(
    spec: CommandSpec(
      "rekey", operands: "KIND",
      summary: "Make a kind's key from other fields; shows what that does until --apply",
      details:
        "The way out where a plugin's next version has another key. Each old key goes on standing "
        + "for its entity, in look-ups, feeds and refusals; entities that get the same key become "
        + "one. It is one run in the history, and undo takes it back.",
      options: [
        OptionSpec("--key", value: "FIELD[,FIELD]", help: "what the key is to be made of"),
        OptionSpec("--apply", help: "do it"),
      ],
      minimumOperands: 1, maximumOperands: 1)
  ) { context throws(ToolError) in
    guard let key = context.arguments.value("--key"), !key.isEmpty else {
      throw .usage("rekey needs --key FIELD[,FIELD]", command: "rekey")
    }
    let store = try context.store(for: context.operand(0))
    let kind = try context.kind(context.operand(0), in: store)
    let fields = key.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
    let report = try stored { () throws(FavoritesError) in
      try store.rekey(
        kind: kind.name, fields: fields, apply: context.arguments.has("--apply"), by: .hand)
    }
    if context.isJSON { context.writeJSON(report) } else { context.write(report) }
    return .done
  }
}

extension CommandContext {
  fileprivate func write(_ report: RekeyReport) {
    func line(_ text: String) { io.out.writeLine(TerminalText.line(text)) }
    let tense = report.run == nil ? "now" : "before"
    line("kind \(report.kind): key \(report.to), \(tense) \(report.from)")
    line("  \(report.moved) get a new key, \(report.unchanged) keep theirs")
    for example in report.movedExamples { line("    \(example.from) -> \(example.to)") }
    if report.merged > 0 {
      line("  \(report.merged) become part of another that gets the same key")
      for example in report.mergedExamples { line("    \(example.from) -> \(example.to)") }
    }
    if report.keyless > 0 {
      line("  \(report.keyless) have none of the fields and keep the key that they have")
      for key in report.keylessExamples { line("    \(key)") }
    }
    if report.refusals > 0 { line("  \(report.refusals) refusals go over to the new keys") }
    if report.refusalsLeft > 0 {
      line("  \(report.refusalsLeft) refusals of what no feed had stay under their old keys")
    }
    if let run = report.run {
      line("done; starling undo --run \(run) takes it back")
    } else {
      line("nothing was changed; --apply does it")
    }
  }

  fileprivate func writeJSON(_ report: RekeyReport) {
    var members: [(String, Value)] = [
      ("kind", .text(report.kind)), ("moved", .integer(Int64(report.moved))),
      ("unchanged", .integer(Int64(report.unchanged))),
      ("merged", .integer(Int64(report.merged))), ("keyless", .integer(Int64(report.keyless))),
      ("refusals", .integer(Int64(report.refusals))),
      ("refusals_left", .integer(Int64(report.refusalsLeft))),
    ]
    if let run = report.run { members.append(("run", .integer(run))) }
    Answer.write(self, members, ("applied", report.run != nil))
  }
}
