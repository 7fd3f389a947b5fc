import StarlingSQLite

/// What whoever asks a store may hold of what it reads: a script has so much memory and no more.
package struct ReadBudget {
  /// The longest value or row that is read or written, in bytes.
  let longestValue: Int
  /// Counts bytes that are held for the caller. False: they are too many.
  let hold: (Int) -> Bool
  /// Bytes that are held no more.
  let letGo: (Int) -> Void

  package init(
    longestValue: Int, hold: @escaping (Int) -> Bool, letGo: @escaping (Int) -> Void
  ) {
    self.longestValue = longestValue
    self.hold = hold
    self.letGo = letGo
  }
}

extension FavoritesStore {
  /// Has what is read for a caller counted, from now on; nil for no bounds, as at first.
  ///
  /// What is too much is `outOfMemory`. The budget's owner lets go of all that was counted when the
  /// caller has taken its answer.
  package func setBudget(_ budget: ReadBudget?) {
    self.budget = budget
    connection.limitValues(bytes: budget?.longestValue)
  }

  /// Counts what is kept of a row, at a moment at which the caller's time may also be over.
  func hold(_ bytes: Int) throws(SQLiteError) {
    guard let budget else { return }
    if connection.mustStop {
      throw SQLiteError(code: .interrupted, extendedCode: 9, message: "interrupted")
    }
    guard budget.hold(bytes) else {
      throw SQLiteError(code: .outOfMemory, extendedCode: 7, message: "out of memory")
    }
  }

  /// Counts what is held for the time of `body`: a text, say, with what SQLite makes of it.
  func holding<Result>(
    _ bytes: Int, _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    guard let budget else { return try body() }
    try hold(bytes)
    defer { budget.letGo(bytes) }
    return try body()
  }
}
