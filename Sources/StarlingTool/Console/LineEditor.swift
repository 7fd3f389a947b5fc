import CEdit
import Glibc

/// Reads lines from a person at a terminal: libedit, with its history and keys.
@safe
final class LineEditor {
  enum Line {
    case text(String)
    /// Ctrl-C.
    case abandoned
    /// Ctrl-D, or the terminal is gone.
    case closed
  }

  private let io: ToolIO
  private var editor: OpaquePointer?
  private var prompt = ""
  /// Called at Tab with the text before the cursor.
  var complete: (String) -> Void = { _ in }
  /// Called several times a second while the person thinks.
  var whileWaiting: () -> Void = {}
  /// Whether what stands on the screen is not the line any more.
  private var isHidden = false
  private var isReading = false
  /// The columns of the terminal when the line was drawn.
  private var drawnWidth = 80
  /// Whether the terminal says where its cursor is; nobody waits a second time for one that did not.
  private var answersQuestions = true
  private var isAnswerDue = false

  /// - Throws: when libedit cannot be loaded.
  init(_ io: ToolIO) throws(ToolError) {
    self.io = io
    var callbacks = unsafe starling_editor_callbacks()
    unsafe callbacks.context = Unmanaged.passUnretained(self).toOpaque()
    unsafe callbacks.wait = { context in
      guard let context = unsafe context else { return Int32(STARLING_EDITOR_END) }
      return unsafe Unmanaged<LineEditor>.fromOpaque(context).takeUnretainedValue().wait()
    }
    unsafe callbacks.complete = { context in
      guard let context = unsafe context else { return }
      unsafe Unmanaged<LineEditor>.fromOpaque(context).takeUnretainedValue().tab()
    }
    var message: UnsafePointer<CChar>?
    unsafe editor = unsafe starling_editor_open(&callbacks, &message)
    let isOpen = unsafe editor != nil
    guard isOpen else {
      let reason = unsafe message.map { unsafe String(cString: $0) } ?? "unknown"
      throw ToolError("libedit", "\(reason); install the package libedit2")
    }
  }

  deinit {
    if let editor = unsafe editor { unsafe starling_editor_close(editor) }
  }

  func remember(_ entry: String) {
    unsafe starling_editor_remember(editor, entry)
  }

  func read(prompt: String) -> Line {
    io.out.flush()
    self.prompt = prompt
    isReading = true
    isHidden = false
    drawnWidth = io.terminalWidth
    Terminal.defersSuspension(true)
    defer {
      isReading = false
      Terminal.defersSuspension(false)
    }
    var text: UnsafePointer<CChar>?
    var length = 0
    let ending = unsafe Int(starling_editor_read(editor, prompt, &text, &length))
    switch ending {
    case STARLING_EDITOR_LINE:
      guard let text = unsafe text else { return .closed }
      return unsafe .text(
        String(
          decoding: UnsafeRawBufferPointer(start: text, count: length), as: UTF8.self))
    case STARLING_EDITOR_ABANDONED: return .abandoned
    default: return .closed
    }
  }

  /// Waits for a key, a signal, or whatever else the line is interrupted by.
  private func wait() -> Int32 {
    showLine()
    while true {
      if Terminal.endSignal != nil { return Int32(STARLING_EDITOR_END) }
      if Terminal.takeInterrupt() { return Int32(STARLING_EDITOR_INTERRUPT) }
      if Terminal.takeSuspension() { return Int32(STARLING_EDITOR_SUSPEND) }
      if Terminal.takeContinuation() {
        resume()
        return Int32(STARLING_EDITOR_RESUME)
      }
      if Terminal.takeResize() {
        hideLine(rows: rowsAfterResize())
        // The editor draws it again.
        isHidden = false
        drawnWidth = io.terminalWidth
        return Int32(STARLING_EDITOR_RESIZE)
      }
      if Terminal.isReady(0, withinMilliseconds: 100) {
        if isAnswerDue, !passLateAnswer() { continue }
        return Int32(STARLING_EDITOR_KEY)
      }
      whileWaiting()
      showLine()
    }
  }

  // MARK: The line on the screen

  /// The line as it is, in bytes before the cursor and behind it.
  private var parts: (before: String, after: String) {
    var (length, cursor) = (0, 0)
    guard let start = unsafe starling_editor_text(editor, &length, &cursor) else { return ("", "") }
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: length)
    return unsafe (
      String(decoding: bytes[..<cursor], as: UTF8.self),
      String(decoding: bytes[cursor...], as: UTF8.self)
    )
  }

  /// Takes the prompt and the line off the screen, for output that comes while a person types; they
  /// come back when that is over.
  func hideLine() {
    hideLine(rows: LineLayout(prompt + parts.before).end(in: drawnWidth).row)
  }

  /// - Parameter rows: how many rows the cursor is below the one where the prompt begins.
  private func hideLine(rows: @autoclosure () -> Int) {
    guard isReading, !isHidden else { return }
    isHidden = true
    guard io.canStyle else { return io.out.write("\n") }
    let rows = rows()
    io.out.write("\r" + (rows > 0 ? "\u{1B}[\(rows)A" : "") + "\u{1B}[J")
    io.out.flush()
  }

  /// Where the prompt begins, now that the terminal has another width: most terminals break the lines
  /// on their screen anew then, others cut them. The column of the cursor tells which.
  private func rowsAfterResize() -> Int {
    let layout = LineLayout(prompt + parts.before)
    let old = layout.end(in: drawnWidth)
    let new = layout.end(drawnIn: drawnWidth, reflowedTo: io.terminalWidth)
    guard old.row != new.row, answersQuestions else { return old.row }
    let report = Terminal.askCursorColumn()
    type(report.typed)
    if report.column == nil { (answersQuestions, isAnswerDue) = (false, true) }
    return report.column == new.column ? new.row : old.row
  }

  /// Takes an answer that comes late out of what is typed.
  ///
  /// - Returns: whether anything was typed.
  private func passLateAnswer() -> Bool {
    var report = CursorReport()
    repeat {
      guard let bytes = try? Terminal.read(upTo: 64, from: 0), !bytes.isEmpty else { return true }
      report.take(bytes)
    } while report.isUnfinished && Terminal.isReady(0, withinMilliseconds: 100)
    if report.column != nil { isAnswerDue = false }
    type(report.typed)
    return !report.typed.isEmpty
  }

  private func type(_ keys: [UInt8]) {
    unsafe keys.withUnsafeBytes { bytes in
      unsafe starling_editor_type(editor, bytes.baseAddress, bytes.count)
    }
  }

  /// Has the line drawn where the cursor is: what stood on the screen is not the line any more.
  private func resume() {
    isHidden = true
    io.out.write("\r")
    io.out.flush()
    isHidden = false
    drawnWidth = io.terminalWidth
    _ = Terminal.takeResize()
  }

  private func showLine() {
    guard isHidden else { return }
    io.out.flush()
    isHidden = false
    unsafe starling_editor_redraw(editor)
  }

  // MARK: Completion

  private func tab() { complete(parts.before) }

  func insert(_ text: String) {
    unsafe starling_editor_insert(editor, text)
  }

  func beep() { unsafe starling_editor_beep(editor) }

  /// Writes below the line; it is drawn again after that.
  func showBelow(_ lines: [String]) {
    let (before, after) = parts
    let rows =
      LineLayout(prompt + before + after).end(in: drawnWidth).row
      - LineLayout(prompt + before).end(in: drawnWidth).row
    isHidden = true
    io.out.write(String(repeating: "\n", count: rows + 1))
    for line in lines { io.out.writeLine(line) }
    showLine()
  }
}

@available(*, unavailable)
extension LineEditor: Sendable {}
