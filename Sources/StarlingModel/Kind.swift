/// A type of entity: its name, what identifies an entity of it, its fields and its indexes.
public struct Kind: Hashable, Sendable {
  /// What a kind's key is made of.
  public enum KeyRule: Hashable, Sendable {
    /// The values of these fields, in this order, joined by `/` (see `EntityKey`).
    case fields([String])
    /// A key that the store makes, for things without identity.
    case auto
  }

  /// Names of the tables and views that every database has; no kind can have one of these, nor one
  /// that begins like those of views (`favorite_NAME`) or of SQLite.
  package static let reservedNames: Set<String> = [
    "kinds", "fields", "sources", "favorites", "causes", "tags", "refusals", "aliases", "actors",
    "runs", "history", "counters", "settings", "why", "changes",
  ]
  private static let reservedBeginnings = ["favorite_", "sqlite_"]

  /// Whether a table of that name would be in the way of the database's own.
  package static func isReserved(_ name: String) -> Bool {
    reservedNames.contains(name) || reservedBeginnings.contains { name.hasPrefix($0) }
  }

  public var name: String
  public var key: KeyRule
  /// In the order of declaration; a record's slots have the same order.
  public var fields: [Field]
  /// Names of the fields that have an index, in the order of declaration.
  public var indexes: [String]

  public init(name: String, key: KeyRule, fields: [Field], indexes: [String] = []) {
    self.name = name
    self.key = key
    self.fields = fields
    self.indexes = indexes
  }

  /// The place of a field in `fields`, or nil for a name that the kind does not have.
  public func index(of field: String) -> Int? {
    fields.firstIndex { $0.name == field }
  }
}
