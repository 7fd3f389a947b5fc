import Glibc
import StarlingSQLite

// What is written goes to the log first. While another program reads in one transaction, SQLite
// keeps in the log whatever was written since that began: only refusing to write bounds it.
extension FavoritesStore {
  /// The log is truncated when it has grown beyond this and no reader needs it.
  static let logLimitBytes: Int64 = 16 << 20
  /// No load begins with a log of this size, which a reader holds.
  static let longLogBytes: Int64 = 40 << 20
  /// Nothing is written with a log of this size.
  static let fullLogBytes: Int64 = 56 << 20
  /// The most that a log has while another program reads.
  static let mostLogBytes: Int64 = 64 << 20
  /// What writes so much may fill the log alone.
  private static let muchBytes: Int64 = 8 << 20
  /// The length of the log is looked at each time that about so much was written.
  private static let measuredBytes = 1 << 20

  /// Begins a transaction, with room in the log for what is small.
  func beginWriting() throws(FavoritesError) {
    try beginWriting(
      truncatingFrom: FavoritesStore.fullLogBytes, refusingFrom: FavoritesStore.fullLogBytes)
  }

  /// Begins a transaction, with room in the log for a feed.
  func beginWritingMuch() throws(FavoritesError) {
    try beginWriting(
      truncatingFrom: FavoritesStore.logLimitBytes, refusingFrom: FavoritesStore.longLogBytes)
  }

  /// Begins a transaction. A log that is too long for it is taken over into the file first, for
  /// which it waits for readers as long as it would wait for a writer.
  private func beginWriting(
    truncatingFrom long: Int64, refusingFrom full: Int64
  ) throws(FavoritesError) {
    // A file without a name takes all that is written, and nobody ever sees it again.
    if connection.hasMoved { throw .moved(path: path) }
    let deadline = ContinuousClock.now + options.busyTimeout
    (unmeasuredBytes, isLogHeld, logDeadline) = (0, false, nil)
    while true {
      try sql { () throws(SQLiteError) in try connection.begin() }
      guard connection.logBytes >= long else { return }
      connection.rollback()
      let isEmpty = connection.truncateLog()
      try sql { () throws(SQLiteError) in try connection.begin() }
      guard connection.logBytes >= full else {
        isLogHeld = !isEmpty
        return
      }
      connection.rollback()
      if !isEmpty {
        try sql { () throws(SQLiteError) in try waitForReader(until: deadline) }
      }
    }
  }

  /// Begins a transaction that writes so many bytes, or more where that is not known.
  ///
  /// - Parameter atOnce: whether single statements write all of it, so that it cannot be seen in time
  ///   that the log has no room: then it is not begun while somebody reads.
  func begin(writing bytes: Int64, atOnce: Bool = false) throws(FavoritesError) {
    var isHeld = false
    if bytes >= FavoritesStore.muchBytes, !isInTransaction { isHeld = try waitForReaders() }
    if isHeld, atOnce, bytes >= FavoritesStore.longLogBytes { throw .logFull(path: path) }
    try begin(much: true)
    isLogHeld = isLogHeld || isHeld
  }

  /// Waits, before so much is written that it fills the log alone, until nobody reads, as long as it
  /// would wait for a writer. No transaction may be open.
  ///
  /// - Returns: whether somebody still reads, so that the log must be kept short.
  private func waitForReaders() throws(FavoritesError) -> Bool {
    let deadline = ContinuousClock.now + options.busyTimeout
    // With an empty log a reader is not noticed: it takes nothing from there. So something is written:
    // a number that no entity gets.
    try begin()
    do throws(SQLiteError) { _ = try nextEntity() } catch {
      rollback()
      throw FavoritesError(error, path: path)
    }
    try commit()
    while !connection.truncateLog() {
      do throws(SQLiteError) { try waitForReader(until: deadline) } catch {
        guard error.code == .logFull else { throw FavoritesError(error, path: path) }
        return true
      }
    }
    return false
  }

  /// Counts what a transaction writes, and now and then sees to it that its log does not grow beyond
  /// measure beside a reader, whether that was there first or came later.
  ///
  /// - Parameter bytes: of the values; what else belongs to a change is added.
  /// - Throws: `logFull` when somebody reads for a third of the time that a writer would be waited for.
  @inline(__always)
  func noteWriting(_ bytes: Int) throws(SQLiteError) {
    unmeasuredBytes &+= bytes &+ 512
    if unmeasuredBytes >= FavoritesStore.measuredBytes { try checkLog() }
  }

  private func checkLog() throws(SQLiteError) {
    unmeasuredBytes = 0
    // Pages that are still in memory come in addition.
    let most = FavoritesStore.mostLogBytes - FavoritesStore.cacheBytes - (2 << 20)
    guard connection.logBytes >= most else { return }
    guard !isLogHeld else { throw FavoritesStore.logHeld }
    guard connection.isReadElsewhere else { return }
    // Other writers wait meanwhile, and must not do so in vain: all of the transaction's waiting together
    // is a part of theirs.
    let deadline = logDeadline ?? ContinuousClock.now + options.busyTimeout / 3
    logDeadline = deadline
    while connection.isReadElsewhere { try waitForReader(until: deadline) }
  }

  private static let logHeld = SQLiteError(
    code: .logFull, extendedCode: SQLiteError.Code.logFull.rawValue, message: "the log is held")

  private func waitForReader(until deadline: ContinuousClock.Instant) throws(SQLiteError) {
    guard ContinuousClock.now < deadline else { throw FavoritesStore.logHeld }
    guard !connection.mustStop else {
      throw SQLiteError(
        code: .interrupted, extendedCode: SQLiteError.Code.interrupted.rawValue,
        message: "interrupted")
    }
    usleep(20_000)
  }
}
