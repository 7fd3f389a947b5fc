import Testing

@testable import StarlingFeeds

@Suite struct JSONDocumentTests {
  private func parse(_ text: String) throws -> JSONDocument {
    try Array(text.utf8).withUnsafeBytes { try JSONDocument(parsing: $0) }
  }

  @Test(
    "what RFC 8259 allows is accepted",
    arguments: [
      "[]", "{}", " [1 , 2 ] ", "null", "true", "\"a\"", "1", "-0", "0e1", "1E+2", "[-1.5e-3]",
      "[\"\\u0000\\uD83D\\uDE00\\/\\\"\"]", "{\"a\":1,\"a\":2}", "{\"\":0}", "[[[]]]",
      "[\"\u{7F}\u{2028}\"]", "\n{\"a\"\t:\r[null]}\n", "[123123e100000]", "[1e-999]",
      "[\"\\uD800\"]", "[\"\\uDC00\\uD800x\"]",
    ])
  func accepts(text: String) throws {
    _ = try parse(text)
  }

  @Test(
    "what RFC 8259 does not allow is refused",
    arguments: [
      "", " ", "[", "]", "[1,]", "[,1]", "[1,,2]", "[1 2]", "{\"a\":1,}", "{\"a\" 1}", "{a:1}",
      "{'a':1}", "{\"a\":}", "{1:1}", "{\"a\"}", "[01]", "[1.]", "[.5]", "[+1]", "[1e]", "[1e+]",
      "[0x1]", "[NaN]", "[Infinity]", "[-]", "[- 1]", "nul", "[True]", "[\"\\x\"]", "[\"\\u12\"]",
      "[\"a\nb\"]", "[\"a\tb\"]", "[\"a", "\"", "[1]x", "1 2", "{}{}", "[1}", "{\"a\":[1}",
      "[\"a\"b]", "\u{FEFF}[]", "[1]#", "/**/[1]", "[1//\n]", "[\u{0B}]", "[\"\\",
      "{\"a\":1 \"b\":2}",
      "[1:2]", "{\"a\",1}", "[\"a\\", "-", "[-foo]", "[2.e3]", "[9.e+]", "{\"x\"::\"b\"}", "*",
    ])
  func refuses(text: String) {
    #expect(throws: FeedError.self) { try parse(text) }
  }

  @Test("bytes that are no UTF-8 are refused")
  func refusesBadUTF8() {
    for bytes in [[0x5B, 0x22, 0xFF, 0x22, 0x5D], [0x5B, 0x22, 0xE4, 0xBD, 0x22, 0x5D]] as [[UInt8]]
    {
      #expect(throws: FeedError.self) {
        try bytes.withUnsafeBytes { try JSONDocument(parsing: $0) }
      }
    }
  }

  @Test("nesting up to 512 is read, deeper is refused without a crash")
  func limitsDepth() throws {
    let deep = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
    _ = try parse(deep(512))
    #expect(throws: FeedError.self) { try parse(deep(513)) }
    #expect(throws: FeedError.self) { try parse(String(repeating: "[", count: 100_000)) }
    #expect(throws: FeedError.self) { try parse(String(repeating: "{\"a\":", count: 100_000)) }
  }

  @Test("numbers keep what they are")
  func keepsNumbers() throws {
    let document = try parse(
      "[9007199254740993, -9223372036854775808, 9223372036854775808, 1618065507111835497, 2.0,"
        + " 18446744073709551616, 1e400, -0, 0.1]")
    let nodes = (0..<9).compactMap { document.element(document.root, $0) }
    #expect(nodes.count == 9)
    #expect(document.integer(nodes[0]) == 9_007_199_254_740_993)
    #expect(document.integer(nodes[1]) == .min)
    #expect(document.kind(nodes[2]) == .bigNumber)
    #expect(document.string(nodes[2]) == "9223372036854775808")
    #expect(document.integer(nodes[3]) == 1_618_065_507_111_835_497)
    #expect(document.kind(nodes[4]) == .real)
    #expect(document.string(nodes[5]) == "18446744073709551616")
    #expect(document.string(nodes[6]) == "1e400")
    #expect(document.kind(nodes[7]) == .integer)
    #expect(document.real(nodes[8]) == 0.1)
  }

  @Test("texts are decoded, lone surrogates replaced")
  func decodesTexts() throws {
    let document = try parse(#"["\u4e2d\ud83d\ude00\n\/", "\ud800x", "中文", "a\\", ""]"#)
    let texts = (0..<5).compactMap { document.element(document.root, $0).map(document.string) }
    #expect(texts == ["中😀\n/", "\u{FFFD}x", "中文", "a\\", ""])
  }

  @Test("the last of duplicate names counts, and walking shows all")
  func findsMembers() throws {
    let document = try parse(#"{"a":1,"b":{"c":[1,{"d":2}]},"a":3,"\u0061b":4}"#)
    let root = document.root
    #expect(document.member(root, "a").map(document.integer) == 3)
    #expect(document.member(root, "ab").map(document.integer) == 4)
    #expect(document.member(root, "x") == nil)
    #expect(document.count(root) == 4)
    var names: [String] = []
    var name = document.firstChild(root)
    while let key = name, let value = document.nextSibling(key, in: root) {
      names.append(document.string(key))
      name = document.nextSibling(value, in: root)
    }
    #expect(names == ["a", "b", "a", "ab"])
  }

  @Test("elements are found forward, backward and in another array between")
  func findsElements() throws {
    let document = try parse("[[1,2,3],[[4],5,\"x\"],6]")
    let root = document.root
    let first = try #require(document.element(root, 0))
    let second = try #require(document.element(root, 1))
    #expect((0..<3).compactMap { document.element(first, $0).map(document.integer) } == [1, 2, 3])
    #expect(document.element(second, 2).map(document.string) == "x")
    #expect(document.element(first, 1).map(document.integer) == 2)
    #expect(document.element(root, 2).map(document.integer) == 6)
    #expect(document.element(root, 3) == nil)
    #expect(document.element(root, -1) == nil)
  }

  @Test("a question of the wrong kind has no answer and never traps")
  func answersNothing() throws {
    let document = try parse("[1]")
    let other = try parse("[[[[[[[[[[1,2,3]]]]]]]]],4]")
    let far = try #require(other.element(other.root, 1))
    #expect(document.kind(far) == .null)
    #expect(document.string(far).isEmpty)
    #expect(document.member(document.root, "a") == nil)
    #expect(document.integer(document.root) == 0)
    #expect(document.firstChild(far) == nil)
  }

  @Test("walking 31,000 elements by index is linear")
  func walksFast() throws {
    let text = "[" + (0..<31_000).map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"
    let document = try parse(text)
    var sum: Int64 = 0
    for index in 0..<document.count(document.root) {
      let element = try #require(document.element(document.root, index))
      sum += document.member(element, "id").map(document.integer) ?? 0
    }
    #expect(sum == 31_000 * 30_999 / 2)
    #expect(document.tapeBytes <= 2 * text.utf8.count)
  }

  @Test(
    "a document takes at most twice its text, whatever it is made of",
    arguments: ["1", "[]", "{}", "[1]", "\"\"", "{\"\":1}", "[[[[]]]]", "-1.5e3", "[1,2,[3,[]]]"])
  func isCompact(element: String) throws {
    for count in [1, 200, 300, 70_000] {
      let text = "[" + Array(repeating: element, count: count).joined(separator: ",") + "]"
      let document = try parse(text)
      #expect(document.count(document.root) == count)
      #expect(document.tapeBytes <= 2 * text.utf8.count + 512)
    }
  }

  @Test("long arrays and objects are found past, from both sides of what a short one can say")
  func walksLongOnes() throws {
    for count in [254, 255, 256, 257, 600_000] {
      let list = Array(repeating: "1", count: count).joined(separator: ",")
      let document = try parse("[[\(list)],{\"a\":[\(list)],\"b\":7},8]")
      let root = document.root
      let list0 = try #require(document.element(root, 0))
      let object = try #require(document.element(root, 1))
      #expect(document.count(list0) == count)
      #expect(document.element(list0, count - 1).map(document.integer) == 1)
      #expect(document.element(list0, count) == nil)
      #expect(document.member(object, "b").map(document.integer) == 7)
      #expect(document.element(root, 2).map(document.integer) == 8)
    }
    let members = (0..<300).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
    let document = try parse("{\(members)}")
    #expect(document.count(document.root) == 300)
    #expect(document.member(document.root, "k299").map(document.integer) == 299)
  }

  @Test("a name is found as what it means, not as what it looks like")
  func comparesNames() throws {
    let document = try parse(#"{"a":"b","a\\":1,"\"":2,"":3}"#)
    #expect(document.member(document.root, #"a":"b"#) == nil)
    #expect(document.member(document.root, #"a\"#).map(document.integer) == 1)
    #expect(document.member(document.root, "\"").map(document.integer) == 2)
    #expect(document.member(document.root, "").map(document.integer) == 3)
    #expect(document.member(document.root, "a\":\"b\"") == nil)
  }

  @Test("texts of every length end where they end, with escapes at any place")
  func readsTextsOfAnyLength() throws {
    for length in 0..<70 {
      let plain = String(repeating: "x", count: length)
      for escape in ["", #"\n"#, #"\u00e9"#, #"\""#, #"\\"#] {
        let meant =
          ["": "", #"\n"#: "\n", #"\u00e9"#: "é", #"\""#: "\"", #"\\"#: #"\"#][escape] ?? ""
        let document = try parse("[\"\(plain)\(escape)\(plain)\",\"y\"]")
        let nodes = (0..<2).compactMap { document.element(document.root, $0) }
        #expect(nodes.map(document.string) == [plain + meant + plain, "y"])
      }
    }
  }

  @Test("the byte at fault is named")
  func namesPlaces() {
    for (text, offset) in [
      ("[1,x]", 3), ("[1,2}", 4), ("{\"a\" 1}", 5), ("[\"a\\q\"]", 3), ("[1] 2", 4),
      ("[\"ab\u{7}\"]", 4),
      ("[01]", 1), ("[1", 2), ("[\"", 2),
    ] {
      do {
        _ = try parse(text)
        Issue.record("accepted: \(text)")
      } catch FeedError.json(_, let place) {
        #expect(place == offset, "\(text)")
      } catch {
        Issue.record("\(error)")
      }
    }
  }
}
