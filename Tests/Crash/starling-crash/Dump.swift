import StarlingSQLite

/// All rows of a database, and its schema, as texts that can be compared: one for each table.
struct Dump: Equatable {
  private var tables: [String: String] = [:]

  init(path: String) throws(SQLiteError) {
    let database = try Connection(
      path: path, mode: .readWrite, busyTimeoutMilliseconds: 10_000)
    // Tables that an index for search keeps for itself are not rows of ours: the store's own check
    // looks at them.
    let names = try database.texts(
      """
      SELECT name FROM pragma_table_list
      WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name
      """)
    for name in names {
      let columns = try database.texts(
        "SELECT '\"' || name || '\"' FROM pragma_table_info('\(name)')")
      tables[name] = try database.texts(
        """
        SELECT group_concat(line, x'0a') FROM
          (SELECT json_array(\(columns.joined(separator: ", "))) AS line FROM "\(name)" ORDER BY 1)
        """
      ).first
    }
    tables["schema"] = try database.texts(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"
    ).joined(separator: "\n")
    tables["version"] = try database.texts("PRAGMA user_version").first
  }

  /// Where two differ, for whoever looks for the reason.
  func difference(from other: Dump) -> String {
    for name in Set(tables.keys).union(other.tables.keys).sorted() {
      let (mine, theirs) = (lines(name), other.lines(name))
      guard mine != theirs else { continue }
      let added = mine.subtracting(theirs).sorted().prefix(3)
      let missing = theirs.subtracting(mine).sorted().prefix(3)
      return "\(name): \(mine.count) rows for \(theirs.count); "
        + "there and not expected: \(Array(added)); expected and not there: \(Array(missing))"
    }
    return "nothing"
  }

  private func lines(_ name: String) -> Set<Substring> {
    Set((tables[name] ?? "").split(separator: "\n"))
  }
}
