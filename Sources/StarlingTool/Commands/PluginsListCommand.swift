import Starling
import StarlingModel

extension Command {
  static let pluginsList = Command(
    spec: CommandSpec(
      "plugins list", summary: "List the plugins in the order in which they load",
      details:
        "A plugin that cannot be used stands in the list with the reason: it is refused for its API "
        + "version, its text or its kinds, or in quarantine after three stops in a row for time or "
        + "memory. With --stats: what each did since its text last changed, for the feeds of this "
        + "database.",
      options: [
        OptionSpec("--stats", help: "calls, times of a call, memory, stops and the last error")
      ] + limitOptions)
  ) { context throws(ToolError) in
    let list = PluginList(context: context, hasStatistics: context.arguments.has("--stats"))
    let plugins = context.host.pluginsOfDatabase
    if context.isJSON {
      for plugin in plugins { list.writeJSON(plugin) }
      return .done
    }
    list.write(plugins)
    if plugins.isEmpty {
      context.io.report("plugins", "none found; name their folder with --plugins DIR")
    }
    return .done
  }

  static let pluginsLift = Command(
    spec: CommandSpec(
      "plugins lift", operands: "NAME",
      summary: "Let a plugin in quarantine be used again",
      details:
        "NAME is a plugin's name, or the path of its file or folder. "
        + "A plugin is put in quarantine when it was stopped for time or memory three times in a row, "
        + "with no feed mapped to its end in between. A change of its files lifts that too.",
      minimumOperands: 1, maximumOperands: 1)
  ) { context throws(ToolError) in
    let name = try hosted { () throws(HostError) in
      try context.host.pluginName(context.operand(0))
    }
    let wasLifted = try hosted { () throws(HostError) in
      // A name that is no plugin's is a mistake.
      if !context.host.plugins.contains(where: { $0.name == name }) {
        _ = try context.host.plugin(named: name)
      }
      return try context.host.liftQuarantine(of: name)
    }
    if context.isJSON {
      Answer.write(context, [("plugin", .text(name))], ("lifted", wasLifted))
    } else {
      let answer = wasLifted ? "lifted; it is used again" : "was not in quarantine"
      context.io.out.writeLine(TerminalText.line("\(name): \(answer)"))
    }
    return .done
  }
}

extension Plugin {
  /// `used`, `refused` or `quarantined`.
  var state: String { refusal == nil ? "used" : isQuarantined ? "quarantined" : "refused" }
}

/// The plugins for people, and as JSON.
private struct PluginList {
  let context: CommandContext
  let hasStatistics: Bool

  func write(_ plugins: [Plugin]) {
    var columns = [Table.Column("name", .name), Table.Column("state")]
    columns +=
      hasStatistics
      ? [
        Table.Column("calls", isRight: true), Table.Column("median", isRight: true),
        Table.Column("worst", isRight: true), Table.Column("memory", isRight: true),
        Table.Column("stops", isRight: true), Table.Column("last error"),
      ] : [Table.Column("kinds"), Table.Column("summary"), Table.Column("path")]
    var table = Table(columns, io: context.io, wayToAll: "--json shows all")
    for plugin in plugins {
      table.add(
        [plugin.name, plugin.state]
          + (hasStatistics
            ? statistics(plugin)
            : [
              plugin.declarations.map(\.name).joined(separator: ", "),
              plugin.refusal?.commandDescription ?? plugin.summary ?? "", plugin.path,
            ]))
    }
    table.finish()
  }

  private func statistics(_ plugin: Plugin) -> [String] {
    guard let found = context.host.statistics(of: plugin) else {
      return ["0", "", "", "", "0", plugin.refusal?.commandDescription ?? ""]
    }
    let error = found.lastError.map { text in
      (found.lastErrorAt.map { "\($0): " } ?? "") + text
    }
    return [
      String(found.calls), PluginList.text(found.median), PluginList.text(found.worst),
      "\((found.peakMemoryBytes + 1023) / 1024) KB", String(found.stops), error ?? "",
    ]
  }

  /// `1.25 ms`.
  private static func text(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let microseconds = Double(seconds) * 1e6 + Double(attoseconds) / 1e12
    let (value, unit) =
      microseconds < 1_000
      ? (microseconds, "µs")
      : microseconds < 1e6 ? (microseconds / 1e3, "ms") : (microseconds / 1e6, "s")
    let hundredths = (value * 100).rounded() / 100
    return hundredths >= 100 ? "\(Int64(hundredths)) \(unit)" : "\(hundredths) \(unit)"
  }

  func writeJSON(_ plugin: Plugin) {
    var json = JSONWriter()
    json.beginObject()
    json.member("name", plugin.name)
    json.member("path", plugin.path)
    if let summary = plugin.summary { json.member("summary", summary) }
    json.member("state", plugin.state)
    if let refusal = plugin.refusal {
      json.name("error")
      ErrorJSON.write(refusal, to: &json)
    }
    json.name("kinds")
    json.beginArray()
    for declaration in plugin.declarations { json.text(declaration.name) }
    json.endArray()
    if hasStatistics { writeStatistics(plugin, &json) }
    json.endObject()
    json.newline()
    context.io.out.write(json.bytes)
  }

  private func writeStatistics(_ plugin: Plugin, _ json: inout JSONWriter) {
    let found = context.host.statistics(of: plugin)
    json.name("stats")
    json.beginObject()
    let numbers: [(String, Int64)] = [
      ("calls", Int64(found?.calls ?? 0)), ("median_ns", PluginList.nanoseconds(found?.median)),
      ("worst_ns", PluginList.nanoseconds(found?.worst)),
      ("peak_memory", Int64(found?.peakMemoryBytes ?? 0)), ("stops", Int64(found?.stops ?? 0)),
    ]
    for (name, number) in numbers {
      json.name(name)
      json.integer(number)
    }
    if let error = found?.lastError { json.member("last_error", error) }
    if let time = found?.lastErrorAt {
      json.name("last_error_at")
      json.time(time)
    }
    json.endObject()
  }

  private static func nanoseconds(_ duration: Duration?) -> Int64 {
    guard let (seconds, attoseconds) = duration?.components else { return 0 }
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
