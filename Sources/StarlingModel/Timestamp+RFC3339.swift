extension Timestamp {
  /// The seconds whose times have a year of four digits, from 0 to 9999.
  static let writable: Range<Int64> = -62_167_219_200..<253_402_300_800

  /// Appends the time as RFC 3339 in UTC, such as `2026-11-30T08:05:00Z`; as its number of seconds
  /// outside of `writable`.
  package func appendRFC3339(to bytes: inout [UInt8]) {
    guard Timestamp.writable.contains(secondsSinceEpoch) else {
      bytes.append(decimal: secondsSinceEpoch)
      return
    }
    let parts = civil
    Timestamp.append(parts.year / 100, to: &bytes)
    Timestamp.append(parts.year % 100, to: &bytes)
    for (mark, part) in [
      (UInt8(ascii: "-"), parts.month), (UInt8(ascii: "-"), parts.day),
      (UInt8(ascii: "T"), parts.hour), (UInt8(ascii: ":"), parts.minute),
      (UInt8(ascii: ":"), parts.second),
    ] {
      bytes.append(mark)
      Timestamp.append(part, to: &bytes)
    }
    bytes.append(UInt8(ascii: "Z"))
  }

  /// Appends a number below 100 in two digits.
  private static func append(_ number: Int, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10))
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }
}
