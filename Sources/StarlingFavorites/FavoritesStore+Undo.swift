public import StarlingModel
import StarlingSQLite

extension FavoritesStore {
  /// Takes changes back, newest first, in one transaction. What has been changed since, so that a
  /// change cannot be taken back without losing something, is left and named.
  ///
  /// An undo is a run of its own, which can be undone. It makes no refusals.
  /// - Throws: `notFound` when there is no such change, run or rule, or nothing of it is left.
  public func undo(
    _ what: Undo, by origin: Cause.Origin? = nil
  ) throws(FavoritesError) -> UndoReport {
    let outer = run
    defer { run = outer }
    return try transaction { () throws(FavoritesError) in
      let acting = try acting(origin)
      let rows = try rows(of: what)
      guard !rows.isEmpty else { throw .notFound(what.missing) }
      run = RunState(title: what.title)
      var report = UndoReport()
      try sql { () throws(SQLiteError) in
        var keyRule: (handle: KindHandle, change: Int64)?
        for row in rows {
          // A kind's key takes the entities and refusals of its run along.
          if keyRule != nil, try historyRows(.historyRow, row.id).first?.undoneBy != nil {
            continue
          }
          guard let change = try change(row) else { continue }
          switch try undo(row, acting) {
          case .done(let inverse):
            try mark(row, undoneBy: inverse)
            report.undone.append(change)
            if row.isKeyRule, let handle = handles.first(where: { $0.id == row.kind }) {
              keyRule = (handle, inverse)
            }
          case .left(let reason):
            report.left.append(UndoReport.Left(change: change, reason: reason))
          }
        }
        if let keyRule { try settleRefusals(keyRule.handle, keyRule.change, acting) }
      }
      report.run = run.id
      try loadKinds()
      return report
    }
  }

  /// Whether a run has a change that was not taken back.
  package func canUndo(run: Int64) throws(FavoritesError) -> Bool {
    try sql { () throws(SQLiteError) in try !historyRows(.undoableOfRun, run).isEmpty }
  }

  /// What became of one change that was to be undone.
  private enum Outcome {
    /// The number of the change that took it back.
    case done(Int64)
    case left(String)
  }

  private func rows(of what: Undo) throws(FavoritesError) -> [HistoryRow] {
    try sql { () throws(SQLiteError) in
      switch what {
      case .change(let id):
        return try historyRows(.historyRow, id).filter { $0.undoneBy == nil }
      case .run(let run): return try rows(ofRun: run)
      case .last:
        let find = try statement(.lastUndoable)
        defer { find.reset() }
        guard try find.step() else { return [] }
        let (id, run) = (find.integer(0), find.isNull(1) ? nil : find.integer(1))
        find.reset()
        if let run { return try rows(ofRun: run) }
        return try historyRows(.historyRow, id)
      case .rule(let name): return try rows(ofRule: name)
      }
    }
  }

  /// Newest first, but that of a kind's key before all others: it is what they were made for.
  private func rows(ofRun run: Int64) throws(SQLiteError) -> [HistoryRow] {
    let rows = try historyRows(.undoableOfRun, run)
    return rows.filter { $0.isKeyRule } + rows.filter { !$0.isKeyRule }
  }

  /// The changes that gave favorites the causes which the rule has now.
  private func rows(ofRule name: String) throws(SQLiteError) -> [HistoryRow] {
    var actors: [Int64] = []
    let versions = try statement(.actorVersions)
    versions.bind(1, "rule")
    versions.bind(2, name)
    while try versions.step() { actors.append(versions.integer(0)) }
    var rows: [HistoryRow] = []
    for actor in actors {
      var favorites: [Int64] = []
      let list = try statement(.favoritesOfActor)
      list.bind(1, actor)
      while try list.step() { favorites.append(list.integer(0)) }
      for favorite in favorites {
        for version in actors {
          rows += try historyRows(.starChangesOfActor, favorite, version)
        }
      }
    }
    return rows.sorted { $0.id > $1.id }
  }

  private func mark(_ row: HistoryRow, undoneBy inverse: Int64) throws(SQLiteError) {
    let mark = try statement(.markUndone)
    mark.bind(1, row.id)
    mark.bind(2, inverse)
    try mark.run()
    // What this change had undone is in force again.
    let unmark = try statement(.unmarkUndone)
    unmark.bind(1, row.id)
    try unmark.run()
  }

  private func undo(_ row: HistoryRow, _ acting: Acting) throws(SQLiteError) -> Outcome {
    guard let handle = handles.first(where: { $0.id == row.kind }) else {
      return .left("its kind is unknown")
    }
    switch row.action {
    case .star, .cause: return try undoStar(row, handle, acting)
    case .unstar: return try undoUnstar(row, handle, acting)
    case .uncause: return try undoUncause(row, handle, acting)
    case .tag, .untag: return try undoTags(row, handle, acting)
    case .note: return try undoNote(row, handle, acting)
    case .refuse, .allow: return try undoRefusal(row, handle, acting)
    case .rekey:
      let change = try undoNewKey(row, handle, acting)
      return change.map { .done($0) } ?? .left("its key was changed since, or is taken")
    case nil: return .left("this version does not know what it was")
    }
  }

  private func undoNewKey(
    _ row: HistoryRow, _ handle: KindHandle, _ acting: Acting
  ) throws(SQLiteError) -> Int64? {
    guard row.entity != nil else {
      return row.isKeyRule
        ? try undoKeyRule(row, handle, acting) : try undoUnseenRekey(row, handle, acting)
    }
    let keys = try detail(row)
    guard keys.merge == 0 else { return try undoMerge(row, handle, acting) }
    return try undoRekey(row, to: keys.before, from: keys.after, handle, acting)
  }

  private func undoStar(
    _ row: HistoryRow, _ handle: KindHandle, _ acting: Acting
  ) throws(SQLiteError) -> Outcome {
    guard let entity = row.entity, try isFavorite(entity) else {
      return .left("it is no favorite any more")
    }
    if try wasUnstarred(entity, since: row.id) { return .left("it was unstarred since") }
    let detail = try detail(row)
    if detail.of != nil {
      // It brought a favorite back; taking that back takes all of it, and says no again.
      let hadRefusal = detail.refused != 0
      if let reason = try changedByHand(entity, since: row.id) { return .left(reason) }
      if hadRefusal { _ = try addRefusal(handle, entity: entity, now: acting.now) }
      return .done(try unstar(entity, refuses: hadRefusal, acting))
    }
    guard let cause = try causeNumber(entity, actor: row.actor) else {
      return .left("its cause is gone")
    }
    if row.action == .cause, let previous = try detailCause(row) {
      // A rule's newer version took over; the older one comes back.
      let removed = try causeText(entity, number: cause.number)
      let update = try statement(.replaceCause)
      update.bind(1, entity)
      update.bind(2, cause.number)
      update.bind(3, previous.actor)
      update.bind(4, previous.line)
      update.bind(5, previous.evidence)
      update.bind(6, previous.at)
      try update.run()
      let change = try record(
        .uncause, handle, entity: entity, acting,
        detail: ChangeDetail.restored(previous.actor, over: removed))
      try removeTags(handle, entity, try texts(row.detail, "$.tags"), acting)
      return .done(change)
    }
    if cause.others == 0 {
      if let reason = try changedByHand(entity, since: row.id) { return .left(reason) }
      return .done(try unstar(entity, refuses: false, acting))
    }
    let removed = try causeText(entity, number: cause.number)
    let delete = try statement(.deleteCause)
    delete.bind(1, entity)
    delete.bind(2, cause.number)
    try delete.run()
    let change = try record(.uncause, handle, entity: entity, acting, detail: removed)
    try removeTags(handle, entity, try texts(row.detail, "$.tags"), acting)
    if let note = try texts(row.detail, "$.note").first, try self.note(of: entity) == note {
      try setNote(handle, entity, nil, acting)
    }
    return .done(change)
  }

  private func undoUnstar(
    _ row: HistoryRow, _ handle: KindHandle, _ acting: Acting
  ) throws(SQLiteError) -> Outcome {
    guard let entity = row.entity else { return .left("its entity is gone") }
    guard try !isFavorite(entity) else { return .left("it is a favorite again") }
    guard let key = try keyOf(entity, handle) else { return .left("its entity is gone") }
    guard try texts(row.detail, "$.starred_at").count == 1 else {
      return .left("what it was is lost")
    }
    let refused = try detail(row).refused != 0
    let stands = try isRefused(handle, key: key)
    guard refused || !stands else { return .left("it was refused since") }
    try restoreFavorite(row.id, as: entity)
    if refused { try removeRefusal(handle, entity: entity) }
    return .done(
      try record(
        .star, handle, entity: entity, acting,
        detail: "{\"of\":\(row.id),\"refused\":\(refused ? 1 : 0)}"))
  }

  private func undoUncause(
    _ row: HistoryRow, _ handle: KindHandle, _ acting: Acting
  ) throws(SQLiteError) -> Outcome {
    guard let entity = row.entity, try isFavorite(entity) else {
      return .left("it is no favorite any more")
    }
    guard let cause = try detailCause(row) else { return .left("its cause is not known") }
    if let restored = try detail(row).restored {
      guard let present = try causeNumber(entity, actor: restored) else {
        return .left("its cause is gone")
      }
      let before = try causeText(entity, number: present.number)
      let update = try statement(.replaceCause)
      update.bind(1, entity)
      update.bind(2, present.number)
      update.bind(3, cause.actor)
      update.bind(4, cause.line)
      update.bind(5, cause.evidence)
      update.bind(6, cause.at)
      try update.run()
      return .done(
        try record(
          .uncause, handle, entity: entity, acting,
          detail: ChangeDetail.restored(cause.actor, over: before)))
    }
    guard try causeNumber(entity, actor: cause.actor) == nil else {
      return .left("the cause is there again")
    }
    try insertCause(entity, cause)
    // The cause is its first actor's; who brought it back is in the run.
    var origin = acting
    origin.actor = cause.actor
    origin.line = cause.line
    return .done(try record(.cause, handle, entity: entity, origin))
  }

  private func undoTags(
    _ row: HistoryRow, _ handle: KindHandle, _ acting: Acting
  ) throws(SQLiteError) -> Outcome {
    guard let entity = row.entity, try isFavorite(entity) else {
      return .left("it is no favorite any more")
    }
    let tags = try texts(row.detail, "$.tags")
    let before = connection.lastInsertedRow
    if row.action == .tag {
      try removeTags(handle, entity, tags, acting)
    } else {
      try addTags(handle, entity, tags, acting)
    }
    let change = connection.lastInsertedRow
    guard change != before else { return .left("its tags were changed since") }
    return .done(change)
  }

  private func undoNote(
    _ row: HistoryRow, _ handle: KindHandle, _ acting: Acting
  ) throws(SQLiteError) -> Outcome {
    guard let entity = row.entity, try isFavorite(entity) else {
      return .left("it is no favorite any more")
    }
    let detail = try detail(row)
    guard try note(of: entity) == detail.after else { return .left("its note was changed since") }
    try setNote(handle, entity, detail.before, acting)
    return .done(connection.lastInsertedRow)
  }

  private func undoRefusal(
    _ row: HistoryRow, _ handle: KindHandle, _ acting: Acting
  ) throws(SQLiteError) -> Outcome {
    var key = row.key
    if let entity = row.entity { key = try keyOf(entity, handle) ?? key }
    guard let key = try key.map({ key throws(SQLiteError) in try presentKey(key, handle) }) else {
      return .left("its entity is gone")
    }
    // One that was never seen when it was refused may have been since.
    let entity = try find(handle, key: key)
    return try unsafe Array(key.utf8).span.bytes.withUnsafeBytes { bytes throws(SQLiteError) in
      if row.action == .refuse {
        var lifted = try unsafe removeRefusal(handle, key: bytes)
        if !lifted, let own = row.key { lifted = try removeRefusal(handle, key: own) }
        guard lifted else {
          return .left("the refusal was lifted since")
        }
        return .done(
          try record(
            .allow, handle, entity: row.entity, key: row.entity == nil ? key : nil, acting))
      }
      if let entity, try isFavorite(entity) { return .left("it is a favorite now") }
      guard try unsafe addRefusal(handle, key: bytes, now: acting.now) else {
        return .left("it is refused again")
      }
      return .done(
        try record(
          .refuse, handle, entity: row.entity, key: row.entity == nil ? key : nil, acting))
    }
  }
}

extension Undo {
  var title: String {
    switch self {
    case .change(let id): "undo \(id)"
    case .run(let run): "undo --run \(run)"
    case .rule(let name): "undo --rule \(name)"
    case .last: "undo"
    }
  }

  var missing: String {
    switch self {
    case .change(let id): "change \(id) that could be undone"
    case .run(let run): "change of run \(run) that could be undone"
    case .rule(let name): "favorite that rule \"\(name)\" chose"
    case .last: "change to undo"
    }
  }
}
