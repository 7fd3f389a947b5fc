import StarlingModel

/// The parts of a record that its bytes do not hold as the database keeps them: lists as JSON, and
/// the folded forms of indexed texts. They lie in one buffer that statements are bound to.
struct Scratch {
  private(set) var bytes: [UInt8] = []
  /// By field; empty for a field that is no list.
  private(set) var lists: [Range<Int>] = []
  /// By field; nil for one whose fold says nothing new.
  private(set) var folded: [Range<Int>?] = []
  private var form: [UInt8] = []

  /// Checks each value against its field's type and lays out what must be made.
  ///
  /// - Throws: `badValue` naming the field.
  mutating func prepare(
    _ record: borrowing EntityRecord, for table: KindTable
  ) throws(FavoritesError) {
    bytes.removeAll(keepingCapacity: true)
    lists.removeAll(keepingCapacity: true)
    folded.removeAll(keepingCapacity: true)
    guard record.slots.count == table.columns.count else {
      throw .badValue(
        kind: table.kind.name, field: "*",
        reason: "the record has \(record.slots.count) fields, the kind \(table.columns.count)")
    }
    for (place, column) in table.columns.enumerated() {
      lists.append(0..<0)
      folded.append(nil)
      switch (record.slots[place], column.field.type) {
      case (.absent, _), (.integer, .integer), (.boolean, .boolean), (.time, .time),
        (.integer, .time), (.integer, .real):
        break
      case (.text(let range), .text), (.text(let range), .url):
        if column.foldedName != nil { addFolded(record, range, place) }
      case (.real(let number), .real):
        guard number.isFinite else { throw Scratch.notFinite(table, column) }
      case (.money(let money), .money):
        let low = record.moneys[money].low ?? 0
        let high = record.moneys[money].high ?? 0
        guard low.isFinite, high.isFinite else { throw Scratch.notFinite(table, column) }
      case (.list(let range), .list):
        addList(record, range, place)
      case (let slot, let type):
        throw .badValue(
          kind: table.kind.name, field: column.field.name,
          reason: "expected \(type.rawValue), got \(slot.typeName)")
      }
    }
  }

  private mutating func addList(
    _ record: borrowing EntityRecord, _ items: Range<Int>, _ place: Int
  ) {
    let start = bytes.count
    bytes.append(UInt8(ascii: "["))
    for item in items {
      if item != items.lowerBound { bytes.append(UInt8(ascii: ",")) }
      ListText.append(record.bytes[record.items[item]], to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
    lists[place] = start..<bytes.count
  }

  private mutating func addFolded(
    _ record: borrowing EntityRecord, _ range: Range<Int>, _ place: Int
  ) {
    let differs = unsafe record.bytes.span.bytes.extracting(range).withUnsafeBytes { text in
      unsafe FoldedForm.differs(text, form: &form)
    }
    guard differs else { return }
    let start = bytes.count
    bytes.append(contentsOf: form)
    folded[place] = start..<bytes.count
  }

  private static func notFinite(_ table: KindTable, _ column: FieldColumn) -> FavoritesError {
    .badValue(
      kind: table.kind.name, field: column.field.name,
      reason: "a number that is not finite cannot be kept")
  }
}

extension EntityRecord.Slot {
  /// The type's name as errors say it.
  var typeName: String {
    switch self {
    case .absent: "nothing"
    case .text: "text"
    case .integer: "integer"
    case .real: "real"
    case .boolean: "boolean"
    case .time: "time"
    case .money: "money"
    case .list: "list"
    }
  }
}
