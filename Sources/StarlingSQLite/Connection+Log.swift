import CSQLite3
import Glibc

/// How far the write-ahead log may grow.
final class LogLimit {
  let pages: Int32
  let busyTimeoutMilliseconds: Int32

  init(pages: Int32, busyTimeoutMilliseconds: Int32) {
    self.pages = pages
    self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
  }
}

extension Connection {
  /// Has the log moved into the database after each 1000 pages, as SQLite does by itself, and
  /// truncated once it has grown beyond `bytes`, which SQLite leaves for a later writer. Waits for
  /// no reader: what cannot be done now is tried at the next commit (SQLite: sqlite3_wal_hook).
  package func limitLog(bytes: Int64) {
    let limit = LogLimit(
      pages: Int32(clamping: bytes / 4096), busyTimeoutMilliseconds: busyTimeoutMilliseconds)
    logLimit = limit
    unsafe sqlite3_wal_hook(
      handle,
      { context, database, _, pages in
        guard pages >= 1000, let context = unsafe context else { return SQLITE_OK }
        let limit = unsafe Unmanaged<LogLimit>.fromOpaque(context).takeUnretainedValue()
        unsafe sqlite3_busy_timeout(database, 0)
        let mode = pages >= limit.pages ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        unsafe _ = sqlite3_wal_checkpoint_v2(database, "main", mode, nil, nil)
        unsafe sqlite3_busy_timeout(database, limit.busyTimeoutMilliseconds)
        return SQLITE_OK
      }, Unmanaged.passUnretained(limit).toOpaque())
  }

  /// Bytes that the write-ahead log takes on the disk; 0 when there is none. One call of the system.
  package var logBytes: Int64 {
    guard let name = unsafe sqlite3_db_filename(handle, "main"), unsafe name.pointee != 0,
      let log = unsafe sqlite3_filename_wal(name)
    else { return 0 }
    var status = stat()
    return unsafe stat(log, &status) == 0 ? Int64(status.st_size) : 0
  }

  /// Moves the log into the database and truncates it, unless somebody reads what it would change or
  /// writes; waits for nobody. No transaction may be open.
  ///
  /// - Returns: whether the log is empty now.
  package func truncateLog() -> Bool {
    unsafe sqlite3_busy_timeout(handle, 0)
    defer { unsafe sqlite3_busy_timeout(handle, busyTimeoutMilliseconds) }
    return unsafe sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
      == SQLITE_OK
  }
}
