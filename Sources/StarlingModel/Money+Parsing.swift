extension Money {
  /// Reads a price as people and sites write it: `16.59-25.13万`, `¥199,900`, `1.299,99 €`,
  /// `USD 25,000 - 30,000`, `25万起`, `20万`.
  ///
  /// Amounts are computed in decimal, so that `16.59万` is exactly 165900. A text that names no
  /// amount (`暂无报价`, `Price on request`) is a money without one. In a range a unit after the
  /// second amount counts for the first too; an end of 0 is unknown, the other end then stands for
  /// both.
  ///
  /// - Parameter currency: ISO 4217; used when the text names none, and where its sign is shared by
  ///   several currencies (`$`, `¥`, a bare `万`).
  /// - Returns: nil when the price is unknown (blank, a dash, `0`, `0.00`) or negative, and for a text
  ///   of more than 1,000 bytes, which is no price.
  public init?(parsing text: String, currency: String? = nil) {
    guard text.utf8.count <= Money.longestText else { return nil }
    var scanner = MoneyScanner(text)
    self.init(scanner.scan(), text: Money.trimmed(text), currency: currency)
  }

  private static let longestText = 1_000

  /// Makes one price of a number in whole units of the currency.
  ///
  /// - Returns: nil for 0 (unknown), negative and non-finite numbers.
  public init?(_ number: Double, currency: String? = nil) {
    guard number.isFinite, number > 0 else { return nil }
    self.init(
      low: number, high: number, currency: currency, text: Value.real(number).description)
  }

  /// Makes one price of a number in whole units of the currency; nil for 0 and negative numbers.
  public init?(_ number: Int64, currency: String? = nil) {
    guard number > 0 else { return nil }
    self.init(low: Double(number), high: Double(number), currency: currency, text: String(number))
  }

  /// Reads the amount of a condition: a price that is all there is in the text; nil otherwise.
  init?(wholeText text: String) {
    var scanner = MoneyScanner(text)
    let scan = scanner.scan()
    guard scan.isWhole else { return nil }
    self.init(scan, text: Money.trimmed(text), currency: nil)
  }

  private init?(_ scan: MoneyScanner.Scan, text: String, currency: String?) {
    // A lone dash is how tables say that there is nothing.
    guard
      text.unicodeScalars.contains(where: {
        $0.properties.isAlphabetic || $0.properties.numericType != nil
      })
    else { return nil }
    let own = scan.currency.flatMap { scan.isAmbiguous ? currency ?? $0 : $0 } ?? currency
    guard let first = scan.low, let second = scan.high, first.isFinite, second.isFinite else {
      self.init(low: nil, high: nil, currency: own, text: text)
      return
    }
    let known = [first, second].filter { $0 > 0 }
    guard !scan.isNegative, let low = known.min(), let high = known.max() else { return nil }
    self.init(low: low, high: high, currency: own, text: text)
  }

  private static func trimmed(_ text: String) -> String {
    let isBlank = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !isBlank($0) }),
      let last = scalars.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(scalars[first...last])
  }
}
