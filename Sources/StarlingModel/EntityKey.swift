/// How a key is made of an entity's fields.
///
/// One field's value is the key as it is. Several are joined by `/`; an absent or empty part is
/// left out, and `/` and `%` within a part become `%2F` and `%25`. Numbers are written as decimal
/// digits, so that the number 7 and the text `7` give the same key.
public enum EntityKey {
  /// The key of an entity, or nil when the kind is `auto` or every part is absent.
  public static func key(of entity: Entity, kind: Kind) -> String? {
    guard case .fields(let names) = kind.key else { return nil }
    var parts: [String] = []
    for name in names {
      if let part = entity.values[name].flatMap(text(of:)), !part.isEmpty { parts.append(part) }
    }
    guard !parts.isEmpty else { return nil }
    return names.count == 1 ? parts[0] : parts.map(escaped).joined(separator: "/")
  }

  /// Makes the key of a record from its slots.
  ///
  /// - Returns: false when the kind is `auto` or every part is absent; the key is then left alone.
  @discardableResult
  package static func setKey(of record: inout EntityRecord, kind: Kind) -> Bool {
    guard case .fields(let names) = kind.key else { return false }
    if names.count == 1, let field = kind.index(of: names[0]),
      case .text(let range) = record.slots[field]
    {
      guard !range.isEmpty else { return false }
      record.setKey(range)
      return true
    }
    let start = record.bytes.count
    for name in names {
      guard let field = kind.index(of: name) else { continue }
      append(record.slots[field], escape: names.count > 1, from: start, to: &record)
    }
    guard record.bytes.count > start else { return false }
    record.setKey(start..<record.bytes.count)
    return true
  }

  /// The values of the key's fields, told from the key: for a key that a person typed.
  ///
  /// - Returns: nil when it cannot be told which part is which, or a part does not fit its type.
  public static func values(ofKey key: String, kind: Kind) -> [String: Value]? {
    guard case .fields(let names) = kind.key, !key.isEmpty else { return nil }
    let parts: [String]
    if names.count == 1 {
      parts = [key]
    } else {
      parts = key.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        .map { unescaped(String(Substring($0))) }
    }
    guard parts.count == names.count else { return nil }
    var values: [String: Value] = [:]
    for (name, part) in zip(names, parts) {
      guard let field = kind.index(of: name), let value = value(part, kind.fields[field].type)
      else { return nil }
      values[name] = value
    }
    return values
  }

  /// The digits of a number that stands for a whole one: `7` for 7.0.
  ///
  /// - Returns: nil for one with a fraction, beyond 64 bits, or not finite: that is no key.
  package static func text(ofNumber number: Double) -> String? {
    whole(number).map { String($0) }
  }

  /// `Int64(exactly:)` without the mathematical library, which this module does not link.
  private static func whole(_ number: Double) -> Int64? {
    guard number >= -0x1p63, number < 0x1p63 else { return nil }
    let whole = Int64(number)
    return Double(whole) == number ? whole : nil
  }

  private static func text(of value: Value) -> String? {
    switch value {
    case .text(let text): text
    case .integer(let number): String(number)
    case .real(let number): text(ofNumber: number)
    case .boolean(let flag): flag ? "true" : "false"
    case .time(let time): String(time.secondsSinceEpoch)
    case .money, .list: nil
    }
  }

  private static func value(_ part: String, _ type: FieldType) -> Value? {
    switch type {
    case .text, .url: part.isEmpty ? nil : .text(part)
    case .integer: Int64(part).map { .integer($0) }
    case .boolean: part == "true" ? .boolean(true) : part == "false" ? .boolean(false) : nil
    case .time: Int64(part).map { .time(Timestamp(secondsSinceEpoch: $0)) }
    case .real, .money, .list: nil
    }
  }

  private static func append(
    _ slot: EntityRecord.Slot, escape: Bool, from start: Int, to record: inout EntityRecord
  ) {
    func separate() {
      if record.bytes.count > start { record.append(byte: UInt8(ascii: "/")) }
    }
    func digits(_ number: Int64) {
      separate()
      _ = record.append(String(number))  // up to 15 digits live in the String itself
    }
    switch slot {
    case .text(let range):
      guard !range.isEmpty else { return }
      separate()
      for place in range {
        let byte = record.bytes[place]
        if escape, byte == UInt8(ascii: "/") || byte == UInt8(ascii: "%") {
          _ = record.append(byte == UInt8(ascii: "/") ? "%2F" : "%25")
        } else {
          record.append(byte: byte)
        }
      }
    case .integer(let number), .time(let number): digits(number)
    case .real(let number):
      if let whole = whole(number) { digits(whole) }
    case .boolean(let flag):
      separate()
      _ = record.append(flag ? "true" : "false")
    case .absent, .money, .list: break
    }
  }

  private static func escaped(_ part: String) -> String {
    guard part.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "%") })
    else { return part }
    var text: [UInt8] = []
    for byte in part.utf8 {
      switch byte {
      case UInt8(ascii: "/"): text.append(contentsOf: "%2F".utf8)
      case UInt8(ascii: "%"): text.append(contentsOf: "%25".utf8)
      default: text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The inverse of `escaped`; other percent signs stay as they are.
  private static func unescaped(_ part: String) -> String {
    let bytes = Array(part.utf8)
    var text: [UInt8] = []
    var place = 0
    while place < bytes.count {
      let rest = bytes[place...].prefix(3)
      if rest.elementsEqual("%2F".utf8) || rest.elementsEqual("%2f".utf8) {
        text.append(UInt8(ascii: "/"))
        place += 3
      } else if rest.elementsEqual("%25".utf8) {
        text.append(UInt8(ascii: "%"))
        place += 3
      } else {
        text.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
