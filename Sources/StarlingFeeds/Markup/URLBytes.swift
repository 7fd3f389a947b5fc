/// Looks at addresses without making Strings of them.
enum URLBytes {
  /// The address without line breaks and tabs, which are no part of it (WHATWG URL, 4.4): as it is,
  /// or added to the bytes.
  static func withoutBreaks(_ bytes: inout [UInt8], _ range: Range<Int>) -> Range<Int> {
    guard bytes[range].contains(where: isBreak) else { return range }
    let start = bytes.count
    for at in range where !isBreak(bytes[at]) { bytes.append(bytes[at]) }
    return start..<bytes.count
  }

  private static func isBreak(_ byte: UInt8) -> Bool {
    byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Whether the bytes begin with a scheme (RFC 3986, 3.1).
  static func hasScheme(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    for at in range {
      let byte = bytes[at]
      if byte == 0x3A { return at > range.lowerBound }
      let isLetter = byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
      let isOther = (byte >= 0x30 && byte <= 0x39) || byte == 0x2B || byte == 0x2D || byte == 0x2E
      if !isLetter, !isOther || at == range.lowerBound { return false }
    }
    return false
  }
}
