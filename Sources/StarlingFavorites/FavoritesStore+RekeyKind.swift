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
    let known = apply ? handlesByName[name] : nil
    let bytes = try sql { () throws(SQLiteError) in
      try known.map { kind throws(SQLiteError) in
        try mostEntities(kind) * FavoritesStore.rekeyedBytes
      }
    }
    try begin(writing: bytes ?? 0, atOnce: true)
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
        let change = try record(
          .rekey, handle, entity: nil, acting,
          detail: ChangeDetail.keyRule(before: report.from, after: target))
        try settleRefusals(handle, change, acting)
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

  /// About what is written for one entity: its row, the old key and the new one.
  static let rekeyedBytes: Int64 = 256

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

  func emptyRekeying() throws(SQLiteError) {
    try connection.execute(
      """
      DROP TABLE IF EXISTS temp.rekeying;
      CREATE TEMP TABLE rekeying (
        entity INTEGER PRIMARY KEY, old TEXT NOT NULL, new TEXT NOT NULL, winner INTEGER
      );
      DROP TABLE IF EXISTS temp.rekeying_refusals;
      CREATE TEMP TABLE rekeying_refusals (
        old TEXT NOT NULL, new TEXT NOT NULL, at INTEGER NOT NULL,
        alias INTEGER NOT NULL DEFAULT 0, was_lifted INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (old, new)
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
    report.refusals = try count("rekeying_refusals WHERE old <> new")
    report.movedExamples = try examples(moves)
    report.mergedExamples = try examples("winner <> entity")
  }

  /// Gives all entities of `rekeying` their new keys at once: two may change places.
  func moveAll(_ handle: KindHandle, _ acting: Acting) throws(SQLiteError) {
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
      DELETE FROM aliases WHERE kind = \(handle.id)
        AND key IN (SELECT new FROM temp.rekeying UNION SELECT new FROM temp.rekeying_refusals
          WHERE alias <> 1);
      INSERT OR REPLACE INTO aliases (kind, key, target, at)
        SELECT \(handle.id), old, new, \(acting.now) FROM temp.rekeying WHERE old <> new
          AND old NOT IN (SELECT new FROM temp.rekeying);
      INSERT OR REPLACE INTO aliases (kind, key, target, at)
        SELECT \(handle.id), old, new, \(acting.now) FROM temp.rekeying_refusals
        WHERE alias = 1 AND old NOT IN (SELECT new FROM temp.rekeying)
      """)
    // Refusals are seen to go over as changes of their own; the change of the rule undoes them.
    let history = try connection.prepare(
      """
      INSERT INTO history (at, action, kind, entity, key, actor, run, detail)
      SELECT ?1, what, ?2, entity, key, ?3, ?4, detail FROM (
        SELECT 1 AS part, 'rekey' AS what, entity, NULL AS key,
          json_object('was', 1, 'before', old, 'after', new) AS detail
        FROM temp.rekeying WHERE old <> new AND (winner IS NULL OR winner = entity)
        UNION ALL SELECT DISTINCT 2, 'allow', NULL, old, '\(ChangeDetail.moved)' FROM temp.rekeying_refusals
          WHERE EXISTS (SELECT 1 FROM refusals f WHERE f.kind = ?2 AND f.key = old)
            AND NOT EXISTS (SELECT 1 FROM temp.rekeying_refusals o
              WHERE o.new = rekeying_refusals.old)
        UNION ALL SELECT DISTINCT 3, 'refuse', NULL, new, '\(ChangeDetail.moved)' FROM temp.rekeying_refusals
          WHERE NOT EXISTS (SELECT 1 FROM refusals f WHERE f.kind = ?2 AND f.key = new))
      ORDER BY part, entity, key
      """)
    history.bind(1, acting.now)
    history.bind(2, handle.id)
    history.bind(3, acting.actor)
    history.bind(4, run)
    try history.run()
    try moveRefusals(handle)
    handle.forgetFlags()
  }

  private func mergeAll(_ handle: KindHandle, _ acting: Acting) throws(SQLiteError) {
    let list = try connection.prepare(
      "SELECT entity, winner, old, new FROM temp.rekeying WHERE winner <> entity ORDER BY entity")
    while try list.step() {
      let keys = (from: list.string(2) ?? "", to: list.string(3) ?? "")
      try merge(handle, list.integer(0), into: list.integer(1), keys, acting)
    }
  }

  /// Writes the rule down, and makes other connections look at the kinds again: the view, which
  /// names the key, is made anew.
  func setKeyRule(_ handle: KindHandle, _ rule: Kind.KeyRule) throws(SQLiteError) {
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
