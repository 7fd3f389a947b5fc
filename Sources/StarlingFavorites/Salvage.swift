import StarlingModel
import StarlingSQLite

/// What was saved of a damaged database.
public struct SalvageReport: Hashable, Sendable {
  /// The rows that the new database has, by table, in the order in which they were copied.
  public var rows: [Rows] = []
  /// The tables of which a part could not be read.
  public var damaged: [String] = []
  /// Where the damaged file is kept, as it was.
  public var kept = ""

  /// How many rows of one table were saved.
  public struct Rows: Hashable, Sendable {
    public var table: String
    public var count: Int
    /// Entities of which their key alone was left, in its index.
    public var keysAlone = 0
  }
}

/// Copies what can be read of a damaged database into a new one, row by row.
///
/// A page that is damaged hides the rows on it and, when the table is read from one end, all that
/// follow. So a table is read on from behind such a page, which is found by looking further and
/// further ahead, and from its other end; and what an index has of a lost row is taken from there.
final class Salvage {
  private let damaged: Connection
  private let whole: Connection
  private var report = SalvageReport()
  /// More rows than a table can have: pages that lead back to themselves never end.
  private let mostRows: Int64

  init(from damaged: Connection, to whole: Connection) {
    self.damaged = damaged
    self.whole = whole
    let pages = (try? damaged.integer("PRAGMA page_count")) ?? nil
    let size = (try? damaged.integer("PRAGMA page_size")) ?? nil
    // A row takes four bytes at least.
    mostRows = ((pages ?? 1) * (size ?? 4096)) / 4
  }

  /// Copies the tables that every database has.
  func copyStoreTables() throws(SQLiteError) -> SalvageReport {
    report = SalvageReport()
    // Kinds and fields are there already: the tables of the kinds were made from them.
    for (table, first) in [
      ("sources", "id"), ("actors", "id"), ("runs", "id"), ("history", "id"),
      ("favorites", "entity"), ("causes", "favorite"), ("tags", "favorite"), ("refusals", "kind"),
      ("aliases", "kind"),
    ] {
      try copy(table, along: first)
    }
    try copy("settings", along: nil)
    return report
  }

  /// Copies the entities of a kind. Of one whose row is lost its key is taken from the index.
  func copyKind(_ table: KindTable) throws(SQLiteError) -> SalvageReport {
    report = SalvageReport()
    try copy(table.kind.name, along: "rowid")
    guard !report.damaged.isEmpty else { return report }
    let insert = try whole.prepare(
      """
      INSERT OR IGNORE INTO \(table.table) (rowid, key, first_seen, last_seen)
      VALUES (?1, ?2, unixepoch(), unixepoch())
      """)
    for direction in ["ASC", "DESC"] {
      // Covered by the index of the key's uniqueness: the table itself is not read.
      let read = try? damaged.prepare(
        "SELECT rowid, key FROM \(table.table) ORDER BY key \(direction)")
      var left = mostRows
      while left > 0, let read, (try? read.step()) == true {
        left -= 1
        insert.bind(1, valueOf: read, 0)
        insert.bind(2, legibleValueOf: read, 1)
        guard (try? insert.run()) != nil else { continue }
        count(table.kind.name, whole.changes)
        report.rows[report.rows.count - 1].keysAlone += Int(whole.changes)
      }
    }
    return report
  }

  /// Copies one table.
  ///
  /// - Parameter column: the first of its key, an integer; nil when it has none.
  func copy(_ table: String, along column: String?) throws(SQLiteError) {
    let known = try whole.texts("SELECT name FROM pragma_table_xinfo('\(table)') WHERE hidden = 0")
    let there = (try? damaged.texts("SELECT name FROM pragma_table_xinfo('\(table)')")) ?? []
    let columns = known.filter { there.contains($0) }.map { "\"\($0)\"" }
    count(table, 0)
    guard !columns.isEmpty else {
      report.damaged.append(table)
      return
    }
    let list = columns.joined(separator: ", ")
    let marks = (1...columns.count).map { "?\($0)" }.joined(separator: ", ")
    let insert = try whole.prepare(
      "INSERT OR IGNORE INTO \"\(table)\" (\(list)) VALUES (\(marks))")
    let select = "SELECT \(list) FROM \"\(table)\""
    guard let column else {
      if try !copy(table, select, to: insert, columns.count) { report.damaged.append(table) }
      return
    }
    let place = "\"\(column)\""
    let ahead = "SELECT \(list), \(place) FROM \"\(table)\" WHERE \(place) >= ?1 ORDER BY \(place)"
    guard let read = try? damaged.prepare(ahead) else {
      report.damaged.append(table)
      return
    }
    var from = Int64.min
    var isWhole = true
    // Each round comes over one damaged page at least.
    var rounds = mostRows / 64 + 16
    while rounds > 0, let stop = copyAhead(table, read, from: from, to: insert, columns.count) {
      isWhole = false
      rounds -= 1
      guard let next = findReadable(read, after: stop), next > from else { break }
      from = next
    }
    guard !isWhole else { return }
    report.damaged.append(table)
    _ = try copy(table, select + " ORDER BY \(place) DESC", to: insert, columns.count)
  }

  /// - Returns: whether it came to the end.
  private func copy(
    _ table: String, _ select: String, to insert: Statement, _ width: Int
  ) throws(SQLiteError) -> Bool {
    guard let read = try? damaged.prepare(select) else { return false }
    var left = mostRows
    do throws(SQLiteError) {
      while try read.step() {
        left -= 1
        guard left > 0 else { return false }
        put(table, read, insert, width)
      }
      return true
    } catch {
      return false
    }
  }

  /// Copies rows until one cannot be read.
  ///
  /// - Returns: the place that it came to; nil at the end of the table.
  private func copyAhead(
    _ table: String, _ read: Statement, from: Int64, to insert: Statement, _ width: Int
  ) -> Int64? {
    var place = from
    var left = mostRows
    read.bind(1, from)
    defer { read.reset() }
    do throws(SQLiteError) {
      while try read.step() {
        let next = read.integer(Int32(width))
        left -= 1
        // Rows come in order, unless a damaged page says what it never held.
        guard next >= place, left > 0 else { return place }
        place = next
        put(table, read, insert, width)
      }
      return nil
    } catch {
      return place
    }
  }

  /// The first place behind a damaged page from which rows can be read again: steps that double
  /// until one lands behind it, then halves back to its end.
  private func findReadable(_ read: Statement, after stop: Int64) -> Int64? {
    let start = max(stop, -1)
    var low = start
    var distance: Int64 = 1
    var high: Int64?
    while high == nil {
      let (place, overflow) = start.addingReportingOverflow(distance)
      guard !overflow else { return nil }
      if canRead(read, from: place) { high = place } else { low = place }
      distance = distance.multipliedReportingOverflow(by: 2).partialValue
      guard distance > 0 else { return nil }
    }
    guard var high else { return nil }
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if canRead(read, from: middle) { high = middle } else { low = middle }
    }
    return high
  }

  private func canRead(_ read: Statement, from place: Int64) -> Bool {
    read.bind(1, place)
    defer { read.reset() }
    return (try? read.step()) != nil
  }

  /// A row whose values do not fit their columns is damaged too, and is left out.
  private func put(_ table: String, _ read: Statement, _ insert: Statement, _ width: Int) {
    for column in 0..<Int32(width) { insert.bind(column + 1, legibleValueOf: read, column) }
    if (try? insert.run()) != nil { count(table, whole.changes) }
  }

  private func count(_ table: String, _ rows: Int64) {
    if let last = report.rows.indices.last, report.rows[last].table == table {
      report.rows[last].count += Int(rows)
    } else {
      report.rows.append(SalvageReport.Rows(table: table, count: Int(rows)))
    }
  }
}

extension Statement {
  /// Binds the value of a column. A text that damage has made no UTF-8 gets U+FFFD where it is none,
  /// as readers show it: other programs refuse to read a database that has such texts.
  fileprivate func bind(_ index: Int32, legibleValueOf other: Statement, _ column: Int32) {
    if other.type(column) == .text, let text = unsafe other.bytes(column),
      unsafe String(validating: text, as: UTF8.self) == nil
    {
      bind(index, unsafe String(decoding: text, as: UTF8.self))
    } else {
      bind(index, valueOf: other, column)
    }
  }
}
