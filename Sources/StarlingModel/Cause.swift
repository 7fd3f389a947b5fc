/// Why an entity is a favorite.
public struct Cause: Hashable, Sendable {
  public enum Origin: Hashable, Sendable {
    case hand
    /// A rule at the version of its text (the first 8 hexadecimal digits of a hash of its source).
    case rule(name: String, version: String)
    case script(name: String)
    case `import`(file: String, line: Int)
  }

  public var origin: Origin
  /// What a rule saw: each field that it read and the value at that time.
  public var evidence: [Evidence]
  public var at: Timestamp

  public init(origin: Origin, evidence: [Evidence] = [], at: Timestamp) {
    self.origin = origin
    self.evidence = evidence
    self.at = at
  }
}

/// One field that a rule read, the value that it met, and the condition that held.
public struct Evidence: Hashable, Sendable {
  public var field: String
  /// As people read it: `16.59-25.13万`, an RFC 3339 time.
  public var value: String
  /// As the rule says it: `below "20万"`; or what a `when` function gave as its reason.
  public var condition: String

  public init(field: String, value: String, condition: String) {
    self.field = field
    self.value = value
    self.condition = condition
  }
}
