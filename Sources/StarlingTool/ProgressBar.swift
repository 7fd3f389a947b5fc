import StarlingModel

/// How far a long work is, in one line of standard error that is drawn again and then cleared.
///
/// It shows nothing unless standard error is a terminal, nothing in the first tenth of a second,
/// and never draws more often than ten times a second, so that callers may update it at will.
package final class ProgressBar {
  private let io: ToolIO
  private let title: String
  private var lastDrawn: Double
  private var isShown = false
  private static let interval = 0.1

  package init(_ title: String, io: ToolIO) {
    self.io = io
    self.title = TerminalText.line(title)
    lastDrawn = io.seconds()
  }

  /// - Parameters:
  ///   - done: units of work so far, such as bytes.
  ///   - total: of the same; nil or 0 when nobody knows.
  ///   - detail: what else to say, such as `12345 items`.
  package func update(done: Int, total: Int?, detail: String = "") {
    guard io.showsProgress else { return }
    let now = io.seconds()
    guard now - lastDrawn >= ProgressBar.interval else { return }
    lastDrawn = now
    isShown = true
    io.err.write("\r" + line(done: done, total: total, detail: detail) + "\u{1B}[K")
    io.err.flush()
  }

  /// Clears the line. Call it before anything else is written.
  package func finish() {
    guard isShown else { return }
    isShown = false
    io.err.write("\r\u{1B}[K")
    io.err.flush()
  }

  private func line(done: Int, total: Int?, detail: String) -> String {
    // One column stays free: some terminals break the line in the last one.
    let width = io.terminalWidth - 1
    var text = title
    if let total, total > 0 {
      let share = min(1, max(0, Double(done) / Double(total)))
      let cells = max(4, min(30, width / 3))
      let full = Int((share * Double(cells)).rounded(.down))
      let bar = String(repeating: "#", count: full) + String(repeating: "-", count: cells - full)
      text += " [\(bar)] \(Int((share * 100).rounded(.down))) %"
    }
    if !detail.isEmpty { text += " " + TerminalText.line(detail) }
    return DisplayWidth.cut(text, to: width)
  }
}
