import CSQLite3
import Glibc

extension Connection {
  /// Gives full-text queries the function `search_rank(table, weight, ...)`, with a weight for each
  /// column: how well a row answers, the best being the least, as `ORDER BY` wants it.
  ///
  /// It is Okapi BM25 without its part for the length of a text (b = 0). FTS5's own `bm25` has that
  /// part, and must read a row of another table for each hit to know the length, which costs four
  /// times the rest (SQLite: FTS5, "Custom Auxiliary Functions").
  package func addSearchRanking() throws(SQLiteError) {
    guard !hasSearchRanking else { return }
    let result = unsafe SearchRanking.register(handle)
    guard result == SQLITE_OK else {
      throw SQLiteError(
        code: .error, extendedCode: result, message: "this SQLite has no full-text search (FTS5)",
        sql: "SELECT fts5(?1)")
    }
    hasSearchRanking = true
  }
}

/// The function `search_rank` as SQLite calls it.
private enum SearchRanking {
  /// How little the second occurrence of a word adds to the first: the usual constant of BM25.
  static let saturation = 1.2

  static func register(_ database: OpaquePointer) -> Int32 {
    var statement: OpaquePointer?
    var found: UnsafeMutablePointer<fts5_api>?
    guard unsafe sqlite3_prepare_v2(database, "SELECT fts5(?1)", -1, &statement, nil) == SQLITE_OK
    else { return SQLITE_ERROR }
    unsafe withUnsafeMutablePointer(to: &found) { place in
      unsafe sqlite3_bind_pointer(statement, 1, place, "fts5_api_ptr", nil)
      unsafe sqlite3_step(statement)
    }
    unsafe sqlite3_finalize(statement)
    guard let api = unsafe found else { return SQLITE_ERROR }
    return unsafe api.pointee.xCreateFunction?(api, "search_rank", nil, rank, nil) ?? SQLITE_ERROR
  }

  /// The rank of the row at hand.
  private static let rank: fts5_extension_function = { api, search, context, count, values in
    guard let api = unsafe api else { return }
    var known = unsafe api.pointee.xGetAuxdata?(search, 0)
    if unsafe known == nil { unsafe known = weights(api, search) }
    guard let weights = unsafe known?.assumingMemoryBound(to: Double.self) else {
      return unsafe sqlite3_result_error_nomem(context)
    }
    // Behind each phrase's weight stands how often the row has it.
    let phrases = Int(unsafe api.pointee.xPhraseCount?(search) ?? 0)
    for phrase in 0..<phrases { unsafe weights[phrases + phrase] = 0 }
    var instances: Int32 = 0
    _ = unsafe api.pointee.xInstCount?(search, &instances)
    for instance in 0..<instances {
      var (phrase, column, offset): (Int32, Int32, Int32) = (0, 0, 0)
      guard unsafe api.pointee.xInst?(search, instance, &phrase, &column, &offset) == SQLITE_OK,
        phrase < phrases
      else { continue }
      let weight = unsafe column < count ? sqlite3_value_double(values?[Int(column)]) : 1
      unsafe weights[phrases + Int(phrase)] += weight
    }
    var score = 0.0
    for phrase in 0..<phrases {
      let often = unsafe weights[phrases + phrase]
      unsafe score += weights[phrase] * often * (saturation + 1) / (often + saturation)
    }
    unsafe sqlite3_result_double(context, -score)
  }

  /// How much each phrase of the query weighs: the more the fewer rows have it. Made once for a
  /// query; SQLite keeps and frees it.
  private static func weights(
    _ api: UnsafePointer<Fts5ExtensionApi>, _ search: OpaquePointer?
  ) -> UnsafeMutableRawPointer? {
    let phrases = Int(unsafe api.pointee.xPhraseCount?(search) ?? 0)
    guard
      let block = unsafe malloc(max(1, phrases) * 2 * MemoryLayout<Double>.stride)
    else { return nil }
    let weights = unsafe block.bindMemory(to: Double.self, capacity: max(1, phrases) * 2)
    var rows: Int64 = 0
    _ = unsafe api.pointee.xRowCount?(search, &rows)
    for phrase in 0..<phrases {
      var hits: Int64 = 0
      _ = unsafe api.pointee.xQueryPhrase?(search, Int32(phrase), &hits) { _, _, hits in
        unsafe hits?.assumingMemoryBound(to: Int64.self).pointee += 1
        return SQLITE_OK
      }
      let seldom = (Double(rows - hits) + 0.5) / (Double(hits) + 0.5)
      // A word of every other row or more still counts for a little.
      unsafe weights[phrase] = max(0.000_001, log(seldom))
    }
    guard unsafe api.pointee.xSetAuxdata?(search, block, free) == SQLITE_OK else { return nil }
    return unsafe block
  }
}
