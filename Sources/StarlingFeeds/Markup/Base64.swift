/// Base64 (RFC 4648, 4) as Atom's content carries it.
enum Base64 {
  /// The bytes; white space between the letters is left out. Nil when it is no Base64.
  static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(text.count * 3 / 4)
    var bits: UInt32 = 0
    var count = 0
    var padding = 0
    for byte in text where !ByteScan.isSpace(byte) {
      if byte == 0x3D {
        padding += 1
        continue
      }
      guard padding == 0, let digit = value(byte) else { return nil }
      bits = bits << 6 | digit
      count += 1
      guard count == 4 else { continue }
      result.append(UInt8(truncatingIfNeeded: bits >> 16))
      result.append(UInt8(truncatingIfNeeded: bits >> 8))
      result.append(UInt8(truncatingIfNeeded: bits))
      bits = 0
      count = 0
    }
    guard count != 1, padding <= 2 else { return nil }
    if count >= 2 { result.append(UInt8(truncatingIfNeeded: count == 2 ? bits >> 4 : bits >> 10)) }
    if count == 3 { result.append(UInt8(truncatingIfNeeded: bits >> 2)) }
    return result
  }

  private static func value(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x41...0x5A: UInt32(byte - 0x41)
    case 0x61...0x7A: UInt32(byte - 0x61 + 26)
    case 0x30...0x39: UInt32(byte - 0x30 + 52)
    case 0x2B: 62
    case 0x2F: 63
    default: nil
    }
  }
}
