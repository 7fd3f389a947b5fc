import Starling
package import StarlingModel

/// The streams and surroundings of one run of the tool. Tests inject their own.
package final class ToolIO {
  package let out: ByteSink
  package let err: ByteSink
  package let input: ByteSource
  package let isInputTerminal: Bool
  package let isOutputTerminal: Bool
  package let isErrorTerminal: Bool
  /// Whether the run is the whole process, so that its signals are the run's too.
  package let isProcess: Bool
  /// The arguments of the process as they came: they need not be UTF-8. Empty in a run that is not the
  /// whole process.
  package var argumentBytes: [[UInt8]] = []
  /// How errors are said.
  package var errorForm = ErrorForm.line
  /// Seconds of a clock that only goes forward, for what is drawn while one waits.
  package let seconds: () -> Double

  private let columns: () -> Int?
  private let environment: (String) -> String?

  /// The process's own streams. Broken pipes no longer end the process.
  package static func standard() -> ToolIO {
    Terminal.ignoreBrokenPipes()
    let isOutputTerminal = Terminal.isTerminal(1)
    return ToolIO(
      out: ByteSink(descriptor: 1, flushesLines: isOutputTerminal),
      err: ByteSink(descriptor: 2, flushesLines: true), input: ByteSource(descriptor: 0),
      isInputTerminal: Terminal.isTerminal(0), isOutputTerminal: isOutputTerminal,
      isErrorTerminal: Terminal.isTerminal(2),
      columns: { Terminal.columns(of: 1) ?? Terminal.columns(of: 2) },
      environment: Terminal.variable, seconds: Terminal.monotonicSeconds, isProcess: true)
  }

  package init(
    out: ByteSink, err: ByteSink, input: ByteSource, isInputTerminal: Bool = false,
    isOutputTerminal: Bool = false, isErrorTerminal: Bool = false,
    columns: @escaping () -> Int? = { nil },
    environment: @escaping (String) -> String? = { _ in nil },
    seconds: @escaping () -> Double = { 0 }, isProcess: Bool = false
  ) {
    self.isProcess = isProcess
    self.out = out
    self.err = err
    self.input = input
    self.isInputTerminal = isInputTerminal
    self.isOutputTerminal = isOutputTerminal
    self.isErrorTerminal = isErrorTerminal
    self.columns = columns
    self.environment = environment
    self.seconds = seconds
  }

  /// Streams in memory, as a test has them.
  package static func memory(
    input: String = "", width: Int? = nil, isTerminal: Bool = false,
    environment: [String: String] = [:]
  ) -> ToolIO {
    ToolIO(
      out: ByteSink(), err: ByteSink(), input: ByteSource(Array(input.utf8)),
      isOutputTerminal: isTerminal, isErrorTerminal: isTerminal, columns: { width },
      environment: { environment[$0] })
  }

  /// An environment variable that is set and not empty.
  package func variable(_ name: String) -> String? {
    environment(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The columns that output has to fit; nil where it is read by no person and is never cut.
  package var width: Int? {
    guard isOutputTerminal else { return nil }
    return terminalWidth
  }

  /// The columns of the terminal, whichever stream it is on; 80 when it does not say.
  package var terminalWidth: Int {
    max(20, columns() ?? variable("COLUMNS").flatMap { Int($0) } ?? 80)
  }

  /// Whether standard output shows colors: a terminal that can, and a user who has not said no
  /// (https://no-color.org).
  package var usesColor: Bool { isOutputTerminal && canStyle && variable("NO_COLOR") == nil }

  /// Whether standard error shows a progress bar.
  package var showsProgress: Bool { isErrorTerminal && canStyle }

  /// A terminal that understands control sequences.
  var canStyle: Bool { variable("TERM").map { $0 != "dumb" } ?? false }

  /// Text in a style where standard output shows colors, else as it is.
  package func styled(_ text: String, _ style: TextStyle) -> String {
    usesColor ? style.begin + text + TextStyle.end : text
  }

  /// Text with what was looked for in bold, where standard output shows colors.
  package func marked(_ text: String, _ search: WordSearch?) -> String {
    guard let search, usesColor else { return text }
    var result = ""
    var place = text.startIndex
    for range in search.ranges(in: text) {
      result += text[place..<range.lowerBound] + styled(String(text[range]), .bold)
      place = range.upperBound
    }
    return result + text[place...]
  }

  /// `starling: what: why` on standard error, in one line whatever the texts hold.
  package func report(_ error: ToolError) {
    report(error.description, error.detail)
    for fault in error.others { report(fault.commandDescription, ErrorDetail(fault)) }
  }

  /// An error with all that is known of it: as a line of text, with the call stack of Lua below it,
  /// or as `{"error":{...}}`.
  func report(_ text: String, _ detail: ErrorDetail, item: Int? = nil) {
    if errorForm == .json {
      return writeLine { json in
        json.name("error")
        ErrorJSON.write(detail, item: item, to: &json)
      }
    }
    writeText(text)
    guard errorForm == .full else { return }
    if let traceback = detail.traceback { err.writeLine(TerminalText.block(traceback)) }
    let plugin = detail.plugin.map { "plugin \($0), " } ?? ""
    err.writeLine(TerminalText.line("\(plugin)\(detail.kind) error"))
  }

  /// Says something beside the result, which is no error: `starling: what: why`, or
  /// `{"note":{"subject":...,"message":...}}`.
  package func report(_ subject: String, _ reason: String) {
    guard errorForm == .json else { return writeText(subject + ": " + reason) }
    writeObject("note") { json in
      json.member("subject", subject)
      json.member("message", reason)
    }
  }

  package func report(_ message: String) {
    guard errorForm == .json else { return writeText(message) }
    writeObject("note") { $0.member("message", message) }
  }

  /// Lua's call stack below the line of an error, where it says more than the line: the error came
  /// from within a function. JSON has it, and --traceback shows it always.
  func showCalls(_ error: HostError) {
    guard errorForm == .line, let traceback = error.traceback else { return }
    let frames = traceback.split(separator: "\n").dropFirst().filter { !$0.contains("[C]:") }
    guard frames.count > 1 else { return }
    err.writeLine(TerminalText.block(traceback))
  }

  /// `{"name":{...}}` as a line of standard error.
  func writeObject(_ name: String, _ members: (inout JSONWriter) -> Void) {
    writeLine { json in
      json.name(name)
      json.beginObject()
      members(&json)
      json.endObject()
    }
  }

  /// An object as a line of standard output.
  func writeResult(_ members: (inout JSONWriter) -> Void) {
    out.write(ToolIO.line(members))
  }

  private func writeLine(_ members: (inout JSONWriter) -> Void) {
    out.flush()
    err.write(ToolIO.line(members))
  }

  private static func line(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    members(&json)
    json.endObject()
    json.newline()
    return json.take()
  }

  private func writeText(_ message: String) {
    out.flush()
    err.writeLine("starling: " + TerminalText.line(message))
  }

  /// Writes out what is buffered. Call it once at the end.
  ///
  /// - Returns: the status of the run: `status`, or `failed` when output could not be written.
  package func finish(_ status: ExitCode) -> ExitCode {
    out.flush()
    err.flush()
    guard let failure = out.failure else { return isProcess ? Terminal.status(status) : status }
    report(ToolError("standard output", failure))
    return .failed
  }
}

/// How errors are said on standard error.
package enum ErrorForm: Sendable {
  /// `starling: what: why`.
  case line
  /// The line, then the call stack of Lua, and whose fault of what kind it is.
  case full
  /// One JSON object a line.
  case json
}

/// How a text stands out on a terminal.
package enum TextStyle: Sendable {
  case bold, dim, red, green, yellow, cyan

  fileprivate static let end = "\u{1B}[0m"

  fileprivate var begin: String {
    switch self {
    case .bold: "\u{1B}[1m"
    case .dim: "\u{1B}[2m"
    case .red: "\u{1B}[31m"
    case .green: "\u{1B}[32m"
    case .yellow: "\u{1B}[33m"
    case .cyan: "\u{1B}[36m"
    }
  }
}
