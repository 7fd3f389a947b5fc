import Starling
import StarlingModel

extension Command {
  static let pluginsTry = Command(
    spec: CommandSpec(
      "plugins try", operands: "NAME FILE|URL",
      summary: "Show what a plugin makes of each item of a feed; nothing is stored",
      details:
        "NAME is a plugin's name, or the path of its file or folder. Each entity is shown with the "
        + "number of its item; of an item that is left out the reason, and the line of the plugin "
        + "that gave it. A feed that the plugin does not accept is shown all the same. A FILE with a "
        + "CASE.options.json beside it is read as that says. With "
        + "--watch all is shown again at each save of the plugin or of FILE, until Ctrl-C.",
      options: [
        OptionSpec("--watch", help: "show it again whenever the plugin or FILE is saved")
      ] + feedOptions + limitOptions,
      minimumOperands: 2, maximumOperands: 2)
  ) { context throws(ToolError) in
    let input = try context.feedInput(context.operand(1))
    let preview = PluginPreview(context: context, name: context.operand(0), input: input)
    return context.arguments.has("--watch") ? try preview.watch() : try preview.show()
  }
}

/// What a plugin makes of a feed, once or at each save.
private struct PluginPreview {
  let context: CommandContext
  let name: String
  let input: FeedInput

  private var io: ToolIO { context.io }

  func show() throws(ToolError) -> ExitCode {
    try show(input)
  }

  /// Shows it again and again until Ctrl-C. A document that is no file is read once.
  func watch() throws(ToolError) -> ExitCode {
    let kept = try hosted { () throws(HostError) in try context.host.kept(input) }
    context.catchInterrupts()
    var paths = try hosted { () throws(HostError) in try context.host.pluginPaths(name) }
    paths += kept.paths
    let watch = FileWatch(paths: paths)
    while true {
      do throws(ToolError) { _ = try show(kept) } catch { io.report(error) }
      io.out.flush()
      while !watch.wait(milliseconds: 500) {
        if context.isInterrupted || io.out.isClosed { return .done }
      }
      if context.isInterrupted || io.out.isClosed { return .done }
      if !context.isJSON { io.out.writeLine(io.styled("saved; again:", .dim)) }
    }
  }

  private func show(_ input: FeedInput) throws(ToolError) -> ExitCode {
    var entities = 0
    let report = try hosted { () throws(HostError) in
      try context.host.preview(input.asFixture(), plugin: name) { event in
        if case .entity = event { entities += 1 }
        write(event)
      }
    }
    for line in report.damage { io.report(report.source, line) }
    if !context.isJSON { io.out.writeLine(TerminalText.line(summary(report, entities))) }
    return report.isComplete ? .done : .partly
  }

  private func write(_ event: PreviewEvent) {
    switch event {
    case .entity(let entity, let kind, let item): write(entity, kind, item)
    case .leftOut(let reason, let item, let location): writeLeftOut(reason, item, location)
    case .notAccepted(let plugin):
      io.report(
        input.name,
        "`accepts` of \(plugin) says no to it, so that only --plugin \(plugin) loads it; shown all "
          + "the same")
    case .failure(let failure):
      let place = failure.place > 0 ? "item \(failure.place)" : "feed"
      context.report(failure.error, about: [input.name, place], item: failure.place)
    }
  }

  private func write(_ entity: Entity, _ kind: Kind, _ item: Int) {
    guard context.isJSON else {
      io.out.write(io.styled("#\(item) ", .dim))
      return Card.write(entity, kind: kind, io: io)
    }
    var json = JSONWriter()
    json.entity(entity, kind: kind)
    json.newline()
    io.out.write(json.bytes)
  }

  private func writeLeftOut(_ reason: String, _ item: Int, _ location: SourceLocation?) {
    guard context.isJSON else {
      let line = location.map { "  (\($0))" } ?? ""
      io.out.writeLine(
        io.styled("#\(item) ", .dim) + io.styled("left out: ", .yellow)
          + TerminalText.line(reason + line))
      return
    }
    var json = JSONWriter()
    json.beginObject()
    json.member("left_out", reason)
    json.name("item")
    json.integer(Int64(item))
    if let location {
      json.member("file", location.file)
      json.name("line")
      json.integer(Int64(location.line))
    }
    json.endObject()
    json.newline()
    io.out.write(json.bytes)
  }

  private func summary(_ report: LoadReport, _ entities: Int) -> String {
    var parts = [
      CountText.of(report.items, "item"), CountText.of(entities, "entity", "entities"),
    ]
    let leftOut = report.leftOut.reduce(0) { $0 + $1.count }
    if leftOut > 0 {
      let reasons = report.leftOut.map { "\($0.count) \($0.reason)" }.joined(separator: ", ")
      parts.append("\(leftOut) left out (\(reasons))")
    }
    if report.failureCount > 0 { parts.append("\(report.failureCount) failed") }
    return "\(report.source): \(report.plugin): \(parts.joined(separator: ", "))"
  }
}
