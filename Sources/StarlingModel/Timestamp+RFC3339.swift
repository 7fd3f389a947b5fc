extension Timestamp {
  /// The seconds whose times have a year of four digits, from 0 to 9999.
  static let writable: Range<Int64> = -62_167_219_200..<253_402_300_800

  /// Appends the time as RFC 3339 in UTC, such as `2026-11-30T08:05:00Z`; outside of `writable` as
  /// `@` and the seconds since 1970, which reads back as the same time.
  package func appendRFC3339(to bytes: inout [UInt8]) {
    guard Timestamp.writable.contains(secondsSinceEpoch) else {
      bytes.append(UInt8(ascii: "@"))
      bytes.append(decimal: secondsSinceEpoch)
      return
    }
    let parts = civil
    var text = InlineArray<20, UInt8>(repeating: UInt8(ascii: "-"))
    func set(_ place: Int, _ number: Int) {
      text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10)
      text[place + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
    }
    set(0, parts.year / 100)
    set(2, parts.year % 100)
    set(5, parts.month)
    set(8, parts.day)
    text[10] = UInt8(ascii: "T")
    set(11, parts.hour)
    text[13] = UInt8(ascii: ":")
    set(14, parts.minute)
    text[16] = UInt8(ascii: ":")
    set(17, parts.second)
    text[19] = UInt8(ascii: "Z")
    unsafe text.span.withUnsafeBufferPointer { text in unsafe bytes.append(contentsOf: text) }
  }
}
