/// Times of day, and the units that East Asian texts write behind a number.
extension TimeReader {
  /// `10:30`, `10:30:15.250`; at the first colon.
  mutating func readClock(_ value: Int) -> Bool {
    hour = value
    at += 1
    minute = readRun().value
    if byte(at) == 0x3A, URLReference.isDigit(byte(at + 1)) {
      at += 1
      second = readRun().value
    }
    skipFraction()
    return true
  }

  /// `10h30`, `10h`, and behind a whole date `10 h 30`, `10 Uhr 30` and `10.30`; behind the hour.
  mutating func readWrittenClock(_ value: Int) -> Bool {
    guard value <= 24 else { return false }
    let isDated = year != nil && day != nil
    let isPoint =
      isDated && byte(at) == 0x2E && URLReference.isDigit(byte(at + 1))
      && URLReference.isDigit(byte(at + 2))
    guard let end = isPoint ? at + 1 : hourWord(isDated) else { return false }
    hour = value
    at = isDated && byte(end) == 0x20 && URLReference.isDigit(byte(end + 1)) ? end + 1 : end
    if URLReference.isDigit(byte(at)) { minute = readRun(limit: 2).value }
    return true
  }

  /// Where the word for hours ends that stands here or, behind a date, one blank further.
  private func hourWord(_ isDated: Bool) -> Int? {
    let start = isDated && byte(at) == 0x20 ? at + 1 : at
    if byte(start) | 0x20 == 0x68, !URLReference.isLetter(byte(start + 1)) { return start + 1 }
    guard isDated else { return nil }
    if has("Uhr", at: start) || has("uhr", at: start) { return start + 3 }
    guard has("ч", at: start) else { return nil }
    var end = start
    while byte(end) >= 0x80 { end += 1 }
    return end
  }

  /// The word for half an hour, behind an hour in Chinese, Japanese or Korean.
  mutating func takeHalfHour() -> Bool {
    let start = byte(at) == 0x20 ? at + 1 : at
    guard has("半", at: start) || has("반", at: start) else { return false }
    at = start + 3
    return true
  }

  mutating func skipFraction() {
    guard byte(at) == 0x2E || byte(at) == 0x2C, URLReference.isDigit(byte(at + 1)) else { return }
    at += 1
    while at < size, URLReference.isDigit(byte(at)) { at += 1 }
  }

  /// `T10`, `T1030`, `T103015`.
  mutating func readCompactClock(_ start: Int, _ count: Int) -> Bool {
    guard count == 2 || count == 4 || count == 6 else { return false }
    hour = part(start, 2)
    if count >= 4 { minute = part(start + 2, 2) }
    if count == 6 { second = part(start + 4, 2) }
    skipFraction()
    return true
  }

  enum Unit { case year, month, day, hour, minute, second }

  private static let units: [(StaticString, Unit)] = [
    ("年", .year), ("月", .month), ("日", .day), ("号", .day), ("號", .day), ("時", .hour),
    ("时", .hour), ("点", .hour), ("點", .hour), ("分", .minute), ("秒", .second), ("년", .year),
    ("월", .month), ("일", .day), ("시", .hour), ("분", .minute), ("초", .second),
  ]

  /// The East Asian word behind a number.
  mutating func readUnit() -> Unit? {
    var place = at
    while byte(place) == 0x20 { place += 1 }
    guard byte(place) >= 0xE4 else { return nil }
    for (text, unit) in TimeReader.units where has(text, at: place) {
      at = place + text.utf8CodeUnitCount
      return unit
    }
    return nil
  }

  func has(_ text: StaticString, at place: Int) -> Bool {
    guard place + text.utf8CodeUnitCount <= size else { return false }
    for index in 0..<text.utf8CodeUnitCount
    where unsafe bytes[place + index] != text.utf8Start[index] {
      return false
    }
    return true
  }

  mutating func take(_ value: Int, _ unit: Unit) -> Bool {
    switch unit {
    case .year: year = value < 100 ? TimeReader.fullYear(value, 2) : value
    case .month: month = value
    case .day: day = value
    case .hour: hour = value
    case .minute: minute = value
    case .second: second = value
    }
    return true
  }
}
