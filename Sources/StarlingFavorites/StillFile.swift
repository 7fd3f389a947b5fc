import Glibc

/// A database that is read as it lies there, without locks and without the files of the log beside it:
/// in a folder or on a disk that takes nothing.
struct StillFile {
  private let path: String
  private let state: State

  /// - Returns: nil unless all of the database is in its file, with nothing in a log or a journal
  ///   beside it that belongs to it.
  init?(_ path: String) {
    guard let state = State(path), unsafe access(path, R_OK) == 0 else { return nil }
    self.path = path
    self.state = state
  }

  /// Sees to it that nobody has written the file since: what is read would be of two states of it.
  func check() throws(FavoritesError) {
    guard State(path) == state else {
      throw .cannotOpen(
        path: path, reason: "it was changed while it was read without a lock; try again")
    }
  }

  /// What a change of the file would change.
  private struct State: Equatable {
    private let numbers: [Int]

    /// - Returns: nil for what is no whole database.
    init?(_ path: String) {
      var status = stat()
      guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        status.st_size > 0
      else { return nil }
      numbers = [
        Int(status.st_size), Int(truncatingIfNeeded: status.st_ino), status.st_mtim.tv_sec,
        status.st_mtim.tv_nsec,
      ]
      for suffix in ["-wal", "-journal"] {
        guard unsafe stat(path + suffix, &status) != 0 || status.st_size == 0 else { return nil }
      }
    }
  }
}
