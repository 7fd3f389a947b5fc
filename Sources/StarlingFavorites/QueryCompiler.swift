import StarlingModel
import StarlingSQLite

/// A query made ready to run.
final class CompiledQuery {
  /// One statement, or one for the rows with a value in the order and one for those without.
  var steps: [Step] = []
  /// What SQL could not tell, asked of each row that a ranked search finds; nil when there is nothing.
  var matcher: Matcher?
  /// The same where SQLite asks it, before it reads the rest of a row.
  var test: RowTestPointer?
  /// The column of a row that a cursor holds; nil when the rowid alone is the order.
  var orderColumn: Int32?
  /// The search whose rank is the order; there are no steps then.
  var ranked: RankedSearch?
  /// The estimate that decided where the query starts.
  var estimateAsOf: Int64?

  final class Step {
    let sql: String
    let values: [BoundValue]
    /// Whether its rows have no value in the order.
    let isAbsent: Bool

    init(sql: String, values: [BoundValue], isAbsent: Bool) {
      self.sql = sql
      self.values = values
      self.isAbsent = isAbsent
    }
  }
}

/// Columns of a row: what is known of every entity, then the fields. Computed, so that they are
/// constants wherever a row is read.
@usableFromInline
enum RowColumn {
  static var rowid: Int32 { 0 }
  @inlinable static var key: Int32 { 1 }
  static var source: Int32 { 2 }
  static var firstSeen: Int32 { 3 }
  static var lastSeen: Int32 { 4 }
  @inlinable static var starredAt: Int32 { 5 }
  @inlinable static var note: Int32 { 6 }
  /// Whether it has tags: a look for each row that has none would cost more than the row.
  @inlinable static var hasTags: Int32 { 7 }
  @inlinable static var firstField: Int32 { 8 }

  /// Where nothing at all has tags, that is found out once a query.
  static let hasTagsSQL = """
    CASE WHEN EXISTS (SELECT 1 FROM tags) \
    THEN EXISTS (SELECT 1 FROM tags WHERE favorite = e.rowid) ELSE 0 END
    """
}

/// Makes SQL of a query.
struct QueryCompiler {
  let handle: KindHandle
  let query: Query
  let now: Timestamp
  /// What the order goes by.
  private enum Term {
    case column(String, row: Int32, canBeAbsent: Bool)
    case rowid
  }

  init(handle: KindHandle, query: Query, now: Timestamp) {
    self.handle = handle
    self.query = query
    self.now = now
  }

  /// - Parameter prefersEntities: whether to go through the entities and look each up among the
  ///   favorites, rather than the other way around; asked only where both would do.
  func compile(
    counting: Bool = false, prefersEntities: (_ limit: Int?) throws(FavoritesError) -> Bool
  ) throws(FavoritesError) -> CompiledQuery {
    let compiled = CompiledQuery()
    let words = query.text.map { WordSearch($0) }
    // Without a word a search finds nothing.
    if let words, words.isEmpty { return compiled }
    let matcher = try makeMatcher()
    var narrowing = NarrowingSQL(table: handle.table, firstParameter: words == nil ? 1 : 2)
    let (condition, isExact) = matcher.map { narrowing.compile($0.narrowing) } ?? (nil, true)
    let (term, descending) = try order()
    let favoritesOnly = query.scope == .favorites || query.tag != nil
    var values = (words.map { [.text($0.expression)] } ?? []) + narrowing.values
    func bind(_ value: BoundValue) -> String {
      values.append(value)
      return "?\(values.count)"
    }
    var clauses = [condition].compactMap { $0 }
    let isRanked = words != nil && query.order == nil && !counting
    if let matcher, !isExact {
      if isRanked {
        compiled.matcher = matcher
      } else {
        let test = MatcherTest(matcher, handle)
        compiled.test = RowTestPointer(test)
        clauses.append("row_test(\(bind(.rowTest)), \(test.columns))")
      }
    }
    let source: String
    if words != nil {
      let tag = query.tag.map { bind(.text($0)) }
      let search = SearchSource(handle, clauses, favoritesOnly: favoritesOnly, tag: tag)
      if isRanked {
        compiled.ranked = RankedSearch(
          search: search, values: values, columns: columns, handle: handle)
        return compiled
      }
      source = search.from(withEntity: !counting || !isExact)
      clauses = search.clauses
    } else if let tag = query.tag {
      source = """
        tags t CROSS JOIN favorites f ON f.entity = t.favorite
        CROSS JOIN \(handle.table.table) e ON e.rowid = f.entity
        """
      clauses.append("t.tag = \(bind(.text(tag)))")
      clauses.append("f.kind = \(handle.id)")
    } else if favoritesOnly {
      var goesByEntities = false
      if narrowing.usesIndex || isIndexed(term) {
        goesByEntities = try prefersEntities(narrowing.usesIndex ? nil : query.limit)
      }
      if goesByEntities {
        source = "\(handle.table.table) e CROSS JOIN favorites f ON f.entity = e.rowid"
      } else {
        source = "favorites f CROSS JOIN \(handle.table.table) e ON e.rowid = f.entity"
        clauses.append("f.kind = \(handle.id)")
      }
    } else {
      source = "\(handle.table.table) e LEFT JOIN favorites f ON f.entity = e.rowid"
    }
    let columns = counting ? "count(*)" : self.columns
    var base = "SELECT \(columns) FROM \(source)"
    if counting {
      if !clauses.isEmpty { base += " WHERE " + clauses.joined(separator: " AND ") }
      compiled.steps = [CompiledQuery.Step(sql: base, values: values, isAbsent: false)]
      return compiled
    }
    if case .column(_, let row, _) = term { compiled.orderColumn = row }
    compiled.steps = try steps(
      base: base, clauses: clauses, values: values, term: term, descending: descending,
      limit: query.limit,
      // A plus keeps SQLite from walking the whole table in the order of rowids where an index
      // finds the few rows that are to be sorted.
      row: words != nil ? "_search.rowid" : "e.rowid", isSorted: narrowing.usesIndex)
    return compiled
  }

  private func steps(
    base: String, clauses: [String], values: [BoundValue], term: Term, descending: Bool,
    limit: Int?, row plainRow: String, isSorted: Bool
  ) throws(FavoritesError) -> [CompiledQuery.Step] {
    let direction = descending ? " DESC" : ""
    let rowOrder = (isSorted ? "+" : "") + plainRow
    let past = descending ? "<" : ">"
    let end = limit.map { " LIMIT \(max(0, $0))" } ?? ""
    func step(
      _ extra: [String], _ values: [BoundValue], _ order: String, isAbsent: Bool
    ) -> CompiledQuery.Step {
      let all = clauses + extra
      let filter = all.isEmpty ? "" : " WHERE " + all.joined(separator: " AND ")
      return CompiledQuery.Step(
        sql: base + filter + " ORDER BY " + order + end, values: values, isAbsent: isAbsent)
    }
    func parameter(_ offset: Int) -> String { "?\(values.count + offset)" }
    guard case .column(let name, let column, let canBeAbsent) = term else {
      guard let cursor = query.after else {
        return [step([], values, rowOrder + direction, isAbsent: false)]
      }
      guard cursor.place == .row else { throw QueryCompiler.otherOrder }
      return [
        step(
          ["\(plainRow) \(past) \(parameter(1))"], values + [.integer(cursor.rowid)],
          rowOrder + direction, isAbsent: false)
      ]
    }
    // The index of stars holds the rowid under its name there.
    let row = name == "f.starred_at" ? "f.entity" : "e.rowid"
    if column >= RowColumn.firstField, isSorted || !isIndexed(term) {
      // Rows that are sorted anyway are gone through once, those without a value among them.
      let (condition, bound) = try pastCursor(name, row, past, after: values)
      // In a descending order they are the last by themselves.
      let order = "\(name)\(direction)\(descending ? "" : " NULLS LAST"), \(row)\(direction)"
      return [step(condition.map { [$0] } ?? [], bound, order, isAbsent: false)]
    }
    let order = "\(name)\(direction), \(row)\(direction)"
    var steps: [CompiledQuery.Step] = []
    let isPresent = canBeAbsent ? ["\(name) IS NOT NULL"] : []
    switch query.after?.place {
    case nil: steps.append(step(isPresent, values, order, isAbsent: false))
    case .absent: break
    case .row, .found: throw QueryCompiler.otherOrder
    case .integer(let number): steps += after(.integer(number))
    case .real(let number): steps += after(.real(number))
    case .text(let text): steps += after(.text(text))
    }
    // Two steps, the equal ones first: of a comparison of both, SQLite would seek to the first of
    // the equal ones, and a load makes thousands of favorites in one second.
    func after(_ value: BoundValue) -> [CompiledQuery.Step] {
      [
        step(
          ["\(name) = \(parameter(1))", "\(row) \(past) \(parameter(2))"],
          values + [value, .integer(query.after?.rowid ?? 0)], row + direction, isAbsent: false),
        step(["\(name) \(past) \(parameter(1))"], values + [value], order, isAbsent: false),
      ]
    }
    if canBeAbsent {
      var extra = ["\(name) IS NULL"]
      var bound = values
      if let cursor = query.after, cursor.place == .absent {
        extra.append("e.rowid \(past) \(parameter(1))")
        bound.append(.integer(cursor.rowid))
      }
      steps.append(step(extra, bound, rowOrder + direction, isAbsent: true))
    }
    return steps
  }

  /// The condition for what follows the cursor in an order by `name` with absent values last, nil for
  /// the first page; and the values with those that it binds.
  private func pastCursor(
    _ name: String, _ row: String, _ past: String, after values: [BoundValue]
  ) throws(FavoritesError) -> (condition: String?, values: [BoundValue]) {
    guard let cursor = query.after else { return (nil, values) }
    let value: BoundValue
    switch cursor.place {
    case .integer(let number): value = .integer(number)
    case .real(let number): value = .real(number)
    case .text(let text): value = .text(text)
    case .absent:
      let condition = "\(name) IS NULL AND \(row) \(past) ?\(values.count + 1)"
      return (condition, values + [.integer(cursor.rowid)])
    case .row, .found: throw QueryCompiler.otherOrder
    }
    let (first, second) = ("?\(values.count + 1)", "?\(values.count + 2)")
    return (
      """
      (\(name) \(past) \(first) OR \(name) = \(first) AND \(row) \(past) \(second) \
      OR \(name) IS NULL)
      """, values + [value, .integer(cursor.rowid)]
    )
  }

  static let otherOrder = FavoritesError.badQuery(
    reason: "the cursor belongs to a query with another order")

  private var columns: String {
    let fixed = [
      "e.rowid", "e.key", "e.source", "e.first_seen", "e.last_seen", "f.starred_at", "f.note",
      RowColumn.hasTagsSQL,
    ]
    return (fixed + handle.table.columnList.map { "e." + $0 }).joined(separator: ", ")
  }

  private func isIndexed(_ term: Term) -> Bool {
    guard case .column(_, let row, _) = term, row >= RowColumn.firstField else { return false }
    guard let field = handle.field(ofColumn: row - RowColumn.firstField) else { return false }
    return handle.table.columns[field].isIndexed
  }

  private func order() throws(FavoritesError) -> (Term, descending: Bool) {
    let isEverything = query.scope == .everything
    switch query.order {
    case nil:
      return isEverything && query.tag == nil
        ? (.rowid, true)
        : (.column("f.starred_at", row: RowColumn.starredAt, canBeAbsent: false), true)
    case .starredAt(let descending):
      return (
        .column(
          "f.starred_at", row: RowColumn.starredAt,
          canBeAbsent: isEverything && query.tag == nil), descending
      )
    case .firstSeen(let descending): return (.rowid, descending)
    case .field(let name, let descending):
      guard let field = handle.kind.index(of: name) else {
        if name == "first_seen" { return (.rowid, descending) }
        throw .unknownField(
          kind: handle.kind.name, field: name,
          nearest: Spelling.nearest(to: name, among: handle.kind.fields.map(\.name)))
      }
      let column = handle.table.columns[field]
      guard column.field.type != .list else {
        throw .badQuery(reason: "field \(name) is a list, which has no order")
      }
      let collation = column.isText ? " COLLATE NOCASE" : ""
      let row = RowColumn.firstField + handle.layout[field].offset
      return (
        .column(
          "e.\"\(column.comparedName)\"\(collation)",
          row: column.field.type == .money ? row + 1 : row, canBeAbsent: true), descending
      )
    }
  }

  private func makeMatcher() throws(FavoritesError) -> Matcher? {
    guard query.condition != .all([]) else { return nil }
    do {
      return try Matcher(query.condition, kind: handle.kind, now: now)
    } catch {
      if case .unknownField(let field, let kind, let nearest) = error {
        throw .unknownField(kind: kind, field: field, nearest: nearest)
      }
      throw .badQuery(reason: error.description)
    }
  }
}
