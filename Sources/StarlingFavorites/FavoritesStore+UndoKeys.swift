import StarlingModel
import StarlingSQLite

/// The part of an undo that is about keys: they go back first, so that what is taken back of the
/// entities finds these where they were. Entities that become one again do so at the end.
extension FavoritesStore {
  func undoKeys(_ work: inout UndoWork) throws(SQLiteError) {
    for row in work.rows where row.action == .rekey {
      // A kind's key takes the entities and refusals of its run along.
      if work.keyRule != nil, try historyRows(.historyRow, row.id).first?.undoneBy != nil {
        continue
      }
      guard let change = try change(row) else { continue }
      guard let handle = handles.first(where: { $0.id == row.kind }) else {
        work.report.left.append(UndoReport.Left(change: change, reason: "its kind is unknown"))
        continue
      }
      if row.entity != nil, try detail(row).merge == FavoritesStore.separatedRow {
        work.mergers.append(row)
        continue
      }
      let inverse = try undoNewKey(row, handle, work)
      try settleKey(row, change, handle, inverse, &work)
      if row.isKeyRule, let inverse { work.keyRule = (handle, inverse) }
    }
  }

  /// What was stored since a kind got its key has one that no feed gives it once that is taken back:
  /// it gets the key by the fields of before.
  func findStrays(_ work: inout UndoWork) throws(FavoritesError) {
    for row in work.rows where row.isKeyRule {
      let keys = try sql { () throws(SQLiteError) in try detail(row) }
      guard let before = keys.before, let handle = handles.first(where: { $0.id == row.kind }),
        handle.kind.key.names == keys.after
      else { continue }
      var kind = handle.kind
      kind.key = Kind.KeyRule(names: before)
      guard kind.key != .auto else { continue }
      var record = EntityRecord()
      var strays: [UndoWork.Stray] = []
      _ = try forEachRow(Query(kind: kind.name, scope: .everything)) { row throws(FavoritesError) in
        row.fill(&record)
        let old = record.string(record.key)
        guard EntityKey.setKey(of: &record, kind: handle.kind), record.string(record.key) == old,
          EntityKey.setKey(of: &record, kind: kind)
        else { return true }
        let new = record.string(record.key)
        if new != old { strays.append(UndoWork.Stray(entity: row.rowid, old: old, new: new)) }
        return true
      }
      work.strays += strays
    }
  }

  /// Notes what took a change of a key back; without that the change is left.
  private func settleKey(
    _ row: HistoryRow, _ change: Change, _ handle: KindHandle, _ inverse: Int64?,
    _ work: inout UndoWork
  ) throws(SQLiteError) {
    guard let inverse else { return try leaveKey(row, change, handle, &work) }
    try mark(row, undoneBy: inverse)
    work.report.undone.append(change)
  }

  /// What went over to the entity that another became part of stays with it when they cannot part.
  private func leaveKey(
    _ row: HistoryRow, _ change: Change, _ handle: KindHandle, _ work: inout UndoWork
  ) throws(SQLiteError) {
    let reason = "its key was changed since, or is taken"
    work.report.left.append(UndoReport.Left(change: change, reason: reason))
    let keys = try detail(row)
    guard let entity = row.entity, keys.merge != 0 else { return }
    work.barred[entity] = reason
    if let after = keys.after, let other = try find(handle, key: presentKey(after, handle)) {
      work.barred[other] = reason
    }
  }

  func mergeAgain(_ work: inout UndoWork) throws(SQLiteError) {
    for row in work.mergers {
      guard let change = try change(row),
        let handle = handles.first(where: { $0.id == row.kind })
      else { continue }
      try settleKey(row, change, handle, undoMerge(row, handle, work.acting), &work)
    }
  }

  private func undoNewKey(
    _ row: HistoryRow, _ handle: KindHandle, _ work: UndoWork
  ) throws(SQLiteError) -> Int64? {
    let acting = work.acting
    guard row.entity != nil else {
      return row.isKeyRule
        ? try undoKeyRule(row, handle, acting, strays: work.strays)
        : try undoUnseenRekey(row, handle, acting)
    }
    let keys = try detail(row)
    guard keys.merge == 0 else { return try undoMerge(row, handle, acting) }
    return try undoRekey(row, to: keys.before, from: keys.after, handle, acting)
  }
}
