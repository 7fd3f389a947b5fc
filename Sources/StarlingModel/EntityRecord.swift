/// An entity of a known kind in flat form: what the plugin host writes, the matcher reads and the
/// store binds, with no String made on the way.
///
/// Texts lie one after another in `bytes`, as UTF-8; a slot holds the range. Slots have the order
/// of `Kind.fields`. A record is made once and filled again for each entity (`reset`).
package struct EntityRecord: Sendable {
  /// The value of one field.
  package enum Slot: Sendable, Equatable {
    case absent
    /// A text or a url: a range of `bytes`.
    case text(Range<Int>)
    case integer(Int64)
    case real(Double)
    case boolean(Bool)
    /// Seconds since the epoch.
    case time(Int64)
    /// A place in `moneys`.
    case money(Int)
    /// A range of `items`.
    case list(Range<Int>)
  }

  package struct MoneySlot: Sendable, Equatable {
    package var low: Double?
    package var high: Double?
    package var currency: Range<Int>?
    package var text: Range<Int>

    package init(low: Double?, high: Double?, currency: Range<Int>?, text: Range<Int>) {
      self.low = low
      self.high = high
      self.currency = currency
      self.text = text
    }
  }

  package private(set) var bytes: [UInt8] = []
  package private(set) var slots: [Slot] = []
  package private(set) var moneys: [MoneySlot] = []
  /// The elements of all lists, each a range of `bytes`.
  package private(set) var items: [Range<Int>] = []
  /// Where the key lies in `bytes`; empty until it is set.
  package private(set) var key: Range<Int> = 0..<0

  package init() {}

  /// Empties the record for an entity with `fieldCount` fields and keeps its storage.
  package mutating func reset(fieldCount: Int) {
    resetTexts()
    if slots.count == fieldCount {
      for field in slots.indices { slots[field] = .absent }
    } else {
      slots = Array(repeating: .absent, count: fieldCount)
    }
  }

  /// Empties the record and leaves its slots, for one of which the same fields are set each time.
  package mutating func resetTexts() {
    bytes.removeAll(keepingCapacity: true)
    if !moneys.isEmpty { moneys.removeAll(keepingCapacity: true) }
    if !items.isEmpty { items.removeAll(keepingCapacity: true) }
    key = 0..<0
  }

  /// Takes the record for one of a kind that has got more fields since: they are absent.
  package mutating func widen(fieldCount: Int) {
    while slots.count < fieldCount { slots.append(.absent) }
  }

  /// Appends UTF-8 to the record's bytes and returns where it lies.
  package mutating func append(_ text: UnsafeRawBufferPointer) -> Range<Int> {
    let start = bytes.count
    unsafe bytes.append(contentsOf: text)
    return start..<bytes.count
  }

  package mutating func append(_ text: String) -> Range<Int> {
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    return start..<bytes.count
  }

  package mutating func append(byte: UInt8) {
    bytes.append(byte)
  }

  package mutating func setKey(_ range: Range<Int>) {
    key = range
  }

  package mutating func set(_ field: Int, _ slot: Slot) {
    slots[field] = slot
  }

  /// Sets a field to a text, which is copied.
  package mutating func set(_ field: Int, text: UnsafeRawBufferPointer) {
    let start = bytes.count
    unsafe bytes.append(contentsOf: text)
    slots[field] = .text(start..<bytes.count)
  }

  package mutating func setMoney(_ field: Int, _ money: MoneySlot) {
    moneys.append(money)
    slots[field] = .money(moneys.count - 1)
  }

  package mutating func setList(_ field: Int, _ ranges: [Range<Int>]) {
    let start = items.count
    items.append(contentsOf: ranges)
    slots[field] = .list(start..<items.count)
  }

  package func string(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }
}

extension EntityRecord {
  /// Fills the record from a value; fields that the kind does not have are left out.
  package mutating func fill(from entity: Entity, kind: Kind) {
    reset(fieldCount: kind.fields.count)
    setKey(append(entity.key))
    for (index, field) in kind.fields.enumerated() {
      if let value = entity.values[field.name] { set(index, value: value) }
    }
  }

  private mutating func set(_ index: Int, value: Value) {
    switch value {
    case .text(let text): set(index, .text(append(text)))
    case .integer(let number): set(index, .integer(number))
    case .real(let number): set(index, .real(number))
    case .boolean(let flag): set(index, .boolean(flag))
    case .time(let time): set(index, .time(time.secondsSinceEpoch))
    case .list(let texts): setList(index, texts.map { append($0) })
    case .money(let money):
      let currency = money.currency.map { append($0) }
      let slot = MoneySlot(
        low: money.low, high: money.high, currency: currency, text: append(money.text))
      setMoney(index, slot)
    }
  }

  /// The value of one field, or nil when it is absent.
  package func value(_ index: Int) -> Value? {
    switch slots[index] {
    case .absent: nil
    case .text(let range): .text(string(range))
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .boolean(let flag): .boolean(flag)
    case .time(let seconds): .time(Timestamp(secondsSinceEpoch: seconds))
    case .list(let range): .list(items[range].map(string))
    case .money(let place):
      .money(
        Money(
          low: moneys[place].low, high: moneys[place].high,
          currency: moneys[place].currency.map(string), text: string(moneys[place].text)))
    }
  }

  /// The record as a value of its own.
  package func entity(kind: Kind) -> Entity {
    var entity = Entity(kind: kind.name, key: string(key))
    for (index, field) in kind.fields.enumerated() { entity.values[field.name] = value(index) }
    return entity
  }
}
