public import StarlingModel

/// What became of one feed.
public struct LoadReport: Sendable {
  /// The plugin that mapped it.
  public var plugin: String
  /// The source as it was named: a path, a URL, `-`.
  public var source: String
  /// The items that the feed had.
  public var items = 0
  /// Entities that were not stored before, that had other values, and that were as they are now.
  public var new = 0
  public var changed = 0
  public var unchanged = 0
  /// Items that gave only entities that an item before them had given: the first one counts.
  public var duplicates = 0
  /// The first favorites that this load made, at most `LoadReport.starsKept` of them.
  public var stars: [Star] = []
  /// How many favorites it made in all.
  public var starCount = 0
  /// Favorites of before for which a rule now is one more cause.
  public var causesAdded = 0
  /// Stars that a refusal kept away.
  public var refused = 0
  /// Why the plugin left items out, and how many for each reason, most frequent first.
  public var leftOut: [LeftOut] = []
  /// The first items that failed, at most `LoadReport.failuresKept` of them.
  public var failures: [ItemFailure] = []
  public var failureCount = 0
  /// What was wrong with the document, one line each: where it was cut, bytes that were replaced.
  public var damage: [String] = []
  /// The `when` functions of rules that raised an error, which counted as no match.
  public var ruleFailures: [RuleFailure] = []
  /// Whether the document ends before its end.
  public var isCut = false
  /// What the server said of it; nil for what comes from none.
  var response: FeedInput.Response?

  public static let starsKept = 1_000
  public static let failuresKept = 100

  /// Whether everything that the feed holds was taken.
  public var isComplete: Bool { failureCount == 0 && !isCut && ruleFailures.isEmpty }

  public struct Star: Sendable {
    public var kind: String
    public var key: String
    /// The entity's title or name, else its key.
    public var title: String
    public var rule: String
    public var version: String
    public var evidence: [Evidence]
  }

  public struct LeftOut: Sendable, Equatable {
    public var reason: String
    public var count: Int
  }

  public struct ItemFailure: Sendable {
    /// 1 for the first item of the feed.
    public var place: Int
    public var error: HostError
  }
}
