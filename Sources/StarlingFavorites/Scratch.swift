import StarlingModel

/// The parts of a record that its bytes do not hold as the database keeps them: lists as JSON, and
/// the folded forms of indexed texts. They lie in one buffer that statements are bound to.
struct Scratch {
  private(set) var bytes: [UInt8] = []
  /// Where the parts lie, with the field that each belongs to; most records have none.
  private var parts: [(field: Int, isList: Bool, range: Range<Int>)] = []
  private var form: [UInt8] = []

  /// A list as JSON.
  func list(_ field: Int) -> Range<Int> {
    parts.first { $0.field == field && $0.isList }?.range ?? 0..<0
  }

  /// The folded form of a text, or nil where it says nothing new.
  func folded(_ field: Int) -> Range<Int>? {
    parts.first { $0.field == field && !$0.isList }?.range
  }

  /// Checks each value against its field's type and lays out what must be made.
  ///
  /// - Throws: `badValue` naming the field.
  mutating func prepare(
    _ record: borrowing EntityRecord, for handle: KindHandle
  ) throws(FavoritesError) {
    if !parts.isEmpty {
      bytes.removeAll(keepingCapacity: true)
      parts.removeAll(keepingCapacity: true)
    }
    let layout = handle.layout
    guard record.slots.count == layout.count else {
      throw .badValue(
        kind: handle.kind.name, field: "*",
        reason: "the record has \(record.slots.count) fields, the kind \(layout.count)")
    }
    for place in 0..<layout.count {
      switch (record.slots[place], layout[place].type) {
      case (.absent, _), (.integer, .integer), (.boolean, .boolean), (.time, .time),
        (.integer, .time), (.integer, .real):
        break
      case (.text(let range), .text), (.text(let range), .url):
        if layout[place].isFolded { addFolded(record, range, place) }
      case (.real(let number), .real):
        guard number.isFinite else { throw Scratch.notFinite(handle, place) }
      case (.money(let money), .money):
        let low = record.moneys[money].low ?? 0
        let high = record.moneys[money].high ?? 0
        guard low.isFinite, high.isFinite else { throw Scratch.notFinite(handle, place) }
      case (.list(let range), .list):
        addList(record, range, place)
      case (let slot, let type):
        throw .badValue(
          kind: handle.kind.name, field: handle.kind.fields[place].name,
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
    parts.append((place, true, start..<bytes.count))
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
    parts.append((place, false, start..<bytes.count))
  }

  private static func notFinite(_ handle: KindHandle, _ field: Int) -> FavoritesError {
    .badValue(
      kind: handle.kind.name, field: handle.kind.fields[field].name,
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
