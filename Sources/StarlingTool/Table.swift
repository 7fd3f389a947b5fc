package import StarlingModel

/// Rows in columns, aligned by what a terminal shows and cut to its width.
///
/// The first rows decide the widths and wait for that; later ones are written as they come, so a
/// long list takes no memory. Off a terminal nothing is cut.
package struct Table {
  package struct Column: Sendable {
    package var title: String
    /// Numbers and prices stand on the right.
    package var isRight: Bool
    /// A column that gives way last when the terminal is narrow, such as the key.
    package var keepsWidth: Bool
    /// What was looked for in the column's texts: it is shown in bold.
    package var search: WordSearch?

    package init(
      _ title: String, isRight: Bool = false, keepsWidth: Bool = false, search: WordSearch? = nil
    ) {
      self.search = search
      self.title = title
      self.isRight = isRight
      self.keepsWidth = keepsWidth
    }
  }

  private let columns: [Column]
  private let io: ToolIO
  private let sink: ByteSink
  private let showsTitles: Bool
  private var waiting: [[String]] = []
  private var widths: [Int] = []
  private static let rowsToMeasure = 200
  private static let gap = 2
  private static let narrowest = 5

  package init(_ columns: [Column], io: ToolIO, showsTitles: Bool = true) {
    self.columns = columns
    self.io = io
    sink = io.out
    self.showsTitles = showsTitles
  }

  /// Adds a row; texts are made safe and brought into one line here. Missing cells are empty.
  package mutating func add(_ cells: [String]) {
    let row = columns.indices.map { $0 < cells.count ? TerminalText.line(cells[$0]) : "" }
    if widths.isEmpty {
      waiting.append(row)
      if waiting.count >= Table.rowsToMeasure { writeWaiting() }
    } else {
      write(row)
    }
  }

  /// Writes what waits. Call it after the last row; a table without rows prints nothing.
  package mutating func finish() {
    if !waiting.isEmpty { writeWaiting() }
  }

  private mutating func writeWaiting() {
    let titles = showsTitles ? columns.map(\.title) : []
    var natural = columns.indices.map { index in
      showsTitles ? DisplayWidth.width(of: titles[index]) : 1
    }
    for row in waiting {
      for index in row.indices {
        natural[index] = max(natural[index], DisplayWidth.width(of: row[index]))
      }
    }
    widths = io.width.map { fitted(natural, to: $0) } ?? natural
    if showsTitles { write(titles, style: .bold) }
    for row in waiting { write(row) }
    waiting = []
  }

  /// Shortens the widest columns first, all to one width, those that keep theirs last. Columns that
  /// then still do not fit are left out from the right.
  private func fitted(_ natural: [Int], to width: Int) -> [Int] {
    var widths = natural
    for givesWay in [{ !$0.keepsWidth }, { _ in true }] as [(Column) -> Bool] {
      let places = columns.indices.filter { givesWay(columns[$0]) }
      while total(widths) > width,
        let widest = places.max(by: { widths[$0] < widths[$1] }), widths[widest] > Table.narrowest
      {
        widths[widest] -= 1
      }
    }
    while total(widths) > width, widths.count > 1 { widths.removeLast() }
    return widths
  }

  private func total(_ widths: [Int]) -> Int {
    widths.reduce(0, +) + Table.gap * (widths.count - 1)
  }

  private func write(_ row: [String], style: TextStyle? = nil) {
    var line = ""
    for (index, width) in widths.enumerated() {
      if index > 0 { line += String(repeating: " ", count: Table.gap) }
      let isLast = index == widths.count - 1
      let cell = cell(row[index], width, columns[index].isRight, isLast: isLast)
      line += style == nil ? io.marked(cell, columns[index].search) : cell
    }
    while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
    sink.writeLine(style.map { io.styled(line, $0) } ?? line)
  }

  private func cell(_ text: String, _ width: Int, _ isRight: Bool, isLast: Bool) -> String {
    let columns = DisplayWidth.width(of: text)
    // What came after the measured rows may be wider; only a terminal cuts it.
    if columns > width { return io.width == nil ? text : DisplayWidth.pad(text, to: width) }
    let blanks = String(repeating: " ", count: width - columns)
    return isRight ? blanks + text : isLast ? text : text + blanks
  }
}
