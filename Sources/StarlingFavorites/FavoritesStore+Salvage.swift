import Glibc
import StarlingModel
import StarlingSQLite

extension FavoritesStore {
  /// Puts in the place of a damaged file a new one with all rows that can be read. The damaged file
  /// is kept beside it, as it is, under another name.
  ///
  /// Nobody else may have the file open. What was lost of favorites is taken from their index and
  /// the history where these have it.
  /// - Throws: `foreign` and `newerSchema` for a file that is not ours to mend, `cannotOpen` when
  ///   another program has it open or not even the kinds can be read.
  public static func salvage(
    _ path: String, options: StoreOptions = StoreOptions()
  ) throws(FavoritesError) -> SalvageReport {
    let damaged: Connection
    do throws(SQLiteError) {
      damaged = try Connection(path: path, mode: .readWrite, busyTimeoutMilliseconds: 2000)
      try damaged.readDespiteDamage()
    } catch {
      guard error.code != .busy else {
        throw .cannotOpen(path: path, reason: "another program has it open; end that first")
      }
      throw FavoritesError(error, path: path)
    }
    let partial = path + ".salvaging"
    removeFiles(partial)
    var report: SalvageReport
    do throws(FavoritesError) {
      report = try salvage(damaged, path: path, to: partial, options)
    } catch {
      removeFiles(partial)
      throw error
    }
    report.kept = freeName(path, "damaged", options)
    try move(path, to: report.kept)
    try move(partial, to: path)
    return report
  }

  private static func salvage(
    _ damaged: Connection, path: String, to partial: String, _ options: StoreOptions
  ) throws(FavoritesError) -> SalvageReport {
    let (id, version) = try wrapping(path) { () throws(SQLiteError) in
      (
        try damaged.integer("PRAGMA application_id") ?? 0,
        try damaged.integer("PRAGMA user_version") ?? 0
      )
    }
    guard id == Schema.applicationID else { throw .foreign(path: path) }
    guard version <= Schema.version else {
      throw .newerSchema(path: path, found: version, supported: Schema.version)
    }
    let store = try FavoritesStore(.file(partial), options: options)
    let report = try store.transaction { () throws(FavoritesError) in
      let salvage = Salvage(from: damaged, to: store.connection)
      var report = SalvageReport()
      try store.sql { () throws(SQLiteError) in
        try salvage.copy("kinds", along: "id")
        try salvage.copy("fields", along: "kind")
      }
      // Kinds without their fields are a contradiction, which is thrown here.
      try? store.loadKinds()
      guard !store.handles.isEmpty else {
        throw .cannotOpen(
          path: path,
          reason: "too damaged to be salvaged: not even its kinds can be read; restore a backup")
      }
      try store.sql { () throws(SQLiteError) in
        for handle in store.handles { try store.makeTable(handle.table) }
        for handle in store.handles { report.add(try salvage.copyKind(handle.table)) }
        report.add(try salvage.copyStoreTables())
        try store.completeFavorites(report, from: damaged)
      }
      try store.mend()
      try store.sql { () throws(SQLiteError) in
        for place in report.rows.indices {
          let count = "SELECT count(*) FROM \"\(report.rows[place].table)\""
          report.rows[place].count = Int(try store.connection.integer(count) ?? 0)
        }
      }
      return report
    }
    if let problem = try store.check().first {
      throw .corrupt(path: path, detail: problem.what)
    }
    return report
  }

  /// What a damaged table of favorites lacks and its index, or the history, has.
  private func completeFavorites(
    _ report: SalvageReport, from damaged: Connection
  ) throws(SQLiteError) {
    guard report.damaged.contains("favorites") else { return }
    let insert = try connection.prepare(
      "INSERT OR IGNORE INTO favorites (entity, kind, starred_at) VALUES (?1, ?2, ?3)")
    for direction in ["ASC", "DESC"] {
      // Covered by the index `favorites_by_kind`.
      let read = try? damaged.prepare(
        """
        SELECT entity, kind, starred_at FROM favorites
        ORDER BY kind \(direction), starred_at \(direction)
        """)
      while let read, (try? read.step()) == true {
        for column: Int32 in 0..<3 { insert.bind(column + 1, valueOf: read, column) }
        try? insert.run()
      }
    }
    guard !report.damaged.contains("history") else { return }
    try connection.execute(
      """
      INSERT OR IGNORE INTO favorites (entity, kind, starred_at)
      SELECT entity, kind, at FROM history h WHERE action = 'star' AND entity IS NOT NULL
        AND id = (SELECT max(id) FROM history l
          WHERE l.entity = h.entity AND l.action IN ('star', 'unstar'))
      """)
  }

  /// A name beside a path that nothing has.
  static func freeName(_ path: String, _ word: String, _ options: StoreOptions) -> String {
    let base = "\(path).\(word)-\(options.clock().secondsSinceEpoch)"
    var name = base
    var number = 1
    while unsafe access(name, F_OK) == 0 {
      number += 1
      name = "\(base)-\(number)"
    }
    return name
  }

  /// Renames a database with what belongs to it.
  static func move(_ path: String, to name: String) throws(FavoritesError) {
    for suffix in ["-wal", "-shm", "-journal", ""] {
      var status = stat()
      guard unsafe stat(path + suffix, &status) == 0 else { continue }
      // A log without anything in it is nothing to keep.
      if suffix == "-wal", status.st_size == 0, unsafe unlink(path + suffix) == 0 { continue }
      guard unsafe rename(path + suffix, name + suffix) == 0 else {
        throw .cannotOpen(path: path + suffix, reason: reason(errno))
      }
    }
  }

  /// Removes a database of our own making with what belongs to it.
  static func removeFiles(_ path: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { unsafe unlink(path + suffix) }
  }

  private static func wrapping<Result>(
    _ path: String, _ body: () throws(SQLiteError) -> Result
  ) throws(FavoritesError) -> Result {
    do { return try body() } catch { throw FavoritesError(error, path: path) }
  }
}

extension SalvageReport {
  mutating func add(_ other: SalvageReport) {
    rows += other.rows
    damaged += other.damaged
  }
}
