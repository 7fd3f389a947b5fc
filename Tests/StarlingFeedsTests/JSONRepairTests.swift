import Testing

@testable import StarlingFeeds

@Suite struct JSONRepairTests {
  private func decode(_ bytes: [UInt8]) throws -> FeedDecoder {
    let decoder = FeedDecoder()
    for start in stride(from: 0, to: bytes.count, by: 7) {
      try decoder.append(Array(bytes[start..<min(start + 7, bytes.count)]))
    }
    try decoder.finish()
    return decoder
  }

  /// The document in a short notation: texts in quotes, members as name=value.
  private func show(_ document: JSONDocument, _ node: JSONDocument.Node) -> String {
    switch document.kind(node) {
    case .null: return "null"
    case .boolean: return String(document.boolean(node))
    case .integer: return String(document.integer(node))
    case .real: return String(document.real(node))
    case .bigNumber: return "#" + document.string(node)
    case .string: return "'" + document.string(node) + "'"
    case .array:
      let elements = (0..<document.count(node)).compactMap { document.element(node, $0) }
      return "[" + elements.map { show(document, $0) }.joined(separator: " ") + "]"
    case .object:
      var parts: [String] = []
      var name = document.firstChild(node)
      while let key = name, let value = document.nextSibling(key, in: node) {
        parts.append(document.string(key) + "=" + show(document, value))
        name = document.nextSibling(value, in: node)
      }
      return "{" + parts.joined(separator: " ") + "}"
    }
  }

  @Test(
    "damage costs what is damaged and nothing else",
    arguments: [
      (#"{"a":[1,NaN,{"b":Infinity}],"c":"x"}"#, "{a=[1 null {b=null}] c='x'}"),
      (
        #"{"a":01,"b":+1,"c":.5,"d":1.,"e":0x1F,"f":-Infinity,"g":"x"}"#,
        "{a=1 b=1 c=0.5 d=1.0 e=31.0 f=null g='x'}"
      ),
      (#"{"a":1,,"b":[1,2,],}"#, "{a=1 b=[1 2]}"),
      (#"{"a":1 "b":[1 2]}"#, "{a=1 b=[1 2]}"),
      ("{\"a\":\"x\ny\tz\",\"b\":\"\\x\\u12\"}", "{a='x\ny\tz' b='xu12'}"),
      (#"{a:1,'b':'x"y', "c":true}"#, "{a=1 b='x\"y' c=true}"),
      ("{\"a\":1 /* one */, // two\n\"b\":2}", "{a=1 b=2}"),
      (#"{"a":[1,{"b":2}]}}} trailing"#, "{a=[1 {b=2}]}"),
      (
        #"{"a":undefined,"b":99999999999999999999,"c":[]}"#, "{a=null b=#99999999999999999999 c=[]}"
      ),
      (#"{"a":[{"b":1],"c":"x"}"#, "{a=[{b=1}] c='x'}"),
      (#"{a :1,bc"v",'d':'e'f:[g,'h',],"":''}"#, "{a=1 bc='v' d='e' f=[null 'h'] =''}"),
    ])
  func repairs(text: String, expected: String) throws {
    let decoder = try decode(Array(text.utf8))
    let document = try #require(decoder.document)
    #expect(show(document, document.root) == expected)
    #expect(decoder.damage.map(\.kind) == [.badJSON])
    #expect(!decoder.isCut)
  }

  @Test(
    "a cut document gives what it holds and says where it ends",
    arguments: [
      (#"{"items":[{"id":"1"},{"id":"2","ti"#, "{items=[{id='1'} {id='2'}]}"),
      (#"{"items":[{"id":"1"},{"id":"#, "{items=[{id='1'} {}]}"),
      (#"[{"id":"1"},{"title":"half a te"#, "[{id='1'} {title='half a te'}]"),
      (#"[{"id":"1","n":12"#, "[{id='1'}]"), (#"[{"a":"x","page_url":"http"#, "[{a='x'}]"),
      (#"[{"id":"1"},"#, "[{id='1'}]"),
      (#"["a","b\"#, "['a' 'b']"),
    ])
  func readsCutDocuments(text: String, expected: String) throws {
    let decoder = try decode(Array(text.utf8))
    let document = try #require(decoder.document)
    #expect(show(document, document.root) == expected)
    #expect(decoder.isCut)
    #expect(decoder.damage == [FeedDamage(.cut, offset: text.utf8.count)])
  }

  @Test("bytes that are no UTF-8 cost one U+FFFD each")
  func replacesBadBytes() throws {
    var bytes = Array(#"{"a":"xy","b":"中"}"#.utf8)
    bytes.insert(0xFF, at: 7)
    let decoder = try decode(bytes)
    let document = try #require(decoder.document)
    #expect(show(document, document.root) == "{a='x\u{FFFD}y' b='中'}")
    #expect(decoder.damage.map(\.kind) == [.replacedBytes])
  }

  @Test("prose in brackets and bottomless nesting are refused")
  func refuses() {
    for text in ["[ERROR] server is down", "{", "[", "[[[[", "{{{{{{", "[1"] {
      #expect(throws: FeedError.self) { try decode(Array(text.utf8)) }
    }
    let deep = String(repeating: #"{"a":["#, count: 10_000)
    #expect(throws: FeedError.self) { try decode(Array(deep.utf8)) }
  }

  @Test("mutated documents never crash")
  func survivesMutation() throws {
    let original = Array(
      #"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":1,"t":"\u4e2d\ud83d\ude00"},[-1.5e3,null,true]]}"#
        .utf8)
    var seed: UInt64 = 0xBADC0DE
    func random(_ bound: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % bound
    }
    for _ in 0..<3000 {
      var bytes = original
      for _ in 0..<(1 + random(4)) {
        switch random(3) {
        case 0: bytes[random(bytes.count)] = UInt8(random(256))
        case 1: bytes.remove(at: random(bytes.count))
        default: bytes.insert(Array("{}[]\",:\\u0-".utf8)[random(11)], at: random(bytes.count))
        }
      }
      guard let decoder = try? decode(bytes), let document = decoder.document else { continue }
      _ = show(document, document.root)
      while decoder.next() != nil {}
    }
  }
}
