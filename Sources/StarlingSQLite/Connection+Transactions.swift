import CSQLite3

/// The statements that every transaction needs, compiled once.
struct TransactionStatements {
  var begin: Statement?
  var beginDeferred: Statement?
  var commit: Statement?
  var rollback: Statement?
}

extension Connection {
  /// Whether a transaction is open, counted or not.
  package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

  /// Opens a transaction for writing (BEGIN IMMEDIATE), or a level within it (a savepoint).
  ///
  /// - Throws: `busy` when another process wrote for longer than the busy time-out.
  package func begin() throws(SQLiteError) {
    if levels == 0 {
      if control.begin == nil { control.begin = try prepare("BEGIN IMMEDIATE") }
      try control.begin?.run()
    } else {
      try execute("SAVEPOINT level\(levels)")
    }
    levels += 1
  }

  /// Opens a transaction that sees one state of the file for as long as it is open, and does not
  /// write. Not counted as a level: `endReading` closes it, and `begin` must not come before that.
  package func beginReading() throws(SQLiteError) {
    if control.beginDeferred == nil { control.beginDeferred = try prepare("BEGIN DEFERRED") }
    try control.beginDeferred?.run()
  }

  package func endReading() throws(SQLiteError) {
    try runCommit()
  }

  /// Ends the innermost level and keeps what it did. After the outermost it is in the file.
  ///
  /// - Throws: what SQLite says when it cannot write; the level is then still open.
  package func commit() throws(SQLiteError) {
    if levels == 1 {
      try runCommit()
    } else {
      try execute("RELEASE level\(levels - 1)")
    }
    levels -= 1
  }

  /// Ends the innermost level and takes back what it did.
  package func rollback() {
    guard levels > 0 else { return }
    levels -= 1
    // After a full disk or an I/O error SQLite may have rolled the whole back by itself.
    guard isInTransaction else { return }
    do {
      if levels == 0 {
        if control.rollback == nil { control.rollback = try prepare("ROLLBACK") }
        try control.rollback?.run()
      } else {
        try execute("ROLLBACK TO level\(levels); RELEASE level\(levels)")
      }
    } catch {
      // ROLLBACK fails only when nothing is open any more, which is what was wanted.
    }
  }

  private func runCommit() throws(SQLiteError) {
    if control.commit == nil { control.commit = try prepare("COMMIT") }
    try control.commit?.run()
  }
}
