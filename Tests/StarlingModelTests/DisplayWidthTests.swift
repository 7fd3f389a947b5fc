import StarlingModel
import Testing

@Suite struct DisplayWidthTests {
  @Test(
    "a text is as wide as a terminal shows it",
    arguments: [
      ("", 0), ("abc", 3), ("电池", 4), ("é", 1), ("e\u{301}", 1), ("ｱ", 1), ("Ａ", 2), ("👍", 2),
      ("👍🏽", 2), ("👨‍👩‍👧", 2), ("🇨🇳", 2), ("❤️", 2), ("❤", 1), ("한글", 4), ("각", 2),
      ("\u{200B}", 0), ("a\u{200D}b", 2), ("—…", 2), ("ไทย", 3), ("\u{FEFF}x", 1), ("｜", 2),
      ("🪿", 2),
    ])
  func widths(_ text: String, expected: Int) {
    #expect(DisplayWidth.width(of: text) == expected)
  }

  @Test("a text that fits is left alone, another ends with an ellipsis in its last column")
  func cuts() {
    #expect(DisplayWidth.cut("abcdef", to: 6) == "abcdef")
    #expect(DisplayWidth.cut("abcdef", to: 5) == "abcd…")
    #expect(DisplayWidth.cut("电池技术", to: 8) == "电池技术")
    #expect(DisplayWidth.cut("电池技术", to: 7) == "电池技…")
    #expect(DisplayWidth.cut("电池技术", to: 6) == "电池…")
    #expect(DisplayWidth.cut("电池", to: 1) == "…")
    #expect(DisplayWidth.cut("电池", to: 0) == "")
    #expect(DisplayWidth.cut("👨‍👩‍👧👍", to: 3) == "👨‍👩‍👧…")
  }

  @Test("a text is cut in its middle, between characters and within its columns")
  func cutsMiddle() {
    #expect(DisplayWidth.cutMiddle("abcdefgh", to: 8) == "abcdefgh")
    #expect(DisplayWidth.cutMiddle("abcdefgh", to: 7) == "abc…fgh")
    #expect(DisplayWidth.cutMiddle("abcdefgh", to: 6) == "ab…fgh")
    #expect(DisplayWidth.cutMiddle("电池技术电池", to: 8) == "电…电池")
    #expect(DisplayWidth.cutMiddle("e\u{301}e\u{301}abcde\u{301}", to: 3) == "e\u{301}…e\u{301}")
    #expect(DisplayWidth.cutMiddle("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", to: 5) == "👨‍👩‍👧…👨‍👩‍👧")
    #expect(DisplayWidth.cutMiddle("abc", to: 1) == "…")
    #expect(DisplayWidth.cutMiddle("abc", to: 0) == "")
  }

  @Test("padding fills to the width in columns, on either side")
  func pads() {
    #expect(DisplayWidth.pad("电池", to: 6) == "电池  ")
    #expect(DisplayWidth.pad("42", to: 5, alignedRight: true) == "   42")
    #expect(DisplayWidth.pad("电池技术", to: 6) == "电池… ")
  }

  @Test("a text is as wide as its characters, whichever stand beside each other")
  func addsUp() {
    let wrong = (UInt32(0x20)...0x1FB00).compactMap(Unicode.Scalar.init).filter { scalar in
      let text = String(scalar) + "a"
      return DisplayWidth.width(of: text) != text.reduce(0) { $0 + DisplayWidth.width(of: $1) }
    }
    #expect(wrong.isEmpty)
  }
}
