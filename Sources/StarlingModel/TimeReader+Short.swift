/// Dates that leave a part of the year out (ISO 8601:1988, 5.2.1), and Japanese eras by their letter.
extension TimeReader {
  /// `240131`, and days by their number in the year: `24031`, `2024031`.
  func shortDate(_ start: Int, _ count: Int) -> Timestamp? {
    let isLong = count == 7
    let year = isLong ? part(start, 4) : TimeReader.fullYear(part(start, 2), 2)
    if count == 6 {
      return Timestamp(year: year, month: part(start + 2, 2), day: part(start + 4, 2))
    }
    let dayOfYear = part(start + count - 3, 3)
    guard !isLong || (1900...2199).contains(year), (1...366).contains(dayOfYear),
      let first = Timestamp(year: year, month: 1, day: 1)
    else { return nil }
    let time = Timestamp(secondsSinceEpoch: first.secondsSinceEpoch + Int64(dayOfYear - 1) * 86400)
    return time.civil.year == year ? time : nil
  }

  /// `-24`, `-2401`, `-24-01`: a year, and its month; behind the first mark.
  func truncatedDate(_ start: Int, _ end: Int) -> Timestamp? {
    let count = end - start
    guard count == 2 || count == 4 || count == 5, count < 5 || byte(start + 2) == 0x2D else {
      return nil
    }
    for place in start..<end where count < 5 || place != start + 2 {
      guard URLReference.isDigit(byte(place)) else { return nil }
    }
    let month = count == 2 ? 1 : part(end - 2, 2)
    return Timestamp(year: TimeReader.fullYear(part(start, 2), 2), month: month, day: 1)
  }

  /// `R6.1.31` and `H31/4/30` at the beginning.
  mutating func readEraLetter() {
    guard URLReference.isDigit(byte(1)), let before = TimeReader.eraLetters[byte(0)] else { return }
    let end = URLReference.isDigit(byte(2)) ? 3 : 2
    let mark = byte(end)
    guard mark == 0x2E || mark == 0x2F, URLReference.isDigit(byte(end + 1)) else { return }
    at = end + 1
    let (number, count) = readRun()
    guard count <= 2, byte(at) == mark, URLReference.isDigit(byte(at + 1)) else {
      at = 0
      return
    }
    at += 1
    (year, month, day) = (before + part(1, end - 1), number, readRun().value)
    hasNumericDate = true
  }

  private static let eraLetters: [UInt8: Int] = [
    UInt8(ascii: "R"): 2018, UInt8(ascii: "H"): 1988, UInt8(ascii: "S"): 1925,
  ]
}
