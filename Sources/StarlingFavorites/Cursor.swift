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

  /// The kind and the order that the place belongs to.
  let list: ListOrder
  let place: Place
  let rowid: Int64

  init(in list: ListOrder, place: Place, rowid: Int64) {
    self.list = list
    self.place = place
    self.rowid = rowid
  }

  /// Reads what `text` gave.
  ///
  /// - Returns: nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, let list = ListOrder(parts[0]), let rowid = Int64(parts[2]) else {
      return nil
    }
    self.list = list
    self.rowid = rowid
    switch parts[1] {
    case "i":
      guard let number = Int64(parts[3]) else { return nil }
      place = .integer(number)
    case "r":
      guard let bits = UInt64(parts[3], radix: 16) else { return nil }
      place = .real(Double(bitPattern: bits))
    case "t": place = .text(String(parts[3]))
    case "n": place = .absent
    case "o": place = .row
    case "s":
      let numbers = parts[3].split(separator: ":", omittingEmptySubsequences: false)
      guard numbers.count == 2, let last = Int64(numbers[0]),
        let bits = UInt64(numbers[1], radix: 16)
      else { return nil }
      place = .found(upTo: last, rank: Double(bitPattern: bits))
    default: return nil
    }
  }

  /// The cursor as text, for `init(_:)`.
  public var text: String {
    let rest =
      switch place {
      case .integer(let number): "i:\(rowid):\(number)"
      case .real(let number): "r:\(rowid):\(String(number.bitPattern, radix: 16))"
      case .text(let text): "t:\(rowid):\(text)"
      case .absent: "n:\(rowid):"
      case .row: "o:\(rowid):"
      case .found(let last, let rank):
        "s:\(rowid):\(last):\(String(rank.bitPattern, radix: 16))"
      }
    return "\(list.text):\(rest)"
  }
}

/// A kind's rows in one order: what a cursor is a place in.
struct ListOrder: Hashable, Sendable {
  let kind: String
  /// The order as `Query.Order` reads it; of a search by rank `rank`, with a mark of its words.
  let order: String

  init(kind: String, order: String) {
    self.kind = kind
    self.order = order
  }

  /// Reads what `text` gave.
  init?(_ text: Substring) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return nil }
    kind = String(parts[0])
    order = String(parts[1])
  }

  /// Names have neither a slash nor a colon.
  var text: String { "\(kind)/\(order)" }

  /// The list that a query goes through.
  init(of query: Query) {
    func signed(_ name: String, _ descending: Bool) -> String { (descending ? "-" : "") + name }
    kind = query.kind
    switch query.order {
    case .field(let name, let descending): order = signed(name, descending)
    case .starredAt(let descending): order = signed("starred_at", descending)
    case .firstSeen(let descending): order = signed("first_seen", descending)
    case nil:
      if let text = query.text {
        order = "rank-" + String(ListOrder.mark(of: text), radix: 16)
      } else {
        order = query.scope == .everything && query.tag == nil ? "-first_seen" : "-starred_at"
      }
    }
  }

  /// FNV-1a of a search: another's ranks are another order.
  private static func mark(of text: String) -> UInt32 {
    text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }

  /// Refuses a cursor of another list.
  func check(_ cursor: Cursor) throws(FavoritesError) {
    guard cursor.list.kind == kind else {
      throw .badQuery(
        reason: "the cursor belongs to a query for kind \(cursor.list.kind), and this one is for"
          + " \(kind)")
    }
    guard cursor.list.order != order else { return }
    let isSearch = order.hasPrefix("rank-") && cursor.list.order.hasPrefix("rank-")
    throw .badQuery(
      reason: isSearch
        ? "the cursor belongs to a search for other words"
        : "the cursor belongs to a query in the order \(cursor.list.said), and this one's is"
          + " \(said)")
  }

  private var said: String { order.hasPrefix("rank-") ? "of a search's rank" : "\"\(order)\"" }
}
