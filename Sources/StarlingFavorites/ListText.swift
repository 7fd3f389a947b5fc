/// A list of texts as JSON (RFC 8259), as a column holds it: `["a","b"]`.
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
  package static func forEach(
    _ json: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    var place = 0
    var unescaped: [UInt8] = []
    while place < json.count {
      guard unsafe json[place] == UInt8(ascii: "\"") else {
        place += 1
        continue
      }
      let start = place + 1
      place = start
      var hasEscapes = false
      while place < json.count, unsafe json[place] != UInt8(ascii: "\"") {
        if unsafe json[place] == UInt8(ascii: "\\") {
          hasEscapes = true
          place += 1
        }
        place += 1
      }
      let end = min(place, json.count)
      place += 1
      let text = unsafe UnsafeRawBufferPointer(rebasing: json[start..<end])
      if hasEscapes {
        unescaped.removeAll(keepingCapacity: true)
        unsafe unescape(text, into: &unescaped)
        unsafe unescaped.withUnsafeBytes { bytes in unsafe body(bytes) }
      } else {
        unsafe body(text)
      }
    }
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
