import StarlingModel
import StarlingSQLite

/// One column of a table that Core Data made.
struct CoreDataColumn {
  var name: String
  /// As declared: `INTEGER`, `VARCHAR`, `TIMESTAMP`, `FLOAT`, `DECIMAL`, `BLOB`.
  var type: String

  /// The attribute's name in lower case: `postid` for `ZPOSTID`.
  var attribute: String { String(name.dropFirst(name.hasPrefix("Z") ? 1 : 0)).lowercased() }

  /// `Z_PK`, `Z_ENT`, `Z_OPT`, the order columns `Z_FOK_...` and the entity columns `Z3_...`.
  var isInternal: Bool { name.dropFirst().contains { $0 == "_" } && !name.hasPrefix("ZZ") }
}

/// One row, by column names.
struct CoreDataRow {
  private let statement: Statement
  private let columns: [CoreDataColumn]
  private let titles: [String: [Int64: String]]

  init(_ statement: Statement, columns: [CoreDataColumn], titles: [String: [Int64: String]]) {
    self.statement = statement
    self.columns = columns
    self.titles = titles
  }

  func integer(_ name: String) -> Int64? {
    guard let index = columns.firstIndex(where: { $0.name == name }),
      statement.type(Int32(index)) == .integer
    else { return nil }
    return statement.integer(Int32(index))
  }

  /// The value of a column as a field of that type; nil when there is none or it is none.
  func value(_ index: Int, as type: FieldType) -> Value? {
    let column = Int32(index)
    switch (type, statement.type(column)) {
    case (_, .null): return nil
    case (_, .blob): return type == .text ? uuid(column).map { .text($0) } : nil
    case (.time, .integer), (.time, .real): return time(index).map { .time($0) }
    case (.text, .integer) where titles["Z" + columns[index].attribute.uppercased()] != nil:
      // A relationship: the number is another table's `Z_PK`.
      let table = "Z" + columns[index].attribute.uppercased()
      return titles[table]?[statement.integer(column)].map { .text($0) }
    case (.boolean, .integer): return .boolean(statement.integer(column) != 0)
    case (.integer, .integer): return .integer(statement.integer(column))
    case (.integer, .real): return Int64(exactly: statement.real(column)).map { .integer($0) }
    case (.money, .integer): return Money(statement.integer(column)).map { .money($0) }
    case (.money, .real): return Money(statement.real(column)).map { .money($0) }
    case (.real, .integer), (.real, .real):
      let number = statement.real(column)
      return number.isFinite ? .real(number) : nil
    case (.text, .real), (.url, .real):
      return EntityKey.text(ofNumber: statement.real(column)).map { .text($0) }
    default: return text(column).flatMap { Value(importing: $0, as: type) }
    }
  }

  /// The text of an attribute that is a UUID, which Core Data keeps as its 16 bytes; all other bytes
  /// are no text.
  private func uuid(_ column: Int32) -> String? {
    let bytes = unsafe statement.blob(column).map { unsafe Array($0) } ?? []
    guard bytes.count == 16 else { return nil }
    var text = ""
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text += "-" }
      text += (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
    return text
  }

  private func text(_ column: Int32) -> String? {
    guard let text = statement.string(column)?.trimmed, !text.isEmpty else { return nil }
    return text
  }

  /// A date of Core Data counts seconds from 2001-01-01 (Foundation: timeIntervalSinceReferenceDate);
  /// a number column of an app's own counts from 1970.
  private func time(_ index: Int) -> Timestamp? {
    let number = statement.real(Int32(index)).rounded(.down)
    guard let seconds = Int64(exactly: number) else { return nil }
    guard columns[index].type == "TIMESTAMP" else { return Timestamp(epoch: seconds) }
    let (since1970, overflow) = seconds.addingReportingOverflow(978_307_200)
    return overflow ? nil : Timestamp(secondsSinceEpoch: since1970)
  }
}

/// Which kind the rows of an entity become, and which attribute becomes which field.
struct CoreDataMap {
  let entity: String
  let kind: Kind
  /// Attributes that have no place, by their columns' names.
  private(set) var unused: [String] = []
  private var fields: [(column: Int, field: Int)] = []
  private var starredAt: Int?
  private var note: Int?

  /// Nil when the entity is none of the kinds.
  init?(entity: String, columns: [CoreDataColumn], kinds: [Kind]) {
    guard let kind = CoreDataNames.kind(entity, kinds) else { return nil }
    self.entity = entity
    self.kind = kind
    let names = columns.map(\.attribute)
    var used: Set<Int> = []
    func take(_ wanted: [String]) -> Int? {
      for name in wanted {
        if let index = names.firstIndex(of: name), !columns[index].isInternal,
          used.insert(index).inserted
        {
          return index
        }
      }
      return nil
    }
    for (place, field) in kind.fields.enumerated() {
      if let column = take(CoreDataNames.attributes(of: field.name, kind.name)) {
        fields.append((column, place))
      }
    }
    starredAt = take(CoreDataNames.starredAt)
    note = take(CoreDataNames.note)
    unused = columns.indices.filter { !used.contains($0) && !columns[$0].isInternal }
      .map { columns[$0].name }
  }

  func favorite(_ row: CoreDataRow, number: Int) -> ImportedFavorite {
    var entity = Entity(kind: kind.name, key: "")
    for (column, place) in fields {
      let field = kind.fields[place]
      entity[field.name] = row.value(column, as: field.type)
    }
    var favorite = ImportedFavorite(line: number, entity: entity)
    if let starredAt, case .time(let time) = row.value(starredAt, as: .time) {
      favorite.starredAt = time
    }
    if let note, case .text(let text) = row.value(note, as: .text) { favorite.note = text }
    return favorite
  }
}
