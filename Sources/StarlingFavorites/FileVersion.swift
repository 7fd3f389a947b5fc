import StarlingSQLite

/// Which state of the file a connection has seen: two that are equal are of one contents.
struct FileVersion: Equatable {
  /// Changes with what other connections commit.
  var others: UInt32
  /// The rows that this connection has changed.
  var own: Int64
}

extension FavoritesStore {
  /// The version of the file as it is now, or, while a transaction is open, as that sees it.
  func fileVersion() throws(FavoritesError) -> FileVersion {
    // Others' changes are known as of the last read, so one is made.
    _ = try sql { () throws(SQLiteError) in try connection.integer("PRAGMA schema_version") }
    return FileVersion(others: connection.dataVersion, own: connection.totalChanges)
  }
}
