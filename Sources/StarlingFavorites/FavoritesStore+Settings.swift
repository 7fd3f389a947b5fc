import StarlingSQLite

/// Texts that the program keeps for itself in the file, by name.
extension FavoritesStore {
  /// - Returns: nil when there is none of this name.
  package func setting(_ name: String) throws(FavoritesError) -> String? {
    try sql { () throws(SQLiteError) in
      let statement = try statement(.setting)
      defer { statement.reset() }
      statement.bind(1, name)
      return try statement.step() ? statement.string(0) : nil
    }
  }

  /// - Parameter value: nil to have none.
  package func setSetting(_ name: String, _ value: String?) throws(FavoritesError) {
    try write { () throws(FavoritesError) in
      try sql { () throws(SQLiteError) in
        let statement = try statement(value == nil ? .deleteSetting : .writeSetting)
        defer { statement.reset() }
        statement.bind(1, name)
        if let value { statement.bind(2, value) }
        _ = try statement.step()
      }
    }
  }
}
