public import StarlingModel

/// One change of favorites or refusals, as the history has it.
public struct Change: Hashable, Sendable, Identifiable {
  /// What was done; its raw value is the word in the history.
  public enum Action: String, Hashable, Sendable, CaseIterable {
    /// It became a favorite.
    case star
    /// It is no favorite any more.
    case unstar
    /// A favorite got one more cause, or a rule's newer version for its cause.
    case cause
    /// A favorite lost a cause and has others.
    case uncause
    case tag
    case untag
    case note
    case refuse
    case allow
    /// The entity's key changed; the old one stands for it from now on.
    case rekey
    /// An undo of changes that had come to nothing: nothing changed, and it can be undone like others.
    case undo
  }

  /// Grows with each change of the file.
  public var id: Int64
  public var at: Timestamp
  public var action: Action
  public var kind: String
  public var key: String
  public var by: Cause.Origin
  /// The run that it belongs to.
  public var run: Int64?
  /// Whether it was taken back.
  public var isUndone: Bool
  /// The tags that came or went with it.
  public var tags: [String]

  public init(
    id: Int64, at: Timestamp, action: Action, kind: String, key: String, by: Cause.Origin,
    run: Int64?, isUndone: Bool, tags: [String]
  ) {
    self.id = id
    self.at = at
    self.action = action
    self.kind = kind
    self.key = key
    self.by = by
    self.run = run
    self.isUndone = isUndone
    self.tags = tags
  }
}

/// Which changes to list.
public struct HistoryFilter: Hashable, Sendable {
  /// With `key`: of one entity. Alone: of one kind.
  public var kind: String?
  public var key: String?
  public var run: Int64?
  /// Only changes older than this one, for the next page.
  public var before: Int64?
  public var limit: Int

  public init(
    kind: String? = nil, key: String? = nil, run: Int64? = nil, before: Int64? = nil,
    limit: Int = 50
  ) {
    self.kind = kind
    self.key = key
    self.run = run
    self.before = before
    self.limit = limit
  }
}
