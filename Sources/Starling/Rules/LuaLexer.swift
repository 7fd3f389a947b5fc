/// Takes Lua text apart into tokens, comments and spaces left out. Made for text that Lua has
/// compiled; of other text it makes something, and never fails.
struct LuaLexer {
  private let source: [UInt8]
  private var place = 0
  private var line = 1

  static func tokens(of source: [UInt8]) -> [LuaToken] {
    var lexer = LuaLexer(source: source)
    var tokens: [LuaToken] = []
    while let token = lexer.next() { tokens.append(token) }
    return tokens
  }

  private init(source: [UInt8]) {
    self.source = source
  }

  private mutating func next() -> LuaToken? {
    skipBlanks()
    guard let byte = peek() else { return nil }
    let (start, startLine) = (place, line)
    let form = take(byte)
    let text = String(decoding: source[start..<place], as: UTF8.self)
    return LuaToken(form: form, text: text, line: startLine)
  }

  private mutating func take(_ byte: UInt8) -> LuaToken.Form {
    if LuaLexer.isLetter(byte) {
      while let byte = peek(), LuaLexer.isLetter(byte) || LuaLexer.isDigit(byte) { place += 1 }
      return .name
    }
    if LuaLexer.isDigit(byte) || (byte == dot && peek(1).map(LuaLexer.isDigit) == true) {
      takeNumber()
      return .number
    }
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
      takeString(byte)
      return .string
    }
    if byte == UInt8(ascii: "["), let level = longBracket() {
      takeLong(level)
      return .string
    }
    takeSymbol(byte)
    return .symbol
  }

  // MARK: Pieces

  private mutating func skipBlanks() {
    while let byte = peek() {
      if byte == dash, peek(1) == dash {
        place += 2
        if peek() == UInt8(ascii: "["), let level = longBracket() {
          takeLong(level)
        } else {
          while let byte = peek(), byte != newline { place += 1 }
        }
      } else if byte <= 0x20 {
        advance()
      } else {
        return
      }
    }
  }

  private mutating func takeNumber() {
    while let byte = peek() {
      let isSign = byte == dash || byte == UInt8(ascii: "+")
      let afterExponent = [0x45, 0x65, 0x50, 0x70].contains(source[max(0, place - 1)])
      guard
        LuaLexer.isDigit(byte) || LuaLexer.isLetter(byte) || byte == dot
          || (isSign && afterExponent)
      else { return }
      place += 1
    }
  }

  private mutating func takeString(_ quote: UInt8) {
    place += 1
    while let byte = peek(), byte != quote {
      if byte == UInt8(ascii: "\\") { advance() }
      advance()
    }
    advance()
  }

  /// How many bytes open the long bracket that begins here; nil when none does.
  private func longBracket() -> Int? {
    var end = place + 1
    while end < source.count, source[end] == UInt8(ascii: "=") { end += 1 }
    guard end < source.count, source[end] == UInt8(ascii: "[") else { return nil }
    return end - place + 1
  }

  private mutating func takeLong(_ level: Int) {
    let equals = [UInt8](repeating: UInt8(ascii: "="), count: level - 2)
    let close = [UInt8(ascii: "]")] + equals + [UInt8(ascii: "]")]
    place += level
    while place < source.count, !source[place...].starts(with: close) { advance() }
    place = min(source.count, place + level)
  }

  /// The longest symbol that begins here.
  private mutating func takeSymbol(_ byte: UInt8) {
    place += 1
    let pairs = ["==", "~=", "<=", ">=", "//", "::", "<<", ">>", ".."]
    if let next = peek(), pairs.contains(where: { $0.utf8.elementsEqual([byte, next]) }) {
      place += 1
      if byte == dot, peek() == dot { place += 1 }
    }
  }

  private func peek(_ ahead: Int = 0) -> UInt8? {
    place + ahead < source.count ? source[place + ahead] : nil
  }

  private mutating func advance() {
    if peek() == newline { line += 1 }
    place = min(source.count, place + 1)
  }

  private let dash = UInt8(ascii: "-")
  private let dot = UInt8(ascii: ".")
  private let newline = UInt8(ascii: "\n")

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || byte == UInt8(ascii: "_")
  }
}
