/// A list of texts as JSON (RFC 8259), as a column holds it: `["a","b"]`.
@usableFromInline
package enum ListText {
  /// Appends a text in quotes. The text is UTF-8; what JSON must escape is escaped, no more.
  static func append(_ text: some Sequence<UInt8>, to json: inout [UInt8]) {
    json.append(UInt8(ascii: "\""))
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        json.append(UInt8(ascii: "\\"))
        json.append(byte)
      case 0..<0x20:
        json.append(contentsOf: "\\u00".utf8)
        json.append(hexadecimal(byte >> 4))
        json.append(hexadecimal(byte & 15))
      default: json.append(byte)
      }
    }
    json.append(UInt8(ascii: "\""))
  }

  /// Gives each text of the list, lent for the time of the call.
  ///
  /// The list is one that the store wrote; of anything else what can be read is given.
  @inlinable
  package static func forEach(
    _ json: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    guard let base = json.baseAddress else { return }
    let quote = UInt8(ascii: "\"")
    let end = unsafe base + json.count
    var place = unsafe base
    while unsafe place < end {
      guard unsafe place.load(as: UInt8.self) == quote else {
        unsafe place += 1
        continue
      }
      unsafe place += 1
      let start = unsafe place
      while unsafe place < end {
        let byte = unsafe place.load(as: UInt8.self)
        if byte == quote || byte == UInt8(ascii: "\\") { break }
        unsafe place += 1
      }
      if unsafe place < end, unsafe place.load(as: UInt8.self) != quote {
        unsafe place = escapedEnd(place, end)
        unsafe unescape(UnsafeRawBufferPointer(start: start, count: place - start), body)
      } else {
        unsafe body(UnsafeRawBufferPointer(start: start, count: place - start))
      }
      unsafe place += 1
    }
  }

  /// Where the text ends that has a backslash at `place`.
  @usableFromInline
  static func escapedEnd(
    _ place: UnsafeRawPointer, _ end: UnsafeRawPointer
  ) -> UnsafeRawPointer {
    var place = unsafe place
    while unsafe place < end, unsafe place.load(as: UInt8.self) != UInt8(ascii: "\"") {
      unsafe place += place.load(as: UInt8.self) == UInt8(ascii: "\\") ? 2 : 1
    }
    return unsafe min(place, end)
  }

  @usableFromInline
  static func unescape(
    _ text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    var unescaped: [UInt8] = []
    unsafe unescape(text, into: &unescaped)
    unsafe unescaped.withUnsafeBytes { bytes in unsafe body(bytes) }
  }

  private static func unescape(_ text: UnsafeRawBufferPointer, into result: inout [UInt8]) {
    var place = 0
    while place < text.count {
      let byte = unsafe text[place]
      guard byte == UInt8(ascii: "\\"), place + 1 < text.count else {
        result.append(byte)
        place += 1
        continue
      }
      let mark = unsafe text[place + 1]
      place += 2
      switch mark {
      case UInt8(ascii: "u"):
        // The store writes only control characters this way.
        var code: UInt32 = 0
        for digit in place..<min(place + 4, text.count) {
          code = unsafe code << 4 | UInt32(value(ofHexadecimal: text[digit]))
        }
        place += 4
        let scalar = Unicode.Scalar(code) ?? "\u{fffd}"
        result.append(contentsOf: String(Character(scalar)).utf8)
      case UInt8(ascii: "n"): result.append(10)
      case UInt8(ascii: "t"): result.append(9)
      case UInt8(ascii: "r"): result.append(13)
      case UInt8(ascii: "b"): result.append(8)
      case UInt8(ascii: "f"): result.append(12)
      default: result.append(mark)
      }
    }
  }

  private static func hexadecimal(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
  }

  private static func value(ofHexadecimal digit: UInt8) -> UInt8 {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: 0
    }
  }
}
