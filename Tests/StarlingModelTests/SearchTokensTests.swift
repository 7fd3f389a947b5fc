import Testing

@testable import StarlingModel

@Suite struct SearchTokensTests {
  private func tokens(_ text: String) -> [String] {
    var tokens = SearchTokens()
    tokens.append(Array(text.utf8).span)
    return String(decoding: tokens.storage.prefix(tokens.count), as: UTF8.self)
      .split(separator: " ", omittingEmptySubsequences: false).dropLast().map { String($0) }
  }

  @Test(
    "a text is cut into words, and into pairs where there are no blanks",
    arguments: [
      ("Swift and Lua 5.4", ["swift", "and", "lua", "5", "4"]), ("", []), (" -*\"'@()\u{0} ", []),
      ("新电池", ["新电", "电池", "池"]), ("电", ["电"]), ("电池,技术", ["电池", "池", "技术", "术"]),
      ("EV电池x", ["ev", "电池", "池", "x"]), ("20万", ["20", "万"]), ("lua_x", ["lua", "x"]),
      ("🚗🔋ok", ["🚗🔋", "🔋", "ok"]), ("배터리를", ["배터", "터리", "리를", "를"]),
      ("「電池」、テスト。", ["電池", "池", "テス", "スト", "ト"]), ("a\u{AD}b", ["ab"]),
      ("5 €", ["5", "€"]), ("a！b　c", ["a", "b", "c"]),
    ])
  func cutting(_ text: String, _ expected: [String]) {
    #expect(tokens(text) == expected)
  }

  @Test(
    "case, width and accents do not count, in any script",
    arguments: [
      ("ÉCOLE", "ecole"), ("e\u{301}cole", "école"), ("ＡＢＣ１２", "abc12"), ("STRASSE", "Straße"),
      ("Łódź", "lodz"), ("København", "kobenhavn"), ("Ǽ", "ae"), ("ISTANBUL", "İstanbul"),
      ("ıssız", "ISSIZ"), ("Tiếng Việt", "TIENG VIET"), ("ΑΘΉΝΑ", "αθηνα"),
      ("ὈΔΥΣΣΕΎΣ", "οδυσσευς"),
      ("Ёлка", "елка"), ("МОЙ", "мои"), ("\u{212A}elvin", "kelvin"), ("ﬁle", "FILE"),
      ("ﾃｽﾗ", "テスラ"), ("ﾃﾞﾝﾁﾊﾟ", "デンチパ"), ("か\u{3099}は\u{309A}", "がぱ"), ("أحمد", "احمد"),
      ("مُحَمَّد", "محمد"), ("שָׁלוֹם", "שלום"), ("ԱՐԱՐԱՏ", "արարատ"), ("ｶﾞｶ", "ガカ"), ("ﾡ", "ㄱ"),
      ("Ⓐ", "ⓐ"), ("𐐀", "𐐨"), ("Ⱥ", "a\u{338}"),
    ])
  func folding(_ left: String, _ right: String) {
    #expect(tokens(left) == tokens(right))
    #expect(!tokens(left).isEmpty)
  }

  @Test("a text is cut in the same way wherever it stands")
  func shifting() {
    let texts = [
      "Swift@[`{/:and LUA5.4longerthaneightbytes 新电池EV电池", "电池カﾞ池かEV ÉCOLE电", "ﾃﾞﾝﾁ电池", "一丁龥鿿Ꮿ가",
    ]
    for text in texts {
      for length in 1...17 {
        let before = String(repeating: "Q", count: length)
        #expect(tokens(before + " " + text) == [before.lowercased()] + tokens(text))
        #expect(tokens(text + " " + before) == tokens(text) + [before.lowercased()])
      }
    }
  }

  @Test("the places of tokens are those of a text that is cut for the index")
  func placing() {
    for text in ["新电池 EV电池x\u{AD}y", "かﾞ 电", "a电池電b"] {
      let bytes = Array(text.utf8)
      let cut = SearchTokens(of: bytes.span)
      #expect(
        cut.places.map { String(decoding: cut.bytes(of: $0), as: UTF8.self) } == tokens(text))
      for place in cut.places where place.role != .word {
        let first = String(decoding: bytes[place.text.lowerBound..<place.firstEnd], as: UTF8.self)
        #expect(tokens(first).count == 1)
        #expect(place.text.contains(place.firstEnd) == (place.role == .pair))
      }
    }
  }

  @Test(
    "what makes another word stays",
    arguments: [
      ("が", "か"), ("ゴルフ", "コルフ"), ("कि", "कु"), ("กา", "กี"), ("क\u{93C}", "क"), ("パ", "バ"),
      ("ㄱ", "ㄴ"), ("日", "曰"),
    ])
  func keeping(_ left: String, _ right: String) {
    #expect(tokens(left) != tokens(right))
  }

  @Test("a letter and its accents are canonically equal to the letter that is both")
  func basesAreDecompositions() {
    // A stroke or a hook is part of the letter; no mark makes it.
    let marks = (0x300..<0x370).compactMap { Unicode.Scalar(UInt32($0)) }
    var made = 0
    for group in BaseLetters.groups {
      let letters = Array(group.unicodeScalars)
      for letter in letters.dropFirst() {
        let text = String(Character(letter))
        let parts = text.unicodeScalars.map(\.value)
        #expect(parts == [letter.value], "\(letter.value)")
        if marks.contains(where: { String(letters[0]) + String($0) == text }) { made += 1 }
        #expect(tokens(text) == tokens(String(letters[0])), "\(text)")
      }
    }
    #expect(made > 200)
  }

  @Test("every scalar can be cut, between letters and alone, and its capital is the same word")
  func everyScalar() {
    for value in UInt32(0)...0x1FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(scalar)
      let found = tokens(text)
      for token in found { #expect(!token.isEmpty, "\(value)") }
      let upper = scalar.properties.uppercaseMapping
      if upper.unicodeScalars.count == 1, scalar.properties.isAlphabetic, value != 0x345 {
        #expect(found == tokens(upper), "\(value)")
      }
    }
  }

  @Test("bytes that are no UTF-8 stand between words, and a long word is cut")
  func badBytes() {
    var broken = SearchTokens()
    for bytes: [UInt8] in [[0x61, 0xFF, 0x62], [0xE7, 0x94], [0xC3], [0xED, 0xA0, 0x80]] {
      broken.append(bytes.span)
    }
    #expect(String(decoding: broken.storage.prefix(broken.count), as: UTF8.self) == "a b ")
    let long = tokens(
      String(repeating: "é", count: 5000) + " " + String(repeating: "ж", count: 5000))
    #expect(long.map(\.utf8.count) == [200, 200])
  }

  @Test("tokens of many texts never leave their storage, whatever they are made of")
  func capacity() {
    var generator = SeededGenerator(seed: 61)
    let letters = ["a", ",", "电", "©", "ß", "é", "🔋", "Ⱥ", "か\u{3099}", "ﾊﾟ", " ", "\u{301}", "ا"]
    for _ in 0..<200 {
      var tokens = SearchTokens()
      for _ in 0..<3 {
        let text = (0..<Int.random(in: 0...80, using: &generator))
          .map { _ in letters.randomElement(using: &generator) ?? "" }.joined()
        tokens.append(Array(text.utf8).span)
      }
      #expect(tokens.count <= tokens.storage.count)
    }
  }
}
