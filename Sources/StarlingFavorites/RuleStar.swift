public import StarlingModel

/// A star that a rule gives to an entity.
public struct RuleStar: Hashable, Sendable {
  /// The rule's name.
  public var rule: String
  /// The version of the rule's text.
  public var version: String
  /// The fields that the rule asked, with the values that it saw.
  public var evidence: [Evidence]
  public var tags: [String]

  public init(rule: String, version: String, evidence: [Evidence] = [], tags: [String] = []) {
    self.rule = rule
    self.version = version
    self.evidence = evidence
    self.tags = tags
  }
}
