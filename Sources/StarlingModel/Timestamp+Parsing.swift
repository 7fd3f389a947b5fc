/// Reads the times that publishers write.
///
/// Rules, the same whatever the process's locale and zone are:
/// - A time without a zone is UTC, a date without a time is its midnight in UTC. A zone that is not
///   known counts as UTC.
/// - Two-digit years are 1970 to 2069, three-digit ones count from 1900; a weekday is never looked
///   at. Years have at most four digits otherwise: a later time is none,
///   and so is one that its zone takes out of these years.
/// - A number is the seconds since 1970, or milliseconds or microseconds by its size: from 10^11 and
///   from 10^14 on. Eight digits that make a date are one: `20240131`. After `@` it is always
///   seconds: `@253402300800`.
/// - `01/02/2024` is day/month/year unless only month/day/year is possible.
/// - Hour 24 is the next day's 0; a fraction of a second is cut off.
/// - Months have the names of some thirty languages; the years of Japanese eras, of Taiwan's calendar
///   and of the Buddhist era in Thai count from theirs; Chinese numerals are numbers.
/// - What is left over after a time is not looked at.
extension Timestamp {
  /// Reads a time from UTF-8; nil when there is none in it.
  package init?(parsing bytes: UnsafeRawBufferPointer) {
    let text = unsafe bytes.bindMemory(to: UInt8.self)
    if unsafe text.first == UInt8(ascii: "@") {
      guard let seconds = unsafe Int64(String(decoding: text.dropFirst(), as: UTF8.self)) else {
        return nil
      }
      self.init(secondsSinceEpoch: seconds)
      return
    }
    let time: Timestamp?
    if let plain = unsafe TimeText.normalized(text) {
      time = unsafe plain.withUnsafeBufferPointer { unsafe Timestamp.read($0) }
    } else {
      time = unsafe Timestamp.read(text)
    }
    // Beyond the years of four digits a time cannot be written as RFC 3339.
    guard let time, Timestamp.writable.contains(time.secondsSinceEpoch) else { return nil }
    self = time
  }

  private static func read(_ text: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    var reader = unsafe TimeReader(text)
    return reader.read()
  }

  /// Reads a time from text; nil when there is none in it.
  public init?(parsing text: String) {
    var text = text
    let time = text.withUTF8 { bytes in
      unsafe Timestamp(parsing: UnsafeRawBufferPointer(bytes))
    }
    guard let time else { return nil }
    self = time
  }

  /// An instant from seconds, milliseconds or microseconds since 1970, told apart by size.
  package init?(epoch number: Int64) {
    let size = number.magnitude
    let seconds: Int64
    switch size {
    case ..<100_000_000_000: seconds = number
    case ..<100_000_000_000_000: seconds = Timestamp.floored(number, 1000)
    case ..<100_000_000_000_000_000: seconds = Timestamp.floored(number, 1_000_000)
    default: seconds = Timestamp.floored(number, 1_000_000_000)
    }
    self.init(secondsSinceEpoch: seconds)
  }

  private static func floored(_ number: Int64, _ unit: Int64) -> Int64 {
    let quotient = number / unit
    return number % unit < 0 ? quotient - 1 : quotient
  }
}
