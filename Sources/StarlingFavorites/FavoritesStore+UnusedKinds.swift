import StarlingModel
import StarlingSQLite

/// Kinds that the file has and has nothing of: an author's first tries.
extension FavoritesStore {
  /// Forgets those of the kinds in conflict with the file that nothing of was ever kept, so that they
  /// can be declared anew. Only kinds that were in the file when it was opened: what was declared
  /// since is declared by somebody who is there.
  ///
  /// - Returns: whether there was one.
  func forgetUnused(_ conflicts: [KindConflict]) throws(FavoritesError) -> Bool {
    let names = Set(conflicts.filter { $0.other == FavoritesStore.declarer }.map(\.kind))
    let found = names.intersection(foundKinds)
    guard !found.isEmpty, !options.readOnly else { return false }
    var isForgotten = false
    try transaction { () throws(FavoritesError) in
      try sql { () throws(SQLiteError) in
        for handle in handles where found.contains(handle.kind.name) {
          guard try isUnused(handle) else { continue }
          try forget(handle)
          forgottenKinds[handle.kind.name] = handle.id
          isForgotten = true
        }
      }
      changesKinds = changesKinds || isForgotten
      if isForgotten { try loadKinds() }
    }
    foundKinds.subtract(found)
    return isForgotten
  }

  /// Those that `forgetUnused` would forget.
  func unusedKinds(in conflicts: [KindConflict]) throws(FavoritesError) -> Set<String> {
    let names = Set(conflicts.filter { $0.other == FavoritesStore.declarer }.map(\.kind))
    let found = names.intersection(foundKinds)
    var unused: Set<String> = []
    try sql { () throws(SQLiteError) in
      for handle in handles where found.contains(handle.kind.name) {
        if try isUnused(handle) { unused.insert(handle.kind.name) }
      }
    }
    return unused
  }

  private func isUnused(_ handle: KindHandle) throws(SQLiteError) -> Bool {
    let tables = ["favorites", "refusals", "aliases", "history"]
    let kept = tables.map { "SELECT 1 FROM \($0) WHERE kind = \(handle.id)" }
    let all = (kept + ["SELECT 1 FROM \(handle.table.table)"]).map { "EXISTS (\($0))" }
    return try connection.integer("SELECT \(all.joined(separator: " OR "))") == 0
  }

  private func forget(_ handle: KindHandle) throws(SQLiteError) {
    let view = "favorite_\(handle.kind.name)"
    if try isNameFree(view) { try connection.execute("DROP VIEW IF EXISTS \"\(view)\"") }
    try connection.execute(
      """
      DROP TABLE \(handle.table.table);
      DELETE FROM fields WHERE kind = \(handle.id);
      DELETE FROM kinds WHERE id = \(handle.id)
      """)
  }
}
