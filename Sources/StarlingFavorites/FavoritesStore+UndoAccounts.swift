import StarlingModel
import StarlingSQLite

/// What changes are of: an entity, or a key of which nothing was ever seen.
private enum AccountThing: Hashable {
  case entity(Int64)
  case unseen(kind: Int64, key: String)
}

/// The changes of one thing that are to be taken back.
private struct AccountTask {
  let thing: AccountThing
  let handle: KindHandle
  var rows: [HistoryRow] = []
  /// Undos of other things that took changes of this one back too.
  var foreign: Set<Int64> = []
  /// The number of the oldest change that matters.
  var first: Int64 = .max
}

/// The part of an undo that is about favorites, tags, notes and refusals, thing by thing.
extension FavoritesStore {
  func undoAccounts(_ work: inout UndoWork) throws(SQLiteError) {
    var unseen = UnseenAccounts()
    for task in try tasks(&work) { try undo(task, &work, &unseen) }
  }

  private func tasks(_ work: inout UndoWork) throws(SQLiteError) -> [AccountTask] {
    var tasks: [AccountTask] = []
    var places: [AccountThing: Int] = [:]
    func place(_ row: HistoryRow, _ handle: KindHandle) throws(SQLiteError) -> Int {
      let thing = try thing(row, handle)
      if let place = places[thing] { return place }
      places[thing] = tasks.count
      tasks.append(AccountTask(thing: thing, handle: handle))
      return tasks.count - 1
    }
    for row in work.rows where row.action != .rekey {
      if work.keyRule != nil, try historyRows(.historyRow, row.id).first?.undoneBy != nil {
        continue
      }
      guard let handle = handles.first(where: { $0.id == row.kind }), row.action != nil else {
        continue
      }
      guard row.detail != ChangeDetail.moved else {
        try takeBack(moved: row, &work)
        continue
      }
      let own = try place(row, handle)
      tasks[own].rows.append(row)
      // One that brought others back, or is part of such a one, goes back to where these are.
      let back = try texts(row.detail, "$.back").compactMap { Int64($0) }
      let whole = try texts(row.detail, "$.undo")
      tasks[own].first = min(tasks[own].first, back.isEmpty && whole.isEmpty ? row.id : 0)
      for id in back {
        guard let brought = try historyRows(.historyRow, id).first, brought.undoneBy == nil else {
          continue
        }
        let other = try place(brought, handle)
        if other != own { tasks[other].rows.append(brought) }
        tasks[other].first = min(tasks[other].first, id)
      }
      for returning in try historyRows(.takenBackBy, row.id) where returning.action != .rekey {
        let other = try place(returning, handle)
        tasks[other].first = min(tasks[other].first, returning.id)
        if other != own { tasks[other].foreign.insert(row.id) }
      }
    }
    for favorite in work.favorites {
      guard let handle = try handle(ofFavorite: favorite), places[.entity(favorite)] == nil else {
        continue
      }
      places[.entity(favorite)] = tasks.count
      tasks.append(AccountTask(thing: .entity(favorite), handle: handle))
    }
    return tasks
  }

  /// A refusal that went over to another key with its thing goes back with that, and by nothing else.
  private func takeBack(moved row: HistoryRow, _ work: inout UndoWork) throws(SQLiteError) {
    if work.rows.contains(where: { $0.action == .rekey }) { return work.moved.append(row) }
    guard let change = try change(row) else { return }
    let reason = "it went over with its key, and goes back with that"
    work.report.left.append(UndoReport.Left(change: change, reason: reason))
  }

  private func handle(ofFavorite entity: Int64) throws(SQLiteError) -> KindHandle? {
    let find = try statement(.kindOfFavorite)
    find.bind(1, entity)
    defer { find.reset() }
    guard try find.step() else { return nil }
    let kind = find.integer(0)
    return handles.first { $0.id == kind }
  }

  private func thing(
    _ row: HistoryRow, _ handle: KindHandle
  ) throws(SQLiteError) -> AccountThing {
    var key = row.key
    if let entity = row.entity {
      let isRefusal = row.action == .refuse || row.action == .allow
      // A refusal is of the thing that its entity has become part of.
      guard isRefusal, let own = key, try keyOf(entity, handle) == nil else {
        return .entity(entity)
      }
      key = own
    }
    return try thing(ofKey: key ?? "", handle)
  }

  private func thing(ofKey key: String, _ handle: KindHandle) throws(SQLiteError) -> AccountThing {
    if let entity = try plainFind(handle, key: key) { return .entity(entity) }
    // A key that is refused itself is not the thing that it stands for elsewhere.
    let refused = try statement(.isRefused)
    refused.bind(1, handle.id)
    refused.bind(2, key)
    let isRefused = try refused.step()
    refused.reset()
    if isRefused { return .unseen(kind: handle.id, key: key) }
    let present = try presentKey(key, handle)
    if let entity = try find(handle, key: present) { return .entity(entity) }
    return .unseen(kind: handle.id, key: present)
  }

  private func entries(
    _ task: AccountTask, _ unseen: inout UnseenAccounts
  ) throws(SQLiteError) -> [AccountEntry] {
    if unseen.kinds.insert(task.handle.id).inserted {
      for entry in try unseenRefusals(task.handle) {
        let thing = try thing(ofKey: entry.row.key ?? "", task.handle)
        unseen.entries[thing, default: []].append(entry)
      }
    }
    let ofKey = unseen.entries[task.thing] ?? []
    guard case .entity(let entity) = task.thing else { return ofKey }
    let own = try accountEntries(entity, from: task.first)
    var strange: [AccountEntry] = []
    for row in task.rows where row.entity != nil && row.entity != entity {
      if let entry = try accountEntry(row) { strange.append(entry) }
    }
    guard !ofKey.isEmpty || !strange.isEmpty else { return own }
    let begin = own.first.map { $0.counts && $0.row.action == .unstar ? $0.row.id : 0 } ?? 0
    return (own + ofKey.filter { $0.row.id >= begin || $0.row.id >= task.first } + strange)
      .sorted { $0.row.id < $1.row.id }
  }

  private func undo(
    _ task: AccountTask, _ work: inout UndoWork, _ unseen: inout UnseenAccounts
  ) throws(SQLiteError) {
    var entries = try entries(task, &unseen)
    var ids = task.foreign.union(task.rows.map(\.id))
    if let rule = work.rule {
      let begin = entries.last { $0.counts && $0.row.action == .unstar }?.row.id ?? 0
      entries = entries.filter { $0.row.id >= begin }
      for entry in entries where entry.counts && entry.row.id > begin && entry.giver == rule {
        if entry.row.action == .star || entry.row.action == .cause { ids.insert(entry.row.id) }
      }
    }
    var plan = UndoPlan(entries, taking: ids, dropping: work.rule)
    if let reason = try barred(task, work) {
      plan.leaveAll(reason)
    } else if let reason = try lost(plan) {
      plan.leaveAll(reason)
    }
    // As they are before anything is done.
    var undone: [Change] = []
    for entry in plan.undone where task.foreign.isEmpty || ids.contains(entry.row.id) {
      if let change = try change(entry.row) { undone.append(change) }
    }
    for (id, reason) in plan.left {
      guard let entry = entries.first(where: { $0.row.id == id }),
        let change = try change(entry.row)
      else { continue }
      work.report.left.append(UndoReport.Left(change: change, reason: reason))
    }
    if plan.taken.isEmpty, !plan.left.isEmpty { return }
    guard let made = try settle(plan, task, work.acting) else {
      work.report.undone += undone
      return
    }
    var back: [Int64] = []
    for entry in plan.undone {
      if entry.back.isEmpty {
        for row in try historyRows(.takenBackBy, entry.row.id) where row.action != .rekey {
          back.append(row.id)
        }
      }
      try mark(entry.row, undoneBy: made, bringsBack: entry.back.isEmpty)
    }
    if !back.isEmpty { try noteBack(made, back) }
    if undone.isEmpty, task.foreign.isEmpty, let row = try historyRows(.historyRow, made).first,
      let change = try change(row)
    {
      undone.append(change)
    }
    work.report.undone += undone
  }

  /// Gives a thing the state of the plan. Changes that had come to nothing are taken back by a change
  /// too, so that each undo has its undo.
  private func settle(
    _ plan: UndoPlan, _ task: AccountTask, _ acting: Acting
  ) throws(SQLiteError) -> Int64? {
    let handle = task.handle
    switch task.thing {
    case .entity(let entity):
      let keys = task.rows.compactMap(\.key)
      if let made = try settle(plan, entity, handle, acting, keys: keys) { return made }
      return plan.taken.isEmpty ? nil : try record(.undo, handle, entity: entity, acting)
    case .unseen(_, let key):
      let keys = [key] + task.rows.compactMap(\.key)
      if let made = try settle(plan, unseen: keys, handle, acting) { return made }
      return plan.taken.isEmpty ? nil : try record(.undo, handle, entity: nil, key: key, acting)
    }
  }

  func noteBack(_ change: Int64, _ back: [Int64]) throws(SQLiteError) {
    let note = try statement(.noteBack)
    note.bind(1, change)
    note.bind(2, "[" + back.map { String($0) }.joined(separator: ",") + "]")
    try note.run()
  }

  /// What an unstar took is in its detail, which a disk may have damaged.
  private func lost(_ plan: UndoPlan) throws(SQLiteError) -> String? {
    for entry in plan.undone where entry.row.action == .unstar {
      if try snapshot(entry.row.detail) == nil { return "what it was is lost" }
    }
    return nil
  }

  private func barred(_ task: AccountTask, _ work: UndoWork) throws(SQLiteError) -> String? {
    guard case .entity(let entity) = task.thing else { return nil }
    if let reason = work.barred[entity] { return reason }
    return try keyOf(entity, task.handle) == nil ? "it became part of another one since" : nil
  }
}

/// The changes of things of which nothing had been seen, by what they are of today.
private struct UnseenAccounts {
  var kinds: Set<Int64> = []
  var entries: [AccountThing: [AccountEntry]] = [:]
}
