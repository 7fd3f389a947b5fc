/// Finds the price in a text: its amount or range, its unit, its currency.
struct MoneyScanner {
  /// What was found.
  struct Scan {
    var low: Double?
    var high: Double?
    var currency: String?
    /// The currency comes from a sign that several share.
    var isAmbiguous = false
    var isNegative = false
    /// The text holds a price and nothing else.
    var isWhole = false
  }

  /// One amount: digits and a power of ten, so that no unit costs precision.
  private struct Amount {
    var digits: [UInt8]
    /// Of the last digit.
    var exponent: Int
    /// Powers of ten that a unit such as `万` added; nil without a unit.
    var unit: Int?
    /// An amount that follows a larger unit, as in `1亿2000万`.
    var rest: Double = 0

    var value: Double { scaled(by: unit ?? 0) + rest }

    /// Correctly rounded: the standard library reads the decimal text.
    func scaled(by power: Int) -> Double {
      let text = String(decoding: digits, as: UTF8.self) + "e" + String(exponent + power)
      return Double(text) ?? 0
    }
  }

  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var result = Scan()
  private var sawOther = false

  init(_ text: String) {
    scalars = text.unicodeScalars.map(MoneyScanner.narrowed)
  }

  mutating func scan() -> Scan {
    scanUntilAmount()
    guard let first = scanAmount() else {
      scanCurrencies()
      return result
    }
    scanCurrencies()
    let second = scanRangeEnd()
    set(first, second)
    scanCurrencies()
    skipBlanks()
    if at(index) == "起" { index += 1 }
    result.isWhole = index == scalars.count && !sawOther
    return result
  }

  private mutating func set(_ first: Amount, _ second: Amount?) {
    result.low = first.value
    result.high = second?.value ?? first.value
    // `16.59-25.13万`: the unit counts for both; `5000-1.2万` names its first end in full.
    if let second, let unit = second.unit, first.unit == nil {
      let scaled = first.scaled(by: unit)
      if scaled <= second.value * 10 { result.low = scaled }
    }
  }
}

// MARK: - Scanning

extension MoneyScanner {
  private func at(_ place: Int) -> Unicode.Scalar? {
    place >= 0 && place < scalars.count ? scalars[place] : nil
  }

  private func isDigit(_ place: Int) -> Bool {
    guard let scalar = at(place) else { return false }
    return scalar >= "0" && scalar <= "9"
  }

  private mutating func skipBlanks() {
    while let scalar = at(index), scalar.isBlank { index += 1 }
  }

  /// Moves to the first digit that begins an amount, and reads signs and currencies before it.
  private mutating func scanUntilAmount() {
    while let scalar = at(index) {
      if isDigit(index) {
        if !isGlued(before: index) { return }
        while isDigit(index) || at(index) == "." { index += 1 }
        sawOther = true
      } else if scanCurrency() || scalar.isBlank {
        if at(index) == scalar, scalar.isBlank { index += 1 }
      } else if scalar == "-" || scalar == "\u{2212}", !sawOther {
        result.isNegative = true
        index += 1
      } else {
        sawOther = true
        index += 1
      }
    }
  }

  /// A digit right after a Latin letter belongs to a name (`A4`), unless that was a currency.
  private func isGlued(before place: Int) -> Bool {
    guard sawOther, let before = at(place - 1) else { return false }
    return before.isASCII && before.properties.isAlphabetic
      && !MoneyScanner.endsInCurrency(scalars[..<place])
  }

  private mutating func scanCurrencies() {
    repeat { skipBlanks() } while scanCurrency()
  }

  /// Reads a currency at `index`. The first that is sure wins.
  private mutating func scanCurrency() -> Bool {
    guard let (currency, length) = Currency.match(scalars[index...]) else { return false }
    index += length
    if result.currency == nil || (result.isAmbiguous && !currency.isShared) {
      result.currency = currency.code
      result.isAmbiguous = currency.isShared
    }
    return true
  }

  private mutating func scanRangeEnd() -> Amount? {
    let start = index
    let isSeparated = scanRangeMark()
    skipBlanks()
    if isSeparated { scanCurrencies() }
    guard isSeparated, isDigit(index), let amount = scanAmount() else {
      index = start
      return nil
    }
    return amount
  }

  private mutating func scanRangeMark() -> Bool {
    skipBlanks()
    guard let scalar = at(index) else { return false }
    if MoneyScanner.dashes.contains(scalar) || scalar == "至" || scalar == "到" {
      while let next = at(index), MoneyScanner.dashes.contains(next) || next == scalar {
        index += 1
      }
      return true
    }
    if scalar == "t" || scalar == "T", at(index + 1) == "o" || at(index + 1) == "O",
      at(index + 2)?.isBlank == true
    {
      index += 2
      return true
    }
    return false
  }

  private static let dashes: Set<Unicode.Scalar> = [
    "-", "~", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2014}", "\u{2015}", "\u{2212}",
    "\u{223C}", "\u{301C}",
  ]

  /// Reads digits with their separators and units.
  private mutating func scanAmount() -> Amount? {
    guard isDigit(index) else { return nil }
    var amount = scanNumber()
    scanUnit(of: &amount)
    if let unit = amount.unit, isDigit(index) {
      var rest = scanNumber()
      scanUnit(of: &rest)
      if rest.unit ?? 0 < unit { amount.rest = rest.value }
    }
    return amount
  }

  /// Units follow one another (`百万`); a Latin one ends where a word does (`20k`, not `20km`).
  private mutating func scanUnit(of amount: inout Amount) {
    let start = index
    skipBlanks()
    if let (power, length) = wordUnit(isGlued: index == start) {
      amount.unit = power
      index += length
      return
    }
    guard let first = at(index), MoneyScanner.power(of: first) != nil || isLatinUnit(index) else {
      index = start
      return
    }
    while let scalar = at(index) {
      if let power = MoneyScanner.power(of: scalar) {
        amount.unit = (amount.unit ?? 0) + power
        if result.currency == nil, scalar == "万" {
          result.currency = "CNY"
          result.isAmbiguous = true
        }
      } else if isLatinUnit(index) {
        amount.unit =
          (amount.unit ?? 0) + (scalar == "M" ? 6 : scalar == "k" || scalar == "K" ? 3 : 4)
      } else {
        return
      }
      index += 1
    }
  }

  /// A unit written as a word or its abbreviation: `£1.2m`, `$3 bn`, `45 lakh`, `1,2 Mio. €`.
  ///
  /// - Parameter isGlued: whether it follows the digits at once, as a single letter has to: `3 m` is a
  ///   length.
  private func wordUnit(isGlued: Bool) -> (power: Int, length: Int)? {
    var end = index
    while let scalar = at(end), scalar.isASCII, scalar.properties.isAlphabetic { end += 1 }
    let length = end - index
    guard length > (isGlued ? 0 : 1), length <= MoneyScanner.longestUnit,
      !(at(end)?.properties.isAlphabetic ?? false), !MoneyScanner.isPower(at(end))
    else { return nil }
    let word = String(String.UnicodeScalarView(scalars[index..<end])).lowercased()
    guard let power = MoneyScanner.units[word] else { return nil }
    return (power, at(end) == "." && !isDigit(end + 1) ? length + 1 : length)
  }

  /// `m²` is an area.
  private static func isPower(_ scalar: Unicode.Scalar?) -> Bool {
    scalar == "²" || scalar == "³"
  }

  private static let units = [
    "thousand": 3, "tsd": 3, "lakh": 5, "lakhs": 5, "m": 6, "mn": 6, "mio": 6, "million": 6,
    "millions": 6, "crore": 7, "crores": 7, "b": 9, "bn": 9, "mrd": 9, "billion": 9, "billions": 9,
    "tn": 12, "trillion": 12,
  ]
  private static let longestUnit = 9

  private func isLatinUnit(_ place: Int) -> Bool {
    guard let scalar = at(place), ["k", "K", "M", "w", "W"].contains(scalar) else { return false }
    guard let next = at(place + 1) else { return true }
    return !next.properties.isAlphabetic || MoneyScanner.power(of: next) != nil || next == "元"
      || next == "起" || next == "至" || next == "到"
  }

  private static func power(of scalar: Unicode.Scalar) -> Int? {
    switch scalar {
    case "百": 2
    case "千": 3
    case "万", "萬": 4
    case "亿", "億": 8
    default: nil
    }
  }

  private static func endsInCurrency(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
    (1...3).contains { length in
      Currency.match(scalars.suffix(length))?.length == min(length, scalars.count)
    }
  }

  /// Full-width forms as their ASCII, so that `１６．５９` reads as `16.59`.
  private static func narrowed(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
    case 0xFFE5: "¥"
    case 0xFFE1: "£"
    case 0x3002: "."
    default: scalar
    }
  }
}

// MARK: - Digits and their separators

extension MoneyScanner {
  /// A run of digits and separators: groups of digits and what stood between them.
  private mutating func scanNumber() -> Amount {
    var groups: [[UInt8]] = []
    var marks: [Unicode.Scalar] = []
    while true {
      var group: [UInt8] = []
      while let scalar = at(index), isDigit(index) {
        group.append(UInt8(truncatingIfNeeded: scalar.value))
        index += 1
      }
      groups.append(group)
      guard let mark = separator(afterGroup: group.count, marks: marks), isDigit(index + 1) else {
        break
      }
      marks.append(mark)
      index += 1
    }
    let hasDecimals = isDecimal(marks, lastGroup: groups.last?.count ?? 0)
    let digits = groups.flatMap { $0 }
    let power = scanPower()
    return Amount(
      digits: digits, exponent: (hasDecimals ? -(groups.last?.count ?? 0) : 0) + power, unit: nil)
  }

  /// The power of ten of `1.5e5`, as programs write large numbers; 0 without one.
  private mutating func scanPower() -> Int {
    guard at(index) == "e" || at(index) == "E", isDigit(index + 1) else { return 0 }
    var end = index + 1
    var power = 0
    while let scalar = at(end), isDigit(end), end < index + 3 {
      power = power * 10 + Int(scalar.value - 0x30)
      end += 1
    }
    let isWord = at(end).map { $0.properties.isAlphabetic || isDigit(end) } ?? false
    guard !isWord else { return 0 }
    index = end
    return power
  }

  private func separator(afterGroup count: Int, marks: [Unicode.Scalar]) -> Unicode.Scalar? {
    guard let scalar = at(index) else { return nil }
    if scalar == "." || scalar == "," || scalar == "'" || scalar == "\u{2019}" { return scalar }
    // A blank separates thousands only: `25 000`, never `2 cars`.
    guard scalar.isBlank, marks.allSatisfy({ $0 == " " }), count <= 3,
      marks.isEmpty || count == 3, (1...3).allSatisfy({ isDigit(index + $0) }), !isDigit(index + 4)
    else { return nil }
    return " "
  }

  /// Whether the last group is a fraction: after a mark that differs from those before, or after a
  /// lone point, or after a lone comma that does not set three digits apart.
  private func isDecimal(_ marks: [Unicode.Scalar], lastGroup count: Int) -> Bool {
    guard let last = marks.last, last == "." || last == "," else { return false }
    if marks.count > 1 { return !marks.dropLast().contains(last) }
    if last == "," { return count != 3 }
    return count != 3 || !isEuro
  }

  /// Sites that write the sign after the amount group thousands by points: `1.299 €`.
  private var isEuro: Bool {
    var place = index
    while let scalar = at(place), scalar.isBlank { place += 1 }
    return at(place) == "€"
  }
}

extension Unicode.Scalar {
  /// White space; the usual kinds without a look into Unicode's tables.
  fileprivate var isBlank: Bool {
    value < 0x80 ? value == 0x20 || (0x09...0x0D).contains(value) : properties.isWhitespace
  }
}
