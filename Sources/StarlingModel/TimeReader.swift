/// One pass over the text of a time: what each run of digits and each word means follows from what
/// stands beside it and from what has been read. `Timestamp+Parsing.swift` states the rules.
@safe struct TimeReader: ~Copyable {
  let bytes: UnsafeBufferPointer<UInt8>
  let size: Int
  var at = 0
  var year: Int?
  var month: Int?
  var day: Int?
  var hour: Int?
  var minute = 0
  var second = 0
  var half: TimeNames.Half?
  var offset: Int?
  /// Whether a zone was named that is not known.
  var isZoneUnknown = false
  var hasNumericDate = false
  /// Whether the next number is a month: Vietnamese says `tháng 1`.
  var expectsMonth = false

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    unsafe self.bytes = bytes
    size = bytes.count
  }

  mutating func read() -> Timestamp? {
    if let time = readNumber() ?? readScriptDate() { return time }
    // ISO 8601 once wrote `--12-31` for a day of any year.
    if byte(0) == 0x2D, byte(1) == 0x2D { return nil }
    readEraLetter()
    // No real time is longer; a bound keeps a hostile one cheap.
    let limit = min(size, 256)
    while at < limit {
      let byte = unsafe bytes[at]
      if URLReference.isDigit(byte) {
        guard readDigits() else { return nil }
      } else if byte == 0x2F, hour != nil, year != nil {
        break  // what follows is the end of a span of time
      } else if byte == 0x2B || byte == 0x2D {
        readSign(byte)
      } else if URLReference.isLetter(byte) || byte >= 0x80 {
        readWord()
      } else {
        at += 1
      }
    }
    return result()
  }

  func byte(_ place: Int) -> UInt8 {
    place < size ? unsafe bytes[place] : 0
  }

  // MARK: The whole text as one number

  /// Epoch numbers and compact dates: nothing but digits, perhaps a sign and a fraction.
  private mutating func readNumber() -> Timestamp? {
    var start = 0
    var end = size
    while start < end, byte(start) <= 0x20 { start += 1 }
    while end > start, byte(end - 1) <= 0x20 { end -= 1 }
    let isNegative = byte(start) == 0x2D
    if isNegative || byte(start) == 0x2B { start += 1 }
    var stop = start
    while stop < end, URLReference.isDigit(byte(stop)) { stop += 1 }
    let count = stop - start
    guard count > 0, count <= 19 else { return nil }
    if isNegative, let date = truncatedDate(start, end) { return date }
    if stop < end {
      guard byte(stop) == 0x2E, count >= 8,
        (stop + 1..<end).allSatisfy({ URLReference.isDigit(byte($0)) })
      else { return nil }
    }
    guard let value = number(start, count) else { return nil }
    if !isNegative, stop == end, let date = compactDate(start, count) { return date }
    return count > 4 ? Timestamp(epoch: isNegative ? 0 - value : value) : nil
  }

  /// `/Date(1700000000000+0200)/`, as .NET writes milliseconds; the zone does not change the instant.
  private func readScriptDate() -> Timestamp? {
    var start = 0
    while byte(start) == 0x2F || byte(start) == 0x5C { start += 1 }
    guard has("Date(", at: start) else { return nil }
    start += 5
    let isNegative = byte(start) == 0x2D
    if isNegative { start += 1 }
    var stop = start
    while URLReference.isDigit(byte(stop)) { stop += 1 }
    guard stop > start, stop - start <= 18, let value = number(start, stop - start) else {
      return nil
    }
    let milliseconds = isNegative ? 0 - value : value
    let seconds = milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0)
    return Timestamp(secondsSinceEpoch: seconds)
  }

  private func number(_ start: Int, _ count: Int) -> Int64? {
    var value: Int64 = 0
    for place in start..<(start + count) {
      let (product, high) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(Int64(byte(place) - 0x30))
      if high || carry { return nil }
      value = sum
    }
    return value
  }

  func part(_ start: Int, _ count: Int) -> Int {
    var value = 0
    for place in start..<(start + count) where URLReference.isDigit(byte(place)) {
      value = value * 10 + Int(byte(place) - 0x30)
    }
    return value
  }

  /// `2024`, `20240131`, `202401311000`, `20240131100000`, in years that a feed can mean.
  private func compactDate(_ start: Int, _ count: Int) -> Timestamp? {
    if (5...7).contains(count) { return shortDate(start, count) }
    guard count == 4 || count == 8 || count == 12 || count == 14 else { return nil }
    let year = part(start, 4)
    guard (1900...2199).contains(year) else { return nil }
    if count == 4 { return Timestamp(year: year, month: 1, day: 1) }
    return Timestamp(
      year: year, month: part(start + 4, 2), day: part(start + 6, 2),
      hour: count >= 12 ? part(start + 8, 2) : 0, minute: count >= 12 ? part(start + 10, 2) : 0,
      second: count == 14 ? part(start + 12, 2) : 0)
  }

  // MARK: Digits

  private mutating func readDigits() -> Bool {
    let start = at
    while at < size, URLReference.isDigit(byte(at)) { at += 1 }
    let count = at - start
    guard count <= 18 else { return false }
    let value = part(start, count)
    let next = byte(at)
    if next == 0x3A, URLReference.isDigit(byte(at + 1)), hour == nil { return readClock(value) }
    if let unit = readUnit() {
      if unit == .hour, takeHalfHour() { minute = 30 }
      return take(value, unit)
    }
    if expectsMonth, count <= 2 {
      expectsMonth = false
      month = value
      return true
    }
    if hour == nil, count <= 2, readWrittenClock(value) { return true }
    if hour == nil, (1...12).contains(value), halfMark(at: byte(at) == 0x20 ? at + 1 : at) != nil {
      hour = value
      return true
    }
    if hour == nil, year != nil, day != nil, start > 0, byte(start - 1) | 0x20 == 0x74 {
      return readCompactClock(start, count)
    }
    if !hasNumericDate, next == 0x2D || next == 0x2F || next == 0x2E {
      if count == 4, year == nil { return isWeek ? readWeek(value) : readYearFirst(value) }
      if count <= 2, URLReference.isDigit(byte(at + 1)), day == nil {
        return readDayFirst(value, count)
      }
    }
    if count == 4, year == nil, isWeek { return readWeek(value) }
    if count == 8, year == nil, month == nil {
      year = part(start, 4)
      month = part(start + 4, 2)
      day = part(start + 6, 2)
      hasNumericDate = true
      return true
    }
    return takePlain(value, count)
  }

  /// A day, then a year; false for a second year in front of the time of day.
  private mutating func takePlain(_ value: Int, _ count: Int) -> Bool {
    if count <= 2, day == nil, (1...31).contains(value) {
      day = value
    } else if count == 1, day == nil {
      return false  // no month has a day 0
    } else if year == nil, count == 4 || count == 2 {
      year = TimeReader.fullYear(value, count)
    } else if year == nil, count == 3, value < 200, day != nil {
      year = value + 1900  // RFC 2822, 4.3
    } else if count == 4, hour == nil {
      return false
    }
    return true
  }

  static func fullYear(_ value: Int, _ count: Int) -> Int {
    count > 2 ? value : value < 70 ? value + 2000 : value + 1900
  }

  /// `2024-01-31`, `2024/1/31`, `2024.01.31`, `2024-01`, `2024-031`; at the mark behind the year.
  private mutating func readYearFirst(_ value: Int) -> Bool {
    let mark = byte(at)
    year = value
    guard passMark(mark) else { return true }
    hasNumericDate = true
    let (number, count) = readRun()
    if count == 3 {
      month = 1
      day = number
      return takeOrdinal(value, number)
    }
    month = number
    if byte(at) == mark, passMark(mark) { day = readRun(limit: 2).value }
    return count <= 2
  }

  /// Goes behind a mark that another number follows; a point may have a blank behind it, as in
  /// Korean.
  private mutating func passMark(_ mark: UInt8) -> Bool {
    let width = mark == 0x2E && byte(at + 1) == 0x20 ? 2 : 1
    guard URLReference.isDigit(byte(at + width)) else { return false }
    at += width
    return true
  }

  var isWeek: Bool {
    let mark = byte(at) == 0x2D ? at + 1 : at
    return byte(mark) | 0x20 == 0x77 && URLReference.isDigit(byte(mark + 1))
  }

  /// `2024-W05-3`, `2024W053` (ISO 8601); behind the year.
  private mutating func readWeek(_ value: Int) -> Bool {
    at += byte(at) == 0x2D ? 2 : 1
    let week = readRun(limit: 2).value
    var weekday = 1
    if byte(at) == 0x2D, URLReference.isDigit(byte(at + 1)) { at += 1 }
    if URLReference.isDigit(byte(at)) { weekday = readRun(limit: 1).value }
    guard (1...53).contains(week), (1...7).contains(weekday),
      let fourth = Timestamp(year: value, month: 1, day: 4)
    else { return false }
    // The week with January 4 is the first; a civil weekday of 0 is Sunday.
    let monday = (fourth.civil.weekday + 6) % 7
    let days = Int64((week - 1) * 7 + weekday - 1 - monday)
    let date = Timestamp(secondsSinceEpoch: fourth.secondsSinceEpoch + days * 86400).civil
    (year, month, day) = (date.year, date.month, date.day)
    hasNumericDate = true
    return true
  }

  private mutating func takeOrdinal(_ year: Int, _ dayOfYear: Int) -> Bool {
    var rest = dayOfYear
    guard rest >= 1 else { return false }
    for month in 1...12 {
      let length = Timestamp.days(inMonth: month, year: year)
      if rest <= length {
        self.month = month
        day = rest
        return true
      }
      rest -= length
    }
    return false
  }

  /// `31/12/2024`, `12/31/2024`, `31.12.24`, but `24-12-31`; at the mark behind the first number.
  private mutating func readDayFirst(_ value: Int, _ width: Int) -> Bool {
    let mark = byte(at)
    let place = at
    at += 1
    let (second, count) = readRun()
    guard count <= 2, byte(at) == mark, URLReference.isDigit(byte(at + 1)) else {
      at = place
      return takePlain(value, 2)
    }
    at += 1
    let (third, digits) = readRun()
    hasNumericDate = true
    // Between hyphens it is ISO's order, cut short (ISO 8601:1988).
    if mark == 0x2D, width == 2, digits == 2, (1...12).contains(second), (1...31).contains(third) {
      (year, month, day) = (TimeReader.fullYear(value, 2), second, third)
      return true
    }
    let isMonthFirst = second > 12 && value <= 12
    day = isMonthFirst ? second : value
    month = isMonthFirst ? value : second
    year = TimeReader.fullYear(third, digits)
    return true
  }

  mutating func readRun(limit: Int = 6) -> (value: Int, count: Int) {
    let start = at
    while at < size, at - start < limit, URLReference.isDigit(byte(at)) { at += 1 }
    return (part(start, at - start), at - start)
  }

  // MARK: Zones

  /// A sign: the zone's offset once a time of day has been read, else a mark between parts.
  private mutating func readSign(_ sign: UInt8) {
    at += 1
    guard hour != nil, offset == nil || offset == 0, URLReference.isDigit(byte(at)),
      // `10:00:00 -2024` is a year behind a dash, and no zone is further away than this.
      let value = readOffset()
    else { return }
    offset = sign == 0x2D ? 0 - value : value
  }

  private mutating func readOffset() -> Int? {
    let start = at
    let (value, count) = readRun()
    var hours = value
    var minutes = 0
    if count >= 3 {
      hours = value / 100
      minutes = value % 100
    } else if byte(at) == 0x3A {
      at += 1
      minutes = readRun(limit: 2).value
    }
    guard hours <= 15, minutes < 60 else {
      at = start
      return nil
    }
    return hours * 3600 + minutes * 60
  }

  // MARK: Result

  private func result() -> Timestamp? {
    guard let year else { return nil }
    guard let month = month ?? (day == nil && hour == nil ? 1 : nil) else { return nil }
    var hour = wholeHour
    var nextDay = 0
    if hour == 24, minute == 0, second == 0 {
      hour = 0
      nextDay = 86400
    }
    return Timestamp(
      year: year, month: month, day: day ?? 1, hour: hour, minute: minute,
      second: second == 60 ? 59 : second,
      offsetSeconds: (offset ?? 0) - nextDay - (second == 60 ? 1 : 0))
  }

  /// The hour of the day's 24.
  private var wholeHour: Int {
    guard let hour else { return half == .noon ? 12 : 0 }
    guard let half, hour <= 12 else { return hour }
    return switch half {
    case .early: hour % 12
    case .late: hour % 12 + 12
    case .noon: hour < 10 ? hour + 12 : hour
    case .night: hour < 5 || hour == 12 ? hour % 12 : hour + 12
    }
  }
}
