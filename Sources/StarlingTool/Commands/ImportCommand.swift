import Starling
import StarlingModel

extension Command {
  static let importFavorites = Command(
    spec: CommandSpec(
      "import", operands: "FILE",
      summary: "Make favorites of what another tool kept",
      details:
        "Reads bookmarks as browsers write them (HTML), Pocket's HTML and CSV, OPML, Pinboard's "
        + "JSON, what `export` writes, and the SQLite store of an app that used Core Data. Refusals "
        + "hold; undo takes all of it back.",
      options: [
        OptionSpec(
          "--kind", value: "KIND", help: "what an unknown address becomes (default: news)"),
        OptionSpec("--site", value: "SITE", help: "the site of a Core Data store's rows"),
        OptionSpec("--tag", value: "TAG", isRepeatable: true, help: "tag all of them"),
        OptionSpec("--dry-run", help: "say what would be done, and do nothing"),
      ],
      minimumOperands: 1, maximumOperands: 1)
  ) { context throws(ToolError) in
    context.catchInterrupts()
    let bar = ProgressBar("importing \(context.operand(0))", io: context.io)
    defer { bar.finish() }
    let report = try hosted { () throws(HostError) in
      try context.host.importFavorites(
        from: context.operand(0), kind: context.arguments.value("--kind") ?? "news",
        site: context.arguments.value("--site"), tags: context.arguments.all("--tag"),
        isDry: context.arguments.has("--dry-run"),
        progress: { bar.update(done: $0.done, total: $0.total) },
        isCanceled: { context.isInterrupted })
    }
    bar.finish()
    ImportReportText(context).write(report)
    return report.isComplete ? .done : .partly
  }
}

/// The report of an import, for people or as one JSON object.
private struct ImportReportText {
  private let context: CommandContext

  init(_ context: CommandContext) {
    self.context = context
  }

  func write(_ report: ImportReport) {
    for problem in report.problems {
      var detail = ErrorDetail(kind: "host", problem.what, subject: nil)
      (detail.file, detail.line) = (report.file, problem.line)
      context.io.report("\(report.file):\(problem.line): \(problem.what)", detail)
    }
    let hidden = report.problemCount - report.problems.count
    if hidden > 0 { context.io.report(report.file, "\(hidden) more could not be taken over") }
    if context.isJSON {
      writeJSON(report)
    } else {
      writeText(report)
    }
  }

  private func counts(_ report: ImportReport) -> [(name: String, count: Int, text: String)] {
    [
      ("starred", report.starred, "starred"),
      ("already", report.already, report.already == 1 ? "favorite already" : "favorites already"),
      ("refused", report.refused, "refused"), ("duplicates", report.duplicates, "said twice"),
      ("failed", report.problemCount, "failed"),
    ]
  }

  private func writeText(_ report: ImportReport) {
    let parts = counts(report).filter { $0.count > 0 }.map { "\($0.count) \($0.text)" }
    let what = ([String(report.read) + " read"] + parts).joined(separator: ", ")
    let dry = context.arguments.has("--dry-run") ? " (nothing was changed)" : ""
    context.io.out.writeLine(
      TerminalText.line("\(report.file): \(report.format): \(what)\(dry)"))
    if report.feeds > 0 {
      context.io.out.writeLine(
        TerminalText.line(
          "  \(CountText.of(report.feeds, "feed is a source", "feeds are sources")), no favorites; put `sources \"\(report.file)\"` into"
            + " init.lua"))
    }
    if report.format == "core data", context.arguments.value("--site") == nil {
      context.io.out.writeLine(
        "  their keys have no site; --site SITE gives them one, as feeds of that site have")
    }
    for name in report.unused {
      context.io.out.writeLine(TerminalText.line("  left out: \(name)"))
    }
  }

  private func writeJSON(_ report: ImportReport) {
    var json = JSONWriter()
    json.beginObject()
    json.member("file", report.file)
    json.member("format", report.format)
    json.name("read")
    json.integer(Int64(report.read))
    for part in counts(report) {
      json.name(part.name)
      json.integer(Int64(part.count))
    }
    json.name("feeds")
    json.integer(Int64(report.feeds))
    json.name("left_out")
    json.list(report.unused)
    json.name("dry_run")
    json.boolean(context.arguments.has("--dry-run"))
    json.endObject()
    json.newline()
    context.io.out.write(json.bytes)
  }
}
