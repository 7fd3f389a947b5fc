/// A terminal's answer to where its cursor is, `ESC [ row ; column R` (ECMA-48, 8.3.14), among what a
/// person types meanwhile.
struct CursorReport {
  /// The column, from 0, once the answer is complete.
  private(set) var column: Int?
  /// What was typed before and behind the answer.
  private(set) var typed: [UInt8] = []

  /// Whether what came last may be the beginning of an answer.
  var isUnfinished: Bool {
    guard column == nil, let start = typed.lastIndex(of: 0x1B) else { return false }
    let rest = typed[start...].dropFirst()
    guard let bracket = rest.first else { return true }
    return bracket == UInt8(ascii: "[")
      && rest.dropFirst().allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ";") }
  }

  mutating func take(_ bytes: [UInt8]) {
    typed += bytes
    guard column == nil else { return }
    for start in typed.indices where typed[start] == 0x1B {
      guard let (column, end) = answer(at: start) else { continue }
      self.column = column
      typed.removeSubrange(start..<end)
      return
    }
  }

  private func answer(at start: Int) -> (column: Int, end: Int)? {
    let rest = typed[start...].dropFirst()
    guard rest.first == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "R")) else {
      return nil
    }
    let numbers = String(decoding: rest[..<end].dropFirst(), as: UTF8.self).split(separator: ";")
    guard numbers.count == 2, Int(numbers[0]) != nil, let column = Int(numbers[1]), column > 0
    else { return nil }
    return (column - 1, end + 1)
  }
}
