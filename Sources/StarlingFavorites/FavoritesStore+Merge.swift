import StarlingModel
import StarlingSQLite

// Two entities that turn out to be one, since one gets the other's key.
extension FavoritesStore {
  /// What is kept of the row of an entity that became part of another.
  static let mergedRow = 1
  /// The change brought such a row back.
  static let separatedRow = 2
  /// A refusal went over to the other key with it, which had none.
  static let movedRefusal = 1
  /// The other key was refused too.
  private static let sharedRefusal = 2

  /// Makes an entity part of another: its causes, tags and note go over, its key stands for the
  /// other's, its row goes. The history keeps what it takes to undo that.
  ///
  /// - Returns: the number of the change.
  @discardableResult
  func merge(
    _ handle: KindHandle, _ entity: Int64, into other: Int64, _ keys: (from: String, to: String),
    _ acting: Acting
  ) throws(SQLiteError) -> Int64 {
    if try isFavorite(entity) { try moveFavorite(handle, entity, to: other, acting) }
    let name = try connection.prepare(
      "UPDATE history SET key = ?2 WHERE entity = ?1 AND key IS NULL")
    name.bind(1, entity)
    name.bind(2, keys.from)
    try name.run()
    let refusal = try moveRefusal(handle, from: keys.from, to: keys.to, acting)
    let detail = try mergedDetail(handle, entity, keys, refusal)
    try removeWords(handle, entity)
    let delete = try handle.statement(.delete, on: connection)
    delete.bind(1, entity)
    try delete.run()
    let retarget = try statement(.retargetAliases)
    retarget.bind(1, handle.id)
    retarget.bind(2, keys.from)
    retarget.bind(3, keys.to)
    try retarget.run()
    try insertAlias(handle, from: keys.from, to: keys.to, acting.now)
    return try record(
      .rekey, handle, entity: entity, key: keys.from, acting, detail: detail)
  }

  /// The refusal of a key that goes over to another one.
  private func moveRefusal(
    _ handle: KindHandle, from old: String, to new: String, _ acting: Acting
  ) throws(SQLiteError) -> Int {
    guard try removeRefusal(handle, key: old) else { return 0 }
    try record(.allow, handle, entity: nil, key: old, acting, detail: ChangeDetail.moved)
    guard try addRefusal(handle, key: new, now: acting.now) else {
      return FavoritesStore.sharedRefusal
    }
    try record(.refuse, handle, entity: nil, key: new, acting, detail: ChangeDetail.moved)
    return FavoritesStore.movedRefusal
  }

  private func moveRefusalBack(
    _ handle: KindHandle, from new: String, to old: String, _ refusal: Int, _ acting: Acting
  ) throws(SQLiteError) {
    guard refusal != 0 else { return }
    if refusal == FavoritesStore.movedRefusal { _ = try removeRefusal(handle, key: new) }
    _ = try addRefusal(handle, key: old, now: acting.now)
  }

  /// The other one is a favorite from then on for all causes of both.
  private func moveFavorite(
    _ handle: KindHandle, _ entity: Int64, to other: Int64, _ acting: Acting
  ) throws(SQLiteError) {
    let isOne = try isFavorite(other)
    let note = try note(of: entity)
    let causes = try storedCauses(of: entity)
    var tags = Set(try tags(of: entity))
    let givers = try givers(ofTagsOf: entity)
    let change = try unstar(entity, refuses: false, acting)
    guard isOne else {
      try restoreFavorite(change, as: other)
      try record(
        .star, handle, entity: other, acting, detail: "{\"of\":\(change),\"refused\":0}")
      return
    }
    var present: Set<Giver> = []
    for cause in try storedCauses(of: other) { present.insert(Giver(try actor(cause.actor))) }
    for cause in causes {
      let giver = Giver(try actor(cause.actor))
      let given = tags.filter { givers[$0]?.contains(giver) ?? false }.sorted()
      var origin = acting
      origin.actor = cause.actor
      origin.line = cause.line
      if present.insert(giver).inserted {
        try insertCause(other, cause)
        let added = try addedTags(other, given)
        try record(
          .cause, handle, entity: other, origin, detail: ChangeDetail.cause(nil, with: added))
      } else {
        try addTags(handle, other, given, origin)
      }
      tags.subtract(given)
    }
    try addTags(handle, other, tags.sorted(), acting)
    if let note, try self.note(of: other) == nil { try setNote(handle, other, note, acting) }
  }

  private func columns(_ handle: KindHandle) -> [String] {
    ["source", "first_seen", "last_seen"] + handle.table.columnList + handle.table.foldedList
  }

  private func mergedDetail(
    _ handle: KindHandle, _ entity: Int64, _ keys: (from: String, to: String), _ refusal: Int
  ) throws(SQLiteError) -> String? {
    let read = try connection.prepare(
      """
      SELECT json_object('was', 1, 'before', ?2, 'after', ?3, 'merge', \(FavoritesStore.mergedRow),
        'refusal', ?4, 'row', json_array(\(columns(handle).joined(separator: ", "))))
      FROM \(handle.table.table) WHERE rowid = ?1
      """)
    read.bind(1, entity)
    read.bind(2, keys.from)
    read.bind(3, keys.to)
    read.bind(4, Int64(refusal))
    return try read.step() ? read.string(0) : nil
  }

  /// Undoes `merge`, or does again what that had undone.
  ///
  /// - Returns: nil when the keys are not as they were.
  func undoMerge(
    _ row: HistoryRow, _ handle: KindHandle, _ acting: Acting
  ) throws(SQLiteError) -> Int64? {
    let detail = try detail(row)
    guard let entity = row.entity, let before = detail.before, let after = detail.after else {
      return nil
    }
    if detail.merge == FavoritesStore.separatedRow {
      guard try plainFind(handle, key: after) == entity,
        let other = try plainFind(handle, key: before)
      else { return nil }
      return try merge(handle, entity, into: other, (from: after, to: before), acting)
    }
    guard try plainFind(handle, key: before) == nil, try keyOf(entity, handle) == nil else {
      return nil
    }
    // Columns that the kind got since are behind those that the row had.
    let columns = columns(handle)
    let values = columns.indices.map { "h.detail ->> '$.row[\($0)]'" }
    let insert = try connection.prepare(
      """
      INSERT INTO \(handle.table.table) (rowid, key, \(columns.joined(separator: ", ")))
      SELECT h.entity, ?2, \(values.joined(separator: ", ")) FROM history h WHERE h.id = ?1
      """)
    insert.bind(1, row.id)
    insert.bind(2, before)
    try insert.run()
    try addWords(handle, ofRow: entity)
    let delete = try statement(.deleteAlias)
    delete.bind(1, handle.id)
    delete.bind(2, before)
    try delete.run()
    try moveRefusalBack(handle, from: after, to: before, detail.refusal, acting)
    return try record(
      .rekey, handle, entity: entity, acting,
      detail: ChangeDetail.separated(
        before: after, after: before, mark: FavoritesStore.separatedRow))
  }

  /// Where a refusal has come to meet a favorite under one key: one by hand stays, and lifts it; any
  /// other goes.
  func settle(
    _ handle: KindHandle, key: String, _ acting: Acting
  ) throws(SQLiteError) {
    guard let entity = try plainFind(handle, key: key), try isFavorite(entity),
      try isRefused(handle, key: key)
    else { return }
    for cause in try storedCauses(of: entity) where try actor(cause.actor).origin == "hand" {
      _ = try unsafe Array(key.utf8).span.bytes.withUnsafeBytes { key throws(SQLiteError) in
        try unsafe liftRefusal(handle, entity: entity, key: key, acting)
      }
      return
    }
    // The refusal is not of this change: it came with its key.
    try unstar(entity, refuses: false, acting)
  }
}

/// A row of `causes`.
struct StoredCause {
  var number: Int64?
  var actor: Int64
  var line: Int64?
  var evidence: String?
  var at: Int64
}

extension StoredCause {
  /// Reads the columns number, actor, line, evidence, at.
  init(_ statement: Statement) {
    self.init(
      number: statement.integer(0), actor: statement.integer(1),
      line: statement.isNull(2) ? nil : statement.integer(2), evidence: statement.string(3),
      at: statement.integer(4))
  }
}

extension FavoritesStore {
  func storedCauses(of entity: Int64) throws(SQLiteError) -> [StoredCause] {
    let list = try statement(.causesOf)
    list.bind(1, entity)
    defer { list.reset() }
    var causes: [StoredCause] = []
    while try list.step() { causes.append(StoredCause(list)) }
    return causes
  }

  /// Adds a cause as it was, at its old place where that is free.
  func insertCause(_ entity: Int64, _ cause: StoredCause) throws(SQLiteError) {
    let number = try freeCauseNumber(entity, cause.number)
    let insert = try statement(.insertCause)
    insert.bind(1, entity)
    insert.bind(2, number)
    insert.bind(3, cause.actor)
    insert.bind(4, cause.line)
    insert.bind(5, cause.evidence)
    insert.bind(6, cause.at)
    try insert.run()
  }

  /// Brings back what an unstar took, for this entity.
  func restoreFavorite(_ change: Int64, as entity: Int64) throws(SQLiteError) {
    for name in [StoreStatement.restoreFavorite, .restoreCauses, .restoreTags] {
      let restore = try statement(name)
      restore.bind(1, change)
      restore.bind(2, entity)
      try restore.run()
    }
  }

  func insertAlias(
    _ handle: KindHandle, from old: String, to new: String, _ now: Int64
  ) throws(SQLiteError) {
    let insert = try statement(.insertAlias)
    insert.bind(1, handle.id)
    insert.bind(2, old)
    insert.bind(3, new)
    insert.bind(4, now)
    try insert.run()
    handle.mayHaveAliases = true
  }
}
