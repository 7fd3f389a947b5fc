import Testing

@testable import StarlingTool

@Suite struct LineLayoutTests {
  private func end(_ text: String, _ width: Int) -> [Int] {
    let place = LineLayout(text).end(in: width)
    return [place.row, place.column]
  }

  private func end(_ text: String, _ old: Int, _ new: Int) -> [Int] {
    let place = LineLayout(text).end(drawnIn: old, reflowedTo: new)
    return [place.row, place.column]
  }

  @Test("the cursor is behind the text, at the margin in the next row")
  func ends() {
    #expect(end("", 10) == [0, 0])
    #expect(end("abc", 10) == [0, 3])
    #expect(end("abcdefghij", 10) == [1, 0])
    #expect(end("abcdefghijk", 10) == [1, 1])
    #expect(end("abc\nde", 10) == [1, 2])
    // A wide character has no half of its own.
    #expect(end("abcdefghi电", 10) == [1, 2])
  }

  @Test("rows that were full are joined, and broken where the new width has it")
  func reflows() {
    #expect(end("abcdefghijklmno", 10, 20) == [0, 15])
    #expect(end("abcdefghijklmno", 20, 10) == [1, 5])
    #expect(end("abcdefghijklmno", 10, 4) == [3, 3])
    #expect(end("ab\ncdefghijklmno", 10, 20) == [1, 13])
  }

  @Test("a row that ended with a blank stays a line of its own")
  func breaksAtBlanks() {
    #expect(end("abcdefghi klmno", 10, 20) == [1, 5])
    #expect(end("abcdefghi klmno", 10, 5) == [3, 0])
    #expect(end("abcde     klmno", 10, 5) == [2, 0])
    #expect(end("abcdefgh j", 20, 5) == [2, 0])
  }
}
