import Glibc
import StarlingModel
import StarlingSQLite

extension FavoritesStore {
  /// Sets SQLite up for a process that uses it for nothing else: the command's, never an app's. Call
  /// it before the first store is opened.
  ///
  /// - Parameter boundsMemory: whether questions in SQL are asked, whose memory is to be bounded.
  package static func ownProcess(boundsMemory: Bool) {
    if !boundsMemory { SQLiteLibrary.leaveOutMemoryStatistics() }
  }

  static func open(
    _ location: Location, _ options: StoreOptions
  ) throws(FavoritesError) -> Connection {
    let milliseconds = options.busyTimeout / Duration.milliseconds(1)
    let timeout = Int32(max(0, min(milliseconds, Double(Int32.max))))
    let path: String
    switch location {
    case .memory: path = ""
    case .file(let file):
      path = file
      try checkPath(file, options)
    }
    do {
      return try Connection(
        path: path, mode: options.readOnly ? .readOnly : .create,
        busyTimeoutMilliseconds: timeout)
    } catch {
      throw FavoritesError(error, path: path)
    }
  }

  /// SQLite says "unable to open database file" for everything; this says which it is.
  private static func checkPath(
    _ path: String, _ options: StoreOptions
  ) throws(FavoritesError) {
    guard !path.isEmpty else { throw .cannotOpen(path: path, reason: "the path is empty") }
    guard !path.utf8.contains(0) else {
      throw .cannotOpen(path: "", reason: "the path has a NUL character")
    }
    var status = stat()
    if unsafe stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT != S_IFDIR else {
        throw .cannotOpen(path: path, reason: "it is a folder")
      }
      guard unsafe access(path, R_OK) == 0 else {
        throw .cannotOpen(path: path, reason: "its permissions do not allow reading")
      }
      try checkLength(path, status)
      if !options.readOnly, unsafe access(path, W_OK) != 0 || access(folder(of: path), W_OK) != 0 {
        throw .readOnly(path: path)
      }
      return
    }
    guard errno == ENOENT else { throw .cannotOpen(path: path, reason: reason(errno)) }
    guard !options.readOnly else {
      throw .cannotOpen(path: path, reason: "there is no such file")
    }
    let folder = folder(of: path)
    if options.createFolders { try makeFolders(folder, for: path) }
    guard unsafe stat(folder, &status) == 0 else {
      throw .cannotOpen(path: path, reason: "its folder: \(reason(errno))")
    }
    guard unsafe access(folder, W_OK | X_OK) == 0 else {
      throw .cannotOpen(path: path, reason: "its folder: \(reason(errno))")
    }
  }

  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.utf8.startIndex ? "/" : String(path[..<slash])
  }

  private static func makeFolders(
    _ folder: String, for path: String
  ) throws(FavoritesError) {
    if unsafe access(folder, F_OK) == 0 { return }
    let parent = self.folder(of: folder)
    if parent != folder { try makeFolders(parent, for: path) }
    guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw .cannotOpen(path: path, reason: "its folder cannot be made: \(reason(errno))")
    }
  }

  static func reason(_ code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }

  /// Tells whose file it is before anything is written, then makes or completes it.
  func prepareFile() throws(FavoritesError) {
    let isNew = try refuseForeign()
    try sql { () throws(SQLiteError) in
      if !options.readOnly, path != ":memory:" {
        do throws(SQLiteError) { try useWriteAheadLog() } catch {
          // On a full disk a file without a log can still be read as it is.
          guard error.code == .full, !isNew else { throw error }
        }
      }
      try connection.execute(
        """
        PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -\(FavoritesStore.cacheBytes >> 10);
        PRAGMA journal_size_limit = \(FavoritesStore.logLimitBytes)
        """)
      connection.limitLog(bytes: FavoritesStore.logLimitBytes)
    }
    if isNew {
      guard !options.readOnly else { throw .notADatabase(path: path) }
      options.progress(.create)
      try sql { () throws(SQLiteError) in try createSchema() }
    }
  }

  /// Pages of the file that are kept in memory.
  static let cacheBytes: Int64 = 16_000 << 10

  /// A file that is not for this build is left as it is, down to its log.
  ///
  /// - Returns: whether the file is empty, so that a schema is to be made.
  private func refuseForeign() throws(FavoritesError) -> Bool {
    // In one transaction: between two looks another process may make the schema.
    try beginReading()
    defer { endReading() }
    let (id, version, tables) = try sql { () throws(SQLiteError) in
      (
        try connection.integer("PRAGMA application_id") ?? 0,
        try connection.integer("PRAGMA user_version") ?? 0,
        try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
      )
    }
    if id == Schema.applicationID {
      guard version <= Schema.version else {
        leaveLog()
        throw .newerSchema(path: path, found: version, supported: Schema.version)
      }
      hasSearchIndex = version >= 2 || tables == 0
      return tables == 0
    }
    guard id == 0, version == 0, tables == 0 else {
      leaveLog()
      throw .foreign(path: path)
    }
    return true
  }

  /// Has what is in the log stay there. An empty one goes when the file is closed: opening has made it.
  private func leaveLog() {
    if connection.logBytes > 0 { connection.leaveLogOnClose() }
  }

  /// Turning the log on needs the file alone for a moment, and SQLite does not wait for that.
  private func useWriteAheadLog() throws(SQLiteError) {
    for attempt in 1... {
      do {
        if try connection.texts("PRAGMA journal_mode") == ["wal"] { return }
        _ = try connection.texts("PRAGMA journal_mode = WAL")
        return
      } catch {
        guard error.code == .busy || error.code == .locked, attempt < 200 else { throw error }
        usleep(10_000)
      }
    }
  }

  private func createSchema() throws(SQLiteError) {
    try connection.begin()
    do {
      // Another process may have made it while this one waited.
      if try connection.integer("PRAGMA user_version") == 0 {
        for statement in Schema.statements + [Schema.itemsStatement] + Schema.searchStatements {
          try connection.execute(statement)
        }
        try connection.execute(
          """
          PRAGMA application_id = \(Schema.applicationID);
          PRAGMA user_version = \(Schema.version)
          """)
      }
      try connection.commit()
    } catch {
      connection.rollback()
      throw error
    }
  }
}
