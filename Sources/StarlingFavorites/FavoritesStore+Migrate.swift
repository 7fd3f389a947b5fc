import StarlingModel
import StarlingSQLite

extension FavoritesStore {
  /// Brings a file of an older version to the schema of this build, in one transaction. A store that
  /// is open for reading leaves it as it is.
  func migrateSchema() throws(FavoritesError) {
    guard !hasSearchIndex, !options.readOnly else { return }
    let bytes = try sql { () throws(SQLiteError) in
      try (connection.integer("PRAGMA page_count") ?? 0)
        * (connection.integer("PRAGMA page_size") ?? 0)
    }
    try transaction(writing: bytes) { () throws(FavoritesError) in
      try sql { () throws(SQLiteError) in
        // Another process may have done it while this one waited.
        let version = try connection.integer("PRAGMA user_version") ?? 0
        guard version < Schema.version else { return }
        options.progress(.schema(from: Int(version), to: Int(Schema.version)))
        if version < 2 {
          try connection.execute(Schema.itemsStatement)
          try rebuildSearch()
        }
        try connection.execute("PRAGMA user_version = \(Schema.version)")
      }
    }
    hasSearchIndex = true
  }
}
