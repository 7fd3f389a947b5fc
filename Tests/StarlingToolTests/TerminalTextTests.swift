import StarlingTool
import Testing

@Suite struct TerminalTextTests {
  @Test("a line folds blanks and shows what could do harm")
  func lines() {
    let cases = [
      ("plain", "plain"), ("  a \t\n b\u{A0}\u{2028}c ", "a b c"),
      ("\u{1B}]0;x\u{7}", "\\u{1B}]0;x\\u{7}"),
      ("\u{0}\u{7F}\u{80}\u{9F}", "\\u{0}\\u{7F}\\u{80}\\u{9F}"),
      ("a\u{2066}b\u{202D}", "a\\u{2066}b\\u{202D}"),
      ("a\u{200E}\u{61C}b\u{200B}", "a\\u{200E}\\u{61C}b\\u{200B}"),
      ("a\u{E0041}\u{200D}b می‌خواهم", "a\\u{E0041}\\u{200D}b می‌خواهم"),
      ("电池 👨‍👩‍👧 é", "电池 👨‍👩‍👧 é"), ("", ""), (" ", ""),
    ]
    for (text, expected) in cases { #expect(TerminalText.line(text) == expected) }
  }

  @Test("a block keeps its lines")
  func blocks() {
    #expect(TerminalText.block("a\r\n\tb\u{1B}") == "a\n b\\u{1B}")
  }

  @Test("text wraps at blanks and wide characters, links stay whole")
  func wraps() {
    #expect(TerminalText.wrapped("one two three", to: 7) == ["one two", "three"])
    #expect(TerminalText.wrapped("电池技术突破", to: 5) == ["电池", "技术", "突破"])
    #expect(
      TerminalText.wrapped("see https://example.com/x now", to: 8) == [
        "see", "https://example.com/x", "now",
      ])
    #expect(TerminalText.wrapped("a\n\nb", to: 10) == ["a", "", "b"])
    #expect(TerminalText.wrapped("a b", to: nil) == ["a b"])
    #expect(TerminalText.wrapped("用Swift写", to: 6) == ["用", "Swift", "写"])
  }
}
