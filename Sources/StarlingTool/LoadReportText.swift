import Starling
import StarlingModel

/// A load's report, for people or as one JSON object.
struct LoadReportText {
  private let io: ToolIO
  private let isJSON: Bool

  init(_ io: ToolIO, isJSON: Bool) {
    self.io = io
    self.isJSON = isJSON
  }

  func write(_ report: LoadReport) {
    writeProblems(report)
    if isJSON {
      writeJSON(report)
    } else {
      writeText(report)
    }
  }

  /// What was wrong goes to standard error, a line each.
  private func writeProblems(_ report: LoadReport) {
    for line in report.damage { io.report(report.source, line) }
    for failure in report.failures {
      let place = failure.place > 0 ? "item \(failure.place): " : ""
      io.report(
        "\(report.source): \(place)\(failure.error.commandDescription)", ErrorDetail(failure.error),
        item: failure.place)
    }
    let hidden = report.failureCount - report.failures.count
    if hidden > 0 { io.report(report.source, CountText.of(hidden, "more item") + " failed") }
    for failure in report.ruleFailures {
      io.report(failure.description, ErrorDetail(failure.fault))
    }
  }

  private func writeText(_ report: LoadReport) {
    io.out.writeLine(TerminalText.line(summary(report)))
    for reason in report.leftOut {
      io.out.writeLine("  left out \(reason.count): " + TerminalText.line(reason.reason))
    }
    for star in report.stars { write(star) }
    let hidden = report.starCount - report.stars.count
    if hidden > 0 { io.out.writeLine("  and \(hidden) more") }
  }

  private func summary(_ report: LoadReport) -> String {
    var parts = [CountText.of(report.items, "item")]
    for (count, word) in [
      (report.new, "new"), (report.changed, "changed"), (report.unchanged, "unchanged"),
      (report.duplicates, report.duplicates == 1 ? "duplicate" : "duplicates"),
      (report.failureCount, "failed"),
    ] where count > 0 { parts.append("\(count) \(word)") }
    var text = "\(report.source): \(report.plugin): \(parts.joined(separator: ", "))"
    text += "; \(report.starCount) starred"
    if report.causesAdded > 0 { text += ", " + CountText.of(report.causesAdded, "more cause") }
    if report.refused > 0 { text += ", \(report.refused) refused" }
    return text
  }

  private func write(_ star: LoadReport.Star) {
    let mark = io.styled("*", .yellow)
    let title = TerminalText.line(star.title)
    io.out.writeLine("  \(mark) \(star.kind)  \(io.styled(title, .bold))")
    io.out.writeLine("    " + TerminalText.line("rule \"\(star.rule)\" (\(star.version))"))
    for evidence in star.evidence {
      io.out.writeLine("      " + TerminalText.line(CauseText.evidence(evidence)))
    }
  }

  private func writeJSON(_ report: LoadReport) {
    var json = JSONWriter()
    json.beginObject()
    json.name("source")
    json.text(report.source)
    json.name("plugin")
    json.text(report.plugin)
    for (name, count) in [
      ("items", report.items), ("new", report.new), ("changed", report.changed),
      ("unchanged", report.unchanged), ("duplicates", report.duplicates),
      ("failed", report.failureCount),
      ("starred", report.starCount), ("causes_added", report.causesAdded),
      ("refused", report.refused),
    ] {
      json.name(name)
      json.integer(Int64(count))
    }
    json.name("cut")
    json.boolean(report.isCut)
    writeLists(report, &json)
    json.endObject()
    json.newline()
    io.out.write(json.bytes)
  }

  private func writeLists(_ report: LoadReport, _ json: inout JSONWriter) {
    json.name("stars")
    json.beginArray()
    for star in report.stars { write(star, &json) }
    json.endArray()
    json.name("left_out")
    json.beginArray()
    for reason in report.leftOut {
      json.beginObject()
      json.name("reason")
      json.text(reason.reason)
      json.name("count")
      json.integer(Int64(reason.count))
      json.endObject()
    }
    json.endArray()
    json.name("failures")
    json.beginArray()
    for failure in report.failures {
      ErrorJSON.write(failure.error, item: failure.place, to: &json)
    }
    json.endArray()
    json.name("damage")
    json.beginArray()
    for line in report.damage { json.text(line) }
    json.endArray()
    json.name("rule_failures")
    json.beginArray()
    for failure in report.ruleFailures {
      ErrorJSON.write(ErrorDetail(failure.fault), count: failure.count, to: &json)
    }
    json.endArray()
  }

  private func write(_ star: LoadReport.Star, _ json: inout JSONWriter) {
    json.beginObject()
    for (name, text) in [
      ("kind", star.kind), ("key", star.key), ("title", star.title), ("rule", star.rule),
      ("version", star.version),
    ] {
      json.name(name)
      json.text(text)
    }
    json.evidence(star.evidence)
    json.endObject()
  }

  /// A feed that could not be loaded, as an object of its own.
  static func writeFailure(_ source: String, _ error: ToolError, to io: ToolIO) {
    var json = JSONWriter()
    json.beginObject()
    json.name("source")
    json.text(source)
    json.name("error")
    ErrorJSON.write(error.detail, to: &json)
    json.endObject()
    json.newline()
    io.out.write(json.bytes)
  }
}
