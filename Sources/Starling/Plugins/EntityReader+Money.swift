import StarlingLua
import StarlingModel

/// Prices and lists: the fields that are more than one value.
extension EntityReader {
  func setMoney(
    _ index: Int, _ value: LuaView, in record: inout EntityRecord
  ) throws(LuaError) {
    switch value.type {
    case .string:
      try look(at: value)
      let text = try value.string()
      if let money = Money(parsing: text) { EntityReader.set(index, money, in: &record) }
    case .integer, .number:
      guard let number = value.number, number.isFinite, number >= 0 else {
        throw .conversion(
          expected: "an amount from 0", found: EntityReader.shown(value), path: "")
      }
      if let money = Money(number) { EntityReader.set(index, money, in: &record) }
    case .table:
      try setMoneyTable(index, value, in: &record)
    default:
      throw .conversion(expected: "a price", found: value.type.name, path: "")
    }
  }

  private static func set(_ index: Int, _ money: Money, in record: inout EntityRecord) {
    let text = record.append(money.text)
    let currency = money.currency.map { record.append($0) }
    record.setMoney(
      index,
      EntityRecord.MoneySlot(low: money.low, high: money.high, currency: currency, text: text))
  }

  /// A table as `money.parse` gives it.
  private func setMoneyTable(
    _ index: Int, _ table: LuaView, in record: inout EntityRecord
  ) throws(LuaError) {
    try requirePrice(table)
    let low = try amount(table, self.low, "low")
    let high = try amount(table, self.high, "high")
    let currency = try part(table, self.currency, of: &record)
    let text = try part(table, self.text, of: &record)
    // An end of 0 is unknown, as in `money.parse`, and the other one stands for both.
    let ends = [low, high].compactMap { $0 }
    let known = ends.filter { $0 > 0 }
    guard let first = known.first, let last = known.last else {
      if let text, !text.isEmpty {
        record.setMoney(
          index, EntityRecord.MoneySlot(low: nil, high: nil, currency: currency, text: text))
      } else if ends.isEmpty {
        throw .conversion(expected: "a price with `low` or `text`", found: "table", path: "")
      }
      return
    }
    guard first <= last else {
      throw .conversion(
        expected: "an amount from \(Value.real(first)) (its `low`)", found: "\(Value.real(last))",
        path: "high")
    }
    let shown = text ?? record.append(EntityReader.shown(first, last, table, self.currency))
    record.setMoney(
      index, EntityRecord.MoneySlot(low: first, high: last, currency: currency, text: shown))
  }

  /// A price that comes without its text: `3.49 EUR`, `12-15`.
  private static func shown(
    _ low: Double, _ high: Double, _ table: LuaView, _ currency: LuaKey
  ) -> String {
    var text = Value.real(low).description
    if high > low { text += "-" + Value.real(high).description }
    let unit = try? table.field(currency) { $0.text(atMost: 40) }
    if let unit, !unit.isEmpty { text += " " + unit }
    return text
  }

  private func part(
    _ table: LuaView, _ key: LuaKey, of record: inout EntityRecord
  ) throws(LuaError) -> Range<Int>? {
    try table.field(key) { value throws(LuaError) -> Range<Int>? in
      value.isNil || value.type == .null ? nil : try appendText(value, to: &record)
    }
  }

  /// A name that a price does not have would be lost in silence.
  private func requirePrice(_ table: LuaView) throws(LuaError) {
    try table.forEachField { key, _ throws(LuaError) in
      let name = key.text(atMost: Field.longestName)
      if let name, EntityReader.priceNames.contains(name) { return }
      let hint = name.flatMap { Spelling.nearest(to: $0, among: EntityReader.priceNames) }
      throw .message(
        "a price has low, high, currency and text, no `\(name ?? key.type.name)`"
          + (hint.map { "; did you mean `\($0)`?" } ?? ""))
    }
  }

  private static let priceNames = ["low", "high", "currency", "text"]

  private func amount(
    _ table: LuaView, _ key: LuaKey, _ name: String
  ) throws(LuaError) -> Double? {
    try table.field(key) { value throws(LuaError) -> Double? in
      if value.isNil || value.type == .null { return nil }
      guard let number = value.number, number.isFinite, number >= 0 else {
        throw .conversion(expected: "an amount", found: EntityReader.shown(value), path: name)
      }
      return number
    }
  }

  func setList(
    _ index: Int, _ value: LuaView, in record: inout EntityRecord
  ) throws(LuaError) {
    var ranges: [Range<Int>] = []
    if value.type == .table {
      if value.rawCount == 0, let key = try value.keyOutsideList({ $0.text(atMost: 40) ?? "?" }) {
        throw .conversion(expected: "a list", found: "a table with the key `\(key)`", path: "")
      }
      try value.forEachElement { position, element throws(LuaError) in
        if element.type == .null || element.isNil { return }
        do throws(LuaError) {
          let range = try appendText(element, to: &record)
          if !range.isEmpty { ranges.append(range) }
          let places = (record.items.count + ranges.count) * EntityReader.shareOfElement
          if record.bytes.count + places > longest { throw tooMuch() }
        } catch {
          throw error.inside("[\(position)]")
        }
      }
    } else {
      let range = try appendText(value, to: &record)
      if !range.isEmpty { ranges.append(range) }
    }
    if !ranges.isEmpty { record.setList(index, ranges) }
  }
}
