import StarlingModel
import StarlingSQLite

/// What a search goes through: the rows of the index that have its words, narrowed to a kind.
struct SearchSource {
  private let handle: KindHandle
  private let favoritesOnly: Bool
  private let tag: String?
  private let hasCondition: Bool
  private(set) var clauses: [String]

  /// - Parameters:
  ///   - conditions: SQL over the entity `e`.
  ///   - tag: the parameter of a tag.
  init(_ handle: KindHandle, _ conditions: [String], favoritesOnly: Bool, tag: String?) {
    self.handle = handle
    self.favoritesOnly = favoritesOnly
    self.tag = tag
    hasCondition = !conditions.isEmpty
    clauses = ["_search MATCH ?1"] + conditions
    if favoritesOnly { clauses.append("f.kind = \(handle.id)") }
    if let tag { clauses.append("t.tag = \(tag)") }
  }

  /// The tables, in the order in which they are gone through. A favorite tells its kind without the
  /// entity.
  func from(withEntity: Bool) -> String {
    var text = "_search"
    if favoritesOnly { text += " CROSS JOIN favorites f ON f.entity = _search.rowid" }
    if tag != nil { text += " CROSS JOIN tags t ON t.favorite = _search.rowid" }
    if withEntity || hasCondition || !favoritesOnly {
      text += " CROSS JOIN \(handle.table.table) e ON e.rowid = _search.rowid"
    }
    if withEntity, !favoritesOnly { text += " LEFT JOIN favorites f ON f.entity = e.rowid" }
    return text
  }
}

/// A search in the order of its rank: rows that have the words more often come first, seldom words
/// and words of the title counting for more; of equal ones the newest.
///
/// The newest `bandSize` rows are ranked, after them the next: so a word that a million rows have
/// costs no more than another.
struct RankedSearch {
  let search: SearchSource
  /// What the search binds, the words first.
  let values: [BoundValue]
  /// The columns of a row.
  let columns: String
  let handle: KindHandle

  static let bandSize = 10_000
  /// A word of the title counts four times.
  static let rank = "search_rank(_search, 4.0, 1.0)"

  /// A place among the parameters after `values`.
  private func parameter(_ place: Int) -> String { "?\(values.count + place)" }

  private func band(_ columns: String) -> String {
    """
    SELECT \(columns) FROM \(search.from(withEntity: false)) \
    WHERE \(search.clauses.joined(separator: " AND ")) AND _search.rowid <= \(parameter(1)) \
    ORDER BY _search.rowid DESC LIMIT \(RankedSearch.bandSize)
    """
  }

  /// The rows of the band that ends with rowid (1), after the rank (2) and rowid (3), at most (4);
  /// the rank is their last column. The ranks are sorted before rows are read.
  var rows: String {
    """
    SELECT \(columns), b.k FROM (SELECT r, k FROM \
    (\(band("_search.rowid AS r, \(RankedSearch.rank) AS k"))) \
    WHERE k > \(parameter(2)) OR k = \(parameter(2)) AND r < \(parameter(3)) \
    ORDER BY k, r DESC LIMIT \(parameter(4))) b \
    CROSS JOIN \(handle.table.table) e ON e.rowid = b.r LEFT JOIN favorites f ON f.entity = b.r \
    ORDER BY b.k, b.r DESC
    """
  }

  /// The first rowid of the band that ends with rowid (1), and how many rows it has.
  var extent: String { "SELECT min(r), count(*) FROM (\(band("_search.rowid AS r")))" }

  /// The rank that a row has now.
  static let rankOfRow = "SELECT \(rank) FROM _search WHERE _search MATCH ?1 AND rowid = ?2"

  var rankColumn: Int32 { RowColumn.firstField + handle.columnCount }
}

extension FavoritesStore {
  static let noSearchIndex =
    "the file has no search index, since an older version wrote it; "
    + "it gets one when it is opened for writing"

  /// Gives each row that a search finds, the best first, until `body` returns false.
  ///
  /// - Returns: where the next page begins.
  func forEachFound(
    _ ranked: RankedSearch, _ query: Query, _ matcher: Matcher?,
    _ body: (EntityRow) throws(FavoritesError) -> Bool
  ) throws(FavoritesError) -> Cursor? {
    try sql { () throws(SQLiteError) in try connection.addSearchRanking() }
    var band = try sql { () throws(SQLiteError) in try firstBand(ranked, query.after) }
    guard band != nil else { throw QueryCompiler.otherOrder }
    let filter = matcher.map { RowFilter($0) }
    var left = query.limit ?? .max
    while let present = band {
      let most = filter == nil ? min(left, RankedSearch.bandSize) : RankedSearch.bandSize
      let next = try forEachRow(of: present, ranked, most) { row throws(FavoritesError) in
        if let holds = filter?.holds(row), !holds { return true }
        left -= 1
        return try body(row) && left > 0
      }
      if let next { return next }
      band = try sql { () throws(SQLiteError) in try bandAfter(present, ranked) }
    }
    return nil
  }

  /// Where a search goes on: up to a rowid, after a rank and the rowid that has it.
  private struct Band {
    var last: Int64
    var rank = -Double.infinity
    var rowid = Int64.max
  }

  /// - Returns: nil for a cursor of another order.
  private func firstBand(_ ranked: RankedSearch, _ cursor: Cursor?) throws(SQLiteError) -> Band? {
    guard let cursor else {
      let counter = try statement(.readCounter)
      let last = try counter.step() ? counter.integer(0) : 0
      counter.reset()
      return Band(last: max(last, caches.lastEntity ?? 0))
    }
    guard case .found(let last, let rank) = cursor.place else { return nil }
    // Ranks move with all rows, so what counts is the one that the row of the cursor has now.
    let present = try connection.withStatement(RankedSearch.rankOfRow) {
      statement throws(SQLiteError) -> Double? in
      if let words = ranked.values.first { bind(words, to: statement, at: 1) }
      statement.bind(2, cursor.rowid)
      return try statement.step() ? statement.real(0) : nil
    }
    return Band(last: last, rank: present ?? rank, rowid: cursor.rowid)
  }

  private func forEachRow(
    of band: Band, _ ranked: RankedSearch, _ most: Int,
    _ body: (EntityRow) throws(FavoritesError) -> Bool
  ) throws(FavoritesError) -> Cursor? {
    let sql = ranked.rows
    let statement = try self.sql { () throws(SQLiteError) in try connection.take(sql) }
    defer { connection.give(statement, sql) }
    bind(ranked.values, to: statement)
    let count = Int32(ranked.values.count)
    statement.bind(count + 1, band.last)
    statement.bind(count + 2, band.rank)
    statement.bind(count + 3, band.rowid)
    statement.bind(count + 4, Int64(most))
    let row = EntityRow(handle: ranked.handle, statement: statement, store: self)
    while try self.sql({ () throws(SQLiteError) in try statement.step() }) {
      if try !body(row) {
        let rank = statement.real(ranked.rankColumn)
        return Cursor(place: .found(upTo: band.last, rank: rank), rowid: row.rowid)
      }
    }
    return nil
  }

  /// The band before this one, or nil when this one was not full.
  private func bandAfter(_ band: Band, _ ranked: RankedSearch) throws(SQLiteError) -> Band? {
    try connection.withStatement(ranked.extent) { statement throws(SQLiteError) in
      bind(ranked.values, to: statement)
      statement.bind(Int32(ranked.values.count + 1), band.last)
      guard try statement.step(), statement.integer(1) == RankedSearch.bandSize else { return nil }
      return Band(last: statement.integer(0) - 1)
    }
  }
}
