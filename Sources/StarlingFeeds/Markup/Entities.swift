import CXML2

/// What `&name;` and `&#n;` stand for.
enum Entities {
  /// The character of an HTML entity (HTML 4 by libxml2, and what HTML 5 added that feeds use).
  static func scalar(_ name: UnsafeBufferPointer<UInt8>) -> Unicode.Scalar? {
    guard name.count >= 2, name.count <= 10 else { return nil }
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 12) { text in
      for index in 0..<name.count { unsafe text[index] = name[index] }
      unsafe text[name.count] = 0
      guard let entity = unsafe htmlEntityLookup(text.baseAddress) else {
        return unsafe later[
          String(decoding: UnsafeBufferPointer(rebasing: text[..<name.count]), as: UTF8.self)]
      }
      return unsafe Unicode.Scalar(entity.pointee.value)
    }
  }

  private static let later: [String: Unicode.Scalar] = [
    "apos": "'", "excl": "!", "num": "#", "dollar": "$", "percnt": "%", "lpar": "(", "rpar": ")",
    "ast": "*", "plus": "+", "comma": ",", "period": ".", "sol": "/", "colon": ":", "semi": ";",
    "equals": "=", "quest": "?", "commat": "@", "lsqb": "[", "rsqb": "]", "lbrack": "[",
    "rbrack": "]", "bsol": "\\", "lowbar": "_", "grave": "`", "lcub": "{", "rcub": "}",
    "lbrace": "{", "rbrace": "}", "verbar": "|", "vert": "|", "Tab": "\t", "NewLine": "\n",
    "hyphen": "\u{2010}", "dash": "\u{2010}", "AMP": "&", "LT": "<", "GT": ">", "QUOT": "\"",
    "COPY": "©", "REG": "®", "TRADE": "™", "check": "✓", "star": "☆", "starf": "★",
    "phone": "☎", "female": "♀", "male": "♂", "half": "½", "numsp": "\u{2007}",
  ]

  /// The character of a numeric reference. The numbers 128 to 159 mean what windows-1252 has there,
  /// as browsers read them; what is no character of XML gives nil.
  static func scalar(number: UInt32) -> Unicode.Scalar? {
    if number >= 0x80, number < 0xA0 { return windows1252[Int(number - 0x80)] }
    guard let scalar = Unicode.Scalar(number) else { return nil }
    if number < 0x20, number != 0x09, number != 0x0A, number != 0x0D { return nil }
    if number == 0xFFFE || number == 0xFFFF { return nil }
    return scalar
  }

  private static let windows1252: [Unicode.Scalar] = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

  /// Reads `#123;` or `#x1F;` after an ampersand.
  ///
  /// - Returns: the number and the place behind the reference; nil if it is none.
  static func number(
    _ input: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> (value: UInt32, end: Int)? {
    var at = start + 1
    guard at < input.count else { return nil }
    let isHex = unsafe input[at] | 0x20 == 0x78
    if isHex { at += 1 }
    let first = at
    var value: UInt32 = 0
    while at < input.count, let digit = unsafe digit(input[at], isHex: isHex) {
      value = min(value &* (isHex ? 16 : 10) &+ digit, 0x110000)
      at += 1
    }
    guard at > first, at < input.count, unsafe input[at] == 0x3B else { return nil }
    return (value, at + 1)
  }

  private static func digit(_ byte: UInt8, isHex: Bool) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46 where isHex: UInt32(byte - 0x41 + 10)
    case 0x61...0x66 where isHex: UInt32(byte - 0x61 + 10)
    default: nil
    }
  }
}

extension [UInt8] {
  /// Appends a character as UTF-8.
  mutating func append(scalar: Unicode.Scalar) {
    if let units = UTF8.encode(scalar) { append(contentsOf: units) }
  }

  mutating func append(_ text: StaticString) {
    unsafe append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
