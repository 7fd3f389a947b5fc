extension Timestamp {
  /// Reads `2026-11-30`, `2026-11-30T08:05:00Z` and `2026-11-30T08:05:00+08:00` (RFC 3339).
  public init?(parsing text: String) {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int? {
      guard range.upperBound <= bytes.count else { return nil }
      return Int(String(decoding: bytes[range], as: UTF8.self))
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else {
      return nil
    }
    if bytes.count == 10 {
      self.init(year: year, month: month, day: day)
      return
    }
    guard let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19)
    else { return nil }
    var offset = 0
    if bytes.count == 25, let hours = number(20..<22), let minutes = number(23..<25) {
      offset = (hours * 3600 + minutes * 60) * (bytes[19] == UInt8(ascii: "-") ? -1 : 1)
    } else if bytes.count != 20 {
      return nil
    }
    self.init(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second,
      offsetSeconds: offset)
  }
}
