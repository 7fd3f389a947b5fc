import Starling
import StarlingFavorites
import StarlingModel

extension Command {
  static let history = Command(
    spec: CommandSpec(
      "history", operands: "[KIND KEY]", summary: "List the changes, newest first",
      options: [
        OptionSpec("--limit", value: "N", help: "at most N (default 50)"),
        OptionSpec("--run", value: "ID", help: "of one run only"),
      ],
      maximumOperands: 2)
  ) { context throws(ToolError) in
    let store = try context.store()
    var filter = HistoryFilter()
    filter.kind = context.arguments.operand(0)
    filter.key = context.arguments.operand(1)
    filter.limit = try context.arguments.number("--limit") ?? 50
    filter.run = try context.arguments.number("--run").map { Int64($0) }
    let changes = try stored { () throws(FavoritesError) in try store.history(filter) }
    context.write(changes)
    return .done
  }

  static let undo = Command(
    spec: CommandSpec(
      "undo", operands: "[ID]",
      summary: "Take back the last change, one change, one run, or all that a rule did",
      details:
        "Each favorite, tag, note and refusal gets the state that it had before, unless something "
        + "else has changed it since: that is named, with who did it, and left. Alone it takes the "
        + "last run back that changed something. An undo is a run too: a further undo takes it back, "
        + "and an ID or --run goes further back; history lists them.",
      options: [
        OptionSpec("--run", value: "ID", help: "all changes of a run"),
        OptionSpec("--rule", value: "NAME", help: "the causes of a rule"),
      ],
      maximumOperands: 1)
  ) { context throws(ToolError) in
    let store = try context.store()
    let what = try context.undoTarget()
    let report = try stored { () throws(FavoritesError) in try store.undo(what, by: .hand) }
    context.write(report.undone)
    for left in report.left {
      context.io.report(
        "\(left.change.kind) \(left.change.key)", "left as it is: \(left.reason)")
    }
    if report.undone.isEmpty && report.left.isEmpty {
      context.io.report("undo", "nothing to take back")
      return .partly
    }
    if !context.isJSON, !context.isInConsole, report.run != nil {
      context.io.err.writeLine("a further undo takes this one back; --run ID goes further back")
    }
    return report.left.isEmpty ? .done : .partly
  }
}

extension CommandContext {
  fileprivate func write(_ changes: [Change]) {
    if isJSON {
      for change in changes { ChangeJSON.write(change, to: io) }
      return
    }
    var table = Table(
      [
        Table.Column("id", isRight: true), Table.Column("at", .whole),
        Table.Column("change"),
        Table.Column("kind"), Table.Column("key", .key), Table.Column("by"),
        Table.Column("run", isRight: true),
      ], io: io, wayToAll: "--json shows all")
    for change in changes {
      table.add([
        String(change.id), change.at.description,
        change.action.rawValue + (change.isUndone ? " (undone)" : ""), change.kind, change.key,
        CauseText.origin(change.by), change.run.map { String($0) } ?? "",
      ])
    }
    table.finish()
  }

  fileprivate func undoTarget() throws(ToolError) -> Undo {
    let run = try arguments.number("--run")
    let rule = arguments.value("--rule")
    let id = try arguments.operand(0).map { text throws(ToolError) -> Int64 in
      guard let id = Int64(text), id > 0 else {
        throw .usage("undo needs the number of a change, not \"\(text)\"", command: "undo")
      }
      return id
    }
    switch (id, run, rule) {
    case (nil, nil, nil): return .last
    case (.some(let id), nil, nil): return .change(id)
    case (nil, .some(let run), nil): return .run(Int64(run))
    case (nil, nil, .some(let rule)): return .rule(rule)
    default: throw .usage("undo takes one of ID, --run and --rule", command: "undo")
    }
  }
}

/// A change of the history as one JSON object.
enum ChangeJSON {
  static func write(_ change: Change, to io: ToolIO) {
    var json = JSONWriter()
    json.beginObject()
    json.name("id")
    json.integer(change.id)
    json.name("at")
    json.time(change.at)
    json.member("action", change.action.rawValue)
    json.member("kind", change.kind)
    json.member("key", change.key)
    json.originMembers(change.by)
    if let run = change.run {
      json.name("run")
      json.integer(run)
    }
    json.name("undone")
    json.boolean(change.isUndone)
    json.endObject()
    json.newline()
    io.out.write(json.bytes)
  }
}
