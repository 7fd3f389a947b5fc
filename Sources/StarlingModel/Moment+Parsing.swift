extension Moment {
  /// Reads a time ago (`7d`, `90m`, `2w`) or a fixed time (whatever `Timestamp(parsing:)` reads).
  package init?(parsing text: String) {
    if let seconds = Moment.seconds(parsing: text) {
      self = .ago(seconds)
    } else if let time = Timestamp(parsing: text) {
      self = .at(time)
    } else {
      return nil
    }
  }

  /// Reads a duration: a whole number and `s`, `m` (minutes), `h`, `d`, `w`, `y` (365 days).
  ///
  /// - Returns: seconds; nil for anything else, a sign, or more than `Int64` holds.
  package static func seconds(parsing text: String) -> Int64? {
    guard let unit = text.utf8.last, let number = Int64(text.dropLast()), number >= 0,
      text.utf8.first != UInt8(ascii: "+"),
      let seconds = units.first(where: { $0.letter == unit })?.seconds
    else { return nil }
    let (product, overflow) = number.multipliedReportingOverflow(by: seconds)
    return overflow ? nil : product
  }

  /// A duration in its largest whole unit: 604800 is `7d`, 1209600 `14d`, 31536000 `1y`.
  package static func text(ofSeconds seconds: Int64) -> String {
    // Weeks are read, but nobody counts 30 days in them.
    for unit in units where unit.letter != UInt8(ascii: "w") {
      if seconds != 0, seconds % unit.seconds == 0 {
        return String(seconds / unit.seconds) + String(Unicode.Scalar(unit.letter))
      }
    }
    return "\(seconds)s"
  }

  private static let units: [(letter: UInt8, seconds: Int64)] = [
    (UInt8(ascii: "y"), 31_536_000), (UInt8(ascii: "w"), 604_800), (UInt8(ascii: "d"), 86_400),
    (UInt8(ascii: "h"), 3600), (UInt8(ascii: "m"), 60), (UInt8(ascii: "s"), 1),
  ]
}
