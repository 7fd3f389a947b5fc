import Testing

@testable import StarlingTool

/// What a script writes reaches a terminal in pieces.
@Suite struct TerminalFilterTests {
  private func shown(_ pieces: [[UInt8]]) -> String {
    let filter = TerminalFilter()
    return String(decoding: pieces.flatMap(filter.filter), as: UTF8.self)
  }

  @Test(
    "a text comes out the same whole, by characters and by bytes",
    arguments: ["plain\n\ttext", "👨‍👩‍👧 می‌خواهم 1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿!", "क्‍ष"])
  func pieces(text: String) {
    #expect(shown([Array(text.utf8)]) == text)
    #expect(shown(text.unicodeScalars.map { Array(String($0).utf8) }) == text)
    #expect(shown(text.utf8.map { [$0] }) == text)
  }

  @Test("what is hidden is shown by its number, however it comes")
  func hidden() {
    let text = "a\u{200E}b\u{200D}c\u{1B}[31m\u{202E}"
    let expected = "a\\u{200E}b\\u{200D}c\\u{1B}[31m\\u{202E}"
    #expect(shown([Array(text.utf8)]) == expected)
    #expect(shown(text.utf8.map { [$0] }) == expected)
  }
}
