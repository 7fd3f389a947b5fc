extension Value: CustomStringConvertible {
  /// The value as people read it: a price as published, a time as RFC 3339, the elements of a list
  /// after one another, an integral real without a fraction.
  public var description: String {
    switch self {
    case .text(let text): text
    case .integer(let number): String(number)
    case .real(let number):
      if let integer = Int64(exactly: number), integer.magnitude < 1 << 53 {
        String(integer)
      } else {
        number.description
      }
    case .boolean(let flag): flag ? "true" : "false"
    case .time(let time): time.description
    case .money(let money): money.text
    case .list(let texts): texts.joined(separator: ", ")
    }
  }
}
