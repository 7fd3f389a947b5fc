public import CSQLite3

/// What SQL alone cannot tell of a row, asked while a statement runs: `row_test(?1, a, b)` holds where
/// the test that is bound to `?1` holds for the columns `a` and `b`. Only rows that pass have their
/// other columns read.
package protocol RowTest: AnyObject {
  func holds(_ values: SQLValues) -> Bool

  /// Whether a row may take milliseconds, so that the connection's interrupt check is asked at each.
  var isCostly: Bool { get }
}

/// What a column source can be asked. An index counts from 0; bytes are lent.
@usableFromInline
package protocol SQLColumns {
  func isNull(_ column: Int32) -> Bool
  func integer(_ column: Int32) -> Int64
  func real(_ column: Int32) -> Double
  func bytes(_ column: Int32) -> UnsafeRawBufferPointer?
}

extension Statement: SQLColumns {}

/// The arguments of a `row_test`, lent for the time of one call.
@safe
@usableFromInline
package struct SQLValues: SQLColumns {
  @usableFromInline let values: UnsafeMutablePointer<OpaquePointer?>

  init(_ values: UnsafeMutablePointer<OpaquePointer?>) {
    unsafe self.values = unsafe values
  }

  @inlinable @inline(__always)
  package func isNull(_ column: Int32) -> Bool {
    unsafe sqlite3_value_type(values[Int(column)]) == SQLITE_NULL
  }

  @inlinable @inline(__always)
  package func integer(_ column: Int32) -> Int64 {
    unsafe sqlite3_value_int64(values[Int(column)])
  }

  @inlinable @inline(__always)
  package func real(_ column: Int32) -> Double {
    unsafe sqlite3_value_double(values[Int(column)])
  }

  @inlinable @inline(__always)
  package func bytes(_ column: Int32) -> UnsafeRawBufferPointer? {
    guard let text = unsafe sqlite3_value_text(values[Int(column)]) else { return nil }
    return unsafe UnsafeRawBufferPointer(
      start: text, count: Int(sqlite3_value_bytes(values[Int(column)])))
  }
}

extension Connection {
  /// Makes `row_test` known; only statements of this connection's owner can call it, no view or
  /// trigger of a file.
  func addRowTest() {
    unsafe _ = sqlite3_create_function_v2(
      handle, "row_test", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY,
      Unmanaged.passUnretained(self).toOpaque(),
      { context, count, values in
        guard count > 0, let values = unsafe values,
          let test = unsafe starling_row_test(values[0])
        else { return unsafe sqlite3_result_int(context, 0) }
        let holder = unsafe Unmanaged<RowTestPointer>.fromOpaque(test).takeUnretainedValue()
        if holder.test.isCostly {
          let owner = unsafe Unmanaged<Connection>.fromOpaque(sqlite3_user_data(context))
          if unsafe owner.takeUnretainedValue().mustStop {
            return unsafe sqlite3_result_error_code(context, SQLITE_INTERRUPT)
          }
        }
        let holds = holder.test.holds(unsafe SQLValues(values + 1))
        unsafe sqlite3_result_int(context, holds ? 1 : 0)
      }, nil, nil, nil)
  }
}

/// Keeps a test for C. It must live as long as the statement that it is bound to runs.
package final class RowTestPointer {
  let test: any RowTest

  package init(_ test: any RowTest) {
    self.test = test
  }
}

extension Statement {
  /// Binds a test for `row_test` (SQLite: Pointer Passing Interfaces).
  package func bind(_ index: Int32, _ test: RowTestPointer) {
    unsafe _ = starling_bind_row_test(
      handle, index, Unmanaged.passUnretained(test).toOpaque())
  }
}
