package import StarlingModel
import StarlingSQLite

/// A row of a query, lent for the time of one call: what it gives as bytes is gone after it.
package final class EntityRow {
  package let handle: KindHandle
  private let statement: Statement
  private let store: FavoritesStore

  init(handle: KindHandle, statement: Statement, store: FavoritesStore) {
    self.handle = handle
    self.statement = statement
    self.store = store
  }

  package var kind: Kind { handle.kind }

  package var key: UnsafeRawBufferPointer {
    unsafe statement.bytes(RowColumn.key) ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// When it became a favorite, in seconds since the epoch; nil when it is none.
  package var starredAt: Int64? {
    statement.isNull(RowColumn.starredAt) ? nil : statement.integer(RowColumn.starredAt)
  }

  /// Whether it has tags.
  package var hasTags: Bool { statement.integer(RowColumn.hasTags) != 0 }

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
  package func value(_ field: Int) -> RowValue {
    let layout = handle.layout[field]
    return unsafe RowValue(statement, RowColumn.firstField + layout.offset, layout.type)
  }

  /// Fills a record with the entity, for a matcher or a writer.
  package func fill(_ record: inout EntityRecord) {
    record.reset(fieldCount: handle.layout.count)
    record.setKey(unsafe record.append(key))
    for field in 0..<handle.layout.count { unsafe record.take(field, value(field)) }
  }

  package func entity() -> Entity {
    var record = EntityRecord()
    fill(&record)
    return record.entity(kind: handle.kind)
  }

  /// Gives each tag, sorted by its bytes. Nothing when it is no favorite.
  package func forEachTag(
    _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(FavoritesError) {
    guard starredAt != nil, statement.integer(RowColumn.hasTags) != 0 else { return }
    try store.sql { () throws(SQLiteError) in
      let list = try store.statement(.tagsOf)
      list.bind(1, rowid)
      defer { list.reset() }
      while try list.step() {
        if let tag = unsafe list.bytes(0) { unsafe body(tag) }
      }
    }
  }

  /// The causes, in the order in which they came. None when it is no favorite.
  package func causes() throws(FavoritesError) -> [Cause] {
    guard starredAt != nil else { return [] }
    return try store.sql { () throws(SQLiteError) in try store.causes(of: rowid) }
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
  func cursor(_ column: Int32?, isAbsent: Bool) -> Cursor {
    guard let column else { return Cursor(place: .row, rowid: rowid) }
    guard !isAbsent else { return Cursor(place: .absent, rowid: rowid) }
    let place: Cursor.Place =
      switch statement.type(column) {
      case .integer: .integer(statement.integer(column))
      case .real: .real(statement.real(column))
      case .text: .text(statement.string(column) ?? "")
      case .null: .absent
      }
    return Cursor(place: place, rowid: rowid)
  }
}

@available(*, unavailable)
extension EntityRow: Sendable {}
