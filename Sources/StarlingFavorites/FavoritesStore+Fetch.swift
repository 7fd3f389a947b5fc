public import StarlingModel
import StarlingSQLite

extension FavoritesStore {
  /// The favorite of a key or of one that stands for it; nil when it is none.
  public func get(kind: String, key: String) throws(FavoritesError) -> Favorite? {
    try look(kind, key) { row throws(FavoritesError) in try row.favorite() }
  }

  /// The entity of a key, starred or not; nil when it was never seen.
  public func entity(kind: String, key: String) throws(FavoritesError) -> Entity? {
    try look(kind, key) { row throws(FavoritesError) in row.entity() }
  }

  /// The favorites that a query asks for.
  ///
  /// - Throws: `unknownKind`, `unknownField`, `badQuery` for what cannot be asked.
  public func fetch(_ query: Query) throws(FavoritesError) -> [Favorite] {
    try page(query).rows
  }

  /// The favorites that a query asks for, and where the next page begins.
  public func page(_ query: Query) throws(FavoritesError) -> Page<Favorite> {
    var query = query
    query.scope = .favorites
    var rows: [Favorite] = []
    let next = try forEachFallibleRow(query) { row throws(FavoritesError) in
      if let favorite = try row.favorite() { rows.append(favorite) }
      return true
    }
    return Page(rows: rows, next: next)
  }

  /// Gives each favorite that a query asks for until `body` returns false. Memory does not grow
  /// with the number of rows; it is no snapshot, and `body` may change the store.
  ///
  /// - Throws: what `body` throws, and what `page` of the query throws.
  public func each(_ query: Query, _ body: (Favorite) throws -> Bool) throws {
    try inChunks(query, page, body).get()
  }

  /// The same for a body that says `throws(FavoritesError)`.
  public func each(
    _ query: Query, _ body: (Favorite) throws(FavoritesError) -> Bool
  ) throws(FavoritesError) {
    try inChunks(query, page, body).get()
  }

  /// The entities that a query asks for, starred or not.
  public func entities(_ query: Query) throws(FavoritesError) -> [Entity] {
    try entityPage(query).rows
  }

  public func entityPage(_ query: Query) throws(FavoritesError) -> Page<Entity> {
    var query = query
    query.scope = .everything
    var rows: [Entity] = []
    let next = try forEachRow(query) { row in
      rows.append(row.entity())
      return true
    }
    return Page(rows: rows, next: next)
  }

  /// Gives each entity that a query asks for until `body` returns false; see `each`.
  public func eachEntity(_ query: Query, _ body: (Entity) throws -> Bool) throws {
    try inChunks(query, entityPage, body).get()
  }

  /// The same for a body that says `throws(FavoritesError)`.
  public func eachEntity(
    _ query: Query, _ body: (Entity) throws(FavoritesError) -> Bool
  ) throws(FavoritesError) {
    try inChunks(query, entityPage, body).get()
  }

  /// How many rows a query asks for; its limit and cursor do not count.
  public func count(_ query: Query) throws(FavoritesError) -> Int {
    let handle = try handle(kind: query.kind)
    let compiled = try compile(query, handle, counting: true)
    guard let step = compiled.steps.first else { return 0 }
    var total = 0
    try run(step, compiled) { statement throws(FavoritesError) in
      if try sql({ () throws(SQLiteError) in try statement.step() }) {
        total = Int(statement.integer(0))
      }
    }
    return total
  }

  /// Gives each row that a query asks for, lent, until `body` returns false. `body` must not change
  /// the store.
  ///
  /// - Returns: where the next page begins, when the limit or `body` ended this one.
  package func forEachRow(
    _ query: Query, _ body: (EntityRow) throws(FavoritesError) -> Bool
  ) throws(FavoritesError) -> Cursor? {
    try forEachFallibleRow(query, body)
  }

  /// Gives the row of a key or of one that stands for it.
  ///
  /// - Returns: whether there is one; with `favoritesOnly`, whether it is a favorite.
  package func row(
    _ handle: KindHandle, key: UnsafeRawBufferPointer, favoritesOnly: Bool,
    _ body: (EntityRow) throws(FavoritesError) -> Void
  ) throws(FavoritesError) -> Bool {
    let statement = try sql { () throws(SQLiteError) in
      try handle.statement(.rowOf, on: connection)
    }
    defer { statement.reset() }
    func step(_ key: UnsafeRawBufferPointer) throws(FavoritesError) -> Bool? {
      unsafe statement.bindStatic(1, key)
      guard try sql({ () throws(SQLiteError) in try statement.step() }) else { return nil }
      let row = EntityRow(handle: handle, statement: statement, store: self)
      if favoritesOnly, row.starredAt == nil { return false }
      try body(row)
      return true
    }
    if let found = try unsafe step(key) { return found }
    try noticeOthers()
    let target = try sql { () throws(SQLiteError) in
      try unsafe aliasTarget(handle, key: key)
    }
    guard let target else { return false }
    return try unsafe target.span.bytes.withUnsafeBytes { key throws(FavoritesError) in
      defer { statement.reset() }
      return try unsafe step(key) ?? false
    }
  }

  private func look<Result>(
    _ kind: String, _ key: String, _ body: (EntityRow) throws(FavoritesError) -> Result?
  ) throws(FavoritesError) -> Result? {
    let handle = try handle(kind: kind)
    return try reading { () throws(FavoritesError) in
      var result: Result?
      _ = unsafe try FavoritesStore.withBytes(of: key) { key throws(FavoritesError) in
        try unsafe row(handle, key: key, favoritesOnly: false) { row throws(FavoritesError) in
          result = try body(row)
        }
      }
      return result
    }
  }

  private func forEachFallibleRow(
    _ query: Query, _ body: (EntityRow) throws(FavoritesError) -> Bool
  ) throws(FavoritesError) -> Cursor? {
    let handle = try handle(kind: query.kind)
    if let cursor = query.after { try ListOrder(of: query).check(cursor) }
    if let limit = query.limit, limit <= 0 { return query.after }
    return try reading { () throws(FavoritesError) in
      let compiled = try compile(query, handle, counting: false)
      if let ranked = compiled.ranked {
        return try forEachFound(ranked, query, compiled.matcher, body)
      }
      var left = query.limit ?? .max
      var next: Cursor?
      for step in compiled.steps where left > 0 && next == nil {
        try run(step, compiled) { statement throws(FavoritesError) in
          let row = EntityRow(handle: handle, statement: statement, store: self)
          while try sql({ () throws(SQLiteError) in try statement.step() }) {
            left -= 1
            if try !body(row) || left == 0 {
              next = row.cursor(
                in: ListOrder(of: query), compiled.orderColumn, isAbsent: step.isAbsent)
              return
            }
          }
        }
      }
      return next
    }
  }

  /// - Throws: what `page` throws. What `body` throws is the result.
  private func inChunks<Row, Failure>(
    _ query: Query, _ page: (Query) throws(FavoritesError) -> Page<Row>,
    _ body: (Row) throws(Failure) -> Bool
  ) throws(FavoritesError) -> Result<Void, Failure> {
    var query = query.inStreamOrder
    var left = query.limit ?? .max
    while left > 0 {
      query.limit = min(left, 256)
      let page = try page(query)
      do throws(Failure) {
        for row in page.rows where try !body(row) { return .success(()) }
      } catch {
        return .failure(error)
      }
      guard let next = page.next else { break }
      left -= page.rows.count
      query.after = next
    }
    return .success(())
  }

  private func run(
    _ step: CompiledQuery.Step, _ query: CompiledQuery,
    _ body: (Statement) throws(FavoritesError) -> Void
  ) throws(FavoritesError) {
    let statement = try sql { () throws(SQLiteError) in try connection.take(step.sql) }
    defer { connection.give(statement, step.sql) }
    bind(step.values, to: statement)
    try withExtendedLifetime(query.test) { () throws(FavoritesError) in
      if let test = query.test, let place = step.values.firstIndex(of: .rowTest) {
        statement.bind(Int32(place + 1), test)
      }
      try body(statement)
    }
  }

  func bind(_ values: [BoundValue], to statement: Statement) {
    for (place, value) in values.enumerated() {
      bind(value, to: statement, at: Int32(place + 1))
    }
  }

  func bind(_ value: BoundValue, to statement: Statement, at index: Int32) {
    switch value {
    case .integer(let number): statement.bind(index, number)
    case .real(let number): statement.bind(index, number)
    case .text(let text): statement.bind(index, text)
    case .bytes(let bytes): statement.bind(index, String(decoding: bytes, as: UTF8.self))
    case .rowTest: break
    }
  }

  func compile(
    _ query: Query, _ handle: KindHandle, counting: Bool
  ) throws(FavoritesError) -> CompiledQuery {
    if query.text != nil, !hasSearchIndex { throw .badQuery(reason: FavoritesStore.noSearchIndex) }
    let canBeKept =
      !counting && query.after == nil && query.text == nil && !query.condition.dependsOnNow
    if canBeKept, let known = handle.compiledQueries[query] {
      guard let asOf = known.estimateAsOf else { return known }
      let estimate = try sql { () throws(SQLiteError) -> MembershipEstimate in
        try self.estimate(handle)
      }
      if estimate.asOf == asOf { return known }
    }
    var asOf: Int64?
    let compiled = try QueryCompiler(handle: handle, query: query, now: options.clock())
      .compile(counting: counting) { limit throws(FavoritesError) in
        let prefers = try prefersEntities(handle, limit: limit)
        asOf = handle.membershipEstimate?.asOf
        return prefers
      }
    compiled.estimateAsOf = asOf
    if canBeKept {
      if handle.compiledQueries.count >= 32 { handle.compiledQueries.removeAll() }
      handle.compiledQueries[query] = compiled
    }
    return compiled
  }

  /// Whether a query for favorites is better answered from the entities' side: with an index in the
  /// query's order that holds when enough entities are favorites to find `limit` of them soon.
  private func prefersEntities(
    _ handle: KindHandle, limit: Int?
  ) throws(FavoritesError) -> Bool {
    let estimate = try sql { () throws(SQLiteError) -> MembershipEstimate in
      try self.estimate(handle)
    }
    guard let limit else {
      // A condition with an index: unless the favorites are few, it finds less than all of them.
      return estimate.favorites > 500 || estimate.favorites * 4 >= estimate.entities
    }
    let (square, overflow) = estimate.favorites.multipliedReportingOverflow(by: estimate.favorites)
    return overflow || square / Int64(clamping: max(1, limit)) > estimate.entities
  }

  func estimate(_ handle: KindHandle) throws(SQLiteError) -> MembershipEstimate {
    let changes = connection.totalChanges &+ Int64(connection.dataVersion)
    if let known = handle.membershipEstimate,
      abs(changes &- known.asOf) <= max(100, known.favorites / 8)
    {
      return known
    }
    let cap = 20_000
    func integer(_ sql: String) throws(SQLiteError) -> Int64 { try connection.integer(sql) ?? 0 }
    let favorites = try integer(
      "SELECT count(*) FROM (SELECT 1 FROM favorites WHERE kind = \(handle.id) LIMIT \(cap))")
    let table = handle.table.table
    var entities = try integer("SELECT count(*) FROM (SELECT 1 FROM \(table) LIMIT \(cap))")
    if entities == Int64(cap) { entities = max(entities, try mostEntities(handle)) }
    let estimate = MembershipEstimate(favorites: favorites, entities: entities, asOf: changes)
    handle.membershipEstimate = estimate
    return estimate
  }

  /// How many entities of a kind there are at most, by the range of their rowids.
  func mostEntities(_ handle: KindHandle) throws(SQLiteError) -> Int64 {
    let table = handle.table.table
    guard let first = try connection.integer("SELECT min(rowid) FROM \(table)"),
      let last = try connection.integer("SELECT max(rowid) FROM \(table)")
    else {
      return 0
    }
    let (range, overflow) = last.subtractingReportingOverflow(first)
    // A file that somebody made may have any rowids.
    return overflow ? 1 << 40 : min(range, 1 << 40) + 1
  }
}

/// Asks the rest of a condition of each row, with storage that is used again.
final class RowFilter {
  private let matcher: Matcher
  private var record = EntityRecord()
  private var cache = FoldCache()

  init(_ matcher: Matcher) {
    self.matcher = matcher
  }

  func holds(_ row: EntityRow) -> Bool {
    row.fill(&record, matcher.fields)
    cache.begin()
    return matcher.matches(record, &cache)
  }
}

extension Condition {
  /// Whether it means another thing at another time: it says `since "7d"`.
  var dependsOnNow: Bool {
    switch self {
    case .test(_, .since(.ago)), .test(_, .before(.ago)): true
    case .test: false
    case .all(let parts), .any(let parts): parts.contains { $0.dependsOnNow }
    case .not(let part): part.dependsOnNow
    }
  }
}
