import StarlingModel
import StarlingSQLite

/// What became of one request to make an entity a favorite.
package enum StarOutcome: Sendable {
  /// It was none and is one now.
  case starred
  /// It was one already, and this cause is new to it.
  case cause
  /// It was one already, for this cause.
  case already
  /// The user said no; nothing was changed.
  case refused
}

/// What is attached to a star.
struct StarRequest {
  var evidence: [Evidence] = []
  var tags: [String] = []
  var note: String?
  /// When it was chosen, where an imported file says so; else now.
  var starredAt: Timestamp?
}

extension FavoritesStore {
  /// Makes an entity a favorite, or adds a cause to one.
  ///
  /// By hand a refusal is lifted; anybody else is refused by it. A rule's tags come with its cause,
  /// so that one taken off by hand stays off; other tags and notes are set each time.
  /// - Parameter key: the entity's key as the file has it, or one that stands for it.
  func star(
    _ handle: KindHandle, _ entity: StoredEntity, key: UnsafeRawBufferPointer,
    _ request: StarRequest, _ acting: Acting
  ) throws(SQLiteError) -> StarOutcome {
    let outer = run
    defer { if outer.title == nil { run = outer } }
    if try unsafe isRefused(handle, key: key) {
      guard acting.isByHand else { return .refused }
      // Two changes, and one step back.
      if run.title == nil { run = RunState(title: "star \(handle.kind.name)") }
      try unsafe liftRefusal(handle, entity: entity.rowid, key: key, acting)
    }
    var isOne = false
    if entity.outcome != .new { isOne = try isFavorite(entity.rowid) }
    if isOne, run.title == nil, request.note != nil || !request.tags.isEmpty {
      run = RunState(title: "star \(handle.kind.name)")
    }
    guard isOne else {
      try addFavorite(handle, entity.rowid, request, acting)
      return .starred
    }
    let outcome = try addCause(handle, entity.rowid, request, acting)
    var isRule = false
    if case .rule = acting.origin { isRule = true }
    if outcome == .already, !isRule { try addTags(handle, entity.rowid, request.tags, acting) }
    if let note = request.note { try setNote(handle, entity.rowid, note, acting) }
    return outcome
  }

  func isFavorite(_ entity: Int64) throws(SQLiteError) -> Bool {
    let find = try statement(.isFavorite)
    find.bind(1, entity)
    defer { find.reset() }
    return try find.step()
  }

  private func addFavorite(
    _ handle: KindHandle, _ entity: Int64, _ request: StarRequest, _ acting: Acting
  ) throws(SQLiteError) {
    let insert = try statement(.insertFavorite)
    insert.bind(1, entity)
    insert.bind(2, handle.id)
    insert.bind(3, request.starredAt?.secondsSinceEpoch ?? acting.now)
    insert.bind(4, request.note)
    try insert.run()
    try insertCause(entity, number: 1, request.evidence, acting)
    for tag in request.tags { try insertTag(entity, tag) }
    var detail: String?
    if !request.tags.isEmpty || request.note != nil {
      detail = ChangeDetail.attached(tags: request.tags, note: request.note)
    }
    try record(.star, handle, entity: entity, acting, detail: detail)
  }

  /// Adds a cause that is new. The same rule at another version takes its cause over, with what it
  /// saw this time.
  private func addCause(
    _ handle: KindHandle, _ entity: Int64, _ request: StarRequest, _ acting: Acting
  ) throws(SQLiteError) -> StarOutcome {
    let wanted = ActorName(acting.origin)
    var last: Int64 = 0
    var replaced: (number: Int64, cause: String)?
    let causes = try statement(.causesOf)
    causes.bind(1, entity)
    defer { causes.reset() }
    while try causes.step() {
      last = causes.integer(0)
      let present = causes.integer(1)
      if present == acting.actor { return .already }
      let name = try actor(present)
      if name.origin == wanted.origin, name.name == wanted.name {
        replaced = (
          last,
          ChangeDetail.cause(
            number: last, actor: present, line: nil, evidence: causes.string(3),
            at: causes.integer(4))
        )
      }
    }
    causes.reset()
    if let replaced {
      let update = try statement(.replaceCause)
      update.bind(1, entity)
      update.bind(2, replaced.number)
      update.bind(3, acting.actor)
      update.bind(4, acting.line)
      update.bind(5, ChangeDetail.evidence(request.evidence))
      update.bind(6, acting.now)
      try update.run()
    } else {
      try insertCause(entity, number: last + 1, request.evidence, acting)
    }
    // Its tags are part of this change, so that they go with the cause when it is undone.
    let tags = try addedTags(entity, request.tags)
    try record(
      .cause, handle, entity: entity, acting,
      detail: ChangeDetail.cause(replaced?.cause, with: tags))
    return .cause
  }

  private func insertCause(
    _ entity: Int64, number: Int64, _ evidence: [Evidence], _ acting: Acting
  ) throws(SQLiteError) {
    let insert = try statement(.insertCause)
    insert.bind(1, entity)
    insert.bind(2, number)
    insert.bind(3, acting.actor)
    insert.bind(4, acting.line)
    insert.bind(5, ChangeDetail.evidence(evidence))
    insert.bind(6, acting.now)
    try insert.run()
  }

  /// Takes a favorite away with all its causes, tags and its note; the history keeps them.
  ///
  /// - Parameter refuses: whether this change also made the refusal.
  @discardableResult
  func unstar(
    _ entity: Int64, refuses: Bool, _ acting: Acting
  ) throws(SQLiteError) -> Int64 {
    try noteWriting(0)
    let run = try runID(acting.now)
    let history = try statement(.insertUnstarHistory)
    history.bind(1, acting.now)
    history.bind(2, entity)
    history.bind(3, acting.actor)
    history.bind(4, acting.line)
    history.bind(5, run)
    history.bind(6, Int64(refuses ? 1 : 0))
    try history.run()
    let change = connection.lastInsertedRow
    for name in [StoreStatement.deleteTags, .deleteCauses, .deleteFavorite] {
      let delete = try statement(name)
      delete.bind(1, entity)
      try delete.run()
    }
    return change
  }
}

// Refusals.
extension FavoritesStore {
  func isRefused(
    _ handle: KindHandle, key: UnsafeRawBufferPointer
  ) throws(SQLiteError) -> Bool {
    if handle.mayHaveRefusals == nil {
      let any = try statement(.kindHasRefusals)
      any.bind(1, handle.id)
      handle.mayHaveRefusals = try any.step()
      any.reset()
    }
    guard handle.mayHaveRefusals == true else { return false }
    if try unsafe hasRefusal(handle, key: key) { return true }
    let target: [UInt8]?
    if let newer = try unsafe aliasTarget(handle, key: key) {
      target = newer
    } else {
      target = unsafe movedKey(handle, key)
    }
    guard let target else { return false }
    return try unsafe target.span.bytes.withUnsafeBytes { key throws(SQLiteError) in
      try unsafe hasRefusal(handle, key: key)
    }
  }

  private func hasRefusal(
    _ handle: KindHandle, key: UnsafeRawBufferPointer
  ) throws(SQLiteError) -> Bool {
    let find = try statement(.isRefused)
    find.bind(1, handle.id)
    unsafe find.bindStatic(2, key)
    defer { find.reset() }
    return try find.step()
  }

  /// - Returns: whether it was none before.
  func addRefusal(
    _ handle: KindHandle, key: UnsafeRawBufferPointer, now: Int64
  ) throws(SQLiteError) -> Bool {
    let insert = try statement(.insertRefusal)
    insert.bind(1, handle.id)
    unsafe insert.bindStatic(2, key)
    insert.bind(3, now)
    try insert.run()
    handle.mayHaveRefusals = true
    return connection.changes > 0
  }

  /// - Returns: whether there was one.
  func removeRefusal(
    _ handle: KindHandle, key: UnsafeRawBufferPointer
  ) throws(SQLiteError) -> Bool {
    let delete = try statement(.deleteRefusal)
    delete.bind(1, handle.id)
    unsafe delete.bindStatic(2, key)
    try delete.run()
    return connection.changes > 0
  }

  /// Lifts the refusal of a key, also under the key that it stands for, and writes that down.
  @discardableResult
  func liftRefusal(
    _ handle: KindHandle, entity: Int64?, key: UnsafeRawBufferPointer, _ acting: Acting
  ) throws(SQLiteError) -> Bool {
    var lifted = try unsafe removeRefusal(handle, key: key)
    if let target = try unsafe aliasTarget(handle, key: key) {
      let byTarget = try unsafe target.span.bytes.withUnsafeBytes { key throws(SQLiteError) in
        try unsafe removeRefusal(handle, key: key)
      }
      lifted = lifted || byTarget
    }
    if let moved = unsafe movedKey(handle, key) {
      let byMoved = try unsafe moved.span.bytes.withUnsafeBytes { key throws(SQLiteError) in
        try unsafe removeRefusal(handle, key: key)
      }
      lifted = lifted || byMoved
    }
    guard lifted else { return false }
    let name = unsafe String(decoding: key, as: UTF8.self)
    try record(.allow, handle, entity: entity, key: entity == nil ? name : nil, acting)
    return true
  }
}
