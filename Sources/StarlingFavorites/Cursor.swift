/// A place in the order of a query: the values of the last row that was given.
///
/// It stays right while rows come and go, and is plain text for whoever must keep it.
public struct Cursor: Hashable, Sendable {
  enum Place: Hashable, Sendable {
    case integer(Int64)
    case real(Double)
    case text(String)
    /// Among the rows without a value.
    case absent
    /// The rowid alone is the order.
    case row
    /// Among what a search found, up to a rowid, by rank.
    case found(upTo: Int64, rank: Double)
  }

  let place: Place
  let rowid: Int64

  init(place: Place, rowid: Int64) {
    self.place = place
    self.rowid = rowid
  }

  /// Reads what `text` gave.
  ///
  /// - Returns: nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let rowid = Int64(parts[1]) else { return nil }
    self.rowid = rowid
    switch parts[0] {
    case "i":
      guard let number = Int64(parts[2]) else { return nil }
      place = .integer(number)
    case "r":
      guard let bits = UInt64(parts[2], radix: 16) else { return nil }
      place = .real(Double(bitPattern: bits))
    case "t": place = .text(String(parts[2]))
    case "n": place = .absent
    case "o": place = .row
    case "s":
      let numbers = parts[2].split(separator: ":", omittingEmptySubsequences: false)
      guard numbers.count == 2, let last = Int64(numbers[0]),
        let bits = UInt64(numbers[1], radix: 16)
      else { return nil }
      place = .found(upTo: last, rank: Double(bitPattern: bits))
    default: return nil
    }
  }

  /// The cursor as text, for `init(_:)`.
  public var text: String {
    switch place {
    case .integer(let number): "i:\(rowid):\(number)"
    case .real(let number): "r:\(rowid):\(String(number.bitPattern, radix: 16))"
    case .text(let text): "t:\(rowid):\(text)"
    case .absent: "n:\(rowid):"
    case .row: "o:\(rowid):"
    case .found(let last, let rank):
      "s:\(rowid):\(last):\(String(rank.bitPattern, radix: 16))"
    }
  }
}
