/// One command: what help and the parser need to know of it, and what it does.
struct Command: Sendable {
  var spec: CommandSpec
  var run: @Sendable (CommandContext) throws(ToolError) -> ExitCode

  /// The commands in the order and groups of the overview.
  static var groups: [(title: String, commands: [Command])] {
    [
      ("Feeds", [load, sync, watch, sourcesList, sourcesAdd, sourcesRemove, decode]),
      ("Favorites", [list, show, open, search, star, unstar, toggle, contains]),
      ("Why, and back", [why, whyNot, history, undo, refusalsList, refusalsLift]),
      ("Rules", [rulesNew, rulesCheck, rulesList, rulesTry, rulesApply, rulesStats]),
      (
        "Plugins and scripts",
        [
          pluginsNew, pluginsTry, pluginsCheck, pluginsTest, pluginsList, pluginsLift, run, repl,
        ]
      ),
      ("Other tools", [importFavorites, exportFavorites]),
      ("The database", [doctor, backup, restore, rekey]),
    ]
  }

  static var all: [Command] { groups.flatMap(\.commands) }

  static var tool: ToolSpec {
    ToolSpec(
      name: "starling", version: Tool.version,
      summary: "Stars what you would have starred, says why, and takes it back.",
      groups: groups.map { ($0.title, $0.commands.map(\.spec)) },
      options: [
        OptionSpec(
          "--db", value: "FILE",
          help: "the database (else STARLING_DB, else $XDG_DATA_HOME/starling/starling.db)"),
        OptionSpec(
          "--config", value: "FILE",
          help: "the configuration (else $XDG_CONFIG_HOME/starling/init.lua)"),
        OptionSpec(
          "--plugins", value: "DIR", isRepeatable: true,
          help: "a folder of plugins, looked into before the usual ones"),
        OptionSpec("--json", help: "JSON, one object a line, instead of text for people"),
      ])
  }

  /// The options of every command that runs Lua.
  static let limitOptions = [
    OptionSpec("--max-time", value: "TIME", help: "time for each call into Lua, such as 5s"),
    OptionSpec("--max-memory", value: "SIZE", help: "memory of each Lua state, such as 64MB"),
    OptionSpec("--traceback", help: "with an error in Lua, show its kind and the call stack"),
  ]

  /// What is known of a feed beside its bytes.
  static let feedOptions = [
    OptionSpec("--url", value: "URL", help: "take the document as read from this URL"),
    OptionSpec("--site", value: "SITE", help: "what the entities' site is"),
    OptionSpec("--content-type", value: "TYPE", help: "take it as served with this type"),
    OptionSpec("--charset", value: "NAME", help: "the character set, whatever it declares"),
    OptionSpec(
      "--option", value: "NAME=VALUE", isRepeatable: true, help: "an option for the plugin"),
  ]

  static let rulesOption = OptionSpec("--rules", value: "FILE", help: "the rules file")
}
