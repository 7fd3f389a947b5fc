/// A typed value of a kind, identified by (kind, key).
public struct Entity: Hashable, Sendable {
  /// The name of the kind.
  public var kind: String
  /// The key, kept exactly; keys compare as bytes. Empty for an entity of an `auto` kind that the
  /// store has not seen yet, and where the fields make the key: one that is given is not compared
  /// with them.
  public var key: String
  /// The values that are present, by field name.
  public var values: [String: Value]

  public init(kind: String, key: String, values: [String: Value] = [:]) {
    self.kind = kind
    self.key = key
    self.values = values
  }

  public subscript(field: String) -> Value? {
    get { values[field] }
    set { values[field] = newValue }
  }
}

extension Entity {
  /// Keys compare as bytes: a Swift String alone would hold two spellings of one look for equal.
  public static func == (left: Entity, right: Entity) -> Bool {
    left.kind == right.kind && left.key.utf8.elementsEqual(right.key.utf8)
      && left.values == right.values
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    for byte in key.utf8 { hasher.combine(byte) }
  }
}
