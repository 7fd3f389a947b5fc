public import StarlingModel
import StarlingSQLite

/// What a question to the store gives, now and after each commit that changes it, own or another
/// process's.
///
/// The first element is the present answer. A consumer that is slow gets the newest answer, not those
/// in between: what it shows is never older than the last commit by more than its own pace. Canceling
/// the task ends the sequence. Words such as `since "7d"` are measured by the system's clock, at each
/// commit.
public struct StoreUpdates<Element: Sendable>: AsyncSequence, Sendable {
  public typealias Failure = FavoritesError

  let source: FeedSource
  let read: SnapshotReader
  /// Open as long as somebody may iterate; nil for a file.
  let question: MemoryQuestion?
  let make: @Sendable (Snapshot) throws(FavoritesError) -> Element

  public func makeAsyncIterator() -> Iterator { Iterator(updates: self) }

  public struct Iterator: AsyncIteratorProtocol {
    private let updates: StoreUpdates
    private var store: FavoritesStore?
    private var version: UInt32?
    private var last: Snapshot?

    init(updates: StoreUpdates) {
      self.updates = updates
    }

    /// The next answer that differs from the last one; nil when the task is canceled.
    public mutating func next() async throws(FavoritesError) -> Element? {
      while !Task.isCancelled {
        let seen = updates.source.signal.commits
        if let snapshot = try look(), snapshot != last {
          last = snapshot
          return try updates.make(snapshot)
        }
        await updates.source.signal.wait(after: seen, atMost: updates.source.pollInterval)
      }
      return nil
    }

    /// The present answer; nil when nobody has written since the last one.
    private mutating func look() throws(FavoritesError) -> Snapshot? {
      if let question = updates.question { return try question.answer() }
      let store = if let store { store } else { try updates.source.open() }
      self.store = store
      do throws(FavoritesError) {
        // Asked before the look: a commit in between makes another look, not a missed one.
        let present = try store.currentVersion()
        guard present != version else { return nil }
        let snapshot = try updates.read.read(store)
        version = present
        return snapshot
      } catch {
        if case .stopped = error { return nil }
        throw error
      }
    }
  }
}

@available(*, unavailable)
extension StoreUpdates.Iterator: Sendable {}

/// An answer, to be compared with the next one.
enum Snapshot: Equatable, Sendable {
  case favorites([Favorite])
  case keys(KeySet)
}

/// A question to a store.
struct SnapshotReader: Sendable {
  let read: @Sendable (FavoritesStore) throws(FavoritesError) -> Snapshot

  func result(_ store: FavoritesStore) -> Result<Snapshot, FavoritesError> {
    do throws(FavoritesError) { return .success(try read(store)) } catch { return .failure(error) }
  }
}

extension FavoritesStore {
  /// A number that another one follows when anybody has committed.
  func currentVersion() throws(FavoritesError) -> UInt32 {
    // The version is as of the last read, so one is made.
    _ = try sql { () throws(SQLiteError) in try connection.integer("PRAGMA schema_version") }
    try noticeOthers()
    return connection.dataVersion
  }

  private func updates<Element>(
    _ pollInterval: Duration, _ read: SnapshotReader,
    _ make: @escaping @Sendable (Snapshot) throws(FavoritesError) -> Element
  ) -> StoreUpdates<Element> {
    let source = feedSource(pollInterval)
    return StoreUpdates(
      source: source, read: read, question: source.memory?.ask(read, self), make: make)
  }

  /// The favorites that a query asks for, now and whenever they change.
  ///
  /// - Throws: what `fetch` of the query throws.
  public func updates(
    of query: Query, pollInterval: Duration = .milliseconds(250)
  ) throws(FavoritesError) -> StoreUpdates<[Favorite]> {
    _ = try compile(query, try handle(kind: query.kind), counting: false)
    let read = SnapshotReader { store throws(FavoritesError) in
      .favorites(try store.fetch(query))
    }
    return updates(pollInterval, read) { snapshot in
      if case .favorites(let rows) = snapshot { rows } else { [] }
    }
  }

  /// The favorites of a type, now and whenever they change.
  ///
  /// - Parameter skipping: told, with each list, of the favorites that are no values of the type, and
  ///   why; the others are the list. Without it the sequence throws at the first such favorite.
  public func updates<Subject: FavoriteEntity>(
    of type: Subject.Type, where condition: Condition = .all([]), order: Query.Order? = nil,
    limit: Int? = nil, tag: String? = nil, text: String? = nil,
    pollInterval: Duration = .milliseconds(250),
    skipping: (@Sendable (_ favorite: Favorite, _ reason: FavoritesError) -> Void)? = nil
  ) throws(FavoritesError) -> StoreUpdates<[Starred<Subject>]> {
    let query = Query(
      kind: type.kind, where: condition, order: order, limit: limit, tag: tag, text: text)
    let base = try updates(of: query, pollInterval: pollInterval)
    return StoreUpdates(source: base.source, read: base.read, question: base.question) {
      snapshot throws(FavoritesError) in
      try base.make(snapshot).starred(skipping: skipping)
    }
  }

  /// Which of these keys are favorites', now and whenever that changes: the states of the buttons
  /// that a list shows.
  public func updates(
    of kind: String, keys: [String], pollInterval: Duration = .milliseconds(250)
  ) throws(FavoritesError) -> StoreUpdates<KeySet> {
    _ = try handle(kind: kind)
    let read = SnapshotReader { store throws(FavoritesError) in
      .keys(try store.containing(kind: kind, keys: keys))
    }
    return updates(pollInterval, read) { snapshot in
      if case .keys(let keys) = snapshot { keys } else { KeySet() }
    }
  }

  /// Whether a key is a favorite's, now and whenever that changes: the state of one button.
  public func updates(
    of kind: String, key: String, pollInterval: Duration = .milliseconds(250)
  ) throws(FavoritesError) -> StoreUpdates<Bool> {
    let base = try updates(of: kind, keys: [key], pollInterval: pollInterval)
    return StoreUpdates(source: base.source, read: base.read, question: base.question) {
      snapshot throws(FavoritesError) in
      try base.make(snapshot).contains(key)
    }
  }

  /// Whether a value is a favorite, now and whenever that changes: the state of its button.
  public func updates(
    of value: some FavoriteEntity, pollInterval: Duration = .milliseconds(250)
  ) throws(FavoritesError) -> StoreUpdates<Bool> {
    let key = try key(of: value)
    return try updates(of: type(of: value).kind, key: key, pollInterval: pollInterval)
  }
}
