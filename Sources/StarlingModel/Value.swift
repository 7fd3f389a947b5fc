/// A field's value. An absent value is absent (nil), never an empty text or 0.
public enum Value: Hashable, Sendable {
  /// A text or a url.
  case text(String)
  case integer(Int64)
  /// Finite; NaN and infinities are no values.
  case real(Double)
  case boolean(Bool)
  case time(Timestamp)
  case money(Money)
  case list([String])
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
  public init(stringLiteral value: String) { self = .text(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .real(value) }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}
