import StarlingModel
import Testing

@Suite struct JSONWriterTests {
  private func written(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test("objects, arrays and values get their commas")
  func structure() {
    let json = written { json in
      json.beginObject()
      json.name("a")
      json.beginArray()
      json.integer(1)
      json.null()
      json.boolean(true)
      json.beginObject()
      json.endObject()
      json.endArray()
      json.name("b")
      json.text("x")
      json.endObject()
      json.newline()
      json.integer(-2)
    }
    #expect(json == "{\"a\":[1,null,true,{}],\"b\":\"x\"}\n-2")
  }

  @Test("a text escapes what JSON asks for and what a terminal obeys, and nothing more")
  func escapes() {
    let text = "q\" b\\ /\u{8}\t\n\u{C}\r\u{0}\u{1F}\u{7F} 电池 \u{2028} 😀"
    let expected =
      "\"q\\\" b\\\\ /\\b\\t\\n\\f\\r\\u0000\\u001f\\u007f 电池 \\u2028 😀\""
    #expect(written { $0.text(text) } == expected)
  }

  @Test("each ASCII byte escapes the same at every place of a text")
  func escapesAnywhere() {
    for byte in UInt8(0)..<0x80 {
      let alone = String(written { $0.text(span: [byte].span) }.dropFirst().dropLast())
      for place in 0..<17 {
        var text = [UInt8](repeating: UInt8(ascii: "a"), count: 17)
        text[place] = byte
        let around = [place, 16 - place].map { String(repeating: "a", count: $0) }
        #expect(written { $0.text(span: text.span) } == "\"" + around[0] + alone + around[1] + "\"")
      }
    }
  }

  @Test("bytes that are no UTF-8 become U+FFFD, one for each")
  func replaces() {
    let bytes: [UInt8] = [0x61, 0xFF, 0xC3, 0x62, 0xED, 0xA0, 0x80, 0xE4, 0xB8, 0xAD, 0xF0, 0x9F]
    #expect(
      written { $0.text(span: bytes.span) }
        == "\"a\u{FFFD}\u{FFFD}b\u{FFFD}\u{FFFD}\u{FFFD}中\u{FFFD}\u{FFFD}\"")
  }

  @Test(
    "numbers are as short as they can be read back",
    arguments: [
      (165_900, "165900"), (-0.0, "0"), (0.1, "0.1"), (1e16, "1e+16"), (-2.5, "-2.5"),
      (1e-7, "1e-07"),
      (.leastNonzeroMagnitude, "5e-324"), (.nan, "null"), (.infinity, "null"),
      (9_007_199_254_740_991, "9007199254740991"),
    ])
  func reals(_ number: Double, expected: String) {
    #expect(written { $0.real(number) } == expected)
  }

  @Test("integers print whole", arguments: [0, 7, -7, 10, 1_000_000, Int64.max, Int64.min])
  func integers(_ number: Int64) {
    #expect(written { $0.integer(number) } == String(number))
  }

  @Test(
    "times are RFC 3339, as descriptions are",
    arguments: [0, 1_800_000_000, -1, -62_167_219_200, 253_402_300_799])
  func times(_ seconds: Int64) {
    let time = Timestamp(secondsSinceEpoch: seconds)
    #expect(written { $0.time(time) } == "\"\(time)\"")
  }

  @Test(
    "a time that four digits cannot tell is its seconds after an @; each reads back as the same",
    arguments: [
      Int64.max, .min, 253_402_300_800, 253_402_300_799, -62_167_219_200, -62_167_219_201,
      -62_135_596_800, -60_000_000_000, 99_999_999_999, 100_000_000_000, -1, 0, 20_240_131,
    ])
  func farTimes(_ seconds: Int64) {
    let time = Timestamp(secondsSinceEpoch: seconds)
    let text = "\(time)"
    #expect(written { $0.time(time) } == "\"\(text)\"")
    #expect(text.utf8.last == UInt8(ascii: "Z") || text == "@\(seconds)")
    #expect(Timestamp(parsing: text) == time)
    #expect(Value(importing: text, as: .time) == .time(time))
  }

  @Test("an entity and its record print the same, in the order of the kind")
  func entities() {
    let expected =
      "{\"kind\":\"car_type\",\"key\":\"1\",\"uid\":\"1\",\"name\":\"Model Ü 电池 Pro\","
      + "\"url\":\"https://Example.com/A\",\"energy\":\"EV\",\"price\":{\"low\":165900,"
      + "\"high\":251300,\"currency\":\"CNY\",\"text\":\"16.59-25.13万\"},\"seats\":5,"
      + "\"range\":512.5,\"electric\":true,\"published\":\"2027-01-14T04:13:20Z\","
      + "\"tags_seen\":[\"Family\",\"长续航\"]}"
    var record = EntityRecord()
    record.fill(from: MatcherTests.car, kind: MatcherTests.kind)
    #expect(written { $0.entity(MatcherTests.car, kind: MatcherTests.kind) } == expected)
    #expect(written { $0.record(record, kind: MatcherTests.kind) } == expected)
  }

  @Test("a price without an amount prints its text alone")
  func unpriced() {
    #expect(
      written { $0.value(MatcherTests.unpriced.values["price"] ?? 0) } == "{\"text\":\"暂无报价\"}")
  }

  @Test("a favorite adds when, tags, note and causes")
  func favorites() {
    let time = Timestamp(secondsSinceEpoch: 0)
    let favorite = Favorite(
      entity: Entity(kind: "car_type", key: "2"), starredAt: time, tags: ["a"], note: "n",
      causes: [
        Cause(origin: .hand, at: time),
        Cause(
          origin: .rule(name: "R", version: "0123abcd"),
          evidence: [Evidence(field: "energy", value: "EV", condition: "is \"EV\"")], at: time),
        Cause(origin: .script(name: "s.lua"), at: time),
        Cause(origin: .import(file: "f.opml", line: 3), at: time),
      ])
    let at = "\"at\":\"1970-01-01T00:00:00Z\""
    #expect(
      written { $0.favorite(favorite, kind: MatcherTests.kind) }
        == "{\"kind\":\"car_type\",\"key\":\"2\",\"starred_at\":\"1970-01-01T00:00:00Z\","
        + "\"tags\":[\"a\"],\"note\":\"n\",\"causes\":[{\"by\":\"hand\",\(at)},"
        + "{\"by\":\"rule\",\"rule\":\"R\",\"version\":\"0123abcd\",\(at),\"evidence\":[{\"field\":"
        + "\"energy\",\"value\":\"EV\",\"condition\":\"is \\\"EV\\\"\"}]},"
        + "{\"by\":\"script\",\"script\":\"s.lua\",\(at)},"
        + "{\"by\":\"import\",\"file\":\"f.opml\",\"line\":3,\(at)}]}")
  }
}
