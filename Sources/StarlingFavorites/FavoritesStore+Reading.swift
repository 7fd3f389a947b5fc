package import StarlingModel
import StarlingSQLite

extension FavoritesStore {
  /// Asks the database one question in SQL, which can change nothing: it reads, and nothing else.
  ///
  /// - Parameters:
  ///   - memoryBytes: what the question and a row of its answer may take of memory.
  ///   - isOver: whether its time is over.
  ///   - columns: takes the names of the columns, once, before the first row.
  ///   - row: takes a row's values, nil for NULL and the size of a blob as text; false ends it.
  /// - Throws: `badQuery` with what SQLite says of the text, `stopped`, `outOfMemory`.
  package func read(
    sql text: String, memoryBytes: Int, isOver: @escaping () -> Bool,
    columns: ([String]) -> Void, row: ([Value?]) -> Bool
  ) throws(FavoritesError) {
    // Half for SQLite, half for the row that is made of it.
    SQLiteLibrary.limitMemory(more: Int64(memoryBytes / 2))
    connection.limitValues(bytes: max(1 << 20, memoryBytes / 32))
    defer {
      SQLiteLibrary.limitMemory(more: nil)
      connection.limitValues(bytes: budget?.longestValue)
    }
    do throws(SQLiteError) {
      try connection.withInterruptCheck(isOver) { () throws(SQLiteError) in
        try connection.withReadingStatement(text) { statement throws(SQLiteError) in
          let names = statement.columnNames
          columns(names)
          while try statement.step() {
            guard row(names.indices.map { statement.value(Int32($0)) }) else { return }
            if isOver() {
              throw SQLiteError(code: .interrupted, extendedCode: 9, message: "interrupted")
            }
          }
        }
      }
    } catch {
      switch error.code {
      case .interrupted: throw .stopped
      case .authorization, .readOnly:
        throw .badQuery(reason: "it may only read (\(error.message))")
      case .error, .misuse: throw .badQuery(reason: error.message)
      default: throw FavoritesError(error, path: path)
      }
    }
  }

  /// The tables and views that a question can name, without those of the search index.
  package func relationNames() throws(FavoritesError) -> [String] {
    try sql { () throws(SQLiteError) in
      try connection.texts(
        """
        SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')
          AND name NOT GLOB '_*' AND name NOT GLOB 'sqlite_*' ORDER BY name
        """)
    }
  }
}

extension SQLiteError.Code {
  /// SQLITE_AUTH
  fileprivate static let authorization = SQLiteError.Code(rawValue: 23)
}

extension Statement {
  fileprivate func value(_ column: Int32) -> Value? {
    if let count = blobCount(column) { return .text("(\(count) bytes)") }
    switch type(column) {
    case .null: return nil
    case .integer: return .integer(integer(column))
    case .real: return .real(real(column))
    case .text, .blob: return .text(string(column) ?? "")
    }
  }
}
