import CSQLite3

/// SQLite as a whole, as this process has it.
package enum SQLiteLibrary {
  /// Has SQLite keep no statistics of its memory, which take a lock and a twentieth of all its
  /// instructions. For a program that owns its process, before the first connection is opened; later
  /// it does nothing (SQLite: SQLITE_CONFIG_MEMSTATUS).
  package static func leaveOutMemoryStatistics() {
    _ = starling_config_memory_status(0)
  }

  /// Bounds what SQLite may take from now on in this process, beyond what it has; nil takes the bound
  /// away. Where no statistics are kept it does nothing (SQLite: sqlite3_hard_heap_limit64).
  package static func limitMemory(more bytes: Int64?) {
    guard let bytes else {
      sqlite3_hard_heap_limit64(0)
      return
    }
    sqlite3_hard_heap_limit64(sqlite3_memory_used() + max(1, bytes))
  }
}
