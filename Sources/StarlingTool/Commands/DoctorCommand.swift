import Starling
import StarlingFavorites
import StarlingModel

extension Command {
  static let doctor = Command(
    spec: CommandSpec(
      "doctor", summary: "Check the database and the plugins, and say what is wrong",
      options: [OptionSpec("--mend", help: "mend what can be mended without loss")])
  ) { context throws(ToolError) in
    var problems = 0
    func report(_ subject: String, _ problem: String) {
      problems += 1
      context.io.report(subject, problem)
    }
    let store = try context.store()
    if context.arguments.has("--mend") {
      try stored { () throws(FavoritesError) in try store.mend() }
    }
    for problem in try stored({ () throws(FavoritesError) in try store.check() }) {
      report(context.settings.databasePath, problem.what)
    }
    for plugin in context.host.plugins {
      if let refusal = plugin.refusal { report("plugin \(plugin.name)", refusal.description) }
    }
    _ = try hosted { () throws(HostError) in try context.host.storeWithPlugins() }
    if context.isJSON {
      Answer.write(
        context,
        [
          ("database", .text(context.settings.databasePath)),
          ("problems", .integer(Int64(problems))),
        ], ("ok", problems == 0))
    } else if problems == 0 {
      context.io.out.writeLine(TerminalText.line("\(context.settings.databasePath): in order"))
    }
    return problems == 0 ? .done : .partly
  }

  static let backup = Command(
    spec: CommandSpec(
      "backup", operands: "FILE", summary: "Copy the database while others use it",
      minimumOperands: 1, maximumOperands: 1)
  ) { context throws(ToolError) in
    let store = try context.store()
    try stored { () throws(FavoritesError) in try store.backup(to: context.operand(0)) }
    if context.isJSON {
      Answer.write(context, [("backup", .text(context.operand(0)))])
    } else {
      context.io.out.writeLine(TerminalText.line("copied to \(context.operand(0))"))
    }
    return .done
  }

  static let restore = Command(
    spec: CommandSpec(
      "restore", operands: "FILE",
      summary: "Take a backup for the database; what it replaces is kept beside it",
      minimumOperands: 1, maximumOperands: 1)
  ) { context throws(ToolError) in
    let kept = try stored { () throws(FavoritesError) in
      try FavoritesStore.restore(from: context.operand(0), to: context.settings.databasePath)
    }
    if context.isJSON {
      var members: [(String, Value)] = [("restored", .text(context.operand(0)))]
      if let kept { members.append(("kept", .text(kept))) }
      Answer.write(context, members)
    } else {
      let rest = kept.map { "; what was there is in \($0)" } ?? ""
      context.io.out.writeLine(TerminalText.line("restored from \(context.operand(0))" + rest))
    }
    return .done
  }
}
