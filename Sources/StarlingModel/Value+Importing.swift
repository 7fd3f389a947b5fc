extension Value {
  /// Reads a value as people and other programs write it: a price, a time of any common form, `yes`
  /// or `0` for a boolean, a list with commas.
  ///
  /// - Returns: nil when the text is none of the type, or empty.
  public init?(importing text: String, as type: FieldType) {
    switch type {
    case .text, .url:
      if text.isEmpty { return nil }
      self = .text(text)
    case .integer:
      guard let number = Int64(text) else { return nil }
      self = .integer(number)
    case .real:
      guard let number = Double(text), number.isFinite else { return nil }
      self = .real(number)
    case .boolean:
      switch text.lowercased() {
      case "true", "yes", "1": self = .boolean(true)
      case "false", "no", "0": self = .boolean(false)
      default: return nil
      }
    case .time:
      guard let time = Timestamp(parsing: text) else { return nil }
      self = .time(time)
    case .money:
      guard let money = Money(parsing: text) else { return nil }
      self = .money(money)
    case .list:
      let parts = text.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
      if parts.isEmpty { return nil }
      self = .list(parts)
    }
  }
}
