import StarlingFavorites

extension CommandContext {
  /// Gives each row that a query asks for, to be written to the output.
  ///
  /// A reader of the output that takes nothing keeps no writer of the database from taking over the
  /// log: the query ends while it is waited for, and goes on behind the last row.
  func writeRows(
    _ query: Query, of store: FavoritesStore,
    _ write: (EntityRow) throws(FavoritesError) -> Void
  ) throws(FavoritesError) {
    var query = query
    var isOver = false
    while !isOver {
      var count = 0
      try io.out.withoutWaiting { () throws(FavoritesError) in
        query.after = try store.forEachRow(query) { row throws(FavoritesError) in
          try write(row)
          count += 1
          return !io.out.isClosed && !io.out.isStalled
        }
        isOver = !io.out.isStalled || query.after == nil
      }
      if let limit = query.limit {
        query.limit = limit - count
        if limit <= count { return }
      }
    }
  }
}
