package import StarlingModel
public import StarlingSQLite

/// A row of a query, lent for the time of one call: what it gives as bytes is gone after it.
@usableFromInline
package final class EntityRow {
  package let handle: KindHandle
  @usableFromInline let statement: Statement
  private let store: FavoritesStore
  @usableFromInline let layout: [FieldLayout]

  init(handle: KindHandle, statement: Statement, store: FavoritesStore) {
    self.handle = handle
    self.statement = statement
    self.store = store
    layout = handle.layout
  }

  package var kind: Kind { handle.kind }

  @inlinable
  package var key: UnsafeRawBufferPointer {
    unsafe statement.bytes(RowColumn.key) ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// When it became a favorite, in seconds since the epoch; nil when it is none.
  @inlinable
  package var starredAt: Int64? {
    statement.isNull(RowColumn.starredAt) ? nil : statement.integer(RowColumn.starredAt)
  }

  /// Whether it has tags.
  @inlinable
  package var hasTags: Bool { statement.integer(RowColumn.hasTags) != 0 }

  @inlinable
  package var note: UnsafeRawBufferPointer? { unsafe statement.bytes(RowColumn.note) }

  package var firstSeen: Int64 { statement.integer(RowColumn.firstSeen) }

  /// To within a day.
  package var lastSeen: Int64 { statement.integer(RowColumn.lastSeen) }

  /// The source that had it first; nil for one made by hand or by a script.
  package var source: String? {
    guard !statement.isNull(RowColumn.source) else { return nil }
    return store.sourceName(statement.integer(RowColumn.source))
  }

  var rowid: Int64 { statement.integer(RowColumn.rowid) }

  /// The value of the field at this place of `kind.fields`.
  @inlinable @inline(__always)
  package func value(_ field: Int) -> RowValue {
    let layout = layout[field]
    return unsafe RowValue(statement, RowColumn.firstField + layout.offset, layout.type)
  }

  /// Fills a record with the entity, for a matcher or a writer.
  package func fill(_ record: inout EntityRecord) {
    record.reset(fieldCount: layout.count)
    record.setKey(unsafe record.append(key))
    for field in 0..<layout.count { unsafe record.take(field, value(field)) }
  }

  /// Fills a record with these fields alone.
  func fill(_ record: inout EntityRecord, _ fields: [Int]) {
    record.reset(fieldCount: layout.count)
    for field in fields { unsafe record.take(field, value(field)) }
  }

  package func entity() -> Entity {
    var record = EntityRecord()
    fill(&record)
    return record.entity(kind: handle.kind)
  }

  /// Gives each tag, sorted by its bytes, until `body` says false. Nothing when it is no favorite.
  package func forEachTag(
    _ body: (UnsafeRawBufferPointer) -> Bool
  ) throws(FavoritesError) {
    guard starredAt != nil, statement.integer(RowColumn.hasTags) != 0 else { return }
    try store.sql { () throws(SQLiteError) in
      let list = try store.statement(.tagsOf)
      list.bind(1, rowid)
      defer { list.reset() }
      while try list.step() {
        if let tag = unsafe list.bytes(0), unsafe !body(tag) { return }
      }
    }
  }

  /// The causes, in the order in which they came. None when it is no favorite.
  package func causes() throws(FavoritesError) -> [Cause] {
    guard starredAt != nil else { return [] }
    return try store.sql { () throws(SQLiteError) in try store.causes(of: rowid) }
  }

  /// Gives each cause as it is stored, in the order in which they came. None when it is no favorite.
  func forEachCause(
    _ body: (CauseRow) throws(FavoritesError) -> Void
  ) throws(FavoritesError) {
    let list = try store.sql { () throws(SQLiteError) in try store.statement(.causesAsJSON) }
    list.bind(1, rowid)
    defer { list.reset() }
    var place = 0
    while try store.sql({ () throws(SQLiteError) in try list.step() }) {
      place += 1
      try unsafe body(
        CauseRow(
          place: place, actor: list.integer(1), line: list.isNull(2) ? nil : list.integer(2),
          evidence: list.bytes(3), at: list.integer(4)))
    }
  }

  func origin(of cause: CauseRow) throws(FavoritesError) -> Cause.Origin {
    try store.sql { () throws(SQLiteError) in
      try unsafe store.actor(cause.actor).causeOrigin(line: cause.line)
    }
  }

  /// The row as a favorite of its own; nil when it is none.
  package func favorite() throws(FavoritesError) -> Favorite? {
    guard let starredAt else { return nil }
    return try store.sql { () throws(SQLiteError) in
      Favorite(
        entity: entity(), starredAt: Timestamp(secondsSinceEpoch: starredAt),
        tags: try store.tags(of: rowid), note: statement.string(RowColumn.note),
        causes: try store.causes(of: rowid))
    }
  }

  /// The row's place in an order.
  func cursor(in list: ListOrder, _ column: Int32?, isAbsent: Bool) -> Cursor {
    guard let column else { return Cursor(in: list, place: .row, rowid: rowid) }
    guard !isAbsent else { return Cursor(in: list, place: .absent, rowid: rowid) }
    let place: Cursor.Place =
      switch statement.type(column) {
      case .integer: .integer(statement.integer(column))
      case .real: .real(statement.real(column))
      case .text, .blob: .text(statement.string(column) ?? "")
      case .null: .absent
      }
    return Cursor(in: list, place: place, rowid: rowid)
  }
}

/// A cause as a row of the database, lent.
@unsafe
struct CauseRow {
  /// From 1.
  var place: Int
  var actor: Int64
  /// Of an imported file.
  var line: Int64?
  /// JSON, in one line.
  var evidence: UnsafeRawBufferPointer?
  var at: Int64
}

@available(*, unavailable)
extension EntityRow: Sendable {}
