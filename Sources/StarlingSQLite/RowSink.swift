import CSQLite3

/// Takes the rows of a statement while it runs: `SELECT row_sink(?1, a, b) FROM ...` gives the
/// columns `a` and `b` of each row to the sink that is bound to `?1`. A row costs half of what it
/// costs where the statement stops at each.
package protocol RowSink: AnyObject {
  func take(_ row: SQLValues)
}

/// Keeps a sink for C. It must live as long as the statement that it is bound to runs.
package final class RowSinkPointer {
  fileprivate let sink: any RowSink

  package init(_ sink: any RowSink) {
    self.sink = sink
  }
}

extension Statement {
  /// Runs a statement with one `row_sink(?1, ...)` to its end.
  package func run(into sink: any RowSink) throws(SQLiteError) {
    let pointer = RowSinkPointer(sink)
    unsafe _ = starling_bind_row_sink(handle, 1, Unmanaged.passUnretained(pointer).toOpaque())
    // What is bound is not kept beyond the time for which it is there.
    defer { bindNull(1) }
    try run()
    withExtendedLifetime(pointer) {}
  }
}

extension Connection {
  /// Makes `row_sink` known, an aggregate of NULL; only statements of this connection's owner can
  /// call it, no view or trigger of a file.
  func addRowSink() {
    unsafe _ = sqlite3_create_function_v2(
      handle, "row_sink", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, nil, nil,
      { _, count, values in
        guard count > 0, let values = unsafe values,
          let sink = unsafe starling_row_sink(values[0])
        else { return }
        unsafe Unmanaged<RowSinkPointer>.fromOpaque(sink)._withUnsafeGuaranteedRef { pointer in
          pointer.sink.take(unsafe SQLValues(values + 1))
        }
      }, { _ in }, nil)
  }
}
