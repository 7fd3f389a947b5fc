import Starling
import StarlingModel

extension Command {
  static let sourcesList = Command(
    spec: CommandSpec(
      "sources list", summary: "List the feeds that sync and watch load",
      details: "They stand in init.lua, in the OPML files that it names, and in sources.opml.",
      options: limitOptions)
  ) { context throws(ToolError) in
    let list = context.sourceList
    for problem in list.problems { context.io.report(problem) }
    let table = SourceTable(context)
    for source in list.sources {
      try table.add(
        source, try hosted { () throws(HostError) in try context.host.state(of: source) })
    }
    table.finish()
    return list.problems.isEmpty ? .done : .partly
  }

  static let sourcesAdd = Command(
    spec: CommandSpec(
      "sources add", operands: "URL", summary: "Add a feed to sources.opml beside init.lua",
      options: [
        OptionSpec("--name", value: "NAME", help: "what commands call it (default: the URL)"),
        OptionSpec("--plugin", value: "NAME", help: "the plugin that maps it"),
        OptionSpec("--every", value: "TIME", help: "how often watch loads it, such as 30m"),
      ] + limitOptions,
      minimumOperands: 1, maximumOperands: 1)
  ) { context throws(ToolError) in
    var list = context.sourceList
    let url = context.operand(0)
    let source = try hosted { () throws(HostError) in
      if let plugin = context.arguments.value("--plugin") {
        _ = try context.host.plugin(named: plugin)
      }
      return try list.add(
        url: url, name: context.arguments.value("--name") ?? url,
        plugin: context.arguments.value("--plugin"), every: context.arguments.value("--every"))
    }
    context.say(source, "added to \(list.ownFile)")
    return .done
  }

  static let sourcesRemove = Command(
    spec: CommandSpec(
      "sources remove", operands: "NAME",
      summary: "Take a feed out of sources.opml; what it brought stays",
      options: limitOptions, minimumOperands: 1, maximumOperands: 1)
  ) { context throws(ToolError) in
    var list = context.sourceList
    let source = try hosted { () throws(HostError) in
      let source = try list.source(named: context.operand(0))
      try list.remove(source.name)
      return source
    }
    context.say(source, "removed")
    return .done
  }
}

extension CommandContext {
  /// The sources of the configuration and of the OPML files with it.
  var sourceList: SourceList {
    let usual = UserConfiguration.defaultPath { io.variable($0) }
    let file = configurationFile ?? usual ?? "init.lua"
    let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return SourceList(configuration, folder: folder.isEmpty ? "." : folder.joined(separator: "/"))
  }

  fileprivate func say(_ source: FeedSource, _ what: String) {
    if isJSON {
      Answer.write(
        self, [("source", .text(source.name)), ("url", .text(source.url)), ("result", .text(what))])
    } else {
      io.out.writeLine(TerminalText.line("\(source.name): \(what)"))
    }
  }
}

/// The sources as a table, or as JSON lines.
private final class SourceTable {
  private let context: CommandContext
  private var table: Table

  init(_ context: CommandContext) {
    self.context = context
    table = Table(
      [
        Table.Column("name", .name), Table.Column("url"), Table.Column("plugin"),
        Table.Column("every"), Table.Column("last asked", .whole), Table.Column("state"),
        Table.Column("written in"),
      ], io: context.io, wayToAll: "--json shows all")
  }

  func add(_ source: FeedSource, _ state: SourceState) throws(ToolError) {
    let every = source.everySeconds ?? FeedSource.defaultEverySeconds
    if context.isJSON {
      var members: [(String, Value)] = [
        ("source", .text(source.name)), ("url", .text(source.url)), ("every", .integer(every)),
        ("written_in", .text(source.origin.description)),
      ]
      if let plugin = source.plugin { members.append(("plugin", .text(plugin))) }
      if let asked = state.askedAt { members.append(("last_asked", .time(asked))) }
      if let failure = state.failure { members.append(("failure", .text(failure))) }
      Answer.write(context, members)
    } else {
      table.add([
        source.name, source.url, source.plugin ?? "", Moment.text(ofSeconds: every),
        state.askedAt?.description ?? "never",
        state.failure ?? (state.askedAt == nil ? "" : "in order"), source.origin.description,
      ])
    }
  }

  func finish() {
    if !context.isJSON { table.finish() }
  }
}
