import Starling

/// The console without a person: standard input is a script. What is a whole chunk of statements is
/// run as one, and shows what it prints. A single expression, and lines among which there are commands
/// of the console or bare expressions, are done in their turn as if typed: each call's value is shown.
/// The first error ends it.
struct ConsoleScript {
  private let console: Console
  /// Statements and expressions that wait to be run as one chunk, so that locals live on.
  private var waiting: [ConsoleChunk] = []

  static let name = "stdin"

  init(_ console: Console) {
    self.console = console
  }

  /// - Throws: the first error, with its line.
  mutating func run() throws(ToolError) -> ExitCode {
    let text = try read()
    let isExpression = console.session.parse("return " + text) == .complete
    if !isExpression, console.session.parse(text) == .complete, !hasCommand(text) {
      try console.run(text, name: Self.name)
    } else {
      try runLines(of: text)
    }
    return console.ending ?? .done
  }

  /// Whether a line is a command of the console's own, which after a call could be read as a method of
  /// what it gives: `f()` and `:rule "x"`.
  private func hasCommand(_ text: String) -> Bool {
    guard text.utf8.contains(UInt8(ascii: ":")) else { return false }
    return text.split(separator: "\n").contains { line in
      guard case .command(let name, _)? = ConsoleMachine.command(line.trimmingBlanks()) else {
        return false
      }
      return ConsoleCommand.all.contains { $0.name == name }
    }
  }

  private func read() throws(ToolError) -> String {
    var bytes: [UInt8] = []
    while true {
      let piece = try console.io.input.read()
      if piece.isEmpty { break }
      bytes += piece
      guard bytes.count <= 64 << 20 else {
        throw ToolError("standard input", "longer than 64 MB")
      }
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    // Lua takes CR LF for one end of line (Lua manual 5.4, §3.1); so do the console's own commands.
    if bytes.contains(13) {
      var last: UInt8 = 0
      bytes = bytes.filter { byte in
        defer { last = byte }
        return byte != 10 || last != 13
      }
      bytes = bytes.map { $0 == 13 ? 10 : $0 }
    }
    // A first line for the system (`#!`) is none of Lua.
    if bytes.first == UInt8(ascii: "#") { bytes.replaceSubrange(..<1, with: "--".utf8) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func runLines(of text: String) throws(ToolError) {
    let session = console.session
    var machine = ConsoleMachine { session.parse($0) }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      try take(machine.consume(String(line)), line: machine.line)
      if console.ending != nil { return }
    }
    try take(machine.finish(), line: machine.line)
    try runWaiting()
  }

  private mutating func take(_ action: ConsoleAction, line: Int) throws(ToolError) {
    switch action {
    case .nothing, .more: return
    case .run(let chunk):
      if chunk.isWrong || ConsoleMachine.helpTopic(chunk.text) != nil {
        try runWaiting()
        guard console.ending == nil else { return }
        return try located(line) { () throws(ToolError) in
          try console.act(.run(padded(chunk)), name: Self.name)
        }
      }
      waiting.append(chunk)
      // Nothing may follow a return in its chunk.
      let word = chunk.text.trimmingBlanks().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      if word == "return" { try runWaiting() }
    case .command, .help:
      try runWaiting()
      guard console.ending == nil else { return }
      try located(line) { () throws(ToolError) in try console.act(action) }
    }
  }

  /// The chunk with the lines before it as empty ones, so that errors say its line.
  private func padded(_ chunk: ConsoleChunk) -> ConsoleChunk {
    var chunk = chunk
    chunk.text = String(repeating: "\n", count: chunk.line - 1) + chunk.text
    return chunk
  }

  /// Says the line of an error that has none.
  private func located(
    _ line: Int, _ body: () throws(ToolError) -> Void
  ) throws(ToolError) {
    do throws(ToolError) { try body() } catch {
      if error.description.hasPrefix(Self.name + ":") { throw error }
      throw ToolError("\(Self.name):\(line)", error.description, exitCode: .failed)
    }
  }

  private mutating func runWaiting() throws(ToolError) {
    guard !waiting.isEmpty else { return }
    let show = ConsoleSession.showName
    var source = "local \(show) = ... "
    var line = 1
    for chunk in waiting {
      source += String(repeating: "\n", count: max(0, chunk.line - line))
      line = max(line, chunk.line) + chunk.text.utf8.count { $0 == UInt8(ascii: "\n") }
      guard chunk.isExpression else {
        source += chunk.text
        continue
      }
      // Behind a comment the bracket must stand in the next line, elsewhere in the same: Lua says
      // its line when it cannot read the value.
      let endsOpen = chunk.text.split(separator: "\n").last?.contains("--") ?? false
      source += ";\(show)(\(chunk.text)\(endsOpen ? "\n" : ""));"
      if endsOpen { line += 1 }
    }
    waiting = []
    try console.run(source, name: Self.name)
  }
}
