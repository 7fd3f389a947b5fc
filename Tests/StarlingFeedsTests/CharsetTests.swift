import Glibc
import Testing

@testable import StarlingFeeds

@Suite struct CharsetTests {
  /// Text in a charset, by iconv.
  private func encode(_ text: String, _ charset: String) -> [UInt8] {
    let converter = iconv_open(charset, "UTF-8")
    defer { iconv_close(converter) }
    var input = Array(text.utf8).map { CChar(bitPattern: $0) }
    var output = [CChar](repeating: 0, count: input.count * 4 + 16)
    let room = output.count
    let used = input.withUnsafeMutableBufferPointer { from in
      output.withUnsafeMutableBufferPointer { to in
        var start = from.baseAddress
        var left = from.count
        var place = to.baseAddress
        var free = room
        _ = iconv(converter, &start, &left, &place, &free)
        return room - free
      }
    }
    return output[..<used].map { UInt8(bitPattern: $0) }
  }

  private func rss(_ title: String, declared: String? = nil) -> String {
    let declaration = declared.map { "<?xml version=\"1.0\" encoding=\"\($0)\"?>" } ?? ""
    return declaration
      + "<rss version=\"2.0\"><channel><item><title>\(title)</title></item></channel></rss>"
  }

  private func title(
    _ bytes: [UInt8], options: FeedOptions = FeedOptions(), piece: Int = 5
  ) throws -> (title: String?, damage: [FeedDamage.Kind]) {
    let decoder = FeedDecoder(options)
    for start in stride(from: 0, to: bytes.count, by: piece) {
      try decoder.append(Array(bytes[start..<min(start + piece, bytes.count)]))
    }
    try decoder.finish()
    return (decoder.next()?.string(.title), decoder.damage.map(\.kind))
  }

  @Test(
    "a declared charset is read, in the widest form that publishers mean by its name",
    arguments: [
      ("GB2312", "GB18030", "中文镕😀"), ("GBK", "GBK", "中文镕"), ("gb18030", "GB18030", "中文😀"),
      ("Big5", "BIG5", "中文標題"), ("Shift_JIS", "CP932", "日本語①テスト"),
      ("EUC-JP", "EUC-JP", "日本語テスト"), ("EUC-KR", "CP949", "한국어 똠"),
      ("ks_c_5601-1987", "CP949", "한국어"), ("KOI8-R", "KOI8-R", "Привет"),
      ("windows-1251", "CP1251", "Привет"), ("windows-1250", "CP1250", "Žluťoučký"),
      ("windows-1253", "CP1253", "Ελληνικά"), ("windows-1255", "CP1255", "עברית"),
      ("windows-1256", "CP1256", "العربية"), ("iso-8859-1", "CP1252", "é “quotes” €"),
      ("ISO-8859-2", "ISO-8859-2", "Łódź"), ("iso-8859-5", "ISO-8859-5", "Привет"),
      ("iso-8859-7", "ISO-8859-7", "Ελληνικά"), ("iso-8859-15", "ISO-8859-15", "é €"),
      ("us-ascii", "CP1252", "é"), ("tis-620", "TIS-620", "ภาษาไทย"),
    ])
  func readsDeclaredCharsets(label: String, charset: String, text: String) throws {
    let bytes = encode(rss(text, declared: label), charset)
    #expect(try title(bytes).title == text)
    let header = FeedOptions(contentType: "text/xml; charset=\"\(label)\"")
    #expect(try title(encode(rss(text), charset), options: header).title == text)
    let forced = FeedOptions(contentType: "text/xml; charset=utf-8", charset: label)
    #expect(try title(encode(rss(text), charset), options: forced).title == text)
  }

  @Test(
    "wide charsets are known by their mark or by their zero bytes",
    arguments: ["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"])
  func readsWideCharsets(charset: String) throws {
    let text = rss("wide é 中 😀", declared: "utf-16")
    #expect(try title(encode(text, charset)).title == "wide é 中 😀")
    #expect(try title(encode("\u{FEFF}" + text, charset), piece: 3).title == "wide é 中 😀")
    let json = "[{\"title\":\"é 😀\"}]"
    let decoder = FeedDecoder()
    try decoder.append(encode(json, charset))
    try decoder.finish()
    let document = try #require(decoder.document)
    let item = try #require(document.element(document.root, 0))
    #expect(document.member(item, "title").map(document.string) == "é 😀")
  }

  @Test("a byte order mark beats everything")
  func markWins() throws {
    let bytes = [0xEF, 0xBB, 0xBF] + Array(rss("é", declared: "GBK").utf8)
    let options = FeedOptions(contentType: "text/xml; charset=Big5", charset: "koi8-r")
    #expect(try title(bytes, options: options).title == "é")
  }

  @Test("a wrong declaration over valid UTF-8 is seen through")
  func seesThrough() throws {
    for label in ["iso-8859-1", "gbk", "windows-1251", "utf-16", "nonsense-7"] {
      let result = try title(Array(rss("中文 é", declared: label).utf8))
      #expect(result.title == "中文 é")
    }
    let wrong = try title(Array(rss("中文", declared: "gbk").utf8))
    #expect(wrong.damage == [.wrongCharset])
  }

  @Test("a charset that nobody declared is guessed, and windows-1252 stands in")
  func guesses() throws {
    let russian = "Съешь же ещё этих мягких французских булок, да выпей чаю"
    #expect(try title(encode(rss(russian), "KOI8-R")).title == russian)
    let chinese = "中文论坛的标题没有声明字符集但是可以猜测出来"
    #expect(try title(encode(rss(chinese), "GBK")).title == chinese)
    let french = "Perturbateurs endocriniens : quels effets sur le cerveau étonné ?"
    #expect(try title(encode(rss(french), "CP1252")).title == french)
  }

  @Test("one bad byte costs one U+FFFD and never the document")
  func replacesBadBytes() throws {
    var bytes = Array(rss("ab", declared: "UTF-8").utf8)
    let place = try #require(
      bytes.firstIndex(of: UInt8(ascii: "b")).map { _ in
        bytes.count - "b</title></item></channel></rss>".utf8.count
      })
    bytes.insert(0xFF, at: place)
    for piece in [1, 2, 3, 1000] {
      let result = try title(bytes, piece: piece)
      #expect(result.title == "a\u{FFFD}b")
      #expect(result.damage == [.replacedBytes])
    }
    var chinese = encode(rss("中文标题", declared: "GBK"), "GBK")
    chinese.insert(0xFF, at: chinese.count - "</title></item></channel></rss>".utf8.count)
    #expect(try title(chinese).title == "中文标题\u{FFFD}")
    var cut = Array(rss("中", declared: "UTF-8").utf8)
    cut.remove(at: cut.count - "</title></item></channel></rss>".utf8.count - 1)
    #expect(try title(cut).title == "\u{FFFD}\u{FFFD}")
  }

  @Test(
    "damage in JSON of another charset is reported at its byte, far behind and after bad bytes too",
    arguments: [
      ("GBK", "GBK"), ("Big5", "BIG5"), ("Shift_JIS", "CP932"), ("gb18030", "GB18030"),
      ("UTF-16", "UTF-16LE"), ("UTF-16", "UTF-16BE"), ("koi8-r", "KOI8-R"),
    ])
  func placesDamageInJSON(label: String, charset: String) throws {
    let isWide = label == "UTF-16"
    let word = label == "koi8-r" ? "Привет" : isWide ? "中😀" : "中文"
    let rows = (0..<2000).map { "{\"id\":\($0),\"t\":\"\(word)\"}" }
    let head = "[" + rows.joined(separator: ",") + ",{\"id\":\"\(word)\"},"
    var bytes = encode(head, charset)
    var place = bytes.count
    bytes += encode("oops,{\"id\":9,\"t\":\"\(word)\"}]", charset)
    for hasBadByte in [false, true] {
      if hasBadByte, !isWide, label != "koi8-r" {
        bytes.insert(contentsOf: [UInt8(ascii: "\""), 0xFF, UInt8(ascii: "\""), 0x2C], at: 1)
        place += 4
      }
      for piece in [7, 4096, 1 << 20] {
        let decoder = FeedDecoder(FeedOptions(contentType: "application/json; charset=\(label)"))
        for start in stride(from: 0, to: bytes.count, by: piece) {
          try decoder.append(Array(bytes[start..<min(start + piece, bytes.count)]))
        }
        try decoder.finish()
        let damage = decoder.damage.first { $0.kind == .badJSON }
        #expect(damage?.offset == place, "\(charset), \(piece), \(hasBadByte)")
      }
    }
  }

  @Test("a charset that nobody knows is refused only when the source demands it")
  func refusesUnknownCharsets() throws {
    #expect(throws: FeedError.charset("klingon")) {
      try title(Array(rss("x").utf8), options: FeedOptions(charset: "klingon"))
    }
    #expect(try title(Array(rss("x", declared: "klingon").utf8)).title == "x")
  }

  @Test("characters of windows-1252 that were taken for Latin-1 become what was meant")
  func repairsControls() throws {
    #expect(try title(Array(rss("don\u{92}t &#150; &#x85;").utf8)).title == "don’t – …")
  }

  @Test(
    "a bad unit of a wide charset costs itself alone, in XML and in JSON",
    arguments: [
      ("UTF-16LE", [0, 0xD8]), ("UTF-16BE", [0xDC, 0]), ("UTF-32LE", [0, 0, 0x11, 0xFF]),
      ("UTF-32BE", [0xFF, 0xFF, 0xFF, 0xFF]),
    ] as [(String, [UInt8])])
  func keepsUnits(charset: String, bad: [UInt8]) throws {
    let json =
      "{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":[{\"id\":\"1\",\"title\":\"中@文\"}]}"
    for text in [rss("中@文"), json] {
      let parts = text.split(separator: "@").map { encode(String($0), charset) }
      let found = try title(parts[0] + bad + parts[1])
      #expect(found.title == "中\u{FFFD}文")
      #expect(found.damage == [.replacedBytes])
    }
  }

  @Test("the last letter of a charset that combines letters is not held back")
  func endsCombining() throws {
    let json =
      "{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":[{\"id\":\"1\",\"title\":\"x\"}]}"
    let options = FeedOptions(contentType: "application/json; charset=windows-1258")
    let found = try title(Array(json.utf8), options: options)
    #expect(found.title == "x")
    #expect(found.damage.isEmpty)
  }

  @Test("a header's UTF-8 gives way to the document's own charset where it is disproved")
  func disbelievesHeader() throws {
    let options = FeedOptions(contentType: "text/xml; charset=utf-8")
    let found = try title(encode(rss("中文", declared: "GBK"), "GBK"), options: options)
    #expect(found.title == "中文")
    #expect(found.damage == [.wrongCharset])
    let mixed = Array(rss("中文@x", declared: "GBK").utf8).map { $0 == 0x40 ? 0xFF : $0 }
    #expect(try title(mixed, options: options).title == "中文\u{FFFD}x")
  }
}
