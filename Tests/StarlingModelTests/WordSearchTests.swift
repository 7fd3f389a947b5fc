import Testing

@testable import StarlingModel

@Suite struct WordSearchTests {
  @Test(
    "what a person types becomes words that must all be there",
    arguments: [
      ("battery EV", #""battery" AND "ev""#), ("电池", #""电池""#), ("固态电池", #""固态 态电 电池""#),
      ("电", #""电" *"#), ("目录 文件", #""目录" AND "文件""#), ("wi-fi", #""wi fi""#),
      ("EV电池", #""ev 电池""#), ("20万", #""20 万" *"#), ("电池EV", #""电池 池 ev""#),
      (#""solid state" x"#, #""solid state" AND "x""#),
      (#"an "open quote"#, #""an" AND "open quote""#),
      ("batter*", #""batter" *"#), ("a*b", #""a b""#), ("x x X", #""x""#),
      (
        "AND OR NOT NEAR",
        #""and" AND "or" AND "not" AND "near""#
      ), ("title:x", #""title" AND "x""#), ("“两 个”词", #""两 个" * AND "词" *"#),
    ])
  func expressions(_ text: String, _ expected: String) {
    #expect(WordSearch(text).expression == expected)
  }

  @Test(
    "punctuation parts words as a blank does, but for what joins a name",
    arguments: [
      "苹果,电池", "苹果，电池", "苹果、电池", "苹果/电池", "（苹果）电池", "苹果;电池", "苹果|电池", "【苹果】《电池》",
      "苹果。电池！", "苹果:电池", "苹果…电池", "苹果—电池",
    ])
  func parting(_ text: String) {
    #expect(WordSearch(text) == WordSearch("苹果 电池"))
  }

  @Test(
    "what joins the parts of a name keeps them side by side",
    arguments: [
      ("node.js", #""node js""#), ("o'neil", #""o neil""#), ("o’neil", #""o neil""#),
      ("snake_case", #""snake case""#), ("R&D", #""r d""#), ("3.14", #""3 14""#),
      ("ann@example.org", #""ann example org""#), ("让·雷诺", #""让 雷诺""#),
      ("\"apple, cherry\"", #""apple cherry""#),
    ])
  func joining(_ text: String, _ expected: String) {
    #expect(WordSearch(text).expression == expected)
  }

  @Test(
    "a text without a letter, digit or symbol finds nothing",
    arguments: ["", "  ", "\"", "@-*()", "\u{0}", "\"\" ''", "。、", "\u{301}", "\u{200D}"])
  func empty(_ text: String) {
    #expect(WordSearch(text).isEmpty)
  }

  @Test("a very long text is looked for with its first words")
  func longest() {
    let words = (0..<1000).map { "w\($0)" }
    #expect(WordSearch(words.joined(separator: " ")).phrases.count == 200)
    let quoted = WordSearch("\"" + words.joined(separator: " ") + "\"")
    #expect(quoted.phrases.map(\.tokens.count) == [200])
  }

  @Test(
    "the places of the words are marked",
    arguments: [
      ("新电池技术", "电池", ["电池"]), ("新电池技术", "电", ["电"]), ("新电池技术", "电池 技", ["电池技"]),
      ("新电池技术", "池技术", ["池技术"]), ("The École, école.", "ecole", ["École", "école"]),
      ("Wi-Fi and wi fi, wi", "wi-fi", ["Wi-Fi", "wi fi"]), ("batteries", "batter*", ["batteries"]),
      ("ＥＶ電池", "ev", ["ＥＶ"]), ("nothing", "other", []), ("ﾃﾞﾝﾁ", "デン", ["ﾃﾞﾝ"]),
      ("e\u{301}t\u{E9}", "ete", ["e\u{301}t\u{E9}"]), ("🔋🚗", "🚗", ["🚗"]), ("", "x", []),
      ("car car", "car", ["car", "car"]),
    ])
  func ranges(_ text: String, _ search: String, _ expected: [String]) {
    #expect(WordSearch(search).ranges(in: text).map { String(text[$0]) } == expected)
  }
}
