import StarlingModel
import StarlingSQLite

extension FavoritesStore {
  /// Runs `body` in a transaction, or in a level of its own within one: all of it is kept, or, when
  /// it throws, nothing. What it throws comes out as it is, an error of the app's own too.
  ///
  /// Observers are told after the outermost level.
  ///
  /// - Throws: what `body` throws, and `FavoritesError` where the transaction cannot be opened or kept.
  @discardableResult
  public func transaction<Value>(_ body: () throws -> Value) throws -> Value {
    try level(body).get()
  }

  /// - Throws: when the level cannot be opened or kept. What `body` throws is the result.
  private func level<Value, Failure>(
    _ body: () throws(Failure) -> Value
  ) throws(FavoritesError) -> Result<Value, Failure> {
    try begin()
    return try untilEnd(body)
  }

  /// Runs `body` in a transaction of which single statements write so many bytes.
  func transaction<Value>(
    writing bytes: Int64, _ body: () throws(FavoritesError) -> Value
  ) throws(FavoritesError) -> Value {
    try begin(writing: bytes, atOnce: true)
    return try untilEnd(body).get()
  }

  /// Ends the level that was begun with what `body` does.
  private func untilEnd<Value, Failure>(
    _ body: () throws(Failure) -> Value
  ) throws(FavoritesError) -> Result<Value, Failure> {
    let value: Value
    do { value = try body() } catch {
      rollback()
      return .failure(error)
    }
    try commit()
    return .success(value)
  }

  /// Opens a transaction, or a level within it. Each `begin` needs one `commit` or `rollback`.
  ///
  /// - Throws: `readOnly`, `busy`, `logFull`, `brokenTransaction`.
  package func begin() throws(FavoritesError) {
    try begin(much: false)
  }

  /// - Parameter much: whether as much as a feed is to be written.
  func begin(much: Bool) throws(FavoritesError) {
    guard !options.readOnly else { throw unwritable ?? .readOnly(path: path) }
    endReading()
    guard connection.depth == 0 else {
      try checkTransaction()
      return try sql { () throws(SQLiteError) in try connection.begin() }
    }
    if much { try beginWritingMuch() } else { try beginWriting() }
    isBroken = false
    do { try noticeOthers() } catch {
      rollback()
      throw error
    }
  }

  /// Keeps what the innermost level did; after the outermost it is in the file.
  ///
  /// - Throws: when it cannot be kept; the level is then rolled back.
  package func commit() throws(FavoritesError) {
    do throws(FavoritesError) {
      try checkTransaction()
      if connection.depth == 1 { try writeCounter() }
      try sql { () throws(SQLiteError) in try connection.commit() }
    } catch {
      rollback()
      throw error
    }
    guard connection.depth == 0 else { return }
    changesKinds = false
    caches.storedEntity = caches.lastEntity
    tellFeeds()
    reportChanges()
  }

  /// Takes back what the innermost level did.
  package func rollback() {
    connection.rollback()
    // A level that was rolled back leaves the one around it whole, unless SQLite gave up all.
    isBroken = connection.depth > 0 && !connection.isInTransaction
    // Rowids that were given are not given again while the transaction lasts.
    let (last, stored) = (caches.lastEntity, caches.storedEntity)
    caches = StoreCaches()
    if connection.depth > 0 { (caches.lastEntity, caches.storedEntity) = (last, stored) }
    run.id = nil
    // Kinds that came with what is taken back are not there any more.
    if changesKinds { try? loadKinds() }
    if connection.depth == 0 { changesKinds = false }
    for handle in handles { handle.forgetFlags() }
  }

  /// Whether a transaction is open.
  public var isInTransaction: Bool { connection.depth > 0 }

  /// Opens a read transaction for a batch of look-ups, which makes each twice as fast. It does
  /// nothing when one is open, or a transaction is. A write ends it; close it before waiting.
  package func beginReading() throws(FavoritesError) {
    guard !isReading, connection.depth == 0 else { return }
    try stillFile?.check()
    try sql { () throws(SQLiteError) in try connection.beginReading() }
    isReading = true
    readings &+= 1
  }

  package func endReading() {
    guard isReading else { return }
    isReading = false
    // A read transaction has nothing to lose; COMMIT of one does not fail.
    try? connection.endReading()
  }

  /// Asks `check` every few thousand steps of a statement; true stops it with `stopped`. Nil takes
  /// the check away.
  ///
  /// With `{ Task.isCancelled }` a task that is canceled ends its query. A stop within a transaction
  /// breaks that transaction, which is then rolled back.
  public func setInterrupt(_ check: (() -> Bool)?) {
    connection.setInterruptCheck(check)
  }

  /// Runs one change: in a transaction of its own, or as part of the open one.
  ///
  /// Within an open transaction it has no level of its own, which would cost as much as the change;
  /// so values are checked before anything is written, and a failure of SQLite after that makes
  /// the transaction broken.
  func write<Result>(
    _ body: () throws(FavoritesError) -> Result
  ) throws(FavoritesError) -> Result {
    guard connection.depth > 0 else { return try transaction(body) }
    try checkTransaction()
    do { return try body() } catch {
      switch error {
      case .database, .full, .logFull, .inputOutput, .corrupt, .readOnly, .busy, .stopped,
        .outOfMemory:
        isBroken = true
      default: break
      }
      throw error
    }
  }

  func checkTransaction() throws(FavoritesError) {
    guard !isBroken, connection.isInTransaction else { throw .brokenTransaction }
  }

  /// Runs SQLite and says its errors in the store's words.
  @inline(__always)
  func sql<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(FavoritesError) -> Result {
    do { return try body() } catch { throw FavoritesError(error, path: path) }
  }

  @inline(__always)
  func statement(_ name: StoreStatement) throws(SQLiteError) -> Statement {
    if let statement = statements[name.rawValue] { return statement }
    let statement = try connection.prepare(name.sql)
    // As a whole: accesses to what is changed in place are checked at run time, each time.
    var prepared = statements
    prepared[name.rawValue] = statement
    statements = prepared
    return statement
  }

  /// Forgets what is remembered when another connection has written since.
  func noticeOthers() throws(FavoritesError) {
    let version = connection.dataVersion
    guard version != knownDataVersion else { return }
    knownDataVersion = version
    caches = StoreCaches()
    for handle in handles { handle.forgetFlags() }
    let schema = try sql { () throws(SQLiteError) in
      try connection.integer("PRAGMA schema_version") ?? 0
    }
    if schema != knownSchemaVersion { try loadKinds() }
  }

  /// The next rowid for an entity, unique over all kinds.
  func nextEntity() throws(SQLiteError) -> Int64 {
    let last: Int64
    if let known = caches.lastEntity {
      last = known
    } else {
      let counter = try statement(.readCounter)
      last = try counter.step() ? counter.integer(0) : 0
      counter.reset()
      caches.storedEntity = last
    }
    caches.lastEntity = last + 1
    return last + 1
  }

  private func writeCounter() throws(FavoritesError) {
    guard let last = caches.lastEntity, last != caches.storedEntity else { return }
    try sql { () throws(SQLiteError) in
      let counter = try statement(.writeCounter)
      counter.bind(1, last)
      try counter.run()
    }
  }
}

extension FavoritesStore {
  /// `transaction` for a body that says `throws(FavoritesError)`, in code whose own errors are typed:
  /// `try store.transaction { () throws(FavoritesError) in ... }`. A closure that does not say what it
  /// throws throws anything, as Swift 6 takes it.
  @discardableResult
  public func transaction<Value>(
    _ body: () throws(FavoritesError) -> Value
  ) throws(FavoritesError) -> Value {
    try level(body).get()
  }
}
