package import StarlingModel
import StarlingSQLite

/// The favorites that an app kept with Core Data in a SQLite store.
///
/// Core Data gives each entity a table `ZNAME` with `Z_PK` and `Z_ENT`; entities with a common parent
/// share the parent's table, and `Z_PRIMARYKEY` says which number is which entity. Apple documents
/// none of it; what is read here is what all versions have written.
package struct CoreDataFile {
  /// What a store gave.
  package struct Content: Sendable {
    package var favorites: [ImportedFavorite] = []
    /// Rows that gave nothing, and values that could not be taken over.
    package var problems: [ImportProblem] = []
    package var rows = 0
    /// How many rows said again what another row of their kind says.
    package var duplicates = 0
    /// Entities and attributes that have no place here, such as `News.ZVERSION`.
    package var unused: [String] = []
  }

  private let path: String
  private let site: String?

  /// - Parameter site: the site of keys that have one; a store seldom says it.
  package init(path: String, site: String? = nil) {
    self.path = path
    self.site = site
  }

  /// Reads all rows that become an entity of one of the kinds; the file is not written to.
  ///
  /// - Parameter step: told now and then how many rows are read, of how many; true ends the reading.
  /// - Throws: `foreign` when it is no Core Data store; `unreadable` with what SQLite says of it;
  ///   `stopped`.
  package func read(
    _ kinds: [Kind], step: (_ rows: Int, _ total: Int) -> Bool = { _, _ in false }
  ) throws(FavoritesError) -> Content {
    let copy = try CopiedDatabase(of: path)
    defer { copy.remove() }
    var reader: CoreDataReader?
    var content: Content?
    do throws(SQLiteError) {
      let connection = try Connection(
        path: copy.path, mode: .readWrite, busyTimeoutMilliseconds: 1000)
      reader = try CoreDataReader(connection, kinds, site: site)
      content = try reader?.read(step)
    } catch {
      throw .unreadable(path: path, reason: error.message)
    }
    if reader == nil { throw .foreign(path: path) }
    guard let content else { throw .stopped }
    return content
  }
}

/// One reading of a store's tables.
private struct CoreDataReader {
  private let connection: Connection
  private let kinds: [Kind]
  private let site: String?
  /// The names of the entities by `Z_ENT`.
  private var names: [Int64: String] = [:]
  /// What the rows of each table are called, by `Z_PK`: what a relationship refers to.
  private var titles: [String: [Int64: String]] = [:]
  private var content = CoreDataFile.Content()

  /// Nil when it is no Core Data store.
  init?(_ connection: Connection, _ kinds: [Kind], site: String?) throws(SQLiteError) {
    self.connection = connection
    self.kinds = kinds
    self.site = site
    let keys = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'Z_PRIMARYKEY'"
    guard try connection.integer(keys) == 1 else { return nil }
    // Without these the names of the tables have to do.
    let columns = try columns(of: "Z_PRIMARYKEY").map(\.name)
    guard columns.contains("Z_ENT"), columns.contains("Z_NAME") else { return }
    try connection.withStatement("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY") {
      statement throws(SQLiteError) in
      while try statement.step() { names[statement.integer(0)] = statement.string(1) }
    }
  }

  /// Nil when `step` ended it.
  mutating func read(
    _ step: (_ rows: Int, _ total: Int) -> Bool
  ) throws(SQLiteError) -> CoreDataFile.Content? {
    var tables: [(name: String, columns: [CoreDataColumn])] = []
    let list =
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z[A-Z]*' ORDER BY name"
    for table in try connection.texts(list) {
      let columns = try columns(of: table)
      if columns.contains(where: { $0.name == "Z_PK" }) {
        tables.append((table, columns))
      } else {
        content.unused.append(String(table.dropFirst()))
      }
    }
    var total = 0
    for (table, columns) in tables {
      total += Int(try connection.integer("SELECT count(*) FROM \(quoted(table))") ?? 0)
      try readTitles(table, columns)
    }
    var merged = CoreDataMerge()
    var done = 0
    for (table, columns) in tables {
      let isWhole = try readRows(table, columns, &merged) {
        done += 1
        return done % Self.rowsPerStep == 0 && step(done, total)
      }
      if !isWhole { return nil }
    }
    content.favorites = merged.finished(kinds)
    content.duplicates = merged.duplicates
    return content
  }

  private func columns(of table: String) throws(SQLiteError) -> [CoreDataColumn] {
    try connection.withStatement("SELECT name, type FROM pragma_table_info(?1) ORDER BY cid") {
      statement throws(SQLiteError) in
      statement.bind(1, table)
      var columns: [CoreDataColumn] = []
      while try statement.step() {
        columns.append(
          CoreDataColumn(name: statement.string(0) ?? "", type: statement.string(1) ?? ""))
      }
      return columns
    }
  }

  private func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  private mutating func readTitles(
    _ table: String, _ columns: [CoreDataColumn]
  ) throws(SQLiteError) {
    guard
      let title = ["name", "title"].lazy.compactMap({ wanted in
        columns.first { $0.attribute.hasSuffix(wanted) }
      }).first
    else { return }
    let sql = "SELECT Z_PK, \(quoted(title.name)) FROM \(quoted(table))"
    try connection.withStatement(sql) { statement throws(SQLiteError) in
      while try statement.step() {
        if let text = statement.string(1) {
          titles[table, default: [:]][statement.integer(0)] = text
        }
      }
    }
  }

  /// Rows between two steps of the progress.
  private static let rowsPerStep = 256

  /// - Returns: false when `step`, asked at each row, ended it.
  private mutating func readRows(
    _ table: String, _ columns: [CoreDataColumn], _ merged: inout CoreDataMerge,
    _ step: () -> Bool
  ) throws(SQLiteError) -> Bool {
    let names = columns.map { quoted($0.name) }.joined(separator: ", ")
    var maps: [String: CoreDataMap?] = [:]
    let sql = "SELECT \(names) FROM \(quoted(table)) ORDER BY Z_PK"
    return try connection.withStatement(sql) { statement throws(SQLiteError) in
      while try statement.step() {
        if step() { return false }
        let row = CoreDataRow(statement, columns: columns, titles: titles)
        let name = row.integer("Z_ENT").flatMap { self.names[$0] } ?? String(table.dropFirst())
        if maps[name] == nil {
          let map = CoreDataMap(entity: name, columns: columns, kinds: kinds)
          maps[name] = .some(map)
          noteUnused(name, map)
        }
        guard case .some(.some(let map)) = maps[name] else { continue }
        content.rows += 1
        take(row, map, &merged)
      }
      return true
    }
  }

  private mutating func noteUnused(_ name: String, _ map: CoreDataMap?) {
    guard let map else {
      content.unused.append(name)
      return
    }
    content.unused += map.unused.map { "\(name).\($0)" }
  }

  private mutating func take(
    _ row: CoreDataRow, _ map: CoreDataMap, _ merged: inout CoreDataMerge
  ) {
    let number = Int(clamping: row.integer("Z_PK") ?? 0)
    var favorite = map.favorite(row, number: number) { content.problems.append($0) }
    if case .fields(let names) = map.kind.key, names.count == 1,
      case .text(let address) = favorite.entity[names[0]],
      let canonical = URLReference.canonical(address)
    {
      favorite.entity[names[0]] = .text(canonical)
    }
    if let site, map.kind.index(of: "site") != nil { favorite.entity["site"] = .text(site) }
    switch CoreDataMerge.identity(of: favorite.entity, map.kind) {
    case .none:
      content.problems.append(
        ImportProblem(line: number, what: "\(map.entity): it has nothing that identifies it"))
    case .some(let identity):
      merged.add(favorite, map.kind, identity)
    }
  }
}
