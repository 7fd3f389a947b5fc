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
      guard let inverse = try undoNewKey(row, handle, work.acting) else {
        try leaveKey(row, change, handle, &work)
        continue
      }
      try mark(row, undoneBy: inverse)
      work.made(inverse)
      work.report.undone.append(change)
      if row.isKeyRule { work.keyRule = (handle, inverse) }
    }
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
      guard let inverse = try undoMerge(row, handle, work.acting) else {
        try leaveKey(row, change, handle, &work)
        continue
      }
      try mark(row, undoneBy: inverse)
      work.made(inverse)
      work.report.undone.append(change)
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
}
