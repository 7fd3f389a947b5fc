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
    /// Whether a part of a value says something else than the value, as of a number or a time: such a
    /// column is left out rather than cut.
    package var isWhole: Bool
    /// What was looked for in the column's texts: it is shown in bold.
    package var search: WordSearch?

    package init(
      _ title: String, isRight: Bool = false, keepsWidth: Bool = false, isWhole: Bool? = nil,
      search: WordSearch? = nil
    ) {
      self.isWhole = isWhole ?? isRight
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
  /// The columns that are shown, and their widths; empty before the rows were measured.
  private var shown: [(place: Int, width: Int)] = []
  private static let rowsToMeasure = 200
  private static let gap = 2
  /// What a column of text is not cut below while others can be left out.
  private static let readable = 10
  private static let narrowest = 5
  /// The widest column that is never cut.
  private static let widestWhole = 24

  package init(_ columns: [Column], io: ToolIO, showsTitles: Bool = true) {
    self.columns = columns
    self.io = io
    sink = io.out
    self.showsTitles = showsTitles
  }

  /// Adds a row; texts are made safe and brought into one line here. Missing cells are empty.
  package mutating func add(_ cells: [String]) {
    let row = columns.indices.map { $0 < cells.count ? TerminalText.line(cells[$0]) : "" }
    if shown.isEmpty {
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
    shown = io.width.map { fitted(natural, to: $0) } ?? columns.indices.map { ($0, natural[$0]) }
    if showsTitles { write(titles, style: .bold) }
    for row in waiting { write(row) }
    waiting = []
  }

  /// Shortens the widest texts first, all to one width. Where that is not enough, columns are left
  /// out: those without any value, then from the right, but neither the first nor one that keeps its
  /// width; these are shortened further when they are all that is left.
  private func fitted(_ natural: [Int], to width: Int) -> [(place: Int, width: Int)] {
    var shown = columns.indices.map { (place: $0, width: natural[$0]) }
    while total(shown) > width {
      shorten(&shown, to: width, natural.indices.map { floor($0, natural[$0]) })
      if total(shown) <= width { break }
      guard let next = placeToLeaveOut(shown) else { break }
      shown = shown.filter { $0.place != next }.map { ($0.place, natural[$0.place]) }
    }
    let narrow = columns.map { $0.keepsWidth ? Int.max : Table.narrowest }
    shorten(&shown, to: width, narrow)
    shorten(&shown, to: width, columns.map { _ in Table.narrowest })
    while total(shown) > width, shown.count > 1 { shown.removeLast() }
    return shown
  }

  /// The width below which a column is not cut while others can be left out.
  private func floor(_ place: Int, _ natural: Int) -> Int {
    if columns[place].keepsWidth { return natural }
    return columns[place].isWhole ? min(natural, Table.widestWhole) : Table.readable
  }

  private func placeToLeaveOut(_ shown: [(place: Int, width: Int)]) -> Int? {
    let places = shown.dropFirst().map(\.place).filter { !columns[$0].keepsWidth }
    return places.last { place in waiting.allSatisfy { $0[place].isEmpty } } ?? places.last
  }

  private func shorten(
    _ shown: inout [(place: Int, width: Int)], to width: Int, _ floors: [Int]
  ) {
    while total(shown) > width {
      let places = shown.indices.filter { shown[$0].width > floors[shown[$0].place] }
      guard let widest = places.max(by: { shown[$0].width < shown[$1].width }) else { return }
      shown[widest].width -= 1
    }
  }

  private func total(_ shown: [(place: Int, width: Int)]) -> Int {
    shown.reduce(0) { $0 + $1.width } + Table.gap * (shown.count - 1)
  }

  private func write(_ row: [String], style: TextStyle? = nil) {
    var line = ""
    for (index, column) in shown.enumerated() {
      if index > 0 { line += String(repeating: " ", count: Table.gap) }
      let place = column.place
      let isLast = index == shown.count - 1
      let cell = cell(row[place], column.width, columns[place].isRight, isLast: isLast)
      line += style == nil ? io.marked(cell, columns[place].search) : cell
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
