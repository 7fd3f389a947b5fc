/// Looks at addresses without making Strings of them.
enum URLBytes {
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
