public import StarlingModel

extension FavoritesStore {
  /// Any entity with this URL, starred or not: as the only field of its key, or in a field `url`.
  public func entity(url: String) throws(FavoritesError) -> Entity? {
    for kind in kinds {
      if case .fields(let names) = kind.key, names.count == 1,
        let field = kind.index(of: names[0]), kind.fields[field].type == .url,
        let entity = try entity(kind: kind.name, key: url)
      {
        return entity
      }
      guard let field = KindTable.urlField(of: kind) else { continue }
      var query = Query(kind: kind.name)
      query.scope = .everything
      query.condition = .test(field: field, .is([.text(url)]))
      query.limit = 1
      if let entity = try entities(query).first { return entity }
    }
    return nil
  }

  /// Makes favorites of what a file of another tool has, in one transaction. Refusals hold.
  ///
  /// - Parameters:
  ///   - file: what their cause names, with each one's line.
  ///   - tags: given to all, besides their own.
  ///   - isDry: takes everything back at the end.
  ///   - report: told of each; one that cannot be kept does not stop the others. True ends it.
  /// - Throws: `stopped` when `report` says so, and nothing is kept then.
  package func importing(
    _ favorites: [ImportedFavorite], file: String, tags: [String], isDry: Bool,
    report: (ImportedFavorite, Result<InsertOutcome, FavoritesError>) -> Bool
  ) throws(FavoritesError) {
    try begin()
    do throws(FavoritesError) {
      for favorite in favorites {
        if report(favorite, try importOne(favorite, file: file, tags: tags)) { throw .stopped }
      }
    } catch {
      rollback()
      throw error
    }
    if isDry { rollback() } else { try commit() }
  }

  private func importOne(
    _ favorite: ImportedFavorite, file: String, tags: [String]
  ) throws(FavoritesError) -> Result<InsertOutcome, FavoritesError> {
    do throws(FavoritesError) {
      let handle = try handle(kind: favorite.entity.kind)
      let record = try record(of: favorite.entity, handle)
      var request = StarRequest(
        tags: favorite.tags + tags.filter { !favorite.tags.contains($0) }, note: favorite.note,
        starredAt: favorite.starredAt)
      // The user's own note is worth more than one of another tool.
      if request.note != nil,
        try get(kind: favorite.entity.kind, key: record.string(record.key))?.note != nil
      {
        request.note = nil
      }
      let origin = Cause.Origin.import(file: file, line: favorite.line)
      return .success(
        try write { () throws(FavoritesError) in
          try insertStored(handle, record, request, by: origin).outcome
        })
    } catch {
      switch error {
      case .badKey, .badValue, .unknownKind, .unknownField: return .failure(error)
      default: throw error
      }
    }
  }
}
