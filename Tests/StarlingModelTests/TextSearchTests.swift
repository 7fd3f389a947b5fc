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
}
