/// Names of elements and attributes (XML 1.0, 2.3). A parser stops for good at one with a character
/// that no name may have, so none must come through.
enum NameScan {
  /// Whether a name can begin there.
  @inline(__always) static func begins(
    _ input: UnsafeBufferPointer<UInt8>, at place: Int
  ) -> Bool {
    let byte = unsafe input[place]
    if byte < 0x80 { return ByteScan.isNameStart(byte) }
    return unsafe length(input, place, isFirst: true) > 0
  }

  /// Where the name ends that begins at `start`.
  @inline(__always) static func end(
    _ input: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int {
    var at = start
    while at < input.count {
      let byte = unsafe input[at]
      let step: Int
      if byte < 0x80 {
        step = ByteScan.isName(byte) ? 1 : 0
      } else {
        step = unsafe length(input, at, isFirst: at == start)
      }
      if step == 0 { break }
      at += step
    }
    return at
  }

  /// How many bytes the character beyond ASCII has that stands there, if names may have it; else 0.
  @inline(never) private static func length(
    _ input: UnsafeBufferPointer<UInt8>, _ place: Int, isFirst: Bool
  ) -> Int {
    let lead = unsafe input[place]
    let count = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    guard lead >= 0xC2, place + count <= input.count else { return 0 }
    var code = UInt32(lead) & (0x7F >> UInt32(count))
    for index in 1..<count { code = code << 6 | UInt32(unsafe input[place + index] & 0x3F) }
    return isAllowed(code, isFirst: isFirst) ? count : 0
  }

  private static func isAllowed(_ code: UInt32, isFirst: Bool) -> Bool {
    switch code {
    case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D,
      0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD,
      0x10000...0xEFFFF:
      true
    case 0xB7, 0x300...0x36F, 0x203F...0x2040: !isFirst
    default: false
    }
  }
}
