import StarlingModel

/// What a script writes, made safe for a terminal: line ends and tabs are kept, and what could move
/// the cursor, change colors or turn the direction of writing is shown as `\u{1B}`.
///
/// A character whose bytes come in two pieces is held until it is whole, and one that depends on its
/// neighbors until they are there.
final class TerminalFilter {
  private var held: [UInt8] = []
  /// The last that was shown.
  private var before: [Unicode.Scalar] = []

  func filter(_ piece: [UInt8]) -> [UInt8] {
    if held.isEmpty, piece.allSatisfy(TerminalFilter.isPlain) {
      before = piece.last.map { [Unicode.Scalar($0)] } ?? before
      return piece
    }
    let bytes = held + piece
    let whole = bytes.count - TerminalFilter.unfinished(bytes)
    var scalars = Array(String(decoding: bytes[..<whole], as: UTF8.self).unicodeScalars)
    var waiting: [Unicode.Scalar] = []
    while let last = scalars.last, waiting.count < TerminalFilter.longestContext,
      HiddenCharacter.dependsOnPlace(last.value)
    {
      waiting.append(scalars.removeLast())
    }
    held = Array(TerminalFilter.text(waiting.reversed()).utf8) + bytes[whole...]
    let text = TerminalFilter.text(before + scalars)
    defer { before = (before + scalars).suffix(TerminalFilter.longestContext) }
    return Array(TerminalText.stream(text, after: before.count).utf8)
  }

  /// Scalars that an emoji or a syllable has.
  private static let longestContext = 10

  private static func text(_ scalars: [Unicode.Scalar]) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    return text
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t")
  }

  /// How many bytes at the end begin a character (RFC 3629) that has more.
  private static func unfinished(_ bytes: [UInt8]) -> Int {
    for (count, byte) in bytes.suffix(3).reversed().enumerated() {
      if byte & 0xC0 == 0x80 { continue }
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > count + 1 ? count + 1 : 0
    }
    return 0
  }
}
