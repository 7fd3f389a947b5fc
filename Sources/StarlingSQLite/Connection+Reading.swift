import CSQLite3

extension Connection {
  /// Compiles one statement of a person's own that can only read, lends it, and drops it.
  ///
  /// SQLite asks at compile time what each part of the statement may do; tables are read, functions
  /// called, and nothing else: no change, no transaction, no other file, no setting.
  /// - Throws: SQLite's error, `misuse` for text that holds several statements or none.
  package func withReadingStatement<Result>(
    _ sql: String, _ body: (Statement) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    unsafe sqlite3_set_authorizer(
      handle, { _, action, first, second, _, _ in unsafe authorizeReading(action, first, second) },
      nil)
    defer { unsafe sqlite3_set_authorizer(handle, nil, nil) }
    let statement = try prepareAlone(sql)
    guard statement.isReadOnly else {
      throw SQLiteError(
        code: .readOnly, extendedCode: SQLITE_READONLY, message: "the statement is no query")
    }
    return try body(statement)
  }

  private func prepareAlone(_ sql: String) throws(SQLiteError) -> Statement {
    var sql = sql
    var compiled: OpaquePointer?
    var rest = 0
    let result = sql.withUTF8 { text in
      unsafe text.withMemoryRebound(to: CChar.self) { text in
        var tail: UnsafePointer<CChar>?
        let result = unsafe sqlite3_prepare_v3(
          handle, text.baseAddress, Int32(clamping: text.count), 0, &compiled, &tail)
        if let start = text.baseAddress, let tail = unsafe tail { rest = unsafe tail - start }
        return result
      }
    }
    guard result == SQLITE_OK else {
      throw unsafe SQLiteError(result: result, database: handle, sql: nil)
    }
    guard let compiled = unsafe compiled else {
      throw SQLiteError(
        code: .misuse, extendedCode: SQLITE_MISUSE, message: "there is no statement")
    }
    let statement = unsafe Statement(compiled, database: handle)
    guard sql.utf8.dropFirst(rest).allSatisfy({ $0 <= 0x20 || $0 == UInt8(ascii: ";") }) else {
      throw SQLiteError(
        code: .misuse, extendedCode: SQLITE_MISUSE, message: "one statement at a time")
    }
    return statement
  }
}

/// SQLite: sqlite3_set_authorizer.
private func authorizeReading(
  _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?
) -> Int32 {
  switch action {
  case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: return SQLITE_OK
  case SQLITE_FUNCTION:
    let name = unsafe lowered(second)
    return name == "load_extension" ? SQLITE_DENY : SQLITE_OK
  case SQLITE_PRAGMA:
    let name = unsafe lowered(first)
    if describingPragmas.contains(name) { return SQLITE_OK }
    let hasArgument = unsafe second != nil
    let isAsked = !hasArgument && askedPragmas.contains(name)
    return isAsked ? SQLITE_OK : SQLITE_DENY
  default: return SQLITE_DENY
  }
}

private func lowered(_ text: UnsafePointer<CChar>?) -> String {
  guard let text = unsafe text else { return "" }
  return unsafe String(cString: text).lowercased()
}

/// Those whose argument is what they tell of.
private let describingPragmas: Set<String> = [
  "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo",
  "foreign_key_list", "database_list", "function_list", "collation_list", "compile_options",
  "integrity_check", "quick_check",
]

/// Those whose argument would set them.
private let askedPragmas: Set<String> = [
  "user_version", "application_id", "schema_version", "page_count", "page_size", "freelist_count",
  "encoding", "data_version",
]

extension Statement {
  /// Whether it changes nothing in a database (SQLite: sqlite3_stmt_readonly).
  package var isReadOnly: Bool { unsafe sqlite3_stmt_readonly(handle) != 0 }

  package var columnNames: [String] {
    let count = unsafe sqlite3_column_count(handle)
    return (0..<count).map { column in
      unsafe sqlite3_column_name(handle, column).map { unsafe String(cString: $0) } ?? ""
    }
  }

  /// The bytes of a blob; nil for any other value.
  package func blobCount(_ column: Int32) -> Int? {
    guard unsafe sqlite3_column_type(handle, column) == SQLITE_BLOB else { return nil }
    return unsafe Int(sqlite3_column_bytes(handle, column))
  }
}
