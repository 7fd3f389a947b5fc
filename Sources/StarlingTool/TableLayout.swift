import StarlingModel

/// Which columns of a table a terminal has room for, and how wide each is.
struct TableLayout {
  struct Place {
    /// The column's index among those of the table.
    var index: Int
    var width: Int
  }

  private let columns: [Table.Column]
  /// The width of the widest text of each column.
  private var natural: [Int]
  /// How many rows have a value in each column.
  private var values: [Int]
  private var rows = 0

  static let gap = 2
  /// What a column of text is not cut below while others can be left out.
  private static let readable = 10
  private static let narrowest = 5
  /// The widest column of whole values that is never cut.
  private static let widestWhole = 24
  /// What a key is not cut below while other columns can be left out.
  private static let shortestKey = 12
  /// The longest key that is not cut then.
  private static let shortKey = 16

  init(_ columns: [Table.Column]) {
    self.columns = columns
    natural = columns.map { _ in 1 }
    values = columns.map { _ in 0 }
  }

  mutating func measure(_ row: [String], isTitle: Bool = false) {
    for index in row.indices {
      natural[index] = max(natural[index], DisplayWidth.width(of: row[index]))
      if !isTitle, !row[index].isEmpty { values[index] += 1 }
    }
    if !isTitle { rows += 1 }
  }

  /// The columns in which some row has a value.
  var withValues: Set<Int> { Set(values.indices.filter { values[$0] > 0 }) }

  /// - Parameter width: the columns of the terminal; nil where nothing is cut.
  func places(in width: Int?) -> [Place] {
    var shown = places(of: columns.indices)
    guard let width, total(shown) > width else { return shown }
    shown = places(of: columns.indices.filter { $0 == 0 || values[$0] > 0 })
    if total(shown) <= width { return shown }
    shown = places(of: indexes(in: width))
    shorten(&shown, to: width) { share(of: $0, in: width) }
    shorten(&shown, to: width) { leastShare(of: $0, in: width) }
    shorten(&shown, to: width) { columns[$0].manner == .name ? .max : TableLayout.narrowest }
    shorten(&shown, to: width) { _ in TableLayout.narrowest }
    while total(shown) > width, shown.count > 1 { shown.removeLast() }
    return shown
  }

  /// Widens columns for a row that was not measured, into what the terminal has left; and for what a
  /// part of would say something else, at the cost of texts.
  func widen(_ shown: inout [Place], for row: [String], in width: Int) {
    for number in shown.indices {
      let place = shown[number]
      let needed = DisplayWidth.width(of: row[place.index])
      guard needed > place.width else { continue }
      let left = max(0, width - total(shown))
      guard needed - place.width > left, columns[place.index].manner == .whole else {
        shown[number].width += min(needed - place.width, left)
        continue
      }
      let before = shown
      shown[number].width = needed
      shorten(&shown, to: width) { index in
        columns[index].manner == .whole ? .max : TableLayout.narrowest
      }
      if total(shown) > width { shown = before }
    }
  }

  private func places(of indexes: some Sequence<Int>) -> [Place] {
    indexes.map { Place(index: $0, width: natural[$0]) }
  }

  /// The first text is what the rows are known by, such as the title.
  private var lead: Int? { columns.firstIndex { $0.manner == .text } }

  /// The columns whose shares there is room for: the first, the lead, names and keys in any case,
  /// then what can be shown whole, texts that have to be cut, and what most rows leave empty.
  private func indexes(in width: Int) -> [Int] {
    var chosen = columns.indices.filter { index in
      index == 0 || index == lead || [.name, .key].contains(columns[index].manner)
    }
    if let weighty = weightyColumn(beside: chosen, in: width) { chosen.append(weighty) }
    var room = width + TableLayout.gap
    for index in chosen { room -= share(of: index, in: width) + TableLayout.gap }
    let others = columns.indices.filter { !chosen.contains($0) && values[$0] > 0 }
    for rank in 0...2 {
      for index in others where self.rank(of: index) == rank {
        let needed = share(of: index, in: width) + TableLayout.gap
        guard needed <= room else { continue }
        room -= needed
        chosen.append(index)
      }
    }
    return chosen.sorted()
  }

  /// The column that the rows are compared by, if there is room for it when the lead is short.
  private func weightyColumn(beside chosen: [Int], in width: Int) -> Int? {
    guard let index = columns.indices.first(where: { columns[$0].isWeighty && values[$0] > 0 }),
      !chosen.contains(index)
    else { return nil }
    let widths = (chosen + [index]).map { leastShare(of: $0, in: width) }
    return widths.reduce(0, +) + TableLayout.gap * chosen.count <= width ? index : nil
  }

  /// The same, where the lead gives way to what is weightier than its end.
  private func leastShare(of index: Int, in width: Int) -> Int {
    index == lead
      ? min(natural[index], TableLayout.readable) : share(of: index, in: width)
  }

  private func rank(of index: Int) -> Int {
    if values[index] * 2 < rows { return 2 }
    return columns[index].manner == .text && natural[index] > TableLayout.readable ? 1 : 0
  }

  /// The width below which a column is not cut while others can be left out.
  private func share(of index: Int, in width: Int) -> Int {
    switch columns[index].manner {
    case .text where index == lead:
      min(natural[index], max(TableLayout.readable, width * 2 / 5))
    case .text: min(natural[index], TableLayout.readable)
    case .whole: min(natural[index], TableLayout.widestWhole)
    case .name: natural[index]
    case .key where natural[index] <= TableLayout.shortKey: natural[index]
    case .key: max(TableLayout.shortestKey, width / 5)
    }
  }

  /// Shortens the widest columns first, all to one width, of which the lead has half as much again.
  private func shorten(_ shown: inout [Place], to width: Int, _ floor: (Int) -> Int) {
    let floors = shown.map { floor($0.index) }
    while total(shown) > width {
      let places = shown.indices.filter { shown[$0].width > floors[$0] }
      guard let widest = places.max(by: { weight(shown[$0]) < weight(shown[$1]) }) else { return }
      shown[widest].width -= 1
    }
  }

  private func weight(_ place: Place) -> Int { place.width * (place.index == lead ? 2 : 3) }

  private func total(_ shown: [Place]) -> Int {
    shown.reduce(0) { $0 + $1.width } + TableLayout.gap * (shown.count - 1)
  }
}
