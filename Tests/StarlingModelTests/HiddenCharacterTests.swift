import StarlingModel
import Testing

/// What stays in a text because the writing needs it, and what is shown by its number.
@Suite struct HiddenCharacterTests {
  private func hidden(_ text: String) -> [UInt32] {
    let places = HiddenCharacter.places(in: text.unicodeScalars)
    return text.unicodeScalars.enumerated()
      .filter { places.contains($0.offset) || HiddenCharacter.isAlways($0.element.value) }
      .map(\.element.value)
  }

  @Test(
    "what the writing of a language or an emoji needs is kept",
    arguments: [
      "👨‍👩‍👧‍👦", "🏳️‍🌈", "👩🏽‍💻", "❤️", "1️⃣", "☎︎", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "می‌خواهم", "ه‍", "क्‍ष", "क्‌ष", "র‍্য", "ශ්‍රී",
      "葛\u{E0100}", "ᠠ\u{180B}", "가\u{1100}\u{1160}", "≨\u{FE00}", "Donau\u{AD}dampf", "名\u{3000}前",
    ])
  func kept(text: String) { #expect(hidden(text).isEmpty, "\(text)") }

  @Test("every Bidi_Control is hidden")
  func bidi() {
    for value in [0x61C, 0x200E, 0x200F] + Array(0x202A...0x202E) + Array(0x2066...0x2069) {
      #expect(HiddenCharacter.isAlways(UInt32(value)))
    }
  }

  @Test("no character that Unicode has as ignorable goes unseen where it does nothing")
  func ignorable() {
    for value in UInt32(0xAE)...0xE0FFF {
      guard let scalar = Unicode.Scalar(value), scalar.properties.isDefaultIgnorableCodePoint else {
        continue
      }
      #expect(hidden("a\(scalar)b") == [value], "\(String(value, radix: 16))")
    }
  }

  @Test(
    "what hides a text in another is shown",
    arguments: [
      ("a\u{200D}b", [0x200D]), ("a\u{200C}b", [0x200C]), ("😀\u{200D}x", [0x200D]),
      ("😀\u{FE0F}\u{FE0F}\u{FE01}", [0xFE0F, 0xFE01]), ("x\u{E0041}\u{E0042}", [0xE0041, 0xE0042]),
      ("🏴\u{E0067}\u{E0062}", [0xE0067, 0xE0062]),
      ("🏴󠁧󠁢󠁥󠁮󠁧󠁿\u{E0041}", [0xE0041]), ("a\u{E0100}", [0xE0100]), ("\u{FEFF}a", [0xFEFF]),
      ("می\u{200C}\u{200C}", [0x200C, 0x200C]), ("1\u{200D}2", [0x200D]),
      ("\u{115F}\u{1160}", [0x115F, 0x1160]),
    ] as [(String, [UInt32])])
  func shown(text: String, values: [UInt32]) { #expect(hidden(text) == values) }
}
