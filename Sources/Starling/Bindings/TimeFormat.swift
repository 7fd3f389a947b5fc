import StarlingLua
import StarlingModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Times as strftime writes them (Lua manual 5.4, os.date).
enum TimeFormat {
  /// The conversions of C99, as Lua has them (loslib.c, LUA_STRFTIMEOPTIONS).
  private static let plain = Set("aAbBcCdDeFgGhHIjmMnprRStTuUVwWxXyYzZ%".utf8)
  private static let withE = Set("cCxXyY".utf8)
  private static let withO = Set("deHImMSuUVwWy".utf8)
  /// Bytes that one conversion may take.
  private static let longest = 250

  /// The parts of a time, in UTC or the local zone; nil when its year does not fit.
  static func parts(_ time: Timestamp, utc: Bool) -> TimeParts? {
    unsafe broken(time, utc: utc).map { unsafe TimeParts($0) }
  }

  private static func broken(_ time: Timestamp, utc: Bool) -> tm? {
    var seconds = time_t(time.secondsSinceEpoch)
    var parts = unsafe tm()
    let found = unsafe utc ? gmtime_r(&seconds, &parts) : localtime_r(&seconds, &parts)
    return unsafe found == nil ? nil : parts
  }

  /// The time of parts in the local zone, which are put in order; nil when there is none.
  static func time(_ parts: inout TimeParts) -> Timestamp? {
    guard var broken = unsafe parts.broken else { return nil }
    unsafe broken.tm_wday = -1
    let seconds = unsafe mktime(&broken)
    // mktime sets the weekday when it succeeds; -1 may be the last second of 1969.
    if unsafe broken.tm_wday < 0 { return nil }
    unsafe parts = TimeParts(broken)
    return Timestamp(secondsSinceEpoch: Int64(seconds))
  }

  /// Seconds of processor time that the process has used (Lua manual 5.4, os.clock).
  static func processorTime() -> Double {
    Double(clock()) / 1_000_000  // POSIX: CLOCKS_PER_SEC is a million
  }

  /// Writes a time.
  ///
  /// - Throws: the error for a bad argument: a conversion that there is not, a year that cannot be.
  static func written(
    _ time: Timestamp, as format: String, utc: Bool, for call: borrowing LuaCall, argument: Int
  ) throws(LuaError) -> String {
    guard var parts = unsafe broken(time, utc: utc) else {
      throw .message("date result cannot be represented in this installation")
    }
    var result: [UInt8] = []
    var rest = format.utf8[...]
    var count = 0
    while let byte = rest.popFirst() {
      count += 1
      if count & 255 == 0 { try call.state.checkBudget(holding: result.count) }
      if byte != UInt8(ascii: "%") {
        result.append(byte)
        continue
      }
      guard let conversion = conversion(&rest) else {
        let text = String(Substring(rest.prefix(2)))
        throw call.argumentError(argument, "invalid conversion specifier '%\(text)'")
      }
      unsafe append(&parts, conversion, to: &result)
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func conversion(_ rest: inout Substring.UTF8View) -> String? {
    guard let first = rest.first else { return nil }
    let second = rest.dropFirst().first
    let set = first == UInt8(ascii: "E") ? withE : first == UInt8(ascii: "O") ? withO : nil
    if let set {
      guard let second, set.contains(second) else { return nil }
      rest = rest.dropFirst(2)
      return "%" + String(decoding: [first, second], as: UTF8.self)
    }
    guard plain.contains(first) else { return nil }
    rest = rest.dropFirst()
    return "%" + String(decoding: [first], as: UTF8.self)
  }

  private static func append(_ parts: inout tm, _ conversion: String, to result: inout [UInt8]) {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: longest) { buffer in
      let count = unsafe strftime(buffer.baseAddress, buffer.count, conversion, &parts)
      unsafe result.append(
        contentsOf: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[0..<count]))
    }
  }
}

/// A time in parts, as os.date("*t") gives them: `month` and `yday` count from 1, `wday` is 1 on
/// Sundays.
struct TimeParts {
  var year: Int64
  var month: Int64
  var day: Int64
  var hour: Int64 = 12
  var minute: Int64 = 0
  var second: Int64 = 0
  var weekday: Int64 = 0
  var yearday: Int64 = 0
  /// Whether daylight saving is in force; nil when that is not known.
  var isDaylight: Bool?

  init(year: Int64, month: Int64, day: Int64) {
    self.year = year
    self.month = month
    self.day = day
  }

  fileprivate init(_ parts: tm) {
    unsafe self.init(
      year: Int64(parts.tm_year) + 1900, month: Int64(parts.tm_mon) + 1, day: Int64(parts.tm_mday))
    unsafe hour = Int64(parts.tm_hour)
    unsafe minute = Int64(parts.tm_min)
    unsafe second = Int64(parts.tm_sec)
    unsafe weekday = Int64(parts.tm_wday) + 1
    unsafe yearday = Int64(parts.tm_yday) + 1
    unsafe isDaylight = parts.tm_isdst < 0 ? nil : parts.tm_isdst > 0
  }

  /// nil when a part does not fit.
  fileprivate var broken: tm? {
    func fitting(_ number: Int64, less: Int64 = 0) -> Int32? {
      let (difference, overflow) = number.subtractingReportingOverflow(less)
      return overflow ? nil : Int32(exactly: difference)
    }
    guard let year = fitting(year, less: 1900), let month = fitting(month, less: 1),
      let day = fitting(day), let hour = fitting(hour), let minute = fitting(minute),
      let second = fitting(second)
    else { return nil }
    var parts = unsafe tm()
    unsafe parts.tm_year = year
    unsafe parts.tm_mon = month
    unsafe parts.tm_mday = day
    unsafe parts.tm_hour = hour
    unsafe parts.tm_min = minute
    unsafe parts.tm_sec = second
    unsafe parts.tm_isdst = isDaylight.map { $0 ? 1 : 0 } ?? -1
    return unsafe parts
  }
}
