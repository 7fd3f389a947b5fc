package import StarlingModel

/// Rows in columns, aligned by what a terminal shows and cut to its width.
///
/// The first rows decide the widths and wait for that; later ones are written as they come, so a
/// long list takes no memory, and widen a column where they must. Off a terminal nothing is cut.
package struct Table {
  /// How a column gives way when the terminal is narrow.
  package enum Manner: Sendable {
    /// Cut at its end, and left out before it is too short to be read.
    case text
    /// Left out rather than cut: a part of a number or a time says something else than the whole.
    case whole
    /// Cut last, and never left out.
    case name
    /// Cut in its middle, to a share of its own, and never left out: a long key such as an address
    /// leaves the title room.
    case key
  }

  package struct Column: Sendable {
    package var title: String
    package var manner: Manner
    /// Numbers and prices stand on the right.
    package var isRight: Bool
    /// Whether the rows are compared by it, as cars are by their price: it is the first of what can
    /// be left out to find room.
    package var isWeighty = false
    /// What was looked for in the column's texts: it is shown in bold.
    package var search: WordSearch?

    package init(
      _ title: String, _ manner: Manner? = nil, isRight: Bool = false, search: WordSearch? = nil
    ) {
      self.title = title
      self.manner = manner ?? (isRight ? .whole : .text)
      self.isRight = isRight
      self.search = search
    }
  }

  private let columns: [Column]
  private let io: ToolIO
  private let sink: ByteSink
  private let showsTitles: Bool
  private let wayToAll: String?
  private var waiting: [[String]] = []
  private var waitingBytes = 0
  private var layout: TableLayout
  /// The columns that are shown, and their widths; empty before the rows were measured.
  private var shown: [TableLayout.Place] = []
  private var isKeyCut = false
  private var leftOut: [String] = []
  private static let rowsToMeasure = 200
  /// Bytes of rows that wait at most: cells may be long.
  private static let bytesToMeasure = 1 << 20

  /// - Parameter wayToAll: how the user sees what had no room, such as `--json`; it is said below a
  ///   table of which a key was cut or a column left out.
  package init(
    _ columns: [Column], io: ToolIO, showsTitles: Bool = true, wayToAll: String? = nil
  ) {
    self.columns = columns
    self.io = io
    layout = TableLayout(columns)
    sink = io.out
    self.showsTitles = showsTitles
    self.wayToAll = wayToAll
  }

  /// Adds a row; texts are made safe and brought into one line here. Missing cells are empty.
  package mutating func add(_ cells: [String]) {
    let row = columns.indices.map { $0 < cells.count ? TerminalText.line(cells[$0]) : "" }
    if shown.isEmpty {
      waiting.append(row)
      waitingBytes += row.reduce(0) { $0 + $1.utf8.count }
      if waiting.count >= Table.rowsToMeasure || waitingBytes >= Table.bytesToMeasure {
        writeWaiting()
      }
    } else {
      if let width = io.width { layout.widen(&shown, for: row, in: width) }
      write(row)
    }
  }

  /// Writes what waits, and what is not shown. Call it after the last row; a table without rows
  /// prints nothing.
  package mutating func finish() {
    if !waiting.isEmpty { writeWaiting() }
    let missing = leftOut + (isKeyCut ? ["the middle of keys"] : [])
    guard let wayToAll, !missing.isEmpty else { return }
    let note = "Not shown: \(missing.joined(separator: ", ")) (\(wayToAll))"
    sink.flush()
    for line in TerminalText.wrapped(note, to: io.width) { io.err.writeLine(io.styled(line, .dim)) }
  }

  private mutating func writeWaiting() {
    let titles = showsTitles ? columns.map(\.title) : []
    if showsTitles { layout.measure(titles, isTitle: true) }
    for row in waiting { layout.measure(row) }
    shown = layout.places(in: io.width)
    leftOut = layout.withValues.subtracting(shown.map(\.index)).sorted().map { columns[$0].title }
    if showsTitles { write(titles, style: .bold) }
    for row in waiting { write(row) }
    waiting = []
    waitingBytes = 0
  }

  private mutating func write(_ row: [String], style: TextStyle? = nil) {
    var line = ""
    for (number, place) in shown.enumerated() {
      if number > 0 { line += String(repeating: " ", count: TableLayout.gap) }
      let cell = cell(row[place.index], place, isLast: number == shown.count - 1)
      line += style == nil ? io.marked(cell, columns[place.index].search) : cell
    }
    while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
    sink.writeLine(style.map { io.styled(line, $0) } ?? line)
  }

  private mutating func cell(
    _ text: String, _ place: TableLayout.Place, isLast: Bool
  ) -> String {
    let (column, width) = (columns[place.index], DisplayWidth.width(of: text))
    if width > place.width {
      // What came after the measured rows may be wider; only a terminal cuts it.
      guard io.width != nil else { return text }
      guard column.manner == .key else { return DisplayWidth.pad(text, to: place.width) }
      isKeyCut = true
      return DisplayWidth.pad(Table.cut(key: text, to: place.width), to: place.width)
    }
    let blanks = String(repeating: " ", count: place.width - width)
    return column.isRight ? blanks + text : isLast ? text : text + blanks
  }

  /// A key with an ellipsis in place of what says least: the scheme of an address, then the middle.
  private static func cut(key: String, to width: Int) -> String {
    for scheme in ["https://", "http://"] where key.hasPrefix(scheme) {
      let rest = String(key.dropFirst(scheme.count))
      return DisplayWidth.width(of: rest) < width
        ? "…" + rest : DisplayWidth.cutMiddle(rest, to: width)
    }
    return DisplayWidth.cutMiddle(key, to: width)
  }
}
