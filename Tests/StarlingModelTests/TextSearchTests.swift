import StarlingModel
import Testing

@Suite struct TextSearchTests {
  private func first(_ needle: String, _ text: String) -> Int? {
    TextSearch.first(Array(needle.utf8).span, in: Array(text.utf8).span)
  }

  private func firstWord(_ needle: String, _ text: String) -> Int? {
    TextSearch.firstWord(Array(needle.utf8).span, in: Array(text.utf8).span)
  }

  @Test("a needle is found at the beginning, in the middle, at the end, and nowhere")
  func finds() {
    #expect(first("ab", "abcab") == 0)
    #expect(first("ca", "abcab") == 2)
    #expect(first("bcab", "abcab") == 1)
    #expect(first("x", "abc") == nil)
    #expect(first("abcd", "abc") == nil)
    #expect(first("", "abc") == nil)
    #expect(first("aab", "aaaaab") == 3)
  }

  @Test(
    "a word stands between what is no letter and no digit",
    arguments: [
      ("lua", "lua", true), ("lua", "a lua.", true), ("lua", "evaluate", false),
      ("lua", "luajit", false), ("lua", "lua5", false), ("lua", "lua_x", true),
      ("c++", "in c++ and", true), ("c", "c++", true), ("go", "ago, go!", true),
      ("né", "année", false), ("né", "né!", true), ("мир", "мирный", false),
    ])
  func wholeWords(_ needle: String, _ text: String, expected: Bool) {
    #expect((firstWord(needle, text) != nil) == expected)
  }

  @Test(
    "in scripts without blanks between words every character is a border",
    arguments: [
      ("电池", "新电池技术"), ("swift", "用swift写"), ("ev", "纯ev车"), ("ロック", "ブロック"),
      ("𠮷野", "在𠮷野家"),
    ])
  func ideographs(_ needle: String, _ text: String) {
    #expect(firstWord(needle, text) != nil)
  }

  @Test("the search agrees with a plain one on random texts")
  func agreesWithPlainSearch() throws {
    var generator = SeededGenerator(seed: 20_261_130)
    let letters = ["a", "b", "C", "é", "É", "电", "池", " ", "-", "😀"]
    func random(_ range: ClosedRange<Int>) -> String {
      let count = Int.random(in: range, using: &generator)
      return (0..<count).map { _ in letters.randomElement(using: &generator) ?? "" }.joined()
    }
    let kind = Kind(name: "news", key: .auto, fields: [Field("title", .text)])
    var record = EntityRecord()
    var cache = FoldCache()
    for _ in 0..<300 {
      let text = random(1...60)
      record.fill(from: Entity(kind: "news", key: "", values: ["title": .text(text)]), kind: kind)
      cache.begin()
      let folded = TextFold.folded(text)
      for _ in 0..<8 {
        let needle = random(1...4)
        let wanted = TextFold.folded(needle)
        let expected = folded.indices.contains { folded[$0...].starts(with: wanted) }
        let matcher = try Matcher(
          .test(field: "title", .has([needle])), kind: kind, now: Timestamp(secondsSinceEpoch: 0))
        #expect(matcher.matches(record, &cache) == expected, "\(needle) in \(text)")
      }
    }
  }
}

/// The same numbers in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
