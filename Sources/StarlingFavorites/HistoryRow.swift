public import StarlingModel
import StarlingSQLite

/// A row of the table `history`.
struct HistoryRow {
  var id: Int64
  var at: Int64
  var action: Change.Action?
  var kind: Int64
  var entity: Int64?
  var key: String?
  var actor: Int64
  var line: Int64?
  var run: Int64?
  var detail: String?
  var undoneBy: Int64?

  /// What it takes of memory, with what is made of it.
  fileprivate var heldBytes: Int { 320 + (key?.utf8.count ?? 0) + (detail?.utf8.count ?? 0) }

  /// Whether the kind's key changed, not that of one entity.
  var isKeyRule: Bool { action == .rekey && entity == nil && key == nil }

  init(_ statement: Statement) {
    id = statement.integer(0)
    at = statement.integer(1)
    action = statement.string(2).flatMap { Change.Action(rawValue: $0) }
    kind = statement.integer(3)
    entity = statement.isNull(4) ? nil : statement.integer(4)
    key = statement.string(5)
    actor = statement.integer(6)
    line = statement.isNull(7) ? nil : statement.integer(7)
    run = statement.isNull(8) ? nil : statement.integer(8)
    detail = statement.string(9)
    undoneBy = statement.isNull(10) ? nil : statement.integer(10)
  }
}

extension FavoritesStore {
  /// The rows that a statement gives, newest or oldest first as it says.
  func historyRows(
    _ name: StoreStatement, _ bindings: Int64...
  ) throws(SQLiteError) -> [HistoryRow] {
    let list = try statement(name)
    for (place, value) in bindings.enumerated() { list.bind(Int32(place + 1), value) }
    defer { list.reset() }
    var rows: [HistoryRow] = []
    while try list.step() { rows.append(try held(HistoryRow(list))) }
    return rows
  }

  /// A row, once it is counted.
  func held(_ row: HistoryRow) throws(SQLiteError) -> HistoryRow {
    try hold(row.heldBytes)
    return row
  }

  /// A row as others see it; nil for a kind or an action that this version does not know.
  func change(_ row: HistoryRow) throws(SQLiteError) -> Change? {
    guard let action = row.action, let handle = handles.first(where: { $0.id == row.kind })
    else { return nil }
    var key = row.key
    if key == nil, let entity = row.entity {
      let find = try handle.statement(.keyOf, on: connection)
      find.bind(1, entity)
      if try find.step() { key = find.string(0) }
      find.reset()
    }
    try hold(320 + (key?.utf8.count ?? 0))
    return Change(
      id: row.id, at: Timestamp(secondsSinceEpoch: row.at), action: action,
      kind: handle.kind.name, key: key ?? "",
      by: try actor(row.actor).causeOrigin(line: row.line), run: row.run,
      isUndone: row.undoneBy != nil, tags: try texts(row.detail, "$.tags"))
  }

  /// The texts of a JSON array within a change's detail.
  func texts(_ json: String?, _ path: String) throws(SQLiteError) -> [String] {
    guard let json, json.utf8.first == UInt8(ascii: "{") else { return [] }
    return try holding(2 * json.utf8.count) { () throws(SQLiteError) in
      let list = try statement(.texts)
      list.bind(1, json)
      list.bind(2, path)
      defer { list.reset() }
      return try self.texts(list)
    }
  }

  /// The first column of all rows as text.
  func texts(_ list: Statement) throws(SQLiteError) -> [String] {
    var texts: [String] = []
    while try list.step() {
      let text = list.string(0) ?? ""
      try hold(32 + text.utf8.count)
      texts.append(text)
    }
    return texts
  }

  /// The causes of a favorite, in the order in which they came.
  func causes(of entity: Int64) throws(SQLiteError) -> [Cause] {
    let list = try statement(.causesOf)
    list.bind(1, entity)
    defer { list.reset() }
    var causes: [Cause] = []
    while try list.step() {
      let line = list.isNull(2) ? nil : list.integer(2)
      let evidence = list.string(3)
      try hold(256 + 2 * (evidence?.utf8.count ?? 0))
      causes.append(
        Cause(
          origin: try actor(list.integer(1)).causeOrigin(line: line),
          evidence: try self.evidence(evidence),
          at: Timestamp(secondsSinceEpoch: list.integer(4))))
    }
    return causes
  }

  private func evidence(_ json: String?) throws(SQLiteError) -> [Evidence] {
    guard let json else { return [] }
    let list = try statement(.evidence)
    list.bind(1, json)
    defer { list.reset() }
    var evidence: [Evidence] = []
    while try list.step() {
      evidence.append(
        Evidence(
          field: list.string(0) ?? "", value: list.string(1) ?? "",
          condition: list.string(2) ?? ""))
    }
    return evidence
  }
}

extension FavoritesStore {
  /// Why an entity is a favorite: its causes in the order in which they came, none when it is none.
  public func causes(kind: String, key: String) throws(FavoritesError) -> [Cause] {
    let handle = try handle(kind: kind)
    return try reading { () throws(FavoritesError) in
      try sql { () throws(SQLiteError) in
        guard let entity = try find(handle, key: key) else { return [] }
        return try causes(of: entity)
      }
    }
  }

  /// Changes, newest first.
  public func history(
    _ filter: HistoryFilter = HistoryFilter()
  ) throws(FavoritesError) -> [Change] {
    try noticeOthers()
    let wanted = try filter.kind.map { name throws(FavoritesError) in try handle(kind: name) }
    return try reading { () throws(FavoritesError) in
      try sql { () throws(SQLiteError) in
        var found: [Change] = []
        var before = filter.before ?? .max
        while found.count < filter.limit {
          let rows = try historyPage(filter, wanted, before: before)
          for row in rows where found.count < filter.limit {
            before = row.id
            if let wanted, row.kind != wanted.id { continue }
            if let run = filter.run, row.run != run { continue }
            guard let change = try self.change(row) else { continue }
            if let key = filter.key, row.entity == nil, change.key != key { continue }
            found.append(change)
          }
          if rows.count < 256 { break }
        }
        return found
      }
    }
  }

  private func historyPage(
    _ filter: HistoryFilter, _ wanted: KindHandle?, before: Int64
  ) throws(SQLiteError) -> [HistoryRow] {
    if let key = filter.key, let wanted, let entity = try find(wanted, key: key) {
      return try historyRows(.historyOfEntity, entity, before, 256)
    }
    if let run = filter.run { return try historyRows(.historyOfRun, run, before, 256) }
    return try historyRows(.historyBefore, before, 256)
  }

  /// Changes after the one with this number, oldest first, at most 1000; ask again from the last.
  public func changes(since id: Int64) throws(FavoritesError) -> [Change] {
    let rows = try sql { () throws(SQLiteError) in
      try historyRows(.historySince, id, 1000)
    }
    try noticeOthers()
    return try sql { () throws(SQLiteError) in
      var changes: [Change] = []
      for row in rows { if let change = try self.change(row) { changes.append(change) } }
      return changes
    }
  }
}
