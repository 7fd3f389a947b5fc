public import StarlingModel
import StarlingSQLite

extension FavoritesStore {
  /// Gives an entity another key. The old one stands for it from now on, in look-ups, loads and
  /// refusals, and so does one that was only refused and never seen.
  ///
  /// An entity that has the new key already takes the other into itself, with its causes, tags and
  /// note. Where a refusal meets a favorite, one by hand stays and any other goes.
  /// - Returns: false when there is nothing under the old key, or it is the new one already.
  @discardableResult
  public func rekey(
    kind: String, from old: String, to new: String, by origin: Cause.Origin? = nil
  ) throws(FavoritesError) -> Bool {
    let handle = try handle(kind: kind)
    guard !new.isEmpty else { throw .badKey(kind: kind, reason: "the new key is empty") }
    if let reason = Longest.faultOfKey(new.utf8.count) {
      throw .badKey(kind: kind, reason: reason)
    }
    let outer = run
    defer { if outer.title == nil { run = outer } }
    return try write { () throws(FavoritesError) in
      let acting = try acting(origin)
      // It may be several changes, which are one step back.
      if run.title == nil { run = RunState(title: "rekey \(kind)") }
      return try sql { () throws(SQLiteError) in
        let present = try presentKey(old, handle)
        guard !present.utf8.elementsEqual(new.utf8) else { return false }
        let isRefused = try isRefused(handle, key: present)
        guard let entity = try plainFind(handle, key: present) else {
          guard isRefused else { return false }
          try moveUnseen(handle, from: present, to: new, acting)
          return true
        }
        if let other = try plainFind(handle, key: new) {
          try merge(handle, entity, into: other, (from: present, to: new), acting)
        } else {
          try move(handle, entity, from: present, to: new, now: acting.now)
          try record(
            .rekey, handle, entity: entity, acting,
            detail: ChangeDetail.note(before: present, after: new))
        }
        try settle(handle, key: new, acting)
        return true
      }
    }
  }

  /// A key that was refused before anything was seen of it.
  @discardableResult
  private func moveUnseen(
    _ handle: KindHandle, from old: String, to new: String, _ acting: Acting
  ) throws(SQLiteError) -> Int64 {
    _ = try removeRefusal(handle, key: old)
    _ = try addRefusal(handle, key: new, now: acting.now)
    let retarget = try statement(.retargetAliases)
    retarget.bind(1, handle.id)
    retarget.bind(2, old)
    retarget.bind(3, new)
    try retarget.run()
    try insertAlias(handle, from: old, to: new, acting.now)
    let change = try record(
      .rekey, handle, entity: nil, key: old, acting,
      detail: ChangeDetail.note(before: old, after: new))
    try settle(handle, key: new, acting)
    return change
  }

  func undoUnseenRekey(
    _ row: HistoryRow, _ handle: KindHandle, _ acting: Acting
  ) throws(SQLiteError) -> Int64? {
    let keys = try detail(row)
    guard let old = keys.before, let new = keys.after, try isRefused(handle, key: new),
      try plainFind(handle, key: new) == nil
    else { return nil }
    let delete = try statement(.deleteAlias)
    delete.bind(1, handle.id)
    delete.bind(2, old)
    try delete.run()
    let change = try moveUnseen(handle, from: new, to: old, acting)
    // Nothing was ever seen under the new key: it stands for nothing.
    delete.bind(2, new)
    try delete.run()
    return change
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
  func plainFind(_ handle: KindHandle, key: String) throws(SQLiteError) -> Int64? {
    let find = try handle.statement(.rowid, on: connection)
    find.bind(1, key)
    defer { find.reset() }
    return try find.step() ? find.integer(0) : nil
  }

  func move(
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
    try insertAlias(handle, from: old, to: new, now)
    // A refusal is of the thing, not of its name.
    if try removeRefusal(handle, key: old) {
      _ = try addRefusal(handle, key: new, now: now)
    }
  }
}
