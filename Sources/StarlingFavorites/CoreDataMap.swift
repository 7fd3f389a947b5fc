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

  /// The value of a column as a field of that type; nil when there is none.
  ///
  /// - Throws: when something is there that the field cannot have.
  func value(_ index: Int, as type: FieldType) throws(CoreDataFault) -> Value? {
    let column = Int32(index)
    if let value = try found(index, as: type) { return value }
    switch statement.type(column) {
    case .null: return nil
    case .blob:
      let count = unsafe statement.blob(column)?.count ?? 0
      if count == 0 { return nil }
      throw CoreDataFault("\(CountText.of(count, "byte")) of data are no \(type.rawValue)")
    case .text where text(column) == nil: return nil
    default:
      let shown = statement.string(column) ?? ""
      let text = shown.count > 40 ? shown.prefix(40) + "..." : shown[...]
      throw CoreDataFault("\"\(text)\" is no \(type.rawValue)")
    }
  }

  /// Nil also for what the field cannot have.
  private func found(_ index: Int, as type: FieldType) throws(CoreDataFault) -> Value? {
    let column = Int32(index)
    switch (type, statement.type(column)) {
    case (_, .null): return nil
    case (_, .blob): return type == .text ? uuid(column).map { .text($0) } : nil
    case (.time, .integer), (.time, .real): return time(index).map { .time($0) }
    case (.text, .integer):
      let table = "Z" + columns[index].attribute.uppercased()
      guard let names = titles[table] else { break }
      // A relationship: the number is another table's `Z_PK`.
      let number = statement.integer(column)
      if let name = names[number] { return .text(name) }
      throw CoreDataFault(
        "it refers to row \(number) of \(table), which is not there or has no name")
    case (.text, .text), (.url, .text), (.list, .text):
      guard let bytes = unsafe statement.bytes(column), unsafe isUTF8(bytes) else {
        throw CoreDataFault("it is a text of bytes that are no UTF-8")
      }
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
    default: break
    }
    return text(column).flatMap { Value(importing: $0, as: type) }
  }

  private func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe String(validating: bytes, as: UTF8.self) != nil
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

/// What is in a column and cannot be taken over.
struct CoreDataFault: Error {
  var what: String

  init(_ what: String) {
    self.what = what
  }
}

/// Which kind the rows of an entity become, and which attribute becomes which field.
struct CoreDataMap {
  let entity: String
  let kind: Kind
  /// Attributes that have no place, by their columns' names.
  private(set) var unused: [String] = []
  private let columns: [CoreDataColumn]
  private var fields: [(column: Int, field: Int)] = []
  private var starredAt: Int?
  private var note: Int?

  /// Nil when the entity is none of the kinds.
  init?(entity: String, columns: [CoreDataColumn], kinds: [Kind]) {
    guard let kind = CoreDataNames.kind(entity, kinds) else { return nil }
    self.entity = entity
    self.kind = kind
    self.columns = columns
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

  /// - Parameter report: told of what is there and cannot be taken over.
  func favorite(
    _ row: CoreDataRow, number: Int, report: (ImportProblem) -> Void
  ) -> ImportedFavorite {
    func value(_ column: Int, as type: FieldType) -> Value? {
      do throws(CoreDataFault) { return try row.value(column, as: type) } catch {
        report(
          ImportProblem(line: number, what: "\(entity).\(columns[column].name): \(error.what)"))
        return nil
      }
    }
    var values = Entity(kind: kind.name, key: "")
    for (column, place) in fields {
      let field = kind.fields[place]
      values[field.name] = value(column, as: field.type)
    }
    var favorite = ImportedFavorite(line: number, entity: values)
    if let starredAt, case .time(let time) = value(starredAt, as: .time) {
      favorite.starredAt = time
    }
    if let note, case .text(let text) = value(note, as: .text) { favorite.note = text }
    return favorite
  }
}
