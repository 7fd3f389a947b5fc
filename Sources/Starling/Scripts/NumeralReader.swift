import StarlingLua

/// Reads a numeral from standard input, up to the first byte that cannot belong to it, as `io.read`
/// does with the format `n` (Lua manual 5.4, §6.8; `l_read_number` of liolib.c).
struct NumeralReader {
  enum Numeral {
    case integer(Int64)
    case number(Double)
  }

  private let streams: ScriptStreams
  private let state: LuaState
  private var text = ""
  private var isHexadecimal = false

  /// Bytes of the longest numeral.
  private static let limit = 200

  init(_ streams: ScriptStreams, _ state: LuaState) {
    self.streams = streams
    self.state = state
  }

  /// - Returns: nil when there is none; what was read of a wrong one is gone.
  mutating func read() throws(LuaError) -> Numeral? {
    while let byte = try streams.peek(state), byte == 0x20 || (0x09...0x0D).contains(byte) {
      streams.skip()
    }
    _ = try takes("+-")
    var digits = 0
    if try takes("0") {
      isHexadecimal = try takes("xX")
      digits = isHexadecimal ? 0 : 1
    }
    digits += try takeDigits()
    let isWhole = try !takes(".")
    if !isWhole { digits += try takeDigits() }
    var hasExponent = false
    if digits > 0 {
      hasExponent = try takes(isHexadecimal ? "pP" : "eE")
      if hasExponent {
        _ = try takes("+-")
        while try takes("0123456789") {}
      }
    }
    guard digits > 0, text.utf8.count < Self.limit else { return nil }
    return value(isInteger: isWhole && !hasExponent)
  }

  /// An integer that is too large is a number in decimal, and wraps around in hexadecimal (Lua manual
  /// 5.4, §3.1).
  private func value(isInteger: Bool) -> Numeral? {
    if isInteger {
      if isHexadecimal { return .integer(hexadecimal) }
      if let integer = Int64(text) { return .integer(integer) }
    }
    return Double(text).map { .number($0) }
  }

  private var hexadecimal: Int64 {
    let digits = text.drop { $0 == "+" || $0 == "-" }.dropFirst(2)
    let sum = digits.reduce(UInt64(0)) { $0 &* 16 &+ UInt64($1.hexDigitValue ?? 0) }
    let value = Int64(bitPattern: sum)
    return text.hasPrefix("-") ? 0 &- value : value
  }

  private mutating func takeDigits() throws(LuaError) -> Int {
    var count = 0
    while try takes(isHexadecimal ? "0123456789abcdefABCDEF" : "0123456789") { count += 1 }
    return count
  }

  /// Takes the next byte when it is one of these.
  private mutating func takes(_ bytes: String) throws(LuaError) -> Bool {
    guard text.utf8.count < Self.limit, let byte = try streams.peek(state),
      bytes.utf8.contains(byte)
    else { return false }
    text.unicodeScalars.append(Unicode.Scalar(byte))
    streams.skip()
    return true
  }
}
