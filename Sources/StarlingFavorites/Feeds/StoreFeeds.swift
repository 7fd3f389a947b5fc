import Glibc
import StarlingModel
import StarlingSQLite

/// What a store shares with the sequences that watch it.
///
/// A file is watched over a connection of the watcher's own, so nothing is kept for it. A database in
/// memory has no second connection: its changes and results are handed over at each commit.
final class StoreFeeds {
  let signal = CommitSignal()
  /// Nil for a file.
  let memory: MemoryFeed?

  init(isInMemory: Bool) {
    memory = isInMemory ? MemoryFeed() : nil
  }
}

/// How a sequence looks at a store from elsewhere.
struct FeedSource: Sendable {
  let path: String
  let busyTimeout: Duration
  /// How often others' commits are looked for. The store's own wake at once.
  let pollInterval: Duration
  let signal: CommitSignal
  let memory: MemoryFeed?

  /// A connection for looking only.
  func open() throws(FavoritesError) -> FavoritesStore {
    let store = try FavoritesStore(
      .file(path), options: StoreOptions(readOnly: true, busyTimeout: busyTimeout))
    store.setInterrupt { Task.isCancelled }
    return store
  }
}

extension FavoritesStore {
  func feedSource(_ pollInterval: Duration) -> FeedSource {
    let feeds = self.feeds ?? StoreFeeds(isInMemory: path == ":memory:")
    self.feeds = feeds
    return FeedSource(
      path: FavoritesStore.absolute(path), busyTimeout: options.busyTimeout,
      pollInterval: pollInterval,
      signal: feeds.signal, memory: feeds.memory)
  }

  /// The path from the root: the program may go to another folder before somebody watches.
  private static func absolute(_ path: String) -> String {
    guard let resolved = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// The number of the last change; 0 before the first.
  func lastChange() throws(FavoritesError) -> Int64 {
    try sql { () throws(SQLiteError) in
      try connection.integer("SELECT max(id) FROM history") ?? 0
    }
  }

  /// After a commit: those who watch are told.
  func tellFeeds() {
    guard let feeds else { return }
    feeds.memory?.take(from: self)
    feeds.signal.notify()
  }

  /// Changes after a number, oldest first, and up to which number that is.
  func changePage(
    after id: Int64, limit: Int64
  ) throws(FavoritesError) -> (changes: [Change], last: Int64) {
    let rows = try sql { () throws(SQLiteError) in try historyRows(.historySince, id, limit) }
    guard let last = rows.last?.id else { return ([], id) }
    try noticeOthers()
    return try sql { () throws(SQLiteError) in
      var changes: [Change] = []
      for row in rows { if let change = try self.change(row) { changes.append(change) } }
      return (changes, last)
    }
  }
}
