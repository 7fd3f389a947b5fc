import StarlingModel
import StarlingSQLite

// The search index is written beside the rows, by statements of the store's own: a trigger would
// make it write a piece of its index for each row.
extension FavoritesStore {
  /// Writes the words of a new entity.
  func addWords(
    of record: borrowing EntityRecord, _ handle: KindHandle, _ binder: RecordBinder, rowid: Int64
  ) throws(SQLiteError) {
    guard !handle.searched.isEmpty else { return }
    var words = SearchWords()
    swap(&words, &newWords)
    defer { swap(&words, &newWords) }
    words.removeAll()
    for field in handle.searched {
      guard let column = handle.layout[field].searchColumn else { continue }
      _ = unsafe words.append(record, field, column, binder)
    }
    try writeWords(words, rowid, .insertWords)
  }

  /// Makes the words that a row has and those that it will have when it takes over these fields of a
  /// record: to be written when the row is. The row's statement stands on it.
  ///
  /// - Returns: whether they differ.
  func prepareWords(
    from row: Statement, firstColumn: Int32, to record: borrowing EntityRecord,
    changed: [Int], _ handle: KindHandle, _ binder: RecordBinder
  ) -> Bool {
    oldWords.fill(from: row, handle, firstColumn: firstColumn)
    newWords.removeAll()
    for field in handle.searched {
      guard let column = handle.layout[field].searchColumn else { continue }
      let isTaken = changed.contains(field)
      if unsafe !isTaken || !newWords.append(record, field, column, binder) {
        newWords.append(row, handle.layout[field], firstColumn: firstColumn)
      }
    }
    return !oldWords.equals(newWords)
  }

  /// Writes what `prepareWords` made.
  func replaceWords(_ rowid: Int64) throws(SQLiteError) {
    try writeWords(oldWords, rowid, .deleteWords)
    try writeWords(newWords, rowid, .insertWords)
  }

  /// Takes the words of an entity out; before its row goes.
  func removeWords(_ handle: KindHandle, _ rowid: Int64) throws(SQLiteError) {
    guard !handle.searched.isEmpty else { return }
    let row = try handle.statement(.rowByID, on: connection)
    row.bind(1, rowid)
    defer { row.reset() }
    guard try row.step() else { return }
    oldWords.fill(from: row, handle, firstColumn: 0)
    try writeWords(oldWords, rowid, .deleteWords)
  }

  /// Writes the words of a row that has come back.
  func addWords(_ handle: KindHandle, ofRow rowid: Int64) throws(SQLiteError) {
    guard !handle.searched.isEmpty else { return }
    let row = try handle.statement(.rowByID, on: connection)
    row.bind(1, rowid)
    defer { row.reset() }
    guard try row.step() else { return }
    newWords.fill(from: row, handle, firstColumn: 0)
    try writeWords(newWords, rowid, .insertWords)
  }

  private func writeWords(
    _ words: borrowing SearchWords, _ rowid: Int64, _ name: StoreStatement
  ) throws(SQLiteError) {
    guard !words.isEmpty else { return }
    let statement = try statement(name)
    statement.bind(1, rowid)
    try unsafe words.title.storage.span.bytes.extracting(first: words.title.count)
      .withUnsafeBytes { title throws(SQLiteError) in
        try unsafe words.text.storage.span.bytes.extracting(first: words.text.count)
          .withUnsafeBytes { text throws(SQLiteError) in
            unsafe statement.bindStatic(2, title)
            unsafe statement.bindStatic(3, text)
            try statement.run()
          }
      }
  }

  /// Makes the whole search index again, from the rows.
  func rebuildSearch() throws(SQLiteError) {
    try connection.execute(Schema.searchStatements.joined(separator: ";"))
    var total: Int64 = 0
    for handle in handles where !handle.searched.isEmpty {
      total += try connection.integer("SELECT count(*) FROM \(handle.table.table)") ?? 0
    }
    var done: Int64 = 0
    for handle in handles where !handle.searched.isEmpty {
      try forEachSearchedRow(handle) { row, rowid throws(SQLiteError) in
        newWords.fill(from: row, handle, firstColumn: 1)
        try noteWriting((newWords.title.count + newWords.text.count) * 8)
        try writeWords(newWords, rowid, .insertWords)
        done += 1
        if done % 1000 == 0 || done == total {
          options.progress(.search(rows: Int(clamping: done), of: Int(clamping: total)))
        }
      }
    }
  }

  /// Gives each row of a kind: the rowid, then the fields.
  private func forEachSearchedRow(
    _ handle: KindHandle, _ body: (Statement, Int64) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let columns = handle.table.columnList.joined(separator: ", ")
    let rows = try connection.prepare(
      "SELECT rowid, \(columns) FROM \(handle.table.table) ORDER BY rowid")
    while try rows.step() { try body(rows, rows.integer(0)) }
  }

  /// What is wrong with the search index, or nil: its own check of its pages, for which they must
  /// be locked, and whether its words are those of the rows.
  func searchProblem() throws(SQLiteError) -> String? {
    guard hasSearchIndex else { return nil }
    do throws(SQLiteError) {
      if !options.readOnly {
        try connection.begin()
        defer { connection.rollback() }
        try connection.execute("INSERT INTO _search (_search) VALUES ('integrity-check')")
        return try wordsProblem()
      }
      return try wordsProblem()
    } catch {
      guard error.code == .corrupt || error.code == .error else { throw error }
      return "the search index is damaged: \(error.message)"
    }
  }

  private func wordsProblem() throws(SQLiteError) -> String? {
    let sums = try searchSums()
    return sums.rows == sums.index ? nil : "the search index does not have the words of the rows"
  }

  /// Sums over all words and their places, of the rows and of the index: equal when the words are.
  private func searchSums() throws(SQLiteError) -> (rows: UInt64, index: UInt64) {
    var rows: UInt64 = 0
    for handle in handles where !handle.searched.isEmpty {
      try forEachSearchedRow(handle) { row, rowid in
        newWords.fill(from: row, handle, firstColumn: 1)
        rows &+= newWords.sum(rowid: rowid)
      }
    }
    var index: UInt64 = 0
    try connection.execute(
      "CREATE VIRTUAL TABLE IF NOT EXISTS temp._words USING fts5vocab(main, _search, instance)")
    try connection.withStatement("SELECT term, doc, col, offset FROM temp._words") {
      words throws(SQLiteError) in
      while try words.step() {
        guard let term = unsafe words.bytes(0) else { continue }
        index &+= unsafe SearchWords.sum(
          term, rowid: words.integer(1), column: unsafe words.bytes(2)?.last ?? 0,
          offset: words.integer(3))
      }
    }
    try connection.execute("DROP TABLE temp._words")
    return (rows, index)
  }
}

extension SearchWords {
  /// A number of one word in its place.
  static func sum(
    _ term: UnsafeRawBufferPointer, rowid: Int64, column: UInt8, offset: Int64
  ) -> UInt64 {
    // FNV-1a, then the finalizer of MurmurHash3.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for place in 0..<term.count { hash = unsafe (hash ^ UInt64(term[place])) &* 0x100_0000_01b3 }
    for number in [UInt64(bitPattern: rowid), UInt64(bitPattern: offset) << 8 | UInt64(column)] {
      hash = (hash ^ number) &* 0xff51_afd7_ed55_8ccd
      hash ^= hash >> 33
    }
    return hash
  }

  /// The sum of all words.
  func sum(rowid: Int64) -> UInt64 {
    // A column counts by the last letter of its name.
    SearchWords.sum(title, rowid, UInt8(ascii: "e"))
      &+ SearchWords.sum(text, rowid, UInt8(ascii: "t"))
  }

  private static func sum(_ tokens: SearchTokens, _ rowid: Int64, _ column: UInt8) -> UInt64 {
    var sum: UInt64 = 0
    var offset: Int64 = 0
    unsafe tokens.storage.span.bytes.extracting(first: tokens.count).withUnsafeBytes { bytes in
      var start = 0
      for end in 0..<bytes.count where unsafe bytes[end] == UInt8(ascii: " ") {
        let term = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        sum &+= unsafe SearchWords.sum(term, rowid: rowid, column: column, offset: offset)
        offset += 1
        start = end + 1
      }
    }
    return sum
  }
}
