import Glibc

/// Search for needles in folded UTF-8.
///
/// A word is bounded where a letter or digit does not meet another one. Scripts that are written
/// without blanks between words (Han, kana, Thai, Lao, Khmer, Myanmar) have such a border at every
/// character: a needle of ideographs is a word wherever it stands, and `Swift` is one in `用Swift写`.
package enum TextSearch {
  /// Where `needle` first lies in `text` from `start` on, or nil. An empty needle is nowhere.
  package static func first(
    _ needle: Span<UInt8>, in text: Span<UInt8>, from start: Int = 0
  ) -> Int? {
    first(needle, anchor: anchor(of: needle), in: text, from: start)
  }

  /// The same with the needle's `anchor` known: the C library looks for that byte.
  static func first(
    _ needle: Span<UInt8>, anchor: Int, in text: Span<UInt8>, from start: Int = 0
  ) -> Int? {
    let length = needle.count
    guard length > 0, start >= 0, length <= text.count - start else { return nil }
    let byte = Int32(needle[anchor])
    return unsafe text.withUnsafeBytes { text in
      unsafe needle.withUnsafeBytes { needle in
        guard let base = text.baseAddress, let wanted = needle.baseAddress else { return nil }
        // The anchor may stand from `start + anchor` up to where the needle still fits.
        var place = start + anchor
        let end = text.count - length + anchor + 1
        while place < end {
          guard let found = unsafe memchr(base + place, byte, end - place) else { return nil }
          let begin = unsafe UnsafeRawPointer(found) - base - anchor
          if unsafe memcmp(base + begin, wanted, length) == 0 { return begin }
          place = begin + anchor + 1
        }
        return nil
      }
    }
  }

  /// Below 0 when `first` comes before `second` in the order of bytes, above 0 when after it.
  static func order(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Int {
    let order = unsafe first.withUnsafeBytes { first in
      unsafe second.withUnsafeBytes { second in
        guard let one = first.baseAddress, let other = second.baseAddress else { return Int32(0) }
        return unsafe memcmp(one, other, min(first.count, second.count))
      }
    }
    return order == 0 ? first.count - second.count : Int(order)
  }

  /// Where the byte of the needle lies that texts hold least often.
  static func anchor(of needle: Span<UInt8>) -> Int {
    var best = 0
    for index in needle.indices where commonness(needle[index]) < commonness(needle[best]) {
      best = index
    }
    return best
  }

  /// How often a byte stands in the texts of feeds, roughly: 0 seldom, 4 everywhere.
  private static func commonness(_ byte: UInt8) -> Int {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "e"), 0xE3...0xE9, 0xD0, 0xD1: 4
    case UInt8(ascii: "a"), UInt8(ascii: "i"), UInt8(ascii: "n"), UInt8(ascii: "o"),
      UInt8(ascii: "r"), UInt8(ascii: "s"), UInt8(ascii: "t"):
      3
    case UInt8(ascii: "c"), UInt8(ascii: "d"), UInt8(ascii: "l"), UInt8(ascii: "h"),
      UInt8(ascii: "m"), UInt8(ascii: "p"), UInt8(ascii: "u"):
      2
    case UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...0xBF: 1
    default: 0
    }
  }

  /// Where `needle` first stands as a whole word, or nil.
  package static func firstWord(_ needle: Span<UInt8>, in text: Span<UInt8>) -> Int? {
    firstWord(needle, anchor: anchor(of: needle), in: text)
  }

  static func firstWord(_ needle: Span<UInt8>, anchor: Int, in text: Span<UInt8>) -> Int? {
    var start = 0
    while let found = first(needle, anchor: anchor, in: text, from: start) {
      if isBorder(text, at: found), isBorder(text, at: found + needle.count) { return found }
      start = found + 1
    }
    return nil
  }

  /// Whether a word may begin or end at `index`.
  static func isBorder(_ text: Span<UInt8>, at index: Int) -> Bool {
    guard index > 0, index < text.count else { return true }
    let after = TextFold.decode(text, at: index).scalar
    return !joins(after) || !joins(scalar(before: index, in: text))
  }

  private static func scalar(before index: Int, in text: Span<UInt8>) -> UInt32 {
    var start = index - 1
    while start > 0, index - start < 4, text[start] & 0xC0 == 0x80 { start -= 1 }
    return TextFold.decode(text, at: start).scalar
  }

  /// Whether the scalar is a letter, mark or digit of a script that separates its words.
  static func joins(_ value: UInt32) -> Bool {
    if value < 0x80 {
      let byte = UInt8(truncatingIfNeeded: value)
      return TextFold.lowered(byte) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
    }
    guard let scalar = Unicode.Scalar(value), !isUnseparated(value) else { return false }
    let properties = scalar.properties
    if properties.isAlphabetic { return true }
    switch properties.generalCategory {
    case .decimalNumber, .letterNumber, .nonspacingMark, .spacingMark: return true
    default: return false
    }
  }

  /// Whether the scalar belongs to a script without blanks between words.
  static func isUnseparated(_ value: UInt32) -> Bool {
    switch value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x19E0...0x19FF: true  // Thai to Khmer
    case 0x2E80...0x312F, 0x31A0...0x9FFF: true  // radicals, kana, bopomofo, ideographs
    case 0xA9E0...0xA9FF, 0xAA60...0xAA7F: true  // Myanmar, extended
    case 0xF900...0xFAFF, 0xFF65...0xFF9F: true  // compatibility ideographs, half-width kana
    case 0x1AFF0...0x1B16F, 0x20000...0x3FFFF: true  // kana, extended; ideographs, extended
    default: false
    }
  }
}
