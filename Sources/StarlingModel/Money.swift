/// A price or a range of prices, as published: `16.59-25.13万`, one price, or `暂无报价`.
///
/// Comparisons use the low end; a money without an amount compares with nothing. It encodes with the
/// names that `--json` has: low, high, currency, text.
public struct Money: Hashable, Codable, Sendable {
  /// The lower end in whole units of the currency (yuan, not fen); nil when no amount is given.
  public var low: Double?
  /// The upper end, equal to `low` for one price; nil when no amount is given.
  public var high: Double?
  /// ISO 4217 code such as `CNY`; nil when the text names none.
  public var currency: String?
  /// The text as published.
  public var text: String

  public init(low: Double?, high: Double?, currency: String?, text: String) {
    self.low = low
    self.high = high
    self.currency = currency
    self.text = text
  }
}
