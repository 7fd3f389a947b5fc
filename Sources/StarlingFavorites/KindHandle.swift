public import StarlingModel
import StarlingSQLite

/// A kind as the store knows it: its definition, its table and its compiled statements.
///
/// It is good for as long as the store that gave it.
package final class KindHandle {
  /// The kind with all fields that the file has; records have its slots.
  package private(set) var kind: Kind
  let id: Int64
  private(set) var table: KindTable
  /// The name's bytes, for look-ups that make no String.
  let nameBytes: [UInt8]
  /// What reading and writing a row need of each field: plain numbers, so that going through them
  /// counts no references.
  private(set) var layout: [FieldLayout]
  /// The fields whose words are in the search index.
  private(set) var searched: [Int]
  /// How many columns all fields have.
  private(set) var columnCount: Int32
  /// Changed as a whole: accesses to what is changed in place are checked at run time, each time.
  private var statements: [Statement?]
  private var updates: [[Int]: Statement] = [:]
  /// Whether there may be refusals or aliases of the kind; nil when that is not known.
  var mayHaveRefusals: Bool?
  var mayHaveAliases: Bool?
  /// Whether there may be keys that are web addresses with a scheme; absent when not known.
  var schemes: [ItemIdentity.Scheme: Bool] = [:]
  /// The field that is the key, where it is one alone.
  package let singleKeyField: Int?
  var membershipEstimate: MembershipEstimate?
  let heldKeys = HeldKeys()
  /// Queries that were asked and mean the same at any time.
  var compiledQueries: [Query: CompiledQuery] = [:]

  init(id: Int64, table: KindTable) {
    self.id = id
    self.table = table
    kind = table.kind
    if case .fields(let names) = kind.key, names.count == 1 {
      singleKeyField = kind.index(of: names[0])
    } else {
      singleKeyField = nil
    }
    nameBytes = Array(table.kind.name.utf8)
    (layout, columnCount, searched) = KindHandle.layout(of: table)
    statements = Array(repeating: nil, count: KindStatement.allCases.count)
  }

  /// Takes over a definition that has grown.
  func update(_ table: KindTable) {
    self.table = table
    kind = table.kind
    (layout, columnCount, searched) = KindHandle.layout(of: table)
    statements = Array(repeating: nil, count: KindStatement.allCases.count)
    updates = [:]
    compiledQueries = [:]
  }

  func statement(
    _ name: KindStatement, on connection: Connection
  ) throws(SQLiteError) -> Statement {
    if let statement = statements[name.rawValue] { return statement }
    let statement = try connection.prepare(name.sql(table))
    var prepared = statements
    prepared[name.rawValue] = statement
    statements = prepared
    return statement
  }

  /// The statement that changes these fields of one row: only the indexes that they are in are
  /// written.
  func update(
    of fields: [Int], on connection: Connection
  ) throws(SQLiteError) -> Statement {
    if let statement = updates[fields] { return statement }
    var names = ["last_seen"]
    for field in fields {
      let column = table.columns[field]
      names += column.columns.map { "\"\($0.name)\"" }
      if let folded = column.foldedName { names.append("\"\(folded)\"") }
    }
    let assignments = names.enumerated().map { place, name in "\(name) = ?\(place + 2)" }
    let statement = try connection.prepare(
      "UPDATE \(table.table) SET \(assignments.joined(separator: ", ")) WHERE rowid = ?1")
    if updates.count >= 64 { updates.removeAll() }
    updates[fields] = statement
    return statement
  }

  /// The field that a column belongs to, counted from the first field's.
  func field(ofColumn column: Int32) -> Int? {
    layout.firstIndex { $0.offset <= column && column < $0.offset + $0.columnCount }
  }

  func forgetFlags() {
    mayHaveRefusals = nil
    mayHaveAliases = nil
    schemes = [:]
  }

  private static func layout(of table: KindTable) -> ([FieldLayout], Int32, searched: [Int]) {
    var offset: Int32 = 0
    var layout: [FieldLayout] = []
    for column in table.columns {
      let count = Int32(column.columns.count)
      layout.append(
        FieldLayout(
          type: column.field.type, offset: offset, columnCount: count,
          isFolded: column.foldedName != nil, searchColumn: SearchColumn(column.field)))
      offset += count
    }
    return (layout, offset, layout.indices.filter { layout[$0].searchColumn != nil })
  }
}

/// Where a field lies in a row.
@usableFromInline
struct FieldLayout {
  @usableFromInline var type: FieldType
  /// The first column, counted from the first field's.
  @usableFromInline var offset: Int32
  var columnCount: Int32
  /// Whether there is a column for its folded form.
  var isFolded: Bool
  /// Where its words are in the search index; nil when they are not.
  var searchColumn: SearchColumn?
}

@available(*, unavailable)
extension KindHandle: Sendable {}

/// How many favorites and entities a kind has, roughly: what decides where a query starts.
struct MembershipEstimate {
  var favorites: Int64
  var entities: Int64
  /// The connection's count of changes when this was counted.
  var asOf: Int64
}
