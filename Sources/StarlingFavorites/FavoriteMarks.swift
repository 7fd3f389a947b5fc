import StarlingSQLite

/// Which rowids are those of a kind's favorites: a bit for each between the lowest and the highest.
final class FavoriteMarks: RowSink {
  private let first: Int64
  /// Their accesses are not checked against each other: nobody asks while the marks are made.
  @exclusivity(unchecked) private var bits: [UInt64]
  @exclusivity(unchecked) private var marked = 0
  /// How many there are.
  var count: Int { unsafe marked }

  /// More rowids than this do not lie between the first favorite and the last of a file of ours.
  private static let widest: Int64 = 1 << 28

  /// Reads the rowids of the favorites of a kind.
  ///
  /// - Returns: nil when they lie too far apart.
  init?(ofKind kind: Int64, on connection: Connection) throws(SQLiteError) {
    let first = try connection.integer("SELECT min(entity) FROM favorites") ?? 0
    let last = try connection.integer("SELECT max(entity) FROM favorites") ?? 0
    let (span, overflow) = last.subtractingReportingOverflow(first)
    guard !overflow, span < FavoriteMarks.widest else { return nil }
    self.first = first
    unsafe bits = [UInt64](repeating: 0, count: Int(span) / 64 + 1)
    try connection.withStatement(
      "SELECT row_sink(?1, entity) FROM favorites WHERE kind = ?2"
    ) { list throws(SQLiteError) in
      list.bind(2, kind)
      try list.run(into: self)
    }
  }

  func take(_ row: SQLValues) {
    let place = Int(truncatingIfNeeded: row.integer(0) &- first)
    // The index of a damaged file may say what the table does not.
    guard unsafe place >= 0 && place >> 6 < bits.count else { return }
    unsafe bits[place >> 6] |= 1 << UInt64(place & 63)
    unsafe marked += 1
  }

  /// Whether a rowid is marked.
  @inline(__always)
  func contains(_ rowid: Int64) -> Bool {
    let place = Int(truncatingIfNeeded: rowid &- first)
    guard unsafe place >= 0 && place >> 6 < bits.count else { return false }
    return unsafe bits[place >> 6] & 1 << UInt64(place & 63) != 0
  }
}
