import Starling
import StarlingModel

extension Command {
  static let pluginsTest = Command(
    spec: CommandSpec(
      "plugins test", operands: "[NAME...]",
      summary: "Run the fixtures of plugins and show what differs",
      details:
        "NAME is a plugin's name, or the path of its file or folder; without one all plugins are "
        + "tested. A fixture is an input in the plugin's folder `fixtures`, with the entities that "
        + "it must give beside it. The clock stands at 2027-01-15T08:00:00Z. The status is 1 when "
        + "something differs.",
      options: [
        OptionSpec("--update", help: "make what is given now what is expected")
      ] + limitOptions,
      minimumOperands: 0, maximumOperands: nil)
  ) { context throws(ToolError) in
    let names = context.arguments.operands
    let reports = try hosted { () throws(HostError) in
      try context.host.testPlugins(names, update: context.arguments.has("--update"))
    }
    let text = PluginTestText(io: context.io)
    for report in reports {
      if context.isJSON {
        text.writeJSON(report)
      } else {
        text.write(report, isNamed: !names.isEmpty)
      }
    }
    if reports.isEmpty {
      context.io.report("plugins", "none found; name their folder with --plugins DIR")
    }
    let isTested = names.isEmpty || reports.allSatisfy { !$0.results.isEmpty || !$0.isPassed }
    return isTested && reports.allSatisfy(\.isPassed) ? .done : .partly
  }
}
