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
    let deadline = ContinuousClock.now + options.busyTimeout
    while true {
      try sql { () throws(SQLiteError) in try connection.begin() }
      guard connection.logBytes >= long else { return }
      connection.rollback()
      let isEmpty = connection.truncateLog()
      try sql { () throws(SQLiteError) in try connection.begin() }
      guard connection.logBytes >= full else { return }
      connection.rollback()
      guard ContinuousClock.now < deadline else { throw .logFull(path: path) }
      if !isEmpty { usleep(50_000) }
    }
  }

  /// Waits, before so much is written that it fills the log alone, until nobody reads, as long as it
  /// would wait for a writer. No transaction may be open.
  ///
  /// - Returns: whether somebody still reads, so that the log must be kept short.
  func waitForReaders() throws(FavoritesError) -> Bool {
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
      guard ContinuousClock.now < deadline else { return true }
      usleep(50_000)
    }
    return false
  }

  /// Whether a load whose log must be kept short may go on writing: pages that are still in memory
  /// come in addition.
  func checkLog() throws(FavoritesError) {
    let most = FavoritesStore.mostLogBytes - FavoritesStore.cacheBytes - (2 << 20)
    guard connection.logBytes < most else { throw .logFull(path: path) }
  }
}
