import StarlingSQLite

/// Which rowids are those of a kind's favorites: a bit for each between the lowest and the highest.
struct FavoriteMarks {
  /// How many there are.
  private(set) var count = 0
  private var first: Int64 = 0
  private var bits: [UInt64] = []

  /// More rowids than this do not lie between the first favorite and the last of a file of ours.
  private static let widest: Int64 = 1 << 28

  /// Reads the rowids of the favorites of a kind.
  ///
  /// - Returns: nil when they lie too far apart.
  init?(ofKind kind: Int64, on connection: Connection) throws(SQLiteError) {
    guard let first = try connection.integer("SELECT min(entity) FROM favorites"),
      let last = try connection.integer("SELECT max(entity) FROM favorites")
    else { return }
    let (span, overflow) = last.subtractingReportingOverflow(first)
    guard !overflow, span < FavoriteMarks.widest else { return nil }
    var bits = [UInt64](repeating: 0, count: Int(span) / 64 + 1)
    var count = 0
    try connection.withStatement(
      "SELECT entity FROM favorites WHERE kind = \(kind)"
    ) { list throws(SQLiteError) in
      while try list.step() {
        let place = Int(truncatingIfNeeded: list.integer(0) &- first)
        bits[place >> 6] |= 1 << UInt64(place & 63)
        count += 1
      }
    }
    self.first = first
    self.bits = bits
    self.count = count
  }

  /// Whether a rowid is marked.
  @inline(__always)
  func contains(_ rowid: Int64) -> Bool {
    let place = Int(truncatingIfNeeded: rowid &- first)
    guard place >= 0, place >> 6 < bits.count else { return false }
    return bits[place >> 6] & 1 << UInt64(place & 63) != 0
  }
}
