import StarlingModel

/// The changes of a file, own and other processes', each once, in order, after its commit.
///
/// It is pulled: the consumer's pace decides, and what it has not asked for stays in the file's
/// history, so that nothing is lost, nothing comes twice and memory does not grow. Canceling the
/// task ends the sequence. Each iteration begins at the same place.
public struct StoreChanges: AsyncSequence, Sendable {
  public typealias Element = Change
  public typealias Failure = FavoritesError

  let source: FeedSource
  let kind: String?
  /// Changes after this one.
  let start: Int64

  public func makeAsyncIterator() -> Iterator {
    Iterator(source: source, kind: kind, position: start)
  }

  public struct Iterator: AsyncIteratorProtocol {
    private let source: FeedSource
    private let kind: String?
    private var store: FavoritesStore?
    private var position: Int64
    /// Read and not handed out yet, newest first; never more than a page.
    private var page: [Change] = []

    /// How many changes are read at once.
    static let pageSize = 64

    init(source: FeedSource, kind: String?, position: Int64) {
      self.source = source
      self.kind = kind
      self.position = position
    }

    /// The next change; nil when the task is canceled.
    public mutating func next() async throws(FavoritesError) -> Change? {
      while !Task.isCancelled {
        if let change = page.popLast() { return change }
        let seen = source.signal.commits
        let before = position
        do throws(FavoritesError) {
          try readPage()
        } catch {
          if case .stopped = error { return nil }
          throw error
        }
        if position == before {
          await source.signal.wait(after: seen, atMost: source.pollInterval)
        }
      }
      return nil
    }

    private mutating func readPage() throws(FavoritesError) {
      let found: (changes: [Change], last: Int64)
      if let memory = source.memory {
        found = memory.page(after: position, limit: Iterator.pageSize)
      } else {
        let store = if let store { store } else { try source.open() }
        self.store = store
        found = try store.changePage(after: position, limit: Int64(Iterator.pageSize))
      }
      position = found.last
      page = found.changes.reversed()
      if let kind { page.removeAll { $0.kind != kind } }
    }
  }
}

@available(*, unavailable)
extension StoreChanges.Iterator: Sendable {}

extension FavoritesStore {
  /// The changes from now on, own and other processes', as a sequence that any task may iterate.
  ///
  /// ```swift
  /// for try await change in try store.changes(of: "news") { show(change) }
  /// ```
  ///
  /// - Parameters:
  ///   - kind: of one kind; nil for all.
  ///   - id: begins after this change, to go on where an earlier run of the program ended.
  ///   - pollInterval: how often other processes' commits are looked for, which costs a few
  ///     microseconds; this store's own wake at once.
  public func changes(
    of kind: String? = nil, after id: Int64? = nil, pollInterval: Duration = .milliseconds(250)
  ) throws(FavoritesError) -> StoreChanges {
    if let kind { _ = try handle(kind: kind) }
    let source = feedSource(pollInterval)
    source.memory?.begin(self)
    let start = if let id { id } else { try lastChange() }
    return StoreChanges(source: source, kind: kind, start: start)
  }

  /// The changes of a type's kind; see `changes(of:after:pollInterval:)`.
  public func changes(
    of type: (some FavoriteEntity).Type, after id: Int64? = nil,
    pollInterval: Duration = .milliseconds(250)
  ) throws(FavoritesError) -> StoreChanges {
    try changes(of: type.kind, after: id, pollInterval: pollInterval)
  }
}
