import Testing

@testable import StarlingTool

@Suite struct CursorReportTests {
  @Test("an answer in pieces is taken out of what is typed around it")
  func isTakenOut() {
    var report = CursorReport()
    for piece in ["ab\u{1B}[A\u{1B}", "[12;", "34", "Rcd"] {
      #expect(report.column == nil)
      report.take(Array(piece.utf8))
    }
    #expect(report.column == 33)
    #expect(String(decoding: report.typed, as: UTF8.self) == "ab\u{1B}[Acd")
  }

  @Test("an answer that is not whole yet is waited for, keys are not")
  func isUnfinished() {
    for (keys, isUnfinished) in [
      ("ab", false), ("\u{1B}", true), ("a\u{1B}[", true), ("\u{1B}[1", true),
      ("\u{1B}[12;3", true),
      ("\u{1B}[A", false), ("\u{1B}b", false), ("\u{1B}[1;2R", false),
    ] {
      var report = CursorReport()
      report.take(Array(keys.utf8))
      #expect(report.isUnfinished == isUnfinished, "\(keys.debugDescription)")
    }
  }

  @Test(
    "keys that look alike are no answer",
    arguments: ["\u{1B}[R", "\u{1B}[1R", "\u{1B}[;R", "[1;2R"])
  func isNone(_ keys: String) {
    var report = CursorReport()
    report.take(Array(keys.utf8))
    #expect(report.column == nil)
    #expect(report.typed == Array(keys.utf8))
  }
}
