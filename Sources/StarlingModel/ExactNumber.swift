/// A number of a condition, and the nearest values of a field's type on either side of it.
enum ExactNumber {
  case integer(Int64)
  /// Not NaN.
  case real(Double)

  /// The least integer that is at least this number, or above it when `isOpen`; nil when there is
  /// none.
  func integerAtLeast(isOpen: Bool) -> Int64? {
    switch self {
    case .integer(let number): return isOpen ? sum(number, 1) : number
    case .real(let number):
      let least = number.rounded(.up)
      guard let exact = Int64(exactly: least) else { return least > 0 ? nil : .min }
      return isOpen && least == number ? sum(exact, 1) : exact
    }
  }

  /// The greatest integer that is at most this number, or below it when `isOpen`; nil when there
  /// is none.
  func integerAtMost(isOpen: Bool) -> Int64? {
    switch self {
    case .integer(let number): return isOpen ? sum(number, -1) : number
    case .real(let number):
      let greatest = number.rounded(.down)
      guard let exact = Int64(exactly: greatest) else { return greatest > 0 ? .max : nil }
      return isOpen && greatest == number ? sum(exact, -1) : exact
    }
  }

  func realAtLeast(isOpen: Bool) -> Double {
    switch self {
    case .real(let number): return isOpen ? number.nextUp : number
    case .integer(let number):
      let near = Double(number)
      switch compare(near, number) {
      case 0: return isOpen ? near.nextUp : near
      case 1: return near
      default: return near.nextUp
      }
    }
  }

  func realAtMost(isOpen: Bool) -> Double {
    switch self {
    case .real(let number): return isOpen ? number.nextDown : number
    case .integer(let number):
      let near = Double(number)
      switch compare(near, number) {
      case 0: return isOpen ? near.nextDown : near
      case -1: return near
      default: return near.nextDown
      }
    }
  }

  /// -1, 0 or 1 as the real is below, equal to or above the integer that it was rounded from.
  private func compare(_ real: Double, _ integer: Int64) -> Int {
    guard let exact = Int64(exactly: real) else { return 1 }
    return exact < integer ? -1 : exact > integer ? 1 : 0
  }

  private func sum(_ number: Int64, _ step: Int64) -> Int64? {
    let (sum, overflow) = number.addingReportingOverflow(step)
    return overflow ? nil : sum
  }
}
