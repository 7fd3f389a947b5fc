import StarlingModel
import Testing

@testable import StarlingModel

@Suite struct TextFoldTests {
  @Test(
    "texts that differ in case alone have one fold",
    arguments: [
      ("SWIFT and Lua 5.4", "swift AND lua 5.4"), ("ÄÖÜ", "äöü"), ("МОСКВА", "москва"),
      ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("ẞ", "ß"), ("ＡＢＣ", "ａｂｃ"), ("ԱՐԱՐԱՏ", "արարատ"), ("Ⱥ", "ⱥ"),
      ("𐐀", "𐐨"), ("电池EV", "电池ev"), ("Ꭰ", "ꭰ"), ("ǅ", "ǆ"), ("µ", "μ"),
    ])
  func joinsCases(_ upper: String, lower: String) {
    #expect(TextFold.folded(upper) == TextFold.folded(lower))
  }

  @Test(
    "ASCII letters match ASCII letters alone",
    arguments: [("\u{212A}", "k"), ("ſ", "s"), ("ı", "i"), ("İ", "i"), ("ß", "ss"), ("é", "e")])
  func keepsApart(_ other: String, letter: String) {
    #expect(TextFold.folded(other) != TextFold.folded(letter))
    #expect(TextFold.folded(other) != TextFold.folded(letter.uppercased()))
  }

  @Test("each scalar folds as its properties say")
  func agreesWithProperties() {
    for value in UInt32(0)...0x1FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let upper = Array(scalar.properties.uppercaseMapping.unicodeScalars)
      let base = upper.count == 1 ? upper[0] : scalar
      let lower = Array(base.properties.lowercaseMapping.unicodeScalars)
      var expected = lower.count == 1 ? lower[0] : scalar
      if expected.isASCII, !scalar.isASCII { expected = scalar }
      #expect(TextFold.folded(String(scalar)) == Array(String(expected).utf8))
    }
  }

  @Test("a fold folds to itself")
  func foldsOnce() {
    for value in UInt32(0)...0x1FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let fold = TextFold.folded(String(scalar))
      #expect(TextFold.folded(fold.span) == fold, "\(scalar.escaped(asASCII: true))")
    }
  }

  @Test("every place in a run of ASCII is folded, and only letters are")
  func foldsRuns() {
    let bytes = Array(UInt8(0)...0x7F)
    for start in 0..<9 {
      let part = Array(bytes[start...])
      let expected = part.map { (65...90).contains($0) ? $0 + 32 : $0 }
      #expect(TextFold.folded(part.span) == expected)
    }
  }

  @Test(
    "a run of any length is folded, behind and before other scalars", arguments: ["", "电", "É"])
  func foldsRunsOfAnyLength(_ other: String) {
    for count in 0..<40 {
      let run = String((0..<count).map { Character(UnicodeScalar(UInt8(65 + $0 % 26))) })
      let folded = other == "É" ? "é" : other
      let expected = folded + run.lowercased() + folded + run.lowercased()
      #expect(TextFold.folded(other + run + other + run) == Array(expected.utf8))
    }
  }

  @Test("a text folds as its characters do, wherever each of them stands")
  func foldsMixtures() {
    let parts = ["A", "Zz", "@[", "新", "かナ", "É", "Ж", "Ⱥ", "𐐀", "Ａ", "9", "ｱ", "\u{7F}"]
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let chosen = (0..<12).map { _ in parts.randomElement(using: &random) ?? "" }
      #expect(
        TextFold.folded(chosen.joined()) == chosen.flatMap { TextFold.folded($0) }, "\(chosen)")
    }
  }

  @Test("bytes that are no UTF-8 stay as they are")
  func keepsBadBytes() {
    for bad: [UInt8] in [[0xFF, 0x41], [0xC3], [0xE4, 0xB8], [0xED, 0xA0, 0x80], [0xC1, 0x81]] {
      var expected = bad
      if bad.last == 0x41 { expected[expected.count - 1] = 0x61 }
      #expect(TextFold.folded(bad.span) == expected)
    }
  }
}
