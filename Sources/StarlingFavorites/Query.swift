public import StarlingModel

/// What to fetch, and in which order.
public struct Query: Hashable, Sendable {
  public enum Scope: Hashable, Sendable {
    case favorites
    /// Everything seen, starred or not.
    case everything
  }

  /// The order of rows; rows that are equal in it follow by the order in which they were first
  /// seen. Absent values come last.
  public enum Order: Hashable, Sendable {
    case field(String, descending: Bool)
    case starredAt(descending: Bool)
    case firstSeen(descending: Bool)

    /// Reads the name of a field, `starred_at` or `first_seen`, with `-` before it for descending.
    public init(parsing text: String) {
      let descending = text.utf8.first == UInt8(ascii: "-")
      let name = descending ? String(text.dropFirst()) : text
      switch name {
      case "starred_at": self = .starredAt(descending: descending)
      default: self = .field(name, descending: descending)
      }
    }
  }

  public var kind: String
  public var scope: Scope
  public var condition: Condition
  /// Nil: the newest star first, or, of everything, what was first seen last; with a `text` the best
  /// first.
  public var order: Order?
  /// At most so many rows; nil for all.
  public var limit: Int?
  /// Only what comes after this in the order.
  public var after: Cursor?
  /// Only favorites with this tag.
  public var tag: String?
  /// Only what has these words in its texts and lists, in the first 64 KB of each; see `WordSearch`.
  /// Without an order the best come first, except where rows are streamed.
  public var text: String?

  public init(
    kind: String, scope: Scope = .favorites, where condition: Condition = .all([]),
    order: Order? = nil, limit: Int? = nil, after: Cursor? = nil, tag: String? = nil,
    text: String? = nil
  ) {
    self.kind = kind
    self.scope = scope
    self.condition = condition
    self.order = order
    self.limit = limit
    self.after = after
    self.tag = tag
    self.text = text
  }

  /// The query as it is streamed in chunks: a search gives the newest first, since each chunk would
  /// rank all that it finds again.
  package var inStreamOrder: Query {
    var query = self
    if text != nil, order == nil { query.order = .firstSeen(descending: true) }
    return query
  }
}

/// Some rows of a query, and where to go on.
public struct Page<Row: Sendable>: Sendable {
  public var rows: [Row]
  /// Give it as `after` for the next page; nil when this was the last.
  public var next: Cursor?

  public init(rows: [Row], next: Cursor?) {
    self.rows = rows
    self.next = next
  }
}
