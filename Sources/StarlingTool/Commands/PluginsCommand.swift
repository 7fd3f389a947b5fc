import Starling
import StarlingModel

extension Command {
  static let pluginsList = Command(
    spec: CommandSpec(
      "plugins list", summary: "List the plugins in the order in which they load",
      details: "A plugin that cannot be used stands in the list with the reason.")
  ) { context throws(ToolError) in
    let plugins = context.host.plugins
    if context.isJSON {
      for plugin in plugins { PluginJSON.write(plugin, to: context.io) }
    } else {
      var table = Table(
        [
          Table.Column("name", keepsWidth: true), Table.Column("state"), Table.Column("kinds"),
          Table.Column("summary"), Table.Column("path"),
        ], io: context.io)
      for plugin in plugins {
        table.add([
          plugin.name, plugin.refusal == nil ? "used" : "refused",
          plugin.declarations.map(\.name).joined(separator: ", "),
          plugin.refusal?.description ?? plugin.summary ?? "", plugin.path,
        ])
      }
      table.finish()
      if plugins.isEmpty {
        context.io.report("plugins", "none found; name their folder with --plugins DIR")
      }
    }
    return .done
  }

  static let pluginsTry = Command(
    spec: CommandSpec(
      "plugins try", operands: "NAME FILE|URL",
      summary: "Show the entities that a plugin makes of a feed; nothing is stored",
      details: "NAME is a plugin's name, or the path of its file or folder.",
      options: [
        OptionSpec("--url", value: "URL", help: "take the document as read from this URL"),
        OptionSpec("--site", value: "SITE", help: "what the entities' site is"),
        OptionSpec("--content-type", value: "TYPE", help: "take it as served with this type"),
        OptionSpec("--charset", value: "NAME", help: "the character set, whatever it declares"),
        OptionSpec(
          "--option", value: "NAME=VALUE", isRepeatable: true, help: "an option for the plugin"),
      ] + limitOptions,
      minimumOperands: 2, maximumOperands: 2)
  ) { context throws(ToolError) in
    let input = try context.feedInput(context.operand(1))
    let report = try hosted { () throws(HostError) in
      try context.host.preview(input, plugin: context.operand(0)) { entity, kind in
        if context.isJSON {
          var json = JSONWriter()
          json.entity(entity, kind: kind)
          json.newline()
          context.io.out.write(json.bytes)
        } else {
          Card.write(entity, kind: kind, io: context.io)
        }
      }
    }
    context.write(report)
    return report.isComplete ? .done : .partly
  }
}

extension CommandContext {
  fileprivate func write(_ report: LoadReport) {
    if !isJSON {
      io.out.writeLine(
        TerminalText.line("\(report.source): \(report.plugin): \(report.items) items"))
    }
    for reason in report.leftOut {
      io.report(report.source, "left out \(reason.count): \(reason.reason)")
    }
    for line in report.damage { io.report(report.source, line) }
    for failure in report.failures {
      io.report(report.source, "item \(failure.place): \(failure.error.description)")
    }
  }
}

/// A plugin as one JSON object.
enum PluginJSON {
  static func write(_ plugin: Plugin, to io: ToolIO) {
    var json = JSONWriter()
    json.beginObject()
    json.member("name", plugin.name)
    json.member("path", plugin.path)
    if let summary = plugin.summary { json.member("summary", summary) }
    json.member("state", plugin.refusal == nil ? "used" : "refused")
    if let refusal = plugin.refusal {
      json.name("error")
      ErrorJSON.write(refusal, to: &json)
    }
    json.name("kinds")
    json.beginArray()
    for declaration in plugin.declarations { json.text(declaration.name) }
    json.endArray()
    json.endObject()
    json.newline()
    io.out.write(json.bytes)
  }
}
