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
  ///
  /// - Parameter ofAnyKind: entities of other kinds may be among the rows.
  func from(withEntity: Bool, ofAnyKind: Bool = false) -> String {
    var text = "_search"
    if favoritesOnly { text += " CROSS JOIN favorites f ON f.entity = _search.rowid" }
    if tag != nil { text += " CROSS JOIN tags t ON t.favorite = _search.rowid" }
    if withEntity || hasCondition || !favoritesOnly && !ofAnyKind {
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
/// costs no more than another. Where the entity alone tells a row's kind, it is read when the row's
/// turn comes: to look each hit up in the table would cost three times what its rank does.
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

  /// The rowids and ranks of the band that ends with the rowid behind `values`.
  var hits: String {
    """
    SELECT _search.rowid, \(RankedSearch.rank) \
    FROM \(search.from(withEntity: false, ofAnyKind: true)) \
    WHERE \(search.clauses.joined(separator: " AND ")) AND _search.rowid <= ?\(values.count + 1) \
    ORDER BY _search.rowid DESC LIMIT \(RankedSearch.bandSize)
    """
  }

  /// The row of a rowid; none when it is of another kind.
  var row: String {
    """
    SELECT \(columns) FROM \(handle.table.table) e LEFT JOIN favorites f ON f.entity = e.rowid \
    WHERE e.rowid = ?1
    """
  }

  /// The rank that a row has now.
  static let rankOfRow = "SELECT \(rank) FROM _search WHERE _search MATCH ?1 AND rowid = ?2"
}

/// A row of the search index that has the words: the better, the less its rank is.
private struct SearchHit: Comparable {
  var rank: Double
  var rowid: Int64

  /// Whether it comes before another.
  static func < (left: SearchHit, right: SearchHit) -> Bool {
    left.rank == right.rank ? left.rowid > right.rowid : left.rank < right.rank
  }
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
      let hits = try sql { () throws(SQLiteError) in try self.hits(of: present, ranked) }
      let isFull = hits.count == RankedSearch.bandSize
      band = hits.last.flatMap { isFull ? Band(last: $0.rowid - 1) : nil }
      let next = try forEachRow(of: hits, present, ranked, query) { row throws(FavoritesError) in
        if let holds = filter?.holds(row), !holds { return true }
        left -= 1
        return try body(row) && left > 0
      }
      if let next { return next }
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

  /// The rows of a band, the newest first.
  private func hits(of band: Band, _ ranked: RankedSearch) throws(SQLiteError) -> [SearchHit] {
    try connection.withStatement(ranked.hits) { statement throws(SQLiteError) in
      bind(ranked.values, to: statement)
      statement.bind(Int32(ranked.values.count + 1), band.last)
      var hits: [SearchHit] = []
      while try statement.step() {
        hits.append(SearchHit(rank: statement.real(1), rowid: statement.integer(0)))
      }
      return hits
    }
  }

  /// Gives the rows of a band that are of the kind, the best first, from where it goes on.
  private func forEachRow(
    of hits: [SearchHit], _ band: Band, _ ranked: RankedSearch, _ query: Query,
    _ body: (EntityRow) throws(FavoritesError) -> Bool
  ) throws(FavoritesError) -> Cursor? {
    let last = SearchHit(rank: band.rank, rowid: band.rowid)
    let sql = ranked.row
    let statement = try self.sql { () throws(SQLiteError) in try connection.take(sql) }
    defer { connection.give(statement, sql) }
    let row = EntityRow(handle: ranked.handle, statement: statement, store: self)
    for hit in hits.filter({ last < $0 }).sorted() {
      statement.bind(1, hit.rowid)
      guard try self.sql({ () throws(SQLiteError) in try statement.step() }) else { continue }
      if try !body(row) {
        return Cursor(
          in: ListOrder(of: query), place: .found(upTo: band.last, rank: hit.rank),
          rowid: hit.rowid)
      }
      statement.reset()
    }
    return nil
  }
}
