import StarlingModel
import StarlingSQLite

/// Stands for one observer of a store.
public struct ObserverToken: Hashable, Sendable {
  let number: Int
}

extension FavoritesStore {
  /// Has `body` called with each change after its outermost commit, in order and once: this store's
  /// by themselves, other connections' at this store's commits and when `poll` is called.
  ///
  /// `body` may change the store; what it changes is reported after it.
  public func observe(
    _ body: @escaping (Change) -> Void
  ) throws(FavoritesError) -> ObserverToken {
    if lastReported == nil {
      lastReported = try sql { () throws(SQLiteError) in
        try connection.integer("SELECT max(id) FROM history") ?? 0
      }
    }
    let token = ObserverToken(number: (observers.keys.map(\.number).max() ?? 0) + 1)
    observers[token] = body
    return token
  }

  public func stopObserving(_ token: ObserverToken) {
    observers[token] = nil
    if observers.isEmpty { lastReported = nil }
  }

  /// Looks for changes that others have made, and reports them to the observers.
  public func poll() throws(FavoritesError) {
    guard connection.depth == 0 else { return }
    try report()
  }

  /// After a commit. A failure to read is not the change's failure: the next report catches up.
  func reportChanges() {
    try? report()
  }

  private func report() throws(FavoritesError) {
    guard !observers.isEmpty, !isReporting, connection.depth == 0 else { return }
    isReporting = true
    defer { isReporting = false }
    while let last = lastReported {
      let rows = try sql { () throws(SQLiteError) in
        try historyRows(.historySince, last, 256)
      }
      guard !rows.isEmpty else { return }
      try noticeOthers()
      for row in rows {
        lastReported = row.id
        let change = try sql { () throws(SQLiteError) -> Change? in try self.change(row) }
        guard let change else { continue }
        for token in observers.keys.sorted(by: { $0.number < $1.number }) {
          observers[token]?(change)
        }
      }
    }
  }
}
