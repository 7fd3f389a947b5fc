/// The rows that one load has written, as bits: new rows have numbers in a row, so that a feed of
/// any length takes a few words for each hundred of them.
final class SeenRows {
  private var words: [Int64: UInt64] = [:]

  /// Notes a row; false when it has been noted before.
  @discardableResult
  func insert(_ row: Int64) -> Bool {
    let bit = UInt64(1) << UInt64(row & 63)
    let known = words[row >> 6, default: 0]
    guard known & bit == 0 else { return false }
    words[row >> 6] = known | bit
    return true
  }

  func contains(_ row: Int64) -> Bool {
    words[row >> 6, default: 0] & (1 << UInt64(row & 63)) != 0
  }
}
