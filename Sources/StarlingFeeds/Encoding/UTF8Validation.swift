import CSimdjson

/// UTF-8, by simdjson's vectorized check.
package enum UTF8Validation {
  package static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = bytes.baseAddress else { return true }
    return unsafe starling_utf8_is_valid(base, bytes.count) != 0
  }

  static func isValid(_ bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBufferPointer { unsafe isValid($0) }
  }

  /// The place of the first byte that belongs to no sequence; nil when all do.
  static func firstBadByte(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    if unsafe isValid(bytes) { return nil }
    var at = 0
    while at < bytes.count {
      let length = unsafe sequenceLength(bytes, at)
      if length == 0 { return at }
      at += length
    }
    return nil
  }

  /// How many bytes at the end begin a sequence that the next piece may complete: 0 to 3.
  static func incompleteTail(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    for back in 1...3 where back <= bytes.count {
      let byte = unsafe bytes[bytes.count - back]
      if byte < 0x80 { return 0 }
      if byte >= 0xC0 {
        let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
        return length > back ? back : 0
      }
    }
    return 0
  }

  /// Copies bytes and puts one U+FFFD for each that belongs to no valid sequence; `note` learns the
  /// place behind each in the bytes.
  ///
  /// - Returns: how many were replaced, and where the first of them was.
  static func copyRepaired(
    _ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8],
    note: (_ place: Int, _ outputCount: Int) -> Void = { _, _ in }
  ) -> (count: Int, first: Int) {
    var at = 0
    var replaced = 0
    var first = 0
    while at < bytes.count {
      let length = unsafe sequenceLength(bytes, at)
      if length > 0 {
        unsafe output.append(contentsOf: bytes[at..<(at + length)])
        at += length
      } else {
        if replaced == 0 { first = at }
        output.append(contentsOf: [0xEF, 0xBF, 0xBD])
        replaced += 1
        at += 1
        note(at, output.count)
      }
    }
    return (replaced, first)
  }

  /// The length of the valid sequence at a place (Unicode, table 3-7), or 0.
  private static func sequenceLength(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> Int {
    let lead = unsafe bytes[at]
    if lead < 0x80 { return 1 }
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    guard lead >= 0xC2, lead <= 0xF4, at + length <= bytes.count else { return 0 }
    let second = unsafe bytes[at + 1]
    let low: UInt8 = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80
    let high: UInt8 = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF
    guard second >= low, second <= high else { return 0 }
    for index in 2..<max(length, 2) where unsafe bytes[at + index] & 0xC0 != 0x80 { return 0 }
    return length
  }
}
