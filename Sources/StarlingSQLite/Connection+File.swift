import CSQLite3

extension Connection {
  /// A number that changes when another connection has committed, as of this connection's last
  /// read. Costs a twentieth of a microsecond (SQLite: SQLITE_FCNTL_DATA_VERSION).
  package var dataVersion: UInt32 {
    var version: UInt32 = 0
    unsafe _ = sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return version
  }

  /// Whether the file was deleted, moved or replaced since it was opened; costs a stat (SQLite:
  /// SQLITE_FCNTL_HAS_MOVED).
  package var hasMoved: Bool {
    var answer: Int32 = 0
    unsafe _ = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &answer)
    return answer != 0
  }

  /// What `PRAGMA integrity_check` finds, one line each; at most some 10,000, and up to where a damaged
  /// page ends the check itself. Empty when all is well.
  package func integrityProblems() throws(SQLiteError) -> [String] {
    var found: [String] = []
    do throws(SQLiteError) {
      try withStatement("PRAGMA integrity_check(10000)") { check throws(SQLiteError) in
        while try check.step() {
          // What is wrong with pages comes as one text, below the name of the database.
          let lines = (check.string(0) ?? "").split(separator: "\n")
          found += lines.filter { !$0.hasPrefix("*** ") }.map(String.init)
        }
      }
    } catch {
      guard error.code == .corrupt else { throw error }
      found.append(error.message)
    }
    return found == ["ok"] ? [] : found
  }

  /// From now on closing leaves the write-ahead log as it is, so that the file is not touched
  /// (SQLite: SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE).
  package func leaveLogOnClose() {
    unsafe _ = starling_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
  }

  /// For reading what is left of a damaged file, alone: no other connection may have it open, parts
  /// of the schema that make no sense are passed over, and so is a size that is not the file's
  /// (SQLite: PRAGMA writable_schema, locking_mode). Must come before the first look at the file.
  ///
  /// - Throws: `busy` when another connection has it open.
  package func readDespiteDamage() throws(SQLiteError) {
    unsafe _ = starling_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 0)
    leaveLogOnClose()
    try execute(
      """
      PRAGMA locking_mode = EXCLUSIVE; PRAGMA writable_schema = ON; PRAGMA cell_size_check = ON;
      PRAGMA mmap_size = 0
      """)
    _ = try integer("PRAGMA page_count")
  }

  /// The plan that SQLite has for a statement, one line a step (EXPLAIN QUERY PLAN).
  package func plan(_ sql: String) throws(SQLiteError) -> [String] {
    let statement = try prepare("EXPLAIN QUERY PLAN " + sql)
    var lines: [String] = []
    while try statement.step() { lines.append(statement.string(3) ?? "") }
    return lines
  }

  /// Copies the database, as one consistent state, over `target`'s while others may write
  /// (SQLite: Online Backup API).
  package func copy(to target: Connection) throws(SQLiteError) {
    guard
      let backup = unsafe sqlite3_backup_init(target.handle, "main", handle, "main")
    else {
      throw unsafe SQLiteError(
        result: sqlite3_errcode(target.handle), database: target.handle, sql: nil)
    }
    // All pages in one step: the read lock of WAL hinders no writer, and the copy never restarts.
    let stepped = unsafe sqlite3_backup_step(backup, -1)
    let finished = unsafe sqlite3_backup_finish(backup)
    guard stepped == SQLITE_DONE, finished == SQLITE_OK else {
      throw unsafe SQLiteError(
        result: finished == SQLITE_OK ? stepped : finished, database: target.handle, sql: nil)
    }
  }
}
