import StarlingModel
import StarlingSQLite

/// Gives a thing the state that a plan says, as changes.
extension FavoritesStore {
  /// - Parameter keys: other keys that may be refused in its place.
  /// - Returns: the number of the first change; nil when there was nothing to change.
  func settle(
    _ plan: UndoPlan, _ entity: Int64, _ handle: KindHandle, _ acting: Acting, keys: [String]
  ) throws(SQLiteError) -> Int64? {
    let (before, after) = (plan.before, plan.after)
    var hasNewRefusal = false
    if after.isRefused, !before.isRefused {
      hasNewRefusal = try addRefusal(handle, entity: entity, now: acting.now)
    }
    var isLifted = false
    if before.isRefused, !after.isRefused {
      isLifted = try removeRefusals(handle, [keyOf(entity, handle)].compactMap { $0 } + keys)
    }
    let present = try presentCauses(entity)
    let wanted = try wantedCauses(plan, present)
    switch (present.isEmpty, wanted.isEmpty) {
    case (false, true): return try unstar(entity, refuses: hasNewRefusal, acting)
    case (true, false): return try restore(plan, wanted, entity, handle, acting)
    case (true, true):
      guard hasNewRefusal || isLifted else { return nil }
      return try record(hasNewRefusal ? .refuse : .allow, handle, entity: entity, acting)
    case (false, false):
      var changes = UndoChanges()
      try settleCauses(from: present, to: wanted, entity, handle, acting, &changes)
      try settleTags(before, after, entity, handle, acting, &changes)
      try settleNote(before, after, entity, handle, acting, &changes)
      return changes.first
    }
  }

  /// The same for keys of which nothing was seen; the first is the one that stands for the thing.
  func settle(
    _ plan: UndoPlan, unseen keys: [String], _ handle: KindHandle, _ acting: Acting
  ) throws(SQLiteError) -> Int64? {
    guard let key = keys.first else { return nil }
    switch (plan.before.isRefused, plan.after.isRefused) {
    case (false, true):
      guard try addRefusal(handle, key: key, now: acting.now) else { return nil }
      return try record(.refuse, handle, entity: nil, key: key, acting)
    case (true, false):
      guard try removeRefusals(handle, keys) else { return nil }
      return try record(.allow, handle, entity: nil, key: key, acting)
    default: return nil
    }
  }

  /// Lifts the refusal under the first of these keys that has one, and under what that stands for.
  private func removeRefusals(_ handle: KindHandle, _ keys: [String]) throws(SQLiteError) -> Bool {
    for key in keys {
      var names = [key, try presentKey(key, handle)]
      let moved = unsafe Array(key.utf8).span.bytes.withUnsafeBytes { unsafe movedKey(handle, $0) }
      if let moved { names.append(String(decoding: moved, as: UTF8.self)) }
      var isLifted = false
      for name in names where try removeRefusal(handle, key: name) { isLifted = true }
      if isLifted { return true }
    }
    return false
  }

  private func presentCauses(_ entity: Int64) throws(SQLiteError) -> [Giver: StoredCause] {
    var causes: [Giver: StoredCause] = [:]
    for cause in try storedCauses(of: entity) { causes[Giver(try actor(cause.actor))] = cause }
    return causes
  }

  private func wantedCauses(
    _ plan: UndoPlan, _ present: [Giver: StoredCause]
  ) throws(SQLiteError) -> [Giver: StoredCause] {
    var wanted = present
    for giver in plan.before.causes.keys where plan.after.causes[giver] == nil {
      wanted[giver] = nil
    }
    for (giver, cause) in plan.after.causes {
      if plan.before.causes[giver]?.isSame(as: cause) ?? false { continue }
      if wanted[giver]?.isSame(as: cause) ?? false { continue }
      wanted[giver] = try remembered(cause, plan)
    }
    return wanted
  }

  /// A cause with what its rule saw, as the change that took it away has it.
  private func remembered(
    _ cause: StoredCause, _ plan: UndoPlan
  ) throws(SQLiteError) -> StoredCause {
    guard cause.evidence == nil else { return cause }
    for entry in plan.entries.reversed() {
      if let old = entry.cause, old.isSame(as: cause) { return old }
      guard entry.row.action == .unstar, let snapshot = try snapshot(entry.row.detail) else {
        continue
      }
      if let old = snapshot.causes.first(where: { $0.cause.isSame(as: cause) }) { return old.cause }
    }
    return cause
  }

  private func restore(
    _ plan: UndoPlan, _ causes: [Giver: StoredCause], _ entity: Int64, _ handle: KindHandle,
    _ acting: Acting
  ) throws(SQLiteError) -> Int64 {
    let ordered = causes.values.sorted { ($0.number ?? 0) < ($1.number ?? 0) }
    let insert = try statement(.insertFavorite)
    insert.bind(1, entity)
    insert.bind(2, handle.id)
    insert.bind(3, try starredAt(plan) ?? ordered.map(\.at).min() ?? acting.now)
    insert.bind(4, plan.after.visibleNote)
    try insert.run()
    for cause in ordered { try insertCause(entity, cause) }
    let tags = plan.after.visibleTags.sorted()
    for tag in tags { try insertTag(entity, tag) }
    return try record(
      .star, handle, entity: entity, acting,
      detail: ChangeDetail.attached(tags: tags, note: plan.after.visibleNote))
  }

  /// When the favorite was starred: an import says another time than that of its change.
  private func starredAt(_ plan: UndoPlan) throws(SQLiteError) -> Int64? {
    // As it was when the set took it away; its first cause may be gone since.
    for entry in plan.undone.reversed() where entry.row.action == .unstar {
      if let snapshot = try snapshot(entry.row.detail) { return snapshot.starredAt }
    }
    guard let star = plan.after.star else { return nil }
    for entry in plan.entries where entry.row.id >= star {
      if entry.row.id == star, let snapshot = entry.snapshot { return snapshot.starredAt }
      if entry.row.action == .unstar, let snapshot = try snapshot(entry.row.detail) {
        return snapshot.starredAt
      }
    }
    return plan.entries.first { $0.row.id == star }?.row.at
  }

  private func settleCauses(
    from present: [Giver: StoredCause], to wanted: [Giver: StoredCause], _ entity: Int64,
    _ handle: KindHandle, _ acting: Acting, _ changes: inout UndoChanges
  ) throws(SQLiteError) {
    func ordered(_ causes: [Giver: StoredCause]) -> [(key: Giver, value: StoredCause)] {
      causes.sorted { ($0.value.number ?? 0) < ($1.value.number ?? 0) }
    }
    for (giver, cause) in ordered(present) {
      guard let new = wanted[giver] else {
        let delete = try statement(.deleteCause)
        delete.bind(1, entity)
        delete.bind(2, cause.number)
        try delete.run()
        try record(.uncause, handle, entity, acting, cause.detail, &changes)
        continue
      }
      guard !new.isSame(as: cause) else { continue }
      // A rule's newer version took over and the older one comes back, or the other way round.
      let update = try statement(.replaceCause)
      update.bind(1, entity)
      update.bind(2, cause.number)
      update.bind(3, new.actor)
      update.bind(4, new.line)
      update.bind(5, new.evidence)
      update.bind(6, new.at)
      try update.run()
      let detail = ChangeDetail.restored(new.actor, over: cause.detail)
      try record(.uncause, handle, entity, acting, detail, &changes)
    }
    for (giver, cause) in ordered(wanted) where present[giver] == nil {
      try insertCause(entity, cause)
      // The cause is its first actor's; who brought it back is in the run.
      var origin = acting
      origin.actor = cause.actor
      origin.line = cause.line
      try record(.cause, handle, entity, origin, nil, &changes)
    }
  }

  private func settleTags(
    _ before: Account, _ after: Account, _ entity: Int64, _ handle: KindHandle, _ acting: Acting,
    _ changes: inout UndoChanges
  ) throws(SQLiteError) {
    let present = Set(try tags(of: entity))
    let gone = before.visibleTags.subtracting(after.visibleTags).intersection(present).sorted()
    if !gone.isEmpty {
      let delete = try statement(.deleteTag)
      for tag in gone {
        delete.bind(1, entity)
        delete.bind(2, tag)
        try delete.run()
      }
      try record(.untag, handle, entity, acting, ChangeDetail.attached(tags: gone), &changes)
    }
    let back = after.visibleTags.subtracting(before.visibleTags).subtracting(present).sorted()
    if !back.isEmpty {
      for tag in back { try insertTag(entity, tag) }
      try record(.tag, handle, entity, acting, ChangeDetail.attached(tags: back), &changes)
    }
  }

  private func settleNote(
    _ before: Account, _ after: Account, _ entity: Int64, _ handle: KindHandle, _ acting: Acting,
    _ changes: inout UndoChanges
  ) throws(SQLiteError) {
    let present = try note(of: entity)
    guard before.visibleNote != after.visibleNote, present != after.visibleNote else { return }
    let set = try statement(.setNote)
    set.bind(1, entity)
    set.bind(2, after.visibleNote)
    try set.run()
    let detail = ChangeDetail.note(before: present, after: after.visibleNote)
    try record(.note, handle, entity, acting, detail, &changes)
  }

  private func record(
    _ action: Change.Action, _ handle: KindHandle, _ entity: Int64, _ acting: Acting,
    _ detail: String?, _ changes: inout UndoChanges
  ) throws(SQLiteError) {
    changes.made(
      try record(action, handle, entity: entity, acting, detail: changes.detail(detail)))
  }
}

/// The changes that an undo makes of one thing. All but the first say that they are part of it.
private struct UndoChanges {
  private(set) var first: Int64?

  mutating func made(_ change: Int64) {
    if first == nil { first = change }
  }

  func detail(_ detail: String?) -> String? {
    guard let first else { return detail }
    return ChangeDetail.part(of: first, detail)
  }
}

extension StoredCause {
  func isSame(as other: StoredCause) -> Bool {
    actor == other.actor && at == other.at && line == other.line
  }

  /// As a change's detail keeps it.
  fileprivate var detail: String {
    ChangeDetail.cause(
      number: number ?? 0, actor: actor, line: line, evidence: evidence, at: at)
  }
}
