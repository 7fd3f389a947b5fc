/// An entity that somebody or some rule chose, with what the chooser attached to it.
public struct Favorite: Hashable, Sendable {
  public var entity: Entity
  public var starredAt: Timestamp
  /// Sorted and without duplicates.
  public var tags: [String]
  public var note: String?
  /// In the order in which they came; never empty.
  public var causes: [Cause]

  public init(
    entity: Entity, starredAt: Timestamp, tags: [String] = [], note: String? = nil,
    causes: [Cause]
  ) {
    self.entity = entity
    self.starredAt = starredAt
    self.tags = tags
    self.note = note
    self.causes = causes
  }
}

/// "I said no": what no rule, script, refresh or import overrides until it is lifted by hand.
public struct Refusal: Hashable, Sendable {
  public var kind: String
  public var key: String
  public var at: Timestamp

  public init(kind: String, key: String, at: Timestamp) {
    self.kind = kind
    self.key = key
    self.at = at
  }
}
