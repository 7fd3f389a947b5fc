public import StarlingModel
import StarlingSQLite

extension FavoritesStore {
  /// Registers kinds with the file: new kinds, fields and indexes are added in one transaction.
  ///
  /// What the file has and `model` lacks stays: a plugin that is absent today takes nothing along.
  /// A store that is open for reading only adds nothing.
  /// - Throws: `kindConflict` when a key or the type of a field is another than the file's; nothing
  ///   is changed then.
  public func register(_ model: KindModel) throws(FavoritesError) {
    do {
      try adopt { kinds throws(KindConflict) in
        for kind in model.kinds {
          let declarer = model.declarer(ofKind: kind.name) ?? "this program"
          try kinds.merge([KindDeclaration(kind)], from: declarer)
        }
      }
    } catch {
      guard case .kindConflict(let conflict) = error, try forgetUnused([conflict]) else {
        throw error
      }
      return try register(model)
    }
    foundKinds.subtract(model.kinds.map(\.name))
  }

  /// Registers what plugins declare, each in its turn; one that contradicts the file or an earlier
  /// plugin is left out alone.
  ///
  /// - Returns: for each plugin that was left out the reason.
  @discardableResult
  public func register(
    _ plugins: [(plugin: String, declarations: [KindDeclaration])]
  ) throws(FavoritesError) -> [KindConflict] {
    var refused: [KindConflict] = []
    try adopt { kinds throws(KindConflict) in
      let known = kinds.kinds.map { KindDeclaration($0) }
      (kinds, refused) = KindModel.merging([(FavoritesStore.declarer, known)] + plugins)
    }
    if try forgetUnused(refused) { return try register(plugins) }
    let left = Set(refused.map(\.plugin))
    for (plugin, declarations) in plugins where !left.contains(plugin) {
      foundKinds.subtract(declarations.map(\.name))
    }
    return refused
  }

  /// The plugins that `register` would leave out, each with the reason. Nothing is written.
  package func conflicts(
    of plugins: [(plugin: String, declarations: [KindDeclaration])]
  ) throws(FavoritesError) -> [KindConflict] {
    func refused(without free: Set<String>) -> [KindConflict] {
      let known = kinds.filter { !free.contains($0.name) }.map { KindDeclaration($0) }
      return KindModel.merging([(FavoritesStore.declarer, known)] + plugins).refused
    }
    let first = refused(without: [])
    let free = try unusedKinds(in: first)
    return free.isEmpty ? first : refused(without: free)
  }

  /// Who declares the kinds of the file, in conflicts.
  static let declarer = "the database"

  private func adopt(
    _ merge: (inout KindModel) throws(KindConflict) -> Void
  ) throws(FavoritesError) {
    func merged() throws(FavoritesError) -> KindModel {
      var merged = model
      do { try merge(&merged) } catch { throw .kindConflict(error) }
      return merged
    }
    let wanted = try merged()
    guard wanted.kinds != model.kinds, !options.readOnly else { return }
    do {
      try transaction(writing: bytes(of: wanted)) { () throws(FavoritesError) in
        // `begin` has read again what other processes registered in the meantime.
        let wanted = try merged()
        let changed = wanted.kinds.filter { $0 != handlesByName[$0.name]?.kind }
        try sql { () throws(SQLiteError) in
          for (place, kind) in changed.enumerated() {
            options.progress(.kind(kind.name, number: place + 1, of: changed.count))
            try migrate(kind)
          }
        }
        changesKinds = true
        try loadKinds()
      }
    } catch {
      // What was rolled back is not there; the first error is the one to tell.
      try? loadKinds()
      throw error
    }
    if isOpen { options.progress(.ready) }
  }

  /// About what is written at once for the kinds of a model: their new indexes.
  private func bytes(of wanted: KindModel) throws(FavoritesError) -> Int64 {
    try sql { () throws(SQLiteError) in
      var bytes: Int64 = 0
      for kind in wanted.kinds {
        guard let handle = handlesByName[kind.name] else { continue }
        let new = Set(kind.indexes).subtracting(handle.kind.indexes).count
        if new > 0 { bytes += try mostEntities(handle) * Int64(new) * FavoritesStore.indexedBytes }
      }
      return bytes
    }
  }

  /// About what an index has for one entity: its text or number, and the rowid.
  private static let indexedBytes: Int64 = 32

  /// Reads the kinds of the file. Handles that exist stay and take over what was added; those of
  /// kinds that are not there, because their transaction was rolled back, go.
  func loadKinds() throws(FavoritesError) {
    // The version and the kinds are of one state of the file: when another process adds a kind
    // between the two, a later look would take the new version for known.
    let isAlone = connection.depth == 0 && !isReading
    if isAlone { try beginReading() }
    defer { if isAlone { endReading() } }
    let (version, found) = try sql { () throws(SQLiteError) in
      (try connection.integer("PRAGMA schema_version") ?? 0, try readKinds())
    }
    var model = KindModel()
    for (id, table) in found {
      do { try model.merge([KindDeclaration(table.kind)], from: FavoritesStore.declarer) } catch {
        throw .corrupt(path: path, detail: error.description)
      }
      if let handle = handlesByName[table.kind.name] {
        if handle.kind != table.kind { handle.update(table) }
      } else {
        let handle = KindHandle(id: id, table: table)
        handles.append(handle)
        handlesByName[table.kind.name] = handle
      }
    }
    handles.removeAll { model[$0.kind.name] == nil }
    for name in handlesByName.keys where model[name] == nil { handlesByName[name] = nil }
    self.model = model
    knownSchemaVersion = version
  }

  private func readKinds() throws(SQLiteError) -> [(Int64, KindTable)] {
    var found: [(Int64, KindTable)] = []
    try connection.withStatement("SELECT id, name, key FROM kinds ORDER BY id") {
      statement throws(SQLiteError) in
      while try statement.step() {
        let key: Kind.KeyRule =
          statement.string(2).map { names in
            .fields(names.split(separator: ",").map { String($0) })
          } ?? .auto
        let kind = Kind(name: statement.string(1) ?? "", key: key, fields: [])
        found.append((statement.integer(0), KindTable(kind: kind, columns: [])))
      }
    }
    for place in found.indices { try readFields(found[place].0, into: &found[place].1) }
    return found
  }

  private func readFields(_ id: Int64, into table: inout KindTable) throws(SQLiteError) {
    var kind = table.kind
    var columns: [FieldColumn] = []
    try connection.withStatement(
      """
      SELECT name, type, column_name, indexed, folded_name FROM fields WHERE kind = ?1
      ORDER BY number
      """
    ) { statement throws(SQLiteError) in
      statement.bind(1, id)
      while try statement.step() {
        let type = statement.string(1).flatMap { FieldType(rawValue: $0) } ?? .text
        let field = Field(statement.string(0) ?? "", type)
        kind.fields.append(field)
        if statement.integer(3) == 1 { kind.indexes.append(field.name) }
        columns.append(
          FieldColumn(
            field: field, name: statement.string(2) ?? field.name,
            isIndexed: statement.integer(3) != 0, foldedName: statement.string(4)))
      }
    }
    table = KindTable(kind: kind, columns: columns)
  }

  /// Makes the table of a kind, or adds to it what it lacks.
  private func migrate(_ kind: Kind) throws(SQLiteError) {
    let old = handlesByName[kind.name]
    let id: Int64
    if let old { id = old.id } else { id = try insertKind(kind) }
    var columns = old?.table.columns ?? []
    var taken = FieldColumn.fixedNames
    for column in columns {
      for part in column.columns { taken.insert(part.name) }
      if let folded = column.foldedName { taken.insert(folded) }
    }
    let known = columns.count
    for field in kind.fields.dropFirst(known) {
      columns.append(FieldColumn.allocate(field, taken: &taken))
    }
    let name = "\"\(kind.name)\""
    if old == nil {
      try connection.execute("DROP VIEW IF EXISTS \(name)")
      try connection.execute(KindTable(kind: kind, columns: columns).createTable)
    } else {
      for part in columns.dropFirst(known).flatMap(\.columns) {
        try connection.execute("ALTER TABLE \(name) ADD COLUMN \"\(part.name)\" \(part.type)")
      }
    }
    try addIndexes(kind, &columns, &taken)
    for (number, column) in columns.enumerated() {
      try writeField(
        id, Int64(number), column, isDeclared: kind.indexes.contains(column.field.name))
    }
    let table = KindTable(kind: kind, columns: columns)
    try remakeView(table)
    if let old { try fillFolded(table, from: old.table) }
  }

  private func addIndexes(
    _ kind: Kind, _ columns: inout [FieldColumn], _ taken: inout Set<String>
  ) throws(SQLiteError) {
    let wanted = Set(kind.indexes + [KindTable.urlField(of: kind)].compactMap { $0 })
    for place in columns.indices
    where !columns[place].isIndexed && wanted.contains(columns[place].field.name) {
      columns[place].isIndexed = true
      options.progress(.index(kind: kind.name, field: columns[place].field.name))
      if columns[place].isText {
        var folded = columns[place].name + "_folded"
        while taken.contains(folded) { folded += "_" }
        taken.insert(folded)
        columns[place].foldedName = folded
        try connection.execute("ALTER TABLE \"\(kind.name)\" ADD COLUMN \"\(folded)\" TEXT")
      }
      let table = KindTable(kind: kind, columns: columns)
      for statement in table.createIndexes(of: columns[place]) {
        try connection.execute(statement)
      }
    }
  }

  /// Makes the table of a kind as the file's own tables describe it.
  func makeTable(_ table: KindTable) throws(SQLiteError) {
    try connection.execute(table.createTable)
    for column in table.columns {
      if let folded = column.foldedName {
        try connection.execute("ALTER TABLE \(table.table) ADD COLUMN \"\(folded)\" TEXT")
      }
      guard column.isIndexed else { continue }
      for statement in table.createIndexes(of: column) { try connection.execute(statement) }
    }
    try remakeView(table)
  }

  /// Makes the view of a kind's favorites, unless a kind has its name.
  func remakeView(_ table: KindTable) throws(SQLiteError) {
    let view = "favorite_\(table.kind.name)"
    guard try isNameFree(view) else { return }
    try connection.execute("DROP VIEW IF EXISTS \"\(view)\"; \(table.createView)")
  }

  private func insertKind(_ kind: Kind) throws(SQLiteError) -> Int64 {
    try connection.withStatement(
      "INSERT INTO kinds (name, key, id) VALUES (?1, ?2, ?3) RETURNING id"
    ) {
      statement throws(SQLiteError) in
      statement.bind(1, kind.name)
      statement.bind(3, forgottenKinds[kind.name])
      if case .fields(let names) = kind.key {
        statement.bind(2, names.joined(separator: ","))
      } else {
        statement.bindNull(2)
      }
      return try statement.step() ? statement.integer(0) : 0
    }
  }

  private func writeField(
    _ kind: Int64, _ number: Int64, _ column: FieldColumn, isDeclared: Bool
  ) throws(SQLiteError) {
    try connection.withStatement(
      """
      INSERT OR REPLACE INTO fields (kind, number, name, type, column_name, indexed, folded_name)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      """
    ) { statement throws(SQLiteError) in
      statement.bind(1, kind)
      statement.bind(2, number)
      statement.bind(3, column.field.name)
      statement.bind(4, column.field.type.rawValue)
      statement.bind(5, column.name)
      statement.bind(6, Int64(column.isIndexed ? (isDeclared ? 1 : 2) : 0))
      statement.bind(7, column.foldedName)
      try statement.run()
    }
  }

  func isNameFree(_ view: String) throws(SQLiteError) -> Bool {
    try connection.withStatement(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1"
    ) { statement throws(SQLiteError) in
      statement.bind(1, view)
      return try !statement.step()
    }
  }

  /// Folds the texts that are there already, for indexes that are new.
  private func fillFolded(_ table: KindTable, from old: KindTable) throws(SQLiteError) {
    for column in table.columns {
      guard let folded = column.foldedName,
        !old.columns.contains(where: { $0.foldedName == folded })
      else { continue }
      let total = Int(try connection.integer("SELECT count(*) FROM \(table.table)") ?? 0)
      var rows = 0
      func tell() {
        let field = column.field.name
        options.progress(.fold(kind: table.kind.name, field: field, rows: rows, of: total))
      }
      let read = try connection.prepare(
        "SELECT rowid, \"\(column.name)\" FROM \(table.table) WHERE \"\(column.name)\" IS NOT NULL")
      let write = try connection.prepare(
        "UPDATE \(table.table) SET \"\(folded)\" = ?2 WHERE rowid = ?1")
      while try read.step() {
        rows += 1
        if rows % FavoritesStore.rowsPerStep == 0 { tell() }
        guard let text = unsafe read.bytes(1) else { continue }
        var form: [UInt8] = []
        guard unsafe FoldedForm.differs(text, form: &form) else { continue }
        write.bind(1, read.integer(0))
        write.bind(2, String(decoding: form, as: UTF8.self))
        try noteWriting(form.count)
        try write.run()
      }
      rows = total
      tell()
    }
  }

  /// Rows of a migration between two steps of its progress.
  private static let rowsPerStep = 1000
}
