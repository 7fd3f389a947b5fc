import StarlingModel

/// What the watchers of a database in memory are given: its changes since somebody watches, and the
/// present results of what they ask.
final class MemoryFeed: Sendable {
  private struct State {
    /// From the first watcher on; grows with the history that the database itself holds in memory.
    var changes: [Change] = []
    var last: Int64?
    var questions: [Int: Question] = [:]
    var lastQuestion = 0
  }

  private struct Question {
    var read: SnapshotReader
    var answer: Result<Snapshot, FavoritesError>
  }

  private let state = Guarded(State())

  /// Begins to keep changes, with all that the database has.
  func begin(_ store: FavoritesStore) {
    state.withLock { $0.last = $0.last ?? 0 }
    take(from: store)
  }

  /// After a commit, on the store's own thread.
  func take(from store: FavoritesStore) {
    while let last = state.withLock({ $0.last }),
      let page = try? store.changePage(after: last, limit: 256), page.last > last
    {
      state.withLock { state in
        state.changes += page.changes
        state.last = page.last
      }
    }
    for (number, question) in state.withLock({ $0.questions }) {
      let answer = question.read.result(store)
      state.withLock { $0.questions[number]?.answer = answer }
    }
  }

  func page(after id: Int64, limit: Int) -> (changes: [Change], last: Int64) {
    state.withLock { state in
      // Change numbers grow: the first that is beyond `id`.
      var (low, high) = (0, state.changes.count)
      while low < high {
        let middle = (low + high) / 2
        if state.changes[middle].id <= id { low = middle + 1 } else { high = middle }
      }
      let page = Array(state.changes[low...].prefix(limit))
      return (page, page.last?.id ?? id)
    }
  }

  /// Asks from now on at each commit, until the answer's owner is gone.
  func ask(_ read: SnapshotReader, _ store: FavoritesStore) -> MemoryQuestion {
    let answer = read.result(store)
    let number = state.withLock { state in
      state.lastQuestion += 1
      state.questions[state.lastQuestion] = Question(read: read, answer: answer)
      return state.lastQuestion
    }
    return MemoryQuestion(feed: self, number: number)
  }

  func answer(_ number: Int) -> Result<Snapshot, FavoritesError>? {
    state.withLock { $0.questions[number]?.answer }
  }

  func forget(_ number: Int) {
    state.withLock { _ = $0.questions.removeValue(forKey: number) }
  }
}

/// Keeps a question to a database in memory open.
final class MemoryQuestion: Sendable {
  private let feed: MemoryFeed
  private let number: Int

  init(feed: MemoryFeed, number: Int) {
    self.feed = feed
    self.number = number
  }

  deinit { feed.forget(number) }

  func answer() throws(FavoritesError) -> Snapshot? { try feed.answer(number)?.get() }
}
