import StarlingModel

/// Entities as bytes for the time of one load; no other process or version ever reads them.
///
/// An entity is its length in four bytes, then numbers (LEB128, zigzag where negative ones occur)
/// and texts (a length and UTF-8).
enum SpoolCoder {
  static func encode(
    kind: Int, _ record: borrowing EntityRecord, _ stars: [RuleStar], _ item: ContentHash?,
    to target: inout [UInt8]
  ) {
    let start = target.count
    for _ in 0..<4 { target.append(0) }
    number(kind, to: &target)
    target.append(item == nil ? 0 : 1)
    if let item {
      fixed(item.first, to: &target)
      fixed(item.second, to: &target)
    }
    number(record.slots.count, to: &target)
    number(record.bytes.count, to: &target)
    target.append(contentsOf: record.bytes)
    range(record.key, to: &target)
    for slot in record.slots { encode(slot, record, to: &target) }
    number(stars.count, to: &target)
    for star in stars {
      text(star.rule, to: &target)
      text(star.version, to: &target)
      number(star.evidence.count, to: &target)
      for evidence in star.evidence {
        text(evidence.field, to: &target)
        text(evidence.value, to: &target)
        text(evidence.condition, to: &target)
      }
      number(star.tags.count, to: &target)
      for tag in star.tags { text(tag, to: &target) }
    }
    let length = UInt32(truncatingIfNeeded: target.count - start)
    for place in 0..<4 { target[start + place] = UInt8(truncatingIfNeeded: length >> (8 * place)) }
  }

  private static func encode(
    _ slot: EntityRecord.Slot, _ record: borrowing EntityRecord, to target: inout [UInt8]
  ) {
    switch slot {
    case .absent: target.append(0)
    case .text(let range):
      target.append(1)
      self.range(range, to: &target)
    case .integer(let number):
      target.append(2)
      fixed(UInt64(bitPattern: number), to: &target)
    case .real(let number):
      target.append(3)
      fixed(number.bitPattern, to: &target)
    case .boolean(let flag): target.append(flag ? 5 : 4)
    case .time(let seconds):
      target.append(6)
      fixed(UInt64(bitPattern: seconds), to: &target)
    case .money(let place):
      let money = record.moneys[place]
      target.append(7)
      for amount in [money.low, money.high] {
        target.append(amount == nil ? 0 : 1)
        if let amount { fixed(amount.bitPattern, to: &target) }
      }
      target.append(money.currency == nil ? 0 : 1)
      if let currency = money.currency { range(currency, to: &target) }
      range(money.text, to: &target)
    case .list(let items):
      target.append(8)
      number(items.count, to: &target)
      for item in items { range(record.items[item], to: &target) }
    }
  }

  private static func number(_ value: Int, to target: inout [UInt8]) {
    var rest = UInt64(truncatingIfNeeded: value)
    while rest >= 0x80 {
      target.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    target.append(UInt8(truncatingIfNeeded: rest))
  }

  private static func range(_ range: Range<Int>, to target: inout [UInt8]) {
    number(range.lowerBound, to: &target)
    number(range.count, to: &target)
  }

  private static func text(_ text: String, to target: inout [UInt8]) {
    number(text.utf8.count, to: &target)
    target.append(contentsOf: text.utf8)
  }

  private static func fixed(_ value: UInt64, to target: inout [UInt8]) {
    for place in 0..<8 { target.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(place)))) }
  }
}

// Decoding.
extension SpoolCoder {
  /// The bytes that the whole entities at the beginning of a window take.
  static func wholeEntities(in window: [UInt8]) -> Int {
    var place = 0
    while let length = length(window, at: place), place + length <= window.count {
      place += length
    }
    return place
  }

  static func decodeAll<Failure: Error>(
    _ window: [UInt8], upTo end: Int, _ record: inout EntityRecord,
    _ body: (Int, inout EntityRecord, [RuleStar], ContentHash?) throws(Failure) -> Void
  ) throws(Failure) {
    var place = 0
    while place < end, let length = length(window, at: place) {
      var reader = SpoolReader(bytes: window, place: place + 4)
      let kind = reader.number()
      let item =
        reader.byte() == 0 ? nil : ContentHash(first: reader.fixed(), second: reader.fixed())
      let stars = reader.record(&record)
      try body(kind, &record, stars, item)
      place += length
    }
  }

  private static func length(_ window: [UInt8], at place: Int) -> Int? {
    guard place + 4 <= window.count else { return nil }
    var length = 0
    for offset in 0..<4 { length |= Int(window[place + offset]) << (8 * offset) }
    return length > 4 ? length : nil
  }
}

/// Reads what `SpoolCoder` wrote.
private struct SpoolReader {
  let bytes: [UInt8]
  var place: Int

  mutating func byte() -> UInt8 {
    guard place < bytes.count else { return 0 }
    defer { place += 1 }
    return bytes[place]
  }

  mutating func number() -> Int {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let part = byte()
      value |= UInt64(part & 0x7f) << shift
      if part & 0x80 == 0 { return Int(truncatingIfNeeded: value) }
      shift += 7
    }
  }

  mutating func range() -> Range<Int> {
    let start = number()
    return start..<start + number()
  }

  mutating func fixed() -> UInt64 {
    var value: UInt64 = 0
    for shift in 0..<8 { value |= UInt64(byte()) << (8 * UInt64(shift)) }
    return value
  }

  mutating func text() -> String {
    let count = number()
    defer { place += count }
    return String(decoding: bytes[place..<place + count], as: UTF8.self)
  }

  mutating func record(_ record: inout EntityRecord) -> [RuleStar] {
    let fields = number()
    record.reset(fieldCount: fields)
    let count = number()
    unsafe bytes.span.bytes.extracting(place..<place + count).withUnsafeBytes { text in
      unsafe _ = record.append(text)
    }
    place += count
    record.setKey(range())
    for field in 0..<fields { slot(field, &record) }
    let stars = number()
    return (0..<stars).map { _ in star() }
  }

  private mutating func slot(_ field: Int, _ record: inout EntityRecord) {
    switch byte() {
    case 1: record.set(field, .text(range()))
    case 2: record.set(field, .integer(Int64(bitPattern: fixed())))
    case 3: record.set(field, .real(Double(bitPattern: fixed())))
    case 4: record.set(field, .boolean(false))
    case 5: record.set(field, .boolean(true))
    case 6: record.set(field, .time(Int64(bitPattern: fixed())))
    case 7:
      let low = byte() == 0 ? nil : Double(bitPattern: fixed())
      let high = byte() == 0 ? nil : Double(bitPattern: fixed())
      let currency = byte() == 0 ? nil : range()
      record.setMoney(
        field, EntityRecord.MoneySlot(low: low, high: high, currency: currency, text: range()))
    case 8:
      let count = number()
      record.setList(field, (0..<count).map { _ in range() })
    default: break
    }
  }

  private mutating func star() -> RuleStar {
    let rule = text()
    let version = text()
    let evidence = (0..<number()).map { _ in
      Evidence(field: text(), value: text(), condition: text())
    }
    let tags = (0..<number()).map { _ in text() }
    return RuleStar(rule: rule, version: version, evidence: evidence, tags: tags)
  }
}
