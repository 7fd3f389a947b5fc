import Testing

@testable import StarlingFeeds

/// What strict JSON accepts and refuses, by the classes of JSONTestSuite.
@Suite struct JSONVerdictTests {
  private func isAccepted(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { (try? JSONDocument(parsing: $0)) != nil }
  }

  @Test(
    "numbers of RFC 8259 are accepted",
    arguments: [
      "0", "-0", "7", "-7", "10", "0.5", "-0.25", "1e5", "1E5", "1e+5", "1e-5", "0e0", "0E+1",
      "1.5e10",
      "12.5E-3", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
      "123456789012345678901234567890", "1e400", "-1e-400",
      "0.00000000000000000000000000000000000001",
    ])
  func acceptsNumbers(number: String) {
    for text in [number, "[\(number)]", " [ \(number) , \(number)\n]", "{\"a\":\(number)}"] {
      #expect(isAccepted(Array(text.utf8)), "\(text)")
    }
  }

  @Test(
    "what only looks like a number is refused",
    arguments: [
      "+1", "01", "-01", "00", "1.", "-1.", ".5", "-.5", "1.e5", ".e1", "1e", "1e+", "1E-", "1ee5",
      "1.5.5",
      "0x1F", "1_000", "1 000", "- 1", "--1", "-", "+", "1+1", "NaN", "-NaN", "Infinity",
      "-Infinity",
      "Inf", "1a", "1e5x", "0.3e+-1", "１", "1\u{0}", "1/2", "1,5e",
    ])
  func refusesNumbers(number: String) {
    for text in [number, "[\(number)]", "{\"a\":\(number)}"] {
      #expect(!isAccepted(Array(text.utf8)), "\(text)")
    }
  }

  @Test(
    "strings of RFC 8259 are accepted",
    arguments: [
      #""""#, #""a""#, #""\"\\\/\b\f\n\r\t""#, #""\u0000""#, #""\u00e9""#, #""\uFFFF""#,
      #""\ud83d\ude00""#,
      #""\uD83D\uDE00""#, "\"\u{7F}\"", "\"\u{2028}\u{2029}\"", "\"\u{FFFF}\"", "\"\u{10FFFF}\"",
      #""\\u0041""#, #""\\""#, #""/*no comment*/ // none""#, #""\ud800""#, #""\udc00\ud800""#,
      #""\ud800\n""#, #""\ud800\u0041""#, "\"中文\"",
    ])
  func acceptsStrings(string: String) {
    for text in [string, "[\(string)]", "{\(string):\(string)}"] {
      #expect(isAccepted(Array(text.utf8)), "\(text)")
    }
  }

  @Test(
    "bad strings are refused",
    arguments: [
      #"""#, #""a"#, "\"\n\"", "\"\t\"", "\"\u{0}\"", "\"\u{1F}\"", #""\a""#, #""\x41""#, #""\u""#,
      #""\u12""#,
      #""\u123g""#, #""\ud800\u""#, #""\ud800\u1""#, #""\ud800\x""#, #""\"#, #""\""#, #""\U0041""#,
      "'a'",
      #""a"b""#, #""a" "b""#, #"\u0022a""#, "\"\\\u{0}\"", "\"\\é\"",
    ])
  func refusesStrings(string: String) {
    for text in [string, "[\(string)]", "{\"a\":\(string)}", "{\(string):1}"] {
      #expect(!isAccepted(Array(text.utf8)), "\(text)")
    }
  }

  @Test(
    "bytes that are no UTF-8 are refused, wherever they stand",
    arguments: [
      [0xFF], [0xC0, 0xAF], [0xE9], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xF8, 0x88, 0x80, 0x80, 0x80],
      [0x80], [0xE4, 0xB8],
    ] as [[UInt8]])
  func refusesBadBytes(bytes: [UInt8]) {
    #expect(!isAccepted([0x22] + bytes + [0x22]))
    #expect(!isAccepted([0x5B] + bytes + [0x5D]))
    #expect(!isAccepted([0x5B, 0x22, 0x61] + bytes + [0x22, 0x5D]))
    #expect(!isAccepted(bytes))
  }

  @Test(
    "structures of RFC 8259 are accepted",
    arguments: [
      "[]", "{}", "[[]]", "[{}]", "{\"a\":{}}", "{\"a\":[]}", " [ ] ", "\n\t\r{ }\n",
      "[null,true,false]", "null",
      "true", "false", "\"x\"", "{\"\":\"\"}", "{\"a\":1,\"a\":2}", "{\"a\":1 , \"b\" : [ 2 ]}",
      "[1,\n2]",
      "[[],[[]],{}]",
    ])
  func acceptsStructures(text: String) {
    #expect(isAccepted(Array(text.utf8)))
  }

  @Test(
    "bad structures are refused",
    arguments: [
      "", " ", "[", "]", "{", "}", "[1", "[1,", "[1,]", "[,1]", "[1,,2]", "[,]", "[1 2]", "[1]]",
      "[1}", "{\"a\":1]",
      "{\"a\"}", "{\"a\":}", "{:1}", "{\"a\" 1}", "{\"a\"::1}", "{\"a\":1,}", "{,\"a\":1}",
      "{\"a\":1,,\"b\":2}",
      "{\"a\":1 \"b\":2}", "{a:1}", "{'a':1}", "{1:1}", "{null:1}", "{[]:1}", "{\"a\":1}x",
      "{\"a\":1}{}", "[] []", "[]#",
      "[]//", "[]/**/", "/**/[]", "[/**/]", "nul", "nulll", "Null", "TRUE", "truefalse", "[tru]",
      "undefined",
      "\u{FEFF}[]", "\u{FEFF}", "[\u{C}]", "[\u{B}]", "[\u{2060}]", "[\u{A0}]", "[]\u{0}",
      "\u{0}[]", "[1:2]", "<a>",
      "{\"a\":1,\"b\"}", "[\"a\",\n4\n,1,", "*", "{\"a\":b}", "[-]", "[\"a\" b]", "[a]", "é",
    ])
  func refusesStructures(text: String) {
    #expect(!isAccepted(Array(text.utf8)))
  }

  @Test("nesting is accepted to 512 and refused beyond, however deep")
  func boundsDepth() {
    for depth in [1, 500, 512] {
      let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      #expect(isAccepted(Array(text.utf8)), "\(depth)")
    }
    for depth in [513, 100_000] {
      let open = String(repeating: "[", count: depth)
      #expect(!isAccepted(Array((open + String(repeating: "]", count: depth)).utf8)))
      #expect(!isAccepted(Array(open.utf8)))
      #expect(!isAccepted(Array(String(repeating: "{\"\":", count: depth).utf8)))
      #expect(!isAccepted(Array(String(repeating: "[{\"\":", count: depth).utf8)))
    }
  }

  @Test("what is wide and no UTF-8 is refused: json.decode is for UTF-8")
  func refusesWide() {
    let utf16 = "[1]".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(!isAccepted(utf16))
    #expect(!isAccepted([0xFF, 0xFE] + utf16))
  }
}
