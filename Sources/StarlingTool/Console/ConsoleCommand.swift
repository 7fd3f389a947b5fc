import Starling
import StarlingModel

/// A command of the console's own, such as `:sql`.
struct ConsoleCommand: Sendable {
  var name: String
  /// What follows the name.
  var operands: String
  /// One line.
  var summary: String
  var details = ""
  var run: @Sendable (Console, String) throws(ToolError) -> Void

  static let all: [ConsoleCommand] = [
    ConsoleCommand(
      name: "help", operands: "[NAME]", summary: "tell of a function, a kind, a word or a command"
    ) { console, argument throws(ToolError) in try console.explain(argument) },
    ConsoleCommand(
      name: "plugins", operands: "", summary: "list the plugins, and why one is refused"
    ) { console, argument throws(ToolError) in try console.command("plugins list", argument) },
    ConsoleCommand(
      name: "rules", operands: "", summary: "list the rules with their conditions"
    ) { console, argument throws(ToolError) in try console.command("rules list", argument) },
    ConsoleCommand(
      name: "reload", operands: "", summary: "read changed plugins and rules again",
      details: "Globals and results stay. Kinds and fields that came join those that there are."
    ) { console, _ throws(ToolError) in try console.reload() },
    ConsoleCommand(
      name: "time", operands: "CHUNK", summary: "run a chunk and say how long it took",
      details: ":time favorites.count(\"news\")"
    ) { console, argument throws(ToolError) in try console.time(argument) },
    ConsoleCommand(
      name: "history", operands: "[KIND KEY] [--limit N] [--run ID]",
      summary: "list the changes of favorites, newest first"
    ) { console, argument throws(ToolError) in try console.command("history", argument) },
    ConsoleCommand(
      name: "undo", operands: "[ID] [--run ID] [--rule NAME]",
      summary: "take back the last chunk's changes, or those named",
      details:
        "Each chunk's changes are one run; without an operand the last run of this console that "
        + "still stands is taken back, and nothing of others'. :history lists all. An undo is itself "
        + "a change, and can be undone."
    ) { console, argument throws(ToolError) in try console.undo(argument) },
    ConsoleCommand(
      name: "rule", operands: "\"NAME\"", summary: "make a rule of the last query",
      details:
        "The query is the last that fetch, each or count was asked. The rule is shown with what it "
        + "would star, and written at the end of the rules file (--rules FILE, else init.lua). It "
        + "stars nothing before rules are applied; with --dry-run it is not written."
    ) { console, argument throws(ToolError) in try console.makeRule(argument) },
    ConsoleCommand(
      name: "try", operands: "[FILE] [--since TIME] [--limit N]",
      summary: "show what the rules would change; nothing is written"
    ) { console, argument throws(ToolError) in try console.command("rules try", argument) },
    ConsoleCommand(
      name: "sql", operands: "QUERY", summary: "ask the database in SQL; it can only be read",
      details: ":sql select name from sqlite_schema"
    ) { console, argument throws(ToolError) in try console.askSQL(argument) },
    ConsoleCommand(name: "quit", operands: "", summary: "leave, as Ctrl-D does") { console, _ in
      console.ending = .done
    },
  ]

  /// - Throws: for an unknown name, with the nearest.
  static func named(_ name: String) throws(ToolError) -> ConsoleCommand {
    if let command = all.first(where: { $0.name == name }) { return command }
    let nearest = Spelling.nearest(to: name, among: all.map(\.name))
    let hint = nearest.map { "did you mean :\($0)?" } ?? ":help lists them"
    throw ToolError(":\(name)", "there is no such command; \(hint)", exitCode: .failed)
  }

  static func run(
    _ name: String, _ argument: String, _ console: Console
  ) throws(ToolError) {
    try named(name).run(console, argument)
  }

  /// The options among the operands.
  var options: [String] {
    operands.split { " []".contains($0) }.map(String.init).filter { $0.hasPrefix("--") }
  }

  private var usage: String { ":" + name + (operands.isEmpty ? "" : " " + operands) }

  /// What `:help :name` says.
  var help: String {
    ([usage, "  " + summary] + (details.isEmpty ? [] : ["  " + details])).joined(separator: "\n")
  }

  /// What `help()` says.
  static func introduction(width: Int?) -> String {
    var lines = TerminalText.wrapped(
      "Type Lua: favorites.fetch(\"news\", { limit = 5 }). An expression is shown and kept as _ "
        + "and _1, _2, ...; help(x) or x? tells of a function, a kind or a word; Tab completes.\n",
      to: width)
    for command in all {
      let text = DisplayWidth.pad(":" + command.name, to: 10) + command.summary
      var pieces = TerminalText.wrapped(text, to: width.map { max(16, $0) })
      lines.append(pieces.removeFirst())
      lines += pieces.map { "          " + $0 }
    }
    return lines.joined(separator: "\n")
  }
}
