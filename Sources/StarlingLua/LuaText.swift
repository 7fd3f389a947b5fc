/// Text from bytes: validated, with the place of the first fault.
enum LuaText {
  /// - Throws: `conversion` naming the first byte that is not UTF-8, counted from 1.
  static func string(_ bytes: UnsafeRawBufferPointer) throws(LuaError) -> String {
    let text = unsafe bytes.withMemoryRebound(to: UInt8.self) {
      unsafe String(validating: $0, as: UTF8.self)
    }
    if let text { return text }
    let offset = unsafe firstInvalid(bytes)
    throw .conversion(expected: "UTF-8 text", found: "an invalid byte at \(offset + 1)", path: "")
  }

  /// The offset of the first byte that does not belong to well-formed UTF-8.
  static func firstInvalid(_ bytes: UnsafeRawBufferPointer) -> Int {
    var index = 0
    while index < bytes.count {
      let length = unsafe sequenceLength(bytes, at: index)
      if length == 0 { return index }
      index += length
    }
    return index
  }

  /// Bytes of the well-formed sequence at `index`, 0 when there is none (Unicode 16, table 3-7).
  private static func sequenceLength(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Int {
    let first = unsafe bytes[index]
    func continues(_ offset: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
      index + offset < bytes.count ? unsafe range.contains(bytes[index + offset]) : false
    }
    switch first {
    case 0x00...0x7F: return 1
    case 0xC2...0xDF: return continues(1) ? 2 : 0
    case 0xE0: return continues(1, 0xA0...0xBF) && continues(2) ? 3 : 0
    case 0xED: return continues(1, 0x80...0x9F) && continues(2) ? 3 : 0
    case 0xE1...0xEF: return continues(1) && continues(2) ? 3 : 0
    case 0xF0: return continues(1, 0x90...0xBF) && continues(2) && continues(3) ? 4 : 0
    case 0xF1...0xF3: return continues(1) && continues(2) && continues(3) ? 4 : 0
    case 0xF4: return continues(1, 0x80...0x8F) && continues(2) && continues(3) ? 4 : 0
    default: return 0
    }
  }

  /// Bytes of an error's message: of a longer one the beginning is shown. It may be as long as a
  /// string, and one is kept for each item of a feed.
  static let longestMessage = 8 << 10

  /// The same, cut before a character when it is longer, with a word of its length.
  static func lossy(_ bytes: UnsafeRawBufferPointer, atMost limit: Int) -> String {
    guard bytes.count > limit else { return unsafe lossy(bytes) }
    var end = limit
    while end > limit - 4, end > 0, unsafe bytes[end] & 0xC0 == 0x80 { end -= 1 }
    let beginning = unsafe lossy(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
    return beginning + "... (of \(bytes.count) bytes)"
  }

  /// The same for a text of the host, which may say one of Lua's.
  static func cut(_ text: String, atMost limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    var text = text
    return text.withUTF8 { unsafe lossy(UnsafeRawBufferPointer($0), atMost: limit) }
  }

  /// Text for a message: what is not UTF-8 is replaced.
  static func lossy(_ bytes: UnsafeRawBufferPointer) -> String {
    unsafe String(decoding: bytes, as: UTF8.self)
  }
}
