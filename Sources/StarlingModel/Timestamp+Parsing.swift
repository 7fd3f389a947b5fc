/// Reads the times that publishers write.
///
/// Rules, the same whatever the process's locale and zone are:
/// - A time without a zone is UTC, a date without a time is its midnight in UTC. A zone that is not
///   known counts as UTC; those named by a place, such as `Europe/Paris`, are not.
/// - Two-digit years are 1970 to 2069, three-digit ones count from 1900; a weekday is never looked
///   at. Years have at most four digits otherwise: a later time is none,
///   and so is one that its zone takes out of these years.
/// - A number is the seconds since 1970, or milliseconds or microseconds by its size: from 10^11 and
///   from 10^14 on. Five to eight digits that make a date are one: `20240131`, `2024031`, `240131`,
///   `24031`. After `@` it is always seconds: `@253402300800`.
/// - `01/02/2024` is day/month/year unless only month/day/year is possible; `24-01-31` is in ISO's
///   order if that is possible.
/// - Hour 24 is the next day's 0; a fraction of a second is cut off.
/// - Months have the names of some thirty languages; the years of Japanese eras, of Taiwan's calendar
///   and of the Buddhist era in Thai count from theirs; Chinese numerals are numbers.
/// - What is left over after a time is not looked at.
extension Timestamp {
  /// Reads a time from UTF-8; nil when there is none in it.
  package init?(parsing bytes: UnsafeRawBufferPointer) {
    guard let time = unsafe Timestamp.reading(bytes)?.time else { return nil }
    self = time
  }

  /// Reads a time from UTF-8, and tells whether it names a zone that is not known.
  package static func reading(
    _ bytes: UnsafeRawBufferPointer
  ) -> (time: Timestamp, isZoneUnknown: Bool)? {
    let text = unsafe bytes.bindMemory(to: UInt8.self)
    if unsafe text.first == UInt8(ascii: "@") {
      guard let seconds = unsafe Int64(String(decoding: text.dropFirst(), as: UTF8.self)) else {
        return nil
      }
      return (Timestamp(secondsSinceEpoch: seconds), false)
    }
    if let plain = unsafe TimeText.normalized(text) {
      return unsafe plain.withUnsafeBufferPointer { unsafe Timestamp.read($0) }
    }
    return unsafe Timestamp.read(text)
  }

  package static func reading(_ text: String) -> (time: Timestamp, isZoneUnknown: Bool)? {
    var text = text
    return text.withUTF8 { bytes in unsafe reading(UnsafeRawBufferPointer(bytes)) }
  }

  private static func read(
    _ text: UnsafeBufferPointer<UInt8>
  ) -> (time: Timestamp, isZoneUnknown: Bool)? {
    var reader = unsafe TimeReader(text)
    // Beyond the years of four digits a time cannot be written as RFC 3339.
    guard let time = reader.read(), Timestamp.writable.contains(time.secondsSinceEpoch) else {
      return nil
    }
    return (time, reader.isZoneUnknown && reader.offset == nil)
  }

  /// Reads a time from text; nil when there is none in it.
  public init?(parsing text: String) {
    guard let time = Timestamp.reading(text)?.time else { return nil }
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
