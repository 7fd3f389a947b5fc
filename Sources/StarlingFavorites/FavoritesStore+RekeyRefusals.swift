import StarlingModel
import StarlingSQLite

// What becomes of refusals when a kind's key changes, or when that is taken back. The temporary
// table `rekeying_refusals` has a row for each key that is refused and each that shall be instead;
// one with the same key on both sides is refused before and after. Its `alias` is 1 where the first
// key, of something never seen, goes on standing for the second, and 2 where that is taken back.
extension FavoritesStore {
  /// The refusals of keys that entities have, and of others as far as the key tells the new one.
  func planRefusals(
    _ handle: KindHandle, _ kind: Kind, _ report: inout RekeyReport
  ) throws(SQLiteError) {
    try connection.execute(
      """
      INSERT INTO temp.rekeying_refusals (old, new, at)
      SELECT f.key, r.new, f.at FROM refusals f JOIN temp.rekeying r ON r.old = f.key
      WHERE f.kind = \(handle.id) AND r.old <> r.new
      """)
    report.refusalsLeft += try planUnseenRefusals(handle, kind, since: .min)
    // A key that is refused already and now gets an entity, or a second refusal.
    try connection.execute(
      """
      INSERT INTO temp.rekeying_refusals (old, new, at)
      SELECT f.key, f.key, f.at FROM refusals f WHERE f.kind = \(handle.id)
        AND f.key IN (SELECT new FROM temp.rekeying WHERE old <> new
          UNION SELECT new FROM temp.rekeying_refusals)
        AND f.key NOT IN (SELECT old FROM temp.rekeying_refusals)
      """)
  }

  /// - Parameter since: only refusals as new as this; older ones are by another rule.
  /// - Returns: how many have a key that does not tell the new one.
  private func planUnseenRefusals(
    _ handle: KindHandle, _ kind: Kind, since: Int64
  ) throws(SQLiteError) -> Int {
    var left = 0
    let insert = try connection.prepare(
      """
      INSERT INTO temp.rekeying_refusals (old, new, at, alias) VALUES (?1, ?2, ?3, 1)
      """)
    let unseen = try connection.prepare(
      """
      SELECT key, at FROM refusals f WHERE kind = \(handle.id) AND at >= \(since)
        AND NOT EXISTS (SELECT 1 FROM temp.rekeying r WHERE r.old = f.key)
        AND key NOT IN (SELECT old FROM temp.rekeying_refusals)
        AND NOT EXISTS (SELECT 1 FROM \(handle.table.table) e WHERE e.key = f.key)
      """)
    var moved: [(old: String, new: String, at: Int64)] = []
    while try unseen.step() {
      let old = unseen.string(0) ?? ""
      let values = EntityKey.values(ofKey: old, kind: handle.kind) ?? [:]
      guard case .fields(let names) = kind.key, names.allSatisfy({ values[$0] != nil }),
        let new = EntityKey.key(of: Entity(kind: kind.name, key: "", values: values), kind: kind)
      else {
        left += 1
        continue
      }
      if new != old { moved.append((old, new, unseen.integer(1))) }
    }
    for (old, new, at) in moved {
      insert.bind(1, old)
      insert.bind(2, new)
      insert.bind(3, at)
      try insert.run()
    }
    return left
  }

  func moveRefusals(_ handle: KindHandle) throws(SQLiteError) {
    try connection.execute(
      """
      DELETE FROM refusals WHERE kind = \(handle.id)
        AND key IN (SELECT old FROM temp.rekeying_refusals);
      INSERT OR IGNORE INTO refusals (kind, key, at)
        SELECT \(handle.id), new, at FROM temp.rekeying_refusals
      """)
  }

  /// Once all entities have their keys: a favorite by hand outweighs a refusal that came over to its
  /// key, any other is outweighed. The change of the rule then gets down what it did to refusals.
  ///
  /// - Parameter undoes: whether the change is an undo, which what it does again is a part of.
  func settleRefusals(
    _ handle: KindHandle, _ change: Int64, undoes: Bool = false, _ acting: Acting
  ) throws(SQLiteError) {
    let last = try connection.integer("SELECT max(id) FROM history") ?? 0
    for key in try connection.texts("SELECT DISTINCT new FROM temp.rekeying_refusals ORDER BY new")
    {
      try settle(handle, key: key, acting)
    }
    try connection.execute(
      """
      UPDATE history SET detail = json_set(detail, '$.refusals', json((
        SELECT json_group_array(json_array(old, new, at, new NOT IN
          (SELECT key FROM refusals WHERE kind = \(handle.id)), alias)) FROM temp.rekeying_refusals)))
      WHERE id = \(change)
      """)
    guard undoes else { return }
    for row in try historyRows(.historySince, last, .max) where try isSaid(row) {
      try connection.execute(
        """
        UPDATE history SET detail = json_set(
          CASE WHEN json_valid(detail) THEN detail ELSE '{}' END, '$.undo', \(change))
        WHERE id = \(row.id)
        """)
    }
  }

  /// Whether a change only does again what the history says, now that an earlier one is in force.
  private func isSaid(_ row: HistoryRow) throws(SQLiteError) -> Bool {
    guard let entity = row.entity else { return false }
    let others = try accountEntries(entity, from: row.id)
    let account = Account(others.lazy.filter { $0.counts && $0.row.id != row.id })
    return row.action == .allow ? !account.isRefused : !account.isFavorite
  }

  /// The way back of what `settleRefusals` wrote down. A refusal of an entity that was made since
  /// goes with the entity; one that was lifted since stays lifted; one that came with an entity that
  /// became part of another goes with that one.
  private func planRefusalsBack(
    _ row: HistoryRow, _ handle: KindHandle, _ before: Kind.KeyRule
  ) throws(SQLiteError) {
    try connection.execute(
      """
      INSERT OR IGNORE INTO temp.rekeying_refusals (old, new, at, was_lifted, alias)
      SELECT t.value ->> 1, t.value ->> 0, t.value ->> 2, t.value ->> 3,
        CASE t.value ->> 4 WHEN 1 THEN 2 WHEN 2 THEN 1 ELSE 0 END
      FROM history h, json_each(h.detail, '$.refusals') t
      WHERE h.id = \(row.id) AND (t.value ->> 3 OR EXISTS
        (SELECT 1 FROM refusals f WHERE f.kind = h.kind AND f.key = t.value ->> 1));
      INSERT OR IGNORE INTO temp.rekeying_refusals (old, new, at)
      SELECT r.old, r.new, f.at FROM temp.rekeying r
      JOIN refusals f ON f.kind = \(handle.id) AND f.key = r.old
      WHERE r.old <> r.new AND (f.at > \(row.at) OR NOT EXISTS
        (SELECT 1 FROM temp.rekeying_refusals o WHERE o.old = r.old AND NOT o.was_lifted))
        AND NOT EXISTS (SELECT 1 FROM history m WHERE m.run = \(row.run ?? 0)
          AND m.action = 'rekey' AND m.undone_by IS NULL AND m.detail ->> 'after' = r.old
          AND m.detail ->> 'merge' = \(FavoritesStore.mergedRow)
          AND m.detail ->> 'refusal' = \(FavoritesStore.movedRefusal))
      """)
    var kind = handle.kind
    kind.key = before
    _ = try planUnseenRefusals(handle, kind, since: row.at)
  }

  /// Takes the change of a kind's key back, with all entities of its run that still have the key
  /// which it gave them, and with what it did to refusals.
  ///
  /// - Parameter strays: entities that came under the key since; they go along unless that would make
  ///   two of one key.
  func undoKeyRule(
    _ row: HistoryRow, _ handle: KindHandle, _ acting: Acting, strays: [UndoWork.Stray]
  ) throws(SQLiteError) -> Int64? {
    let keys = try detail(row)
    guard let before = keys.before, let after = keys.after, handle.kind.key.names == after else {
      return nil
    }
    let first = try connection.integer("SELECT max(id) FROM history") ?? 0
    try emptyRekeying()
    let table = handle.table.table
    try connection.execute(
      """
      INSERT INTO temp.rekeying (entity, old, new)
      SELECT h.entity, e.key, h.detail ->> 'before' FROM history h
      JOIN \(table) e ON e.rowid = h.entity
      WHERE h.run = \(row.run ?? 0) AND h.action = 'rekey' AND h.undone_by IS NULL
        AND h.detail ->> 'after' = e.key AND h.detail ->> 'row' IS NULL
        AND h.detail ->> 'merge' IS NULL;
      CREATE INDEX temp.rekeying_by_new ON rekeying (new)
      """)
    try addStrays(strays, table)
    try connection.execute(
      """
      DELETE FROM temp.rekeying WHERE EXISTS (SELECT 1 FROM \(table) e WHERE e.key = rekeying.new
        AND e.rowid NOT IN (SELECT entity FROM temp.rekeying));
      CREATE INDEX temp.rekeying_by_old ON rekeying (old);
      DELETE FROM aliases WHERE kind = \(handle.id) AND at = \(row.at)
        AND NOT EXISTS (SELECT 1 FROM \(table) e WHERE e.key = aliases.target)
      """)
    try planRefusalsBack(row, handle, Kind.KeyRule(names: before))
    try moveAll(handle, acting)
    try setKeyRule(handle, Kind.KeyRule(names: before))
    let change = try record(
      .rekey, handle, entity: nil, acting,
      detail: ChangeDetail.note(before: after, after: before))
    try markRekeyed(row, since: first, by: change)
    return change
  }

  private func addStrays(
    _ strays: [UndoWork.Stray], _ table: String
  ) throws(SQLiteError) {
    let insert = try connection.prepare(
      """
      INSERT OR IGNORE INTO temp.rekeying (entity, old, new) SELECT ?1, ?2, ?3
      WHERE NOT EXISTS (SELECT 1 FROM temp.rekeying WHERE new = ?3)
        AND NOT EXISTS (SELECT 1 FROM \(table) WHERE key = ?3)
      """)
    for stray in strays {
      insert.bind(1, stray.entity)
      insert.bind(2, stray.old)
      insert.bind(3, stray.new)
      try insert.run()
    }
  }

  /// What the change of the rule took along is undone with it, and what that had undone is in force
  /// again; or, where it had brought changes back itself, these are undone again. Runs of older
  /// versions have the refusals as changes to be undone one by one.
  private func markRekeyed(
    _ row: HistoryRow, since first: Int64, by change: Int64
  ) throws(SQLiteError) {
    let run = row.run ?? 0
    let moved = """
      run = \(run) AND action = 'rekey' AND undone_by IS NULL
        AND entity IN (SELECT entity FROM temp.rekeying)
      """
    let returning = """
      undone_by = \(row.id) OR undone_by IN (SELECT id FROM history WHERE \(moved))
      """
    let brought = try texts(row.detail, "$.back").compactMap { Int64($0) }
    if brought.isEmpty {
      let back = try connection.texts("SELECT id FROM history WHERE \(returning)")
      if !back.isEmpty { try noteBack(change, back.compactMap { Int64($0) }) }
    }
    try connection.execute(
      """
      UPDATE history SET undone_by = NULL WHERE \(returning);
      UPDATE history SET undone_by = (SELECT max(i.id) FROM history i
          WHERE i.entity = history.entity AND i.id > \(first) AND i.action = 'rekey')
      WHERE \(moved);
      UPDATE history SET undone_by = \(change)
      WHERE run = \(run) AND action IN ('allow', 'refuse') AND undone_by IS NULL
        AND (SELECT detail ->> 'refusals' FROM history WHERE id = \(row.id)) IS NOT NULL;
      UPDATE history SET undone_by = \(change)
      WHERE id IN (SELECT value FROM history h, json_each(h.detail, '$.back') WHERE h.id = \(row.id))
        AND action IN ('rekey', 'allow', 'refuse') AND undone_by IS NULL
      """)
  }
}
