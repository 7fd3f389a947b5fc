import StarlingFavorites
import StarlingModel

/// Reading everything that is stored, for rules.
enum RuleScan {
  /// Lends each entity of a kind that was seen since, until `body` returns false.
  ///
  /// - Throws: what `body` throws; of kind `canceled` when the task is canceled.
  static func forEachRow(
    of kind: Kind, in store: FavoritesStore, since: Timestamp?,
    _ body: (EntityRow) throws(HostError) -> Bool
  ) throws(HostError) {
    var failure: HostError?
    var rows = 0
    do throws(FavoritesError) {
      _ = try store.forEachRow(Query(kind: kind.name, scope: .everything)) { row in
        if let since, max(row.firstSeen, row.lastSeen) < since.secondsSinceEpoch { return true }
        do throws(HostError) {
          try checkTask(rows)
          rows += 1
          return try body(row)
        } catch {
          failure = error
          return false
        }
      }
    } catch {
      throw HostError(.database, error.description, cause: error)
    }
    if let failure { throw failure }
  }

  /// Asks now and then whether the task was canceled.
  ///
  /// - Parameter rows: how many were looked at.
  static func checkTask(_ rows: Int) throws(HostError) {
    guard rows % 256 == 0, Task.isCancelled else { return }
    throw HostError(.canceled, "interrupted", subject: "rules")
  }
}
