package import StarlingModel
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
  /// The first column of each field, counted from the first field's, and one past the last.
  private(set) var offsets: [Int32]
  private var statements: [Statement?]
  private var updates: [[Int]: Statement] = [:]
  /// Whether there may be refusals or aliases of the kind; nil when that is not known.
  var mayHaveRefusals: Bool?
  var mayHaveAliases: Bool?
  var membershipEstimate: MembershipEstimate?

  init(id: Int64, table: KindTable) {
    self.id = id
    self.table = table
    kind = table.kind
    nameBytes = Array(table.kind.name.utf8)
    offsets = KindHandle.offsets(of: table)
    statements = Array(repeating: nil, count: KindStatement.allCases.count)
  }

  /// Takes over a definition that has grown.
  func update(_ table: KindTable) {
    self.table = table
    kind = table.kind
    offsets = KindHandle.offsets(of: table)
    statements = Array(repeating: nil, count: KindStatement.allCases.count)
    updates = [:]
  }

  func statement(
    _ name: KindStatement, on connection: Connection
  ) throws(SQLiteError) -> Statement {
    if let statement = statements[name.rawValue] { return statement }
    let statement = try connection.prepare(name.sql(table))
    statements[name.rawValue] = statement
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
    (0..<table.columns.count).first { offsets[$0] <= column && column < offsets[$0 + 1] }
  }

  func forgetFlags() {
    mayHaveRefusals = nil
    mayHaveAliases = nil
  }

  private static func offsets(of table: KindTable) -> [Int32] {
    var offset: Int32 = 0
    var offsets: [Int32] = [0]
    for column in table.columns {
      offset += Int32(column.columns.count)
      offsets.append(offset)
    }
    return offsets
  }
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
