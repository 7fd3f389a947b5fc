/// What to take back.
public enum Undo: Hashable, Sendable {
  /// One change, by its number.
  case change(Int64)
  /// All that one run changed.
  case run(Int64)
  /// All that one rule did, at any version of its text.
  case rule(String)
  /// The last run that changed something, or the last change where that belongs to none. It may be an
  /// undo, which is taken back then.
  case last
}

/// What an undo did.
public struct UndoReport: Hashable, Sendable {
  /// A change that was left as it is.
  public struct Left: Hashable, Sendable {
    public var change: Change
    /// What has changed since, as people read it.
    public var reason: String

    public init(change: Change, reason: String) {
      self.change = change
      self.reason = reason
    }
  }

  /// The changes that were taken back, newest first.
  public var undone: [Change] = []
  public var left: [Left] = []
  /// The run of the undo itself: undoing it brings everything back. Nil when nothing was undone.
  public var run: Int64?

  public init() {}
}
