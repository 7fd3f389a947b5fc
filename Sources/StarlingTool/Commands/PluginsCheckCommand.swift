import Starling
import StarlingModel

extension Command {
  static let pluginsCheck = Command(
    spec: CommandSpec(
      "plugins check", operands: "[NAME...]",
      summary: "Read plugins for what would go wrong, without a feed",
      details:
        "Finds unknown globals and fields, kinds that are not declared or never made, and modules "
        + "that are not there. NAME is a plugin's name, or the path of its file or folder; without "
        + "one all plugins are read. The status is 1 when something was found, 3 when a plugin "
        + "cannot be used.",
      options: limitOptions, minimumOperands: 0, maximumOperands: nil)
  ) { context throws(ToolError) in
    let names = context.arguments.operands
    let reports = try hosted { () throws(HostError) in try context.host.checkPlugins(names) }
    for report in reports {
      if context.isJSON {
        write(report, to: context.io)
        continue
      }
      for finding in report.findings {
        context.io.out.writeLine(TerminalText.line(finding.description))
      }
      if report.findings.isEmpty {
        context.io.out.writeLine(TerminalText.line("\(report.plugin): nothing found"))
      }
    }
    if reports.isEmpty {
      context.io.report("plugins", "none found; name their folder with --plugins DIR")
    }
    if reports.contains(where: \.isRefused) { return .failed }
    return reports.allSatisfy(\.findings.isEmpty) ? .done : .partly
  }

  /// One object for each finding.
  private static func write(_ report: PluginCheckReport, to io: ToolIO) {
    var json = JSONWriter()
    for finding in report.findings {
      json.beginObject()
      json.member("plugin", report.plugin)
      json.member("kind", finding.kind.rawValue)
      json.member("file", finding.file)
      if let line = finding.line {
        json.name("line")
        json.integer(Int64(line))
      }
      json.member("message", finding.message)
      json.endObject()
      json.newline()
    }
    io.out.write(json.bytes)
  }
}
