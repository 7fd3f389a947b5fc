public import CSQLite3

/// A compiled statement: bind, step, read, reset.
///
/// Values bound with `bindStatic` and columns read as bytes are lent, not copied: the first must
/// stay in place until `reset`, the second are gone at the next `step` or `reset`.
@safe
@usableFromInline
package final class Statement {
  @usableFromInline let handle: OpaquePointer
  private let database: OpaquePointer
  /// Why a value could not be bound: the next step says it, or NULL would stand in its place.
  private var unbound = SQLITE_OK

  init(_ handle: OpaquePointer, database: OpaquePointer) {
    unsafe self.handle = handle
    unsafe self.database = database
  }

  deinit {
    unsafe sqlite3_finalize(handle)
  }

  /// Goes to the next row.
  ///
  /// - Returns: true when there is a row; false at the end, where the statement is reset already.
  package func step() throws(SQLiteError) -> Bool {
    if unbound != SQLITE_OK { throw failureToBind() }
    let result = unsafe sqlite3_step(handle)
    if result == SQLITE_ROW { return true }
    if result == SQLITE_DONE {
      unsafe sqlite3_reset(handle)
      return false
    }
    throw failure(result)
  }

  /// Steps once and resets: for a statement that gives no row.
  package func run() throws(SQLiteError) {
    if unbound != SQLITE_OK { throw failureToBind() }
    let result = unsafe sqlite3_step(handle)
    if result == SQLITE_DONE || result == SQLITE_ROW {
      unsafe sqlite3_reset(handle)
      return
    }
    throw failure(result)
  }

  /// Lets go of the row and of what was bound without a copy. What was bound stays bound.
  package func reset() {
    unsafe sqlite3_reset(handle)
  }

  /// The statement's text.
  package var sql: String {
    guard let text = unsafe sqlite3_sql(handle) else { return "" }
    return unsafe String(cString: text)
  }

  private func failureToBind() -> SQLiteError {
    defer { unbound = SQLITE_OK }
    return unsafe SQLiteError(
      code: SQLiteError.Code(rawValue: unbound & 0xff), extendedCode: unbound,
      message: String(cString: sqlite3_errstr(unbound)), sql: sql)
  }

  fileprivate func note(bound result: Int32) {
    if result != SQLITE_OK { unbound = result }
  }

  private func failure(_ result: Int32) -> SQLiteError {
    let error = unsafe SQLiteError(result: result, database: database, sql: sql)
    unsafe sqlite3_reset(handle)
    return error
  }
}

// Binding. An index counts from 1; one out of range binds nothing.
extension Statement {
  package func bind(_ index: Int32, _ number: Int64) {
    unsafe sqlite3_bind_int64(handle, index, number)
  }

  package func bind(_ index: Int32, _ number: Double) {
    unsafe sqlite3_bind_double(handle, index, number)
  }

  package func bindNull(_ index: Int32) {
    unsafe sqlite3_bind_null(handle, index)
  }

  /// Binds a copy of the text.
  package func bind(_ index: Int32, _ text: String) {
    // Swift hands a String to C with a NUL behind it, so the pointer is never null.
    note(bound: unsafe starling_bind_text_copy(handle, index, text, UInt64(text.utf8.count)))
  }

  /// Binds a copy of the text, or NULL.
  package func bind(_ index: Int32, _ text: String?) {
    if let text { bind(index, text) } else { bindNull(index) }
  }

  package func bind(_ index: Int32, _ number: Int64?) {
    if let number { bind(index, number) } else { bindNull(index) }
  }

  /// Binds the value of another statement's row, whatever its type. It is copied.
  package func bind(_ index: Int32, valueOf other: Statement, _ column: Int32) {
    note(
      bound: unsafe sqlite3_bind_value(handle, index, sqlite3_column_value(other.handle, column)))
  }

  /// Binds UTF-8 where it lies; it must not move or change until `reset`.
  package func bindStatic(_ index: Int32, _ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else {
      // A null pointer would be NULL; an empty text is not.
      unsafe _ = starling_bind_text_copy(handle, index, "", 0)
      return
    }
    note(
      bound: unsafe starling_bind_text_static(
        handle, index, base.assumingMemoryBound(to: CChar.self), UInt64(bytes.count)))
  }
}

extension Statement {
  /// Binds bytes that are no text where they lie; they must not move or change until `reset`.
  package func bindStaticBlob(_ index: Int32, _ bytes: UnsafeRawBufferPointer) {
    // No destructor is SQLITE_STATIC.
    note(
      bound: unsafe sqlite3_bind_blob64(
        handle, index, bytes.baseAddress, UInt64(bytes.count), nil))
  }

  /// The column's bytes, or nil for NULL and for none; lent until the next `step` or `reset`.
  package func blob(_ column: Int32) -> UnsafeRawBufferPointer? {
    guard let bytes = unsafe sqlite3_column_blob(handle, column) else { return nil }
    return unsafe UnsafeRawBufferPointer(
      start: bytes, count: Int(sqlite3_column_bytes(handle, column)))
  }
}

// Columns of the current row. An index counts from 0. Inlined: a row has ten columns, and what is
// asked of each is a few instructions.
extension Statement {
  @inlinable @inline(__always)
  package func isNull(_ column: Int32) -> Bool {
    unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  @inlinable @inline(__always)
  package func integer(_ column: Int32) -> Int64 {
    unsafe sqlite3_column_int64(handle, column)
  }

  @inlinable @inline(__always)
  package func real(_ column: Int32) -> Double {
    unsafe sqlite3_column_double(handle, column)
  }

  /// The column's text as UTF-8, or nil for NULL; lent until the next `step` or `reset`.
  @inlinable @inline(__always)
  package func bytes(_ column: Int32) -> UnsafeRawBufferPointer? {
    guard let text = unsafe sqlite3_column_text(handle, column) else { return nil }
    return unsafe UnsafeRawBufferPointer(
      start: text, count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// The column's text as a String of its own, or nil for NULL.
  package func string(_ column: Int32) -> String? {
    guard let bytes = unsafe bytes(column) else { return nil }
    return unsafe String(decoding: bytes, as: UTF8.self)
  }
}

@available(*, unavailable)
extension Statement: Sendable {}

/// What a column holds.
package enum ColumnType: Sendable {
  case integer
  case real
  case text
  case blob
  case null
}

extension Statement {
  package func type(_ column: Int32) -> ColumnType {
    switch unsafe sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_BLOB: .blob
    case SQLITE_NULL: .null
    default: .text
    }
  }
}
