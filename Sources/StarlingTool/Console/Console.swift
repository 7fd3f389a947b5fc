import Starling
import StarlingModel

/// The console: reads lines, has the machine say what they are, and does it.
final class Console {
  let context: CommandContext
  let io: ToolIO
  let session: ConsoleSession
  /// Nothing outside of the copy that it works on is changed.
  let isDryRun: Bool
  let stop = StopHandle()
  /// The status with which a chunk or a command ended the session.
  var ending: ExitCode?

  /// Whether a person types.
  var isInteractive: Bool { io.isInputTerminal && io.isOutputTerminal }

  init(_ context: CommandContext, isDryRun: Bool = false) throws(ToolError) {
    self.context = context
    self.isDryRun = isDryRun
    io = context.io
    let permissions = try context.permissions()
    session = try hosted { [io, stop] () throws(HostError) in
      try ConsoleSession(
        host: context.host, io: context.scriptIO(), permissions: permissions, stop: stop,
        introduction: { ConsoleCommand.introduction(width: io.width) },
        layOut: { Console.fitted($0, to: io.width).joined(separator: "\n") })
    }
    session.writesJSON = context.isJSON
  }

  func run() throws(ToolError) -> ExitCode {
    defer { session.close() }
    if isInteractive { return try runInteractively() }
    context.catchInterrupts(stop)
    var script = ConsoleScript(self)
    return try script.run()
  }

  // MARK: With a person

  private func runInteractively() throws(ToolError) -> ExitCode {
    if io.isProcess { Terminal.catchConsoleSignals(stop) }
    let editor = try LineEditor(io)
    var machine = ConsoleMachine { [session] text in session.parse(text) }
    var history = InputHistory(path: InputHistory.usualPath(io))
    for entry in history.entries { editor.remember(entry) }
    prepare(editor, pending: { machine.pendingText })
    defer { (io.out.beforeWriting, io.err.beforeWriting) = (nil, nil) }
    io.out.writeLine("Starling \(Tool.version) (:help, Ctrl-D leaves)")
    if isDryRun { io.out.writeLine("Nothing is kept: this is a copy.") }
    var entry: [String] = []
    while ending == nil {
      let line = editor.read(prompt: machine.isPending ? ">> " : "> ")
      if let signal = Terminal.endSignal { return ExitCode(rawValue: 128 + signal) }
      switch line {
      case .closed:
        io.out.writeLine()
        return .done
      case .abandoned:
        machine.abandon()
        entry = []
        stop.clear()
      case .text(let text):
        entry.append(text)
        let action = machine.consume(text)
        if action == .more { continue }
        let whole = entry.joined(separator: "\n")
        entry = []
        if history.add(whole) { editor.remember(whole) }
        _ = Terminal.takeInterrupt()
        do throws(ToolError) { try act(action) } catch { report(error) }
        // What was pressed while it ran was for it alone.
        _ = Terminal.takeInterrupt()
        stop.clear()
      }
    }
    return ending ?? .done
  }

  private func prepare(_ editor: LineEditor, pending: @escaping () -> String) {
    io.out.beforeWriting = { [unowned editor] in editor.hideLine() }
    io.err.beforeWriting = { [unowned editor] in editor.hideLine() }
    var rounds = 0
    editor.whileWaiting = { [unowned self] in
      rounds += 1
      // Five times in two seconds is soon enough for a person.
      guard rounds % 4 == 0, session.hasObservers else { return }
      session.poll()
      tellNotices()
    }
    editor.complete = { [unowned self, unowned editor] text in
      let tab = ConsoleTab(session: session, width: io.terminalWidth)
      switch tab.press(before: text, pending: pending()) {
      case .insert(let text): editor.insert(text)
      case .list(let lines): editor.showBelow(lines)
      case .nothing: editor.beep()
      }
    }
  }

  private func report(_ error: ToolError) {
    io.out.flush()
    io.err.writeLine(TerminalText.line(error.description))
  }

  // MARK: Actions

  /// Does what a line asks for. What goes wrong in Lua is said here; with a person that is all.
  ///
  /// - Throws: what a command could not do, and in a script what Lua raised.
  func act(_ action: ConsoleAction, name: String = "console") throws(ToolError) {
    switch action {
    case .nothing, .more: break
    case .help(let topic): try help(topic)
    case .command(let name, let argument): try ConsoleCommand.run(name, argument, self)
    case .run(let chunk):
      if let topic = ConsoleMachine.helpTopic(chunk.text), session.hasHelp(topic) {
        return try help(topic)
      }
      let source = chunk.isExpression ? "return " + chunk.text : chunk.text
      try run(source, name: name)
    }
  }

  /// Runs Lua text and shows what it gives.
  func run(_ source: String, name: String) throws(ToolError) {
    let printer = ResultPrinter(
      io: io, isStopped: { [stop] in stop.isStopped }, kind: { [session] in session.openKind($0) })
    let json = context.isJSON ? ResultJSON(io: io) : nil
    do throws(HostError) {
      let status = try session.run(source, name: name) { results in
        if let json { json.write(results) } else { printer.write(results) }
      }
      if let status { ending = ExitCode(rawValue: status) }
      if io.out.isClosed { ending = .done }
    } catch {
      if Terminal.endSignal != nil { return }
      guard isInteractive else { throw ToolError(error) }
      show(error)
    }
    tellNotices()
    io.out.flush()
  }

  private func tellNotices() {
    let notices = session.takeNotices()
    guard !notices.isEmpty, ending == nil else { return }
    io.out.flush()
    for notice in notices { io.err.writeLine(notice) }
  }

  private func show(_ error: HostError) {
    io.out.flush()
    if error.kind == .canceled {
      // The terminal has shown ^C in a line of its own.
      if isInteractive { io.out.writeLine() }
      return io.err.writeLine("interrupted")
    }
    io.err.writeLine(TerminalText.line(ToolError(error).description))
    guard let traceback = error.traceback else { return }
    // The frame of the console itself tells nothing.
    var lines = TerminalText.block(traceback).split(separator: "\n")
    if lines.last?.hasSuffix("[C]: in ?") == true { lines.removeLast() }
    for line in lines { io.err.writeLine(String(line)) }
  }

  private func help(_ topic: String) throws(ToolError) {
    if topic.hasPrefix(":") {
      return write(help: try ConsoleCommand.named(String(topic.dropFirst())).help)
    }
    if !session.hasHelp(topic), session.parse("return " + topic) == .complete {
      // A name of the person's own: what it stands for is explained.
      let source =
        "if rawget(_G, \"\(topic.prefix { $0 != "." })\") ~= nil then help(\(topic)) "
        + "else help(\"\(topic)\") end"
      return try run(source, name: "console")
    }
    write(help: session.help(topic: topic))
  }

  func write(help text: String) {
    guard !context.isJSON else { return io.writeResult { $0.member("help", text) } }
    for line in Console.fitted(text, to: io.width) { io.out.writeLine(line) }
  }

  /// Lines that keep their indentation where they are too long.
  private static func fitted(_ text: String, to width: Int?) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      let margin = String(line.prefix { $0 == " " })
      let width = width.map { max(16, $0 - margin.count) }
      return TerminalText.wrapped(line.trimmingBlanks(), to: width).map { margin + $0 }
    }
  }
}

@available(*, unavailable)
extension Console: Sendable {}
