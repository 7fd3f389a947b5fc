public import StarlingModel

/// What one rule did and does.
public struct RuleStatistics: Sendable {
  public var rule: Rule
  /// Entities among what is stored that it matches now.
  public var matches: Int
  /// Favorites that have it as a cause.
  public private(set) var favorites = 0
  /// When it last gave a cause that a favorite still has; nil when it never did.
  public private(set) var last: Timestamp?

  init(rule: Rule, matches: Int) {
    self.rule = rule
    self.matches = matches
  }

  mutating func note(_ at: Timestamp) {
    favorites += 1
    if last.map({ $0.secondsSinceEpoch < at.secondsSinceEpoch }) ?? true { last = at }
  }
}
