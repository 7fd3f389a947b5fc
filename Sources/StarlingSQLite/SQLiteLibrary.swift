import CSQLite3

/// What holds for the whole process; a program may set it, a library does not.
package enum SQLiteLibrary {
  /// Turns SQLite's memory statistics off, which saves a mutex at each allocation.
  ///
  /// - Returns: false when SQLite is already in use in this process; then nothing changes.
  @discardableResult
  package static func disableMemoryStatistics() -> Bool {
    starling_config_memory_status(0) == SQLITE_OK
  }

  /// The version of the library that is loaded, such as `3.40.1`.
  package static var version: String {
    unsafe String(cString: sqlite3_libversion())
  }
}
