import StarlingFavorites
import StarlingModel

/// Reading everything that is stored, for rules.
enum RuleScan {
  /// Lends each entity of a kind that was seen since, until `body` returns false.
  static func forEachRow(
    of kind: Kind, in store: FavoritesStore, since: Timestamp?,
    _ body: (EntityRow) throws(HostError) -> Bool
  ) throws(HostError) {
    var failure: HostError?
    do throws(FavoritesError) {
      _ = try store.forEachRow(Query(kind: kind.name, scope: .everything)) { row in
        if let since, max(row.firstSeen, row.lastSeen) < since.secondsSinceEpoch { return true }
        do throws(HostError) {
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
}
