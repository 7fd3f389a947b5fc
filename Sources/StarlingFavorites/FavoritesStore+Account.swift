import StarlingModel
import StarlingSQLite

/// What the history has of one thing.
extension FavoritesStore {
  /// The changes of an entity, oldest first, from its last unstar before `first` that stands. Older
  /// ones make no difference to what came after.
  func accountEntries(
    _ entity: Int64, from first: Int64, of statement: StoreStatement = .accountOfEntity
  ) throws(SQLiteError) -> [AccountEntry] {
    let start = try self.statement(.accountStart)
    start.bind(1, entity)
    start.bind(2, first)
    let begin = try start.step() ? start.integer(0) : 0
    start.reset()
    return try accountRows(statement, entity, begin)
  }

  /// The refusals of a kind that were made or lifted before anything was seen of their keys.
  func unseenRefusals(_ handle: KindHandle) throws(SQLiteError) -> [AccountEntry] {
    try accountRows(.accountOfUnseen, handle.id, 0)
  }

  private func accountRows(
    _ name: StoreStatement, _ bindings: Int64...
  ) throws(SQLiteError) -> [AccountEntry] {
    let list = try statement(name)
    for (place, value) in bindings.enumerated() { list.bind(Int32(place + 1), value) }
    defer { list.reset() }
    var rows: [(HistoryRow, Bool)] = []
    while try list.step() { rows.append((try held(HistoryRow(list)), list.integer(11) != 0)) }
    list.reset()
    var entries: [AccountEntry] = []
    for (row, isUndo) in rows {
      if let entry = try entry(row, isUndo: isUndo) { entries.append(entry) }
    }
    return entries
  }

  /// One change, of an entity that is gone.
  func accountEntry(_ row: HistoryRow) throws(SQLiteError) -> AccountEntry? {
    try entry(row, isUndo: !historyRows(.takenBackBy, row.id).isEmpty)
  }

  private func entry(_ row: HistoryRow, isUndo: Bool) throws(SQLiteError) -> AccountEntry? {
    var entry = AccountEntry(row: row, who: try actor(row.actor), isUndo: isUndo)
    guard let text = row.detail else { return entry }
    // What is made of the detail is at most as long.
    try hold(320 + text.utf8.count)
    let read = try statement(.accountDetail)
    read.bind(1, text)
    guard try read.step() else {
      read.reset()
      return entry
    }
    let isMoved = read.integer(0) != 0
    let hasBack = !read.isNull(7)
    entry.part = read.isNull(1) ? nil : read.integer(1)
    entry.refuses = read.integer(2) != 0
    entry.note = row.action == .note ? read.string(4) : read.string(3)
    let (of, restored) = (
      read.isNull(5) ? nil : read.integer(5), read.isNull(6) ? nil : read.integer(6)
    )
    read.reset()
    // A refusal that went over to another key with its thing was not changed.
    guard !isMoved else { return nil }
    if hasBack { entry.back = try texts(text, "$.back").compactMap { Int64($0) } }
    entry.tags = try texts(text, "$.tags") + texts(text, "$.also")
    if let cause = try detailCause(row) {
      entry.cause = cause
      entry.causeWho = try actor(cause.actor)
      if let restored {
        entry.restored = (
          try actor(restored),
          StoredCause(
            number: cause.number, actor: restored, line: nil, evidence: nil, at: row.at)
        )
      }
    }
    if row.action == .star, let of {
      if let taken = try historyRows(.historyRow, of).first {
        entry.snapshot = try snapshot(taken.detail)
      }
    }
    return entry
  }

  /// What an unstar took, or nil when it does not say.
  func snapshot(_ detail: String?) throws(SQLiteError) -> FavoriteSnapshot? {
    guard let detail else { return nil }
    let read = try statement(.snapshot)
    read.bind(1, detail)
    let found = try read.step() && !read.isNull(0)
    let (starredAt, note) = (read.integer(0), read.string(1))
    read.reset()
    guard found else { return nil }
    let list = try statement(.snapshotCauses)
    list.bind(1, detail)
    var causes: [StoredCause] = []
    while try list.step() { causes.append(StoredCause(list)) }
    list.reset()
    return FavoriteSnapshot(
      starredAt: starredAt, note: note, tags: try texts(detail, "$.tags"),
      causes: try causes.map { cause throws(SQLiteError) in (try actor(cause.actor), cause) })
  }

  /// Who gave each tag of a favorite.
  func givers(ofTagsOf entity: Int64) throws(SQLiteError) -> [String: Set<Giver>] {
    // Notes are not asked for. An undo of one counts for no tag.
    Account(try accountEntries(entity, from: .max, of: .accountOfTags).lazy.filter(\.counts)).tags
  }
}
