public import StarlingModel
import StarlingSQLite

extension FavoritesStore {
  /// Gives an entity another key. The old one stands for it from now on, in look-ups, loads and
  /// refusals. Where the new key is taken already, both entities stay and only the old key's
  /// refusal goes over; the old entity is then found by its own key as before.
  ///
  /// - Returns: false when there is no such entity, or the new key is taken.
  @discardableResult
  public func rekey(
    kind: String, from old: String, to new: String, by origin: Cause.Origin? = nil
  ) throws(FavoritesError) -> Bool {
    let handle = try handle(kind: kind)
    guard !new.isEmpty else { throw .badKey(kind: kind, reason: "the new key is empty") }
    return try write { () throws(FavoritesError) in
      let acting = try acting(origin)
      return try sql { () throws(SQLiteError) in
        guard let entity = try find(handle, key: old), let present = try keyOf(entity, handle),
          !present.utf8.elementsEqual(new.utf8), try plainFind(handle, key: new) == nil
        else { return false }
        try move(handle, entity, from: present, to: new, now: acting.now)
        try record(
          .rekey, handle, entity: entity, acting,
          detail: ChangeDetail.note(before: present, after: new))
        return true
      }
    }
  }

  func undoRekey(
    _ row: HistoryRow, to old: String?, from new: String?, _ handle: KindHandle, _ acting: Acting
  ) throws(SQLiteError) -> Int64? {
    guard let entity = row.entity, let old, let new,
      try keyOf(entity, handle)?.utf8.elementsEqual(new.utf8) == true,
      try plainFind(handle, key: old) == nil
    else { return nil }
    let delete = try statement(.deleteAlias)
    delete.bind(1, handle.id)
    delete.bind(2, old)
    try delete.run()
    try move(handle, entity, from: new, to: old, now: acting.now)
    return try record(
      .rekey, handle, entity: entity, acting, detail: ChangeDetail.note(before: new, after: old))
  }

  /// The key that stands for this one today: itself, unless it was changed.
  func presentKey(_ key: String, _ handle: KindHandle) throws(SQLiteError) -> String {
    let target = try unsafe Array(key.utf8).span.bytes.withUnsafeBytes { key throws(SQLiteError) in
      try unsafe aliasTarget(handle, key: key)
    }
    return target.map { String(decoding: $0, as: UTF8.self) } ?? key
  }

  /// The entity of exactly this key.
  private func plainFind(_ handle: KindHandle, key: String) throws(SQLiteError) -> Int64? {
    let find = try handle.statement(.rowid, on: connection)
    find.bind(1, key)
    defer { find.reset() }
    return try find.step() ? find.integer(0) : nil
  }

  private func move(
    _ handle: KindHandle, _ entity: Int64, from old: String, to new: String, now: Int64
  ) throws(SQLiteError) {
    let change = try handle.statement(.rekey, on: connection)
    change.bind(1, entity)
    change.bind(2, new)
    try change.run()
    let retarget = try statement(.retargetAliases)
    retarget.bind(1, handle.id)
    retarget.bind(2, old)
    retarget.bind(3, new)
    try retarget.run()
    let insert = try statement(.insertAlias)
    insert.bind(1, handle.id)
    insert.bind(2, old)
    insert.bind(3, new)
    insert.bind(4, now)
    try insert.run()
    handle.mayHaveAliases = true
    // A refusal is of the thing, not of its name.
    let wasRefused = try unsafe Array(old.utf8).span.bytes.withUnsafeBytes {
      key throws(SQLiteError) in try unsafe removeRefusal(handle, key: key)
    }
    guard wasRefused else { return }
    _ = try unsafe Array(new.utf8).span.bytes.withUnsafeBytes { key throws(SQLiteError) in
      try unsafe addRefusal(handle, key: key, now: now)
    }
  }
}
