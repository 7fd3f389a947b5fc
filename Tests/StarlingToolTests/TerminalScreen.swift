import StarlingModel

/// What a person sees: a terminal of fixed size that takes the bytes of a program. It knows what
/// libedit and the console send to an xterm, and records anything else as a fault.
struct TerminalScreen {
  private(set) var columns: Int
  let rows: Int
  /// A wide character has its text in the first of its two cells and nothing in the second.
  private var cells: [[String]]
  private(set) var row = 0
  private(set) var column = 0
  /// The cursor stands behind the last column, and the next character begins a new line.
  private var wrapsNext = false
  private var pending: [UInt8] = []
  /// Sequences that are not understood, which a test has to look at.
  private(set) var faults: [String] = []
  /// What the terminal answers to questions, as if typed.
  private(set) var answers = ""
  /// Whether lines are broken anew when the width changes, as most terminals do it; else they are cut.
  private let reflows: Bool
  /// The rows that go on in the next one.
  private var wrapped: [Bool]

  init(columns: Int, rows: Int, reflows: Bool = false) {
    self.reflows = reflows
    wrapped = Array(repeating: false, count: rows)
    self.columns = columns
    self.rows = rows
    cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
  }

  /// All lines down to the last one with text, without blanks at their ends.
  var text: String {
    var lines = cells.map { TerminalScreen.trimmed($0.joined()) }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  /// The line of the cursor, up to the cursor.
  var beforeCursor: String { cells[row][..<min(column, columns)].joined() }

  /// Whether nothing stands behind the cursor in its line.
  var isAtEnd: Bool { cells[row][min(column, columns)...].allSatisfy { $0 == " " || $0.isEmpty } }

  /// What the terminal answers, which is to be typed.
  mutating func takeAnswers() -> String {
    defer { answers = "" }
    return answers
  }

  /// Another size.
  mutating func resize(columns: Int) {
    if reflows { return reflow(to: columns) }
    for row in cells.indices {
      let line = cells[row]
      cells[row] = Array((line + Array(repeating: " ", count: columns)).prefix(columns))
    }
    self.columns = columns
    column = min(column, columns - 1)
    wrapsNext = false
  }

  private mutating func reflow(to width: Int) {
    var rest = cells
    var (top, wraps, place) = ([[String]](), [Bool](), (row: 0, column: 0))
    var number = 0
    while number < rest.count {
      // One line as it was written, with the cursor's place in it.
      var line: [String] = []
      var cursor: Int?
      repeat {
        if number == row { cursor = line.count + column + (wrapsNext ? 1 : 0) }
        line += rest[number]
        number += 1
      } while number < rest.count && wrapped[number - 1]
      while line.last == " ", line.count > cursor ?? 0 { line.removeLast() }
      if let cursor { place = (top.count + cursor / width, cursor % width) }
      repeat {
        top.append(Array((line.prefix(width) + Array(repeating: " ", count: width)).prefix(width)))
        line = Array(line.dropFirst(width))
        wraps.append(!line.isEmpty)
      } while !line.isEmpty || top.count <= place.row
    }
    while top.count > rows, top.last?.allSatisfy({ $0 == " " }) == true, place.row < top.count - 1 {
      top.removeLast()
      wraps.removeLast()
    }
    let above = max(0, top.count - rows)
    rest = Array(top.dropFirst(above))
    wrapped = Array(wraps.dropFirst(above))
    while rest.count < rows {
      rest.append(Array(repeating: " ", count: width))
      wrapped.append(false)
    }
    (cells, columns, wrapsNext) = (rest, width, false)
    (row, column) = (max(0, place.row - above), place.column)
  }

  mutating func take(_ bytes: [UInt8]) {
    pending += bytes
    while let (length, action) = next() {
      let piece = Array(pending[..<length])
      pending.removeFirst(length)
      switch action {
      case .control: control(piece[0])
      case .sequence: sequence(String(decoding: piece, as: UTF8.self))
      case .character: put(String(decoding: piece, as: UTF8.self))
      }
    }
  }

  private enum Action {
    case control
    case sequence
    case character
  }

  /// The length of what comes next, when it is complete.
  private func next() -> (Int, Action)? {
    guard let first = pending.first else { return nil }
    if first == 0x1B {
      guard pending.count >= 2 else { return nil }
      guard pending[1] == UInt8(ascii: "[") else { return (2, .sequence) }
      let end = pending.dropFirst(2).firstIndex { $0 >= 0x40 && $0 <= 0x7E }
      return end.map { ($0 + 1, .sequence) }
    }
    if first < 0x20 || first == 0x7F { return (1, .control) }
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    return pending.count >= length ? (length, .character) : nil
  }

  private mutating func control(_ byte: UInt8) {
    switch byte {
    case 0x0D: (column, wrapsNext) = (0, false)
    case 0x0A: lineFeed()
    case 0x08: (column, wrapsNext) = (max(0, column - 1), false)
    case 0x09: column = min(columns - 1, (column / 8 + 1) * 8)
    case 0x07: break
    default: faults.append("control \(byte)")
    }
  }

  private mutating func lineFeed() {
    wrapsNext = false
    if row + 1 < rows { row += 1 } else { scroll() }
  }

  private mutating func scroll() {
    cells.removeFirst()
    wrapped.removeFirst()
    wrapped.append(false)
    cells.append(Array(repeating: " ", count: columns))
  }

  private mutating func put(_ text: String) {
    let width = text.first.map { DisplayWidth.width(of: $0) } ?? 0
    if width == 0 {
      // A mark that joins the character before it.
      let place = wrapsNext ? columns - 1 : max(0, column - 1)
      cells[row][place] += text
      return
    }
    if wrapsNext || column + width > columns {
      column = 0
      wrapped[row] = true
      lineFeed()
    }
    cells[row][column] = text
    if width == 2 { cells[row][column + 1] = "" }
    column += width
    if column >= columns { (column, wrapsNext) = (columns - 1, true) }
  }

  private mutating func sequence(_ text: String) {
    guard text.hasPrefix("\u{1B}["), let final = text.last else {
      if text != "\u{1B}=" && text != "\u{1B}>" { faults.append("sequence \(text.dropFirst())") }
      return
    }
    let parameters = text.dropFirst(2).dropLast()
    let number = Int(parameters.prefix { $0 != ";" })
    let count = max(1, number ?? 1)
    if final != "m", final != "n" { wrapsNext = false }
    switch final {
    case "m", "h", "l": break
    case "n": answers += "\u{1B}[\(row + 1);\(column + 1)R"
    case "A": row = max(0, row - count)
    case "B": row = min(rows - 1, row + count)
    case "C": column = min(columns - 1, column + count)
    case "D": column = max(0, column - count)
    case "G": column = min(columns - 1, count - 1)
    case "H": (row, column) = (0, 0)
    case "K": erase(row, from: column)
    case "J":
      if number == 2 { row = 0 }
      erase(row, from: number == 2 ? 0 : column)
      for row in (row + 1)..<max(row + 1, rows) { erase(row, from: 0) }
    case "P": shift(by: count)
    case "@":
      cells[row].insert(contentsOf: Array(repeating: " ", count: count), at: column)
      cells[row].removeLast(count)
    default: faults.append("sequence \(text.dropFirst())")
    }
  }

  private mutating func erase(_ row: Int, from column: Int) {
    for place in column..<columns { cells[row][place] = " " }
    wrapped[row] = false
  }

  private mutating func shift(by count: Int) {
    let count = min(count, columns - column)
    cells[row].removeSubrange(column..<(column + count))
    cells[row] += Array(repeating: " ", count: count)
  }

  private static func trimmed(_ text: String) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return text
  }
}
