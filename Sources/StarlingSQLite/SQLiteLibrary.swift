import CSQLite3

/// SQLite as a whole, as this process has it.
package enum SQLiteLibrary {
  /// Has SQLite keep no statistics of its memory, which take a lock and a twentieth of all its
  /// instructions. For a program that owns its process, before the first connection is opened; later
  /// it does nothing (SQLite: SQLITE_CONFIG_MEMSTATUS).
  package static func leaveOutMemoryStatistics() {
    _ = starling_config_memory_status(0)
  }
}
