public import StarlingModel
import StarlingSQLite

// A kind's key is changed with the help of a temporary table, `rekeying`: for each entity its old
// and its new key, and where several get the same key, the one that the others become part of.
extension FavoritesStore {
  /// Makes the key of a kind from other fields, and gives each entity its new key.
  ///
  /// Old keys stand for the new ones from then on, in look-ups, loads and refusals. Where several
  /// entities get one key they become one, that of the newest. All of it is one run, which `undo`
  /// takes back.
  /// - Parameters:
  ///   - name: the kind's.
  ///   - fields: what the key is made of, in this order.
  ///   - apply: false for a preview, which changes nothing.
  ///   - origin: who acts; nil for whom the store's options name.
  /// - Throws: `unknownField`, `badKey` for fields that cannot be a key.
  public func rekey(
    kind name: String, fields: [String], apply: Bool, by origin: Cause.Origin? = nil
  ) throws(FavoritesError) -> RekeyReport {
    let outer = run
    defer { run = outer }
    try begin()
    do throws(FavoritesError) {
      let handle = try handle(kind: name)
      let target = try keyRule(of: fields, handle)
      run = RunState(title: "rekey \(name) --key \(fields.joined(separator: ","))")
      let acting = try acting(origin)
      var report = RekeyReport(kind: name, from: handle.kind.key, to: target)
      try planRekeying(handle, target, &report)
      guard apply else {
        rollback()
        return report
      }
      try sql { () throws(SQLiteError) in
        try moveAll(handle, acting)
        try mergeAll(handle, acting)
        try setKeyRule(handle, target)
        try record(
          .rekey, handle, entity: nil, acting,
          detail: ChangeDetail.keyRule(before: report.from, after: target))
      }
      report.run = run.id
      try loadKinds()
      try commit()
      return report
    } catch {
      if isInTransaction { rollback() }
      throw error
    }
  }

  private func keyRule(
    of fields: [String], _ handle: KindHandle
  ) throws(FavoritesError) -> Kind.KeyRule {
    for field in fields where handle.kind.index(of: field) == nil {
      throw .unknownField(
        kind: handle.kind.name, field: field,
        nearest: Spelling.nearest(to: field, among: handle.kind.fields.map(\.name)))
    }
    var declaration = KindDeclaration(handle.kind)
    declaration.key = .fields(fields)
    var model = KindModel()
    do { try model.merge([declaration], from: "rekey") } catch {
      throw .badKey(kind: handle.kind.name, reason: error.reason)
    }
    guard declaration.key != handle.kind.key else {
      throw .badKey(kind: handle.kind.name, reason: "its key is made of these fields already")
    }
    return .fields(fields)
  }

  /// Fills `rekeying`, and counts.
  private func planRekeying(
    _ handle: KindHandle, _ target: Kind.KeyRule, _ report: inout RekeyReport
  ) throws(FavoritesError) {
    var kind = handle.kind
    kind.key = target
    let insert = try sql { () throws(SQLiteError) in
      try emptyRekeying()
      return try connection.prepare(
        "INSERT INTO temp.rekeying (entity, old, new) VALUES (?1, ?2, ?3)")
    }
    var record = EntityRecord()
    var counted = report
    _ = try forEachRow(Query(kind: kind.name, scope: .everything)) { row throws(FavoritesError) in
      row.fill(&record)
      let old = record.string(record.key)
      let hasKey = EntityKey.setKey(of: &record, kind: kind)
      let new = hasKey ? record.string(record.key) : old
      if !hasKey {
        counted.keyless += 1
        if counted.keylessExamples.count < RekeyReport.exampleCount {
          counted.keylessExamples.append(old)
        }
      }
      insert.bind(1, row.rowid)
      insert.bind(2, old)
      insert.bind(3, new)
      try sql { () throws(SQLiteError) in try insert.run() }
      return true
    }
    report = counted
    try sql { () throws(SQLiteError) in
      try findWinners(handle)
      try planRefusals(handle, kind, &report)
      try countRekeying(&report)
    }
  }

  private func emptyRekeying() throws(SQLiteError) {
    try connection.execute(
      """
      DROP TABLE IF EXISTS temp.rekeying;
      CREATE TEMP TABLE rekeying (
        entity INTEGER PRIMARY KEY, old TEXT NOT NULL, new TEXT NOT NULL, winner INTEGER
      );
      DROP TABLE IF EXISTS temp.rekeying_refusals;
      CREATE TEMP TABLE rekeying_refusals (
        old TEXT PRIMARY KEY, new TEXT NOT NULL, at INTEGER, was_refused INTEGER NOT NULL DEFAULT 0
      )
      """)
  }

  /// Of entities that get the same key one has it already, or is the newest: the others become part
  /// of it.
  private func findWinners(_ handle: KindHandle) throws(SQLiteError) {
    try connection.execute(
      """
      CREATE INDEX temp.rekeying_by_new ON rekeying (new);
      CREATE INDEX temp.rekeying_by_old ON rekeying (old);
      UPDATE temp.rekeying SET winner =
        (SELECT o.entity FROM temp.rekeying o JOIN \(handle.table.table) e ON e.rowid = o.entity
          WHERE o.new = rekeying.new
          ORDER BY o.old = o.new DESC, e.last_seen DESC, o.entity DESC LIMIT 1)
      WHERE new IN (SELECT new FROM temp.rekeying GROUP BY new HAVING count(*) > 1)
      """)
  }

  /// The refusals of keys that entities have, and of others as far as the key tells the new one.
  private func planRefusals(
    _ handle: KindHandle, _ kind: Kind, _ report: inout RekeyReport
  ) throws(SQLiteError) {
    try connection.execute(
      """
      INSERT INTO temp.rekeying_refusals (old, new, at)
      SELECT f.key, r.new, f.at FROM refusals f JOIN temp.rekeying r ON r.old = f.key
      WHERE f.kind = \(handle.id) AND r.old <> r.new
      """)
    let insert = try connection.prepare(
      "INSERT INTO temp.rekeying_refusals (old, new, at) VALUES (?1, ?2, ?3)")
    let unseen = try connection.prepare(
      """
      SELECT key, at FROM refusals f WHERE kind = \(handle.id)
        AND NOT EXISTS (SELECT 1 FROM temp.rekeying r WHERE r.old = f.key)
      """)
    while try unseen.step() {
      let old = unseen.string(0) ?? ""
      let values = EntityKey.values(ofKey: old, kind: handle.kind) ?? [:]
      guard case .fields(let names) = kind.key, names.allSatisfy({ values[$0] != nil }),
        let new = EntityKey.key(of: Entity(kind: kind.name, key: "", values: values), kind: kind)
      else {
        report.refusalsLeft += 1
        continue
      }
      guard new != old else { continue }
      insert.bind(1, old)
      insert.bind(2, new)
      insert.bind(3, unseen.integer(1))
      try insert.run()
    }
  }

  private func countRekeying(_ report: inout RekeyReport) throws(SQLiteError) {
    func count(_ what: String) throws(SQLiteError) -> Int {
      Int(try connection.integer("SELECT count(*) FROM temp.\(what)") ?? 0)
    }
    func examples(_ condition: String) throws(SQLiteError) -> [RekeyReport.Example] {
      let list = try connection.prepare(
        """
        SELECT old, new FROM temp.rekeying WHERE \(condition)
        ORDER BY entity LIMIT \(RekeyReport.exampleCount)
        """)
      var examples: [RekeyReport.Example] = []
      while try list.step() {
        examples.append(
          RekeyReport.Example(from: list.string(0) ?? "", to: list.string(1) ?? ""))
      }
      return examples
    }
    let moves = "old <> new AND (winner IS NULL OR winner = entity)"
    report.moved = try count("rekeying WHERE \(moves)")
    report.merged = try count("rekeying WHERE winner <> entity")
    report.unchanged =
      try count("rekeying") - report.moved - report.merged - report.keyless
    report.refusals = try count("rekeying_refusals")
    report.movedExamples = try examples(moves)
    report.mergedExamples = try examples("winner <> entity")
  }

  /// Gives all entities of `rekeying` their new keys at once: two may change places.
  private func moveAll(_ handle: KindHandle, _ acting: Acting) throws(SQLiteError) {
    let table = handle.table.table
    let run = try runID(acting.now)
    // Nobody's key stands in another's way, and those that go into another one are out of it.
    try connection.execute(
      """
      UPDATE \(table) SET key = char(1) || rowid
        WHERE rowid IN (SELECT entity FROM temp.rekeying WHERE old <> new OR winner <> entity);
      UPDATE \(table) SET key = (SELECT new FROM temp.rekeying r WHERE r.entity = \(table).rowid)
        WHERE rowid IN (SELECT entity FROM temp.rekeying
          WHERE old <> new AND (winner IS NULL OR winner = entity));
      UPDATE aliases SET target = (SELECT new FROM temp.rekeying r WHERE r.old = aliases.target)
        WHERE kind = \(handle.id)
          AND target IN (SELECT old FROM temp.rekeying WHERE old <> new);
      DELETE FROM aliases WHERE kind = \(handle.id) AND key IN (SELECT new FROM temp.rekeying);
      INSERT OR REPLACE INTO aliases (kind, key, target, at)
        SELECT \(handle.id), old, new, \(acting.now) FROM temp.rekeying WHERE old <> new
          AND old NOT IN (SELECT new FROM temp.rekeying);
      INSERT OR REPLACE INTO aliases (kind, key, target, at)
        SELECT \(handle.id), old, new, \(acting.now) FROM temp.rekeying_refusals
        WHERE old NOT IN (SELECT new FROM temp.rekeying);
      DELETE FROM refusals WHERE kind = \(handle.id)
        AND key IN (SELECT old FROM temp.rekeying_refusals);
      UPDATE temp.rekeying_refusals SET was_refused = 1
        WHERE new IN (SELECT key FROM refusals WHERE kind = \(handle.id));
      INSERT OR IGNORE INTO refusals (kind, key, at)
        SELECT \(handle.id), new, at FROM temp.rekeying_refusals
      """)
    // Refusals go over as changes of their own, each of which can be undone.
    let history = try connection.prepare(
      """
      INSERT INTO history (at, action, kind, entity, key, actor, run, detail)
      SELECT ?1, what, ?2, entity, key, ?3, ?4, detail FROM (
        SELECT 1 AS part, 'rekey' AS what, entity, NULL AS key,
          json_object('was', 1, 'before', old, 'after', new) AS detail
        FROM temp.rekeying WHERE old <> new AND (winner IS NULL OR winner = entity)
        UNION ALL SELECT 2, 'allow', NULL, old, NULL FROM temp.rekeying_refusals
        UNION ALL SELECT DISTINCT 3, 'refuse', NULL, new, NULL FROM temp.rekeying_refusals
          WHERE NOT was_refused)
      ORDER BY part, entity, key
      """)
    history.bind(1, acting.now)
    history.bind(2, handle.id)
    history.bind(3, acting.actor)
    history.bind(4, run)
    try history.run()
    handle.forgetFlags()
  }

  private func mergeAll(_ handle: KindHandle, _ acting: Acting) throws(SQLiteError) {
    let list = try connection.prepare(
      "SELECT entity, winner, old, new FROM temp.rekeying WHERE winner <> entity ORDER BY entity")
    while try list.step() {
      let keys = (from: list.string(2) ?? "", to: list.string(3) ?? "")
      try merge(handle, list.integer(0), into: list.integer(1), keys, acting)
    }
    // A favorite by hand outweighs a refusal that came over to its key; any other is outweighed.
    let refused = try connection.prepare("SELECT new FROM temp.rekeying_refusals ORDER BY new")
    while try refused.step() {
      try settle(handle, key: refused.string(0) ?? "", acting)
    }
  }

  /// Writes the rule down, and makes other connections look at the kinds again: the view, which
  /// names the key, is made anew.
  private func setKeyRule(_ handle: KindHandle, _ rule: Kind.KeyRule) throws(SQLiteError) {
    try connection.withStatement("UPDATE kinds SET key = nullif(?2, '') WHERE id = ?1") {
      update throws(SQLiteError) in
      update.bind(1, handle.id)
      update.bind(2, rule.names)
      try update.run()
    }
    var kind = handle.kind
    kind.key = rule
    try remakeView(KindTable(kind: kind, columns: handle.table.columns))
  }

  /// Takes the change of a kind's key back, with all entities of its run that still have the key
  /// which it gave them.
  func undoKeyRule(
    _ row: HistoryRow, _ handle: KindHandle, _ acting: Acting
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
      CREATE INDEX temp.rekeying_by_new ON rekeying (new);
      DELETE FROM temp.rekeying WHERE EXISTS (SELECT 1 FROM \(table) e WHERE e.key = rekeying.new
        AND e.rowid NOT IN (SELECT entity FROM temp.rekeying));
      DELETE FROM aliases WHERE kind = \(handle.id) AND at = \(row.at)
        AND NOT EXISTS (SELECT 1 FROM \(table) e WHERE e.key = aliases.target)
      """)
    try moveAll(handle, acting)
    try setKeyRule(handle, Kind.KeyRule(names: before))
    try connection.execute(
      """
      UPDATE history SET undone_by = (SELECT max(i.id) FROM history i
          WHERE i.entity = history.entity AND i.id > \(first) AND i.action = 'rekey')
      WHERE run = \(row.run ?? 0) AND action = 'rekey' AND undone_by IS NULL
        AND entity IN (SELECT entity FROM temp.rekeying)
      """)
    return try record(
      .rekey, handle, entity: nil, acting,
      detail: ChangeDetail.note(before: after, after: before))
  }
}

extension Kind.KeyRule {
  /// The names of the fields, separated by commas; empty for a key that the store makes.
  var names: String {
    switch self {
    case .auto: ""
    case .fields(let names): names.joined(separator: ",")
    }
  }

  init(names: String) {
    self = names.isEmpty ? .auto : .fields(names.split(separator: ",").map { String($0) })
  }
}
