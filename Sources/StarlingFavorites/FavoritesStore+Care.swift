import Glibc
import StarlingModel
import StarlingSQLite

/// Something wrong with a database.
public struct StoreProblem: Hashable, Sendable {
  /// What is wrong, in one line.
  public var what: String
  /// Whether `mend` can put it right without losing anything.
  public var canBeMended: Bool

  public init(what: String, canBeMended: Bool) {
    self.what = what
    self.canBeMended = canBeMended
  }
}

extension FavoritesStore {
  /// Forgets entities that no feed had for the keeping time. Favorites stay, and so does whatever
  /// the history speaks of.
  ///
  /// It works in short transactions, so that others can write in between.
  /// - Returns: how many were forgotten.
  @discardableResult
  public func prune() throws(FavoritesError) -> Int {
    let (oldest, overflow) = options.clock().secondsSinceEpoch.subtractingReportingOverflow(
      options.keepSeconds)
    guard !overflow else { return 0 }
    var count = 0
    for handle in handles {
      var place: Int64? = 0
      while let from = place {
        place = try transaction { () throws(FavoritesError) in
          try sql { () throws(SQLiteError) in
            try pruneChunk(handle, after: from, seenBefore: oldest, &count)
          }
        }
      }
    }
    return count
  }

  /// The same, once a day: what commands do after a load.
  @discardableResult
  package func pruneDaily() throws(FavoritesError) -> Int {
    let count = try daily("pruned_at") { () throws(FavoritesError) in try prune() }
    return count ?? 0
  }

  /// A source said that it is as it was: what it had at its last load it has today, for `prune`.
  /// Written down once a day.
  package func noteUnchanged(source: String) throws(FavoritesError) {
    _ = try daily("unchanged_at \(source)") { () throws(FavoritesError) in
      try touchLast(of: source)
    }
  }

  private func touchLast(of source: String) throws(FavoritesError) {
    let now = options.clock().secondsSinceEpoch
    try write { () throws(FavoritesError) in
      try sql { () throws(SQLiteError) in
        let find = try statement(.findSource)
        find.bind(1, source)
        let id = try find.step() ? find.integer(0) : nil
        find.reset()
        guard let id else { return }
        for handle in handles {
          // Seeing an entity again is written down once a day, so that those of one load may be as
          // much as that apart.
          try connection.execute(
            """
            UPDATE \(handle.table.table) SET last_seen = \(now) WHERE source = \(id) AND last_seen >=
              (SELECT max(last_seen) FROM \(handle.table.table) WHERE source = \(id))
              - \(FavoritesStore.secondsPerDay)
            """)
        }
      }
    }
  }

  private static let secondsPerDay: Int64 = 86_400

  /// Does something that was last done more than a day ago, and notes that once it is done.
  ///
  /// - Returns: nil when it is not its time.
  private func daily<Result>(
    _ name: String, _ work: () throws(FavoritesError) -> Result
  ) throws(FavoritesError) -> Result? {
    let now = options.clock().secondsSinceEpoch
    if let last = try setting(name).flatMap({ Int64($0) }), last <= now,
      now - last < FavoritesStore.secondsPerDay
    {
      return nil
    }
    let result = try work()
    try setSetting(name, String(now))
    return result
  }

  /// - Returns: the last rowid that was looked at, or nil at the end.
  private func pruneChunk(
    _ handle: KindHandle, after rowid: Int64, seenBefore oldest: Int64, _ count: inout Int
  ) throws(SQLiteError) -> Int64? {
    var last: Int64?
    var old: [Int64] = []
    let list = try handle.statement(.prune, on: connection)
    list.bind(1, rowid)
    while try list.step() {
      last = list.integer(0)
      if list.integer(1) < oldest { old.append(list.integer(0)) }
    }
    for entity in old where try !isFavorite(entity) {
      let history = try statement(.entityHasHistory)
      history.bind(1, entity)
      let isSpokenOf = try history.step()
      history.reset()
      if isSpokenOf { continue }
      try removeWords(handle, entity)
      let delete = try handle.statement(.delete, on: connection)
      delete.bind(1, entity)
      try delete.run()
      count += 1
    }
    return last
  }

  /// What is wrong with the file; empty when it is whole. Reads all of it.
  public func check() throws(FavoritesError) -> [StoreProblem] {
    let searchProblem = try sql { () throws(SQLiteError) -> String? in try self.searchProblem() }
    return try reading { () throws(FavoritesError) in
      try sql { () throws(SQLiteError) in
        var problems = try connection.integrityProblems().map {
          StoreProblem(what: $0, canBeMended: $0.contains(" index "))
        }
        if let searchProblem {
          problems.append(StoreProblem(what: searchProblem, canBeMended: true))
        }
        func ask(_ query: String, _ what: (Int64) -> String) throws(SQLiteError) {
          do throws(SQLiteError) {
            let count = try connection.integer(query) ?? 0
            if count > 0 { problems.append(StoreProblem(what: what(count), canBeMended: true)) }
          } catch {
            // A page that cannot be read: SQLite's own check has said which, and the rest goes on.
            guard error.code == .corrupt else { throw error }
            guard problems.allSatisfy(\.canBeMended) else { return }
            problems.append(StoreProblem(what: error.message, canBeMended: false))
          }
        }
        for handle in handles {
          let name = handle.kind.name
          try ask(
            """
            SELECT count(*) FROM favorites f WHERE f.kind = \(handle.id)
              AND NOT EXISTS (SELECT 1 FROM \(handle.table.table) e WHERE e.rowid = f.entity)
            """
          ) {
            CountText.of($0, "favorite of kind \(name) has", "favorites of kind \(name) have")
              + " no entity"
          }
          try ask(
            """
            SELECT max(0, ifnull(max(rowid), 0)
              - (SELECT value FROM counters WHERE name = 'entity')) FROM \(handle.table.table)
            """
          ) { _ in "kind \(name) has entities with numbers that were not given out" }
        }
        try ask(
          """
          SELECT count(*) FROM favorites f
          WHERE NOT EXISTS (SELECT 1 FROM causes c WHERE c.favorite = f.entity)
          """
        ) { CountText.of($0, "favorite has", "favorites have") + " no cause" }
        for (texts, what) in FavoritesStore.jsonTexts {
          try ask("SELECT count(*) FROM \(texts.table) WHERE \(texts.isDamaged)") {
            "the \(what) of \(CountText.of($0, "row")) of \(texts.table) cannot be read"
          }
        }
        for table in ["causes", "tags"] {
          try ask(
            """
            SELECT count(*) FROM \(table) x
            WHERE NOT EXISTS (SELECT 1 FROM favorites f WHERE f.entity = x.favorite)
            """
          ) {
            CountText.of($0, "row of \(table) belongs", "rows of \(table) belong")
              + " to no favorite"
          }
        }
        return problems
      }
    }
  }

  /// The columns with JSON.
  private static let jsonTexts: [(texts: JSONTexts, what: String)] = [
    (JSONTexts(table: "causes", column: "evidence", type: "array"), "evidence"),
    (JSONTexts(table: "history", column: "detail", type: "object"), "detail"),
  ]

  /// A column with JSON of one type.
  private struct JSONTexts {
    var table: String
    var column: String
    var type: String

    /// A condition in SQL. `json_type` must not see what is no JSON.
    var isDamaged: String {
      "CASE WHEN \(column) IS NULL THEN 0 WHEN json_valid(\(column))"
        + " THEN json_type(\(column)) <> '\(type)' ELSE 1 END"
    }
  }

  /// Puts right what `check` says can be mended, in one transaction: indexes are built again, what
  /// refers to nothing is removed, so is evidence that cannot be read, and a favorite without a cause
  /// gets "by hand".
  public func mend() throws(FavoritesError) {
    try transaction { () throws(FavoritesError) in
      let hand = try acting(.hand)
      try sql { () throws(SQLiteError) in
        try connection.execute("REINDEX")
        try rebuildSearch()
        for handle in handles {
          try connection.execute(
            """
            DELETE FROM favorites WHERE kind = \(handle.id)
              AND NOT EXISTS (SELECT 1 FROM \(handle.table.table) e WHERE e.rowid = entity);
            UPDATE counters SET value = max(value,
              (SELECT ifnull(max(rowid), 0) FROM \(handle.table.table))) WHERE name = 'entity'
            """)
        }
        try connection.execute(
          """
          DELETE FROM causes WHERE favorite NOT IN (SELECT entity FROM favorites);
          DELETE FROM tags WHERE favorite NOT IN (SELECT entity FROM favorites);
          INSERT INTO causes (favorite, number, actor, at)
            SELECT entity, 1, \(hand.actor), starred_at FROM favorites
            WHERE entity NOT IN (SELECT favorite FROM causes)
          """)
        for (texts, _) in FavoritesStore.jsonTexts {
          try connection.execute(
            "UPDATE \(texts.table) SET \(texts.column) = NULL WHERE \(texts.isDamaged)")
        }
        caches.lastEntity = nil
        caches.storedEntity = nil
      }
    }
  }

  /// Copies the database to a new file as one consistent state, while others may write.
  ///
  /// The copy is whole or not there: it is made beside its place and then given its name.
  /// - Throws: `cannotOpen` when there is such a file already.
  public func backup(to target: String) throws(FavoritesError) {
    guard unsafe access(target, F_OK) != 0 else {
      throw .cannotOpen(path: target, reason: "there is such a file already")
    }
    let folder = FavoritesStore.folder(of: target) + "/"
    guard unsafe access(folder, F_OK) == 0 else {
      throw .cannotOpen(path: target, reason: "there is no folder \(folder)")
    }
    let partial = target + ".partial"
    // What can only be read can be copied to where one can write.
    var writing = options
    writing.readOnly = false
    // What a backup left that was killed; a journal of it would be taken for the new copy's.
    FavoritesStore.removeFiles(partial)
    do throws(FavoritesError) {
      let copy = try FavoritesStore.open(.file(partial), writing)
      do { try connection.copy(to: copy) } catch { throw FavoritesError(error, path: target) }
      // One file that stands alone: no log beside it.
      do { _ = try copy.texts("PRAGMA journal_mode = DELETE") } catch {
        throw FavoritesError(error, path: target)
      }
    } catch {
      FavoritesStore.removeFiles(partial)
      throw error
    }
    guard unsafe rename(partial, target) == 0 else {
      let reason = FavoritesStore.reason(errno)
      FavoritesStore.removeFiles(partial)
      throw .cannotOpen(path: target, reason: reason)
    }
  }

  /// Puts a backup in the place of a database, which is kept beside it under another name.
  ///
  /// Others that have the database open see the backup's contents at their next look.
  /// - Returns: the path under which what was replaced is kept; nil when there was nothing.
  /// - Throws: what is wrong with the backup, before anything is changed.
  @discardableResult
  public static func restore(
    from backup: String, to path: String, options: StoreOptions = StoreOptions()
  ) throws(FavoritesError) -> String? {
    var reading = options
    reading.readOnly = true
    guard !isSameFile(backup, path) else {
      throw .cannotOpen(path: backup, reason: "it is the database itself; give the backup's path")
    }
    let source = try FavoritesStore(.file(backup), options: reading)
    if let problem = try source.check().first {
      throw .corrupt(path: backup, detail: problem.what)
    }
    var kept: String?
    if unsafe access(path, F_OK) == 0 {
      kept = try keep(path, options)
    }
    let target = try open(.file(path), options)
    try withNewestSchema(source, beside: path, options) { source throws(FavoritesError) in
      do throws(SQLiteError) { try source.copy(to: target) } catch {
        throw FavoritesError(error, path: path)
      }
    }
    return kept
  }

  /// Lends a database with the schema of this build: the store's own, or a copy that was migrated.
  /// Whoever has the restored file open knows no other.
  private static func withNewestSchema(
    _ store: FavoritesStore, beside path: String, _ options: StoreOptions,
    _ body: (Connection) throws(FavoritesError) -> Void
  ) throws(FavoritesError) {
    if store.hasSearchIndex { return try body(store.connection) }
    let copy = "\(path).restoring-\(getpid())"
    defer { for suffix in ["", "-wal", "-shm"] { unsafe unlink(copy + suffix) } }
    let target = try open(.file(copy), options)
    do throws(SQLiteError) { try store.connection.copy(to: target) } catch {
      throw FavoritesError(error, path: copy)
    }
    try body(FavoritesStore(.file(copy), options: options).connection)
  }

  /// Keeps what is at a path: a copy, or, where it is too damaged to be copied, the file itself.
  private static func keep(
    _ path: String, _ options: StoreOptions
  ) throws(FavoritesError) -> String {
    let name = freeName(path, "replaced", options)
    do throws(FavoritesError) {
      let store = try FavoritesStore(.file(path), options: options)
      if let reason = store.unwritable { throw reason }
      try store.backup(to: name)
    } catch {
      switch error {
      case .corrupt, .notADatabase, .cutOff, .foreign, .newerSchema: break
      default: throw error
      }
      try move(path, to: name)
    }
    return name
  }

  private static func isSameFile(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard unsafe stat(one, &first) == 0, unsafe stat(other, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }
}
