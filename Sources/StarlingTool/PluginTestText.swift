import Starling
import StarlingModel

/// What became of a plugin's fixtures, for people or as JSON.
struct PluginTestText {
  let io: ToolIO

  // MARK: For people

  /// - Parameter isNamed: whether the plugin was asked for, so that one without fixtures is told.
  func write(_ report: PluginTestReport, isNamed: Bool) {
    if let refusal = report.refusal {
      line(mark(false) + " " + bold(report.plugin) + " is refused: " + plain(refusal.description))
      return
    }
    if report.results.isEmpty && report.faults.isEmpty {
      let folder = "an input FILE.json or FILE.xml in its folder `fixtures`, then --update"
      if isNamed { line("  \(bold(report.plugin)) has no fixtures: put \(folder)") }
      return
    }
    line(mark(report.isPassed) + " " + bold(report.plugin) + ": " + summary(report))
    for fault in report.faults { line("    " + plain(fault)) }
    for result in report.results { write(result) }
  }

  private func summary(_ report: PluginTestReport) -> String {
    let counts: [(FixtureResult.Outcome, String)] = [
      (.passed, "passed"), (.failed, "failed"), (.updated, "updated"),
    ]
    let parts = counts.compactMap { outcome, word -> String? in
      let count = report.results.count { $0.outcome == outcome }
      return count > 0 ? "\(count) \(word)" : nil
    }
    return parts.joined(separator: ", ")
  }

  private func write(_ result: FixtureResult) {
    if result.outcome == .passed && result.otherTakers.isEmpty { return }
    line("  " + plain(result.path) + (result.outcome == .updated ? ": updated" : ""))
    for fault in result.faults { line("    " + plain(fault)) }
    for failure in result.failures {
      let place = failure.place > 0 ? "item \(failure.place): " : ""
      line("    " + plain(place + failure.error.description))
    }
    for difference in result.differences { write(difference) }
    for leftOut in result.leftOut {
      let got = leftOut.got == 0 ? "none" : String(leftOut.got)
      line(
        "    left out, \"\(plain(leftOut.reason))\": expected "
          + red(leftOut.expected == 0 ? "none" : String(leftOut.expected)) + ", got " + green(got))
    }
    if !result.otherTakers.isEmpty {
      let names = result.otherTakers.joined(separator: ", ")
      line("    note: \(plain(names)) accepts it too; the first that loads gets such a feed")
    }
  }

  private func write(_ difference: FixtureDifference) {
    let name = plain("\(difference.kind) \(difference.key)")
    switch difference.change {
    case .missing: line("    " + red("- " + name) + "  expected, and not given")
    case .unexpected: line("    " + green("+ " + name) + "  given, and not expected")
    case .moved: line("    ~ " + name + "  given at another place in the order")
    case .changed: line("    ~ " + name)
    }
    let width = difference.fields.map(\.name.count).max() ?? 0
    for field in difference.fields {
      let start = "        " + plain(field.name) + pad(width - field.name.count + 2)
      write(field, start, difference.change)
    }
  }

  private func write(
    _ field: FixtureDifference.Field, _ start: String, _ change: FixtureDifference.Change
  ) {
    guard change == .changed else {
      line(start + plain(field.expected ?? field.got ?? ""))
      return
    }
    let got = green(field.got.map(plain) ?? "nothing")
    line(start + "expected " + red(field.expected.map(plain) ?? "nothing"))
    line(pad(start.count) + "got      " + got)
  }

  private func line(_ text: String) { io.out.writeLine(text) }
  private func plain(_ text: String) -> String { TerminalText.line(text) }
  private func bold(_ text: String) -> String { io.styled(plain(text), .bold) }
  private func red(_ text: String) -> String { io.styled(text, .red) }
  private func green(_ text: String) -> String { io.styled(text, .green) }
  private func pad(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
  private func mark(_ isGood: Bool) -> String {
    isGood ? io.styled("ok", .green) : io.styled("failed", .red)
  }

  // MARK: JSON

  /// One object for each fixture; one for a plugin that is refused.
  func writeJSON(_ report: PluginTestReport) {
    var json = JSONWriter()
    if let refusal = report.refusal {
      json.beginObject()
      json.member("plugin", report.plugin)
      json.member("path", report.path)
      json.member("outcome", "failed")
      json.name("error")
      ErrorJSON.write(refusal, to: &json)
      json.endObject()
      json.newline()
    }
    if !report.faults.isEmpty {
      json.beginObject()
      json.member("plugin", report.plugin)
      json.member("outcome", "failed")
      json.name("faults")
      json.list(report.faults)
      json.endObject()
      json.newline()
    }
    for result in report.results { write(result, of: report, &json) }
    io.out.write(json.bytes)
  }

  private func write(
    _ result: FixtureResult, of report: PluginTestReport, _ json: inout JSONWriter
  ) {
    json.beginObject()
    json.member("plugin", report.plugin)
    json.member("fixture", result.name)
    json.member("path", result.path)
    json.member("outcome", result.outcome.rawValue)
    json.name("differences")
    json.beginArray()
    for difference in result.differences { write(difference, &json) }
    json.endArray()
    json.name("left_out")
    json.beginArray()
    for leftOut in result.leftOut {
      json.beginObject()
      json.member("reason", leftOut.reason)
      json.name("expected")
      json.integer(Int64(leftOut.expected))
      json.name("got")
      json.integer(Int64(leftOut.got))
      json.endObject()
    }
    json.endArray()
    json.name("failures")
    json.beginArray()
    for failure in result.failures {
      ErrorJSON.write(failure.error, item: failure.place, to: &json)
    }
    json.endArray()
    json.name("faults")
    json.list(result.faults)
    json.name("also_accepted_by")
    json.list(result.otherTakers)
    json.endObject()
    json.newline()
  }

  private func write(_ difference: FixtureDifference, _ json: inout JSONWriter) {
    json.beginObject()
    json.member("change", difference.change.rawValue)
    json.member("kind", difference.kind)
    json.member("key", difference.key)
    json.name("fields")
    json.beginArray()
    for field in difference.fields {
      json.beginObject()
      json.member("field", field.name)
      // The values as JSON texts: they are shown, and an absent one is no member.
      if let expected = field.expected { json.member("expected", expected) }
      if let got = field.got { json.member("got", got) }
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }
}
