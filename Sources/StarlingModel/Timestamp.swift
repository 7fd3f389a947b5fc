/// An instant in UTC with a resolution of one second, as Unix time counts it.
///
/// The range is that of `Int64` seconds; `description` is RFC 3339 in UTC for the years 0 to 9999
/// and the plain number of seconds outside of them.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z; negative before it.
  public var secondsSinceEpoch: Int64

  public init(secondsSinceEpoch: Int64) {
    self.secondsSinceEpoch = secondsSinceEpoch
  }

  /// Makes the instant of a proleptic Gregorian date and a time of day in UTC.
  ///
  /// - Returns: nil if a part is out of its range. A leap second (60) counts as the next minute's 0.
  public init?(
    year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0,
    offsetSeconds: Int = 0
  ) {
    guard (0...9999).contains(year), (1...12).contains(month),
      day >= 1, day <= Timestamp.days(inMonth: month, year: year),
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    let days = Timestamp.daysSinceEpoch(year: year, month: month, day: day)
    let timeOfDay = hour * 3600 + minute * 60 + second
    self.init(secondsSinceEpoch: Int64(days * 86400 + timeOfDay - offsetSeconds))
  }

  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.secondsSinceEpoch < right.secondsSinceEpoch
  }

  /// The parts of the instant's date and time of day in UTC.
  public var civil: CivilTime {
    var days = secondsSinceEpoch / 86400
    var rest = Int(secondsSinceEpoch % 86400)
    if rest < 0 {
      days -= 1
      rest += 86400
    }
    let (year, month, day) = Timestamp.civilDate(daysSinceEpoch: Int(days))
    return CivilTime(
      year: year, month: month, day: day,
      hour: rest / 3600, minute: rest / 60 % 60, second: rest % 60,
      weekday: Int(((days % 7) + 11) % 7))
  }

  static func isLeap(_ year: Int) -> Bool {
    (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
  }

  static func days(inMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days from civil, as Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms" has it.
  private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Civil from days, the inverse of the above.
  private static func civilDate(daysSinceEpoch: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = daysSinceEpoch + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthIndex = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthIndex + 2) / 5 + 1
    let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}

/// A date and a time of day in UTC, in parts.
public struct CivilTime: Equatable, Sendable {
  public var year: Int
  /// 1 to 12.
  public var month: Int
  /// 1 to 31.
  public var day: Int
  public var hour: Int
  public var minute: Int
  public var second: Int
  /// 0 is Sunday.
  public var weekday: Int
}

extension Timestamp: CustomStringConvertible {
  /// RFC 3339 in UTC, such as `2026-11-30T08:05:00Z`; outside of the years 0 to 9999, which that
  /// cannot tell, `@` and the seconds since 1970.
  public var description: String {
    let firstYear: Int64 = -62_167_219_200
    let pastLastYear: Int64 = 253_402_300_800
    guard secondsSinceEpoch >= firstYear, secondsSinceEpoch < pastLastYear else {
      return "@\(secondsSinceEpoch)"
    }
    let parts = civil
    var text = ""
    text.reserveCapacity(20)
    Timestamp.append(parts.year, width: 4, to: &text)
    for (mark, part) in [("-", parts.month), ("-", parts.day), ("T", parts.hour)] {
      text += mark
      Timestamp.append(part, width: 2, to: &text)
    }
    for part in [parts.minute, parts.second] {
      text += ":"
      Timestamp.append(part, width: 2, to: &text)
    }
    text += "Z"
    return text
  }

  private static func append(_ number: Int, width: Int, to text: inout String) {
    let digits = String(number)
    for _ in 0..<max(0, width - digits.utf8.count) { text += "0" }
    text += digits
  }
}
