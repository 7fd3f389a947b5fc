public import StarlingModel

/// What a rules file would change over what is stored; nothing is written.
public struct RuleTrial: Sendable {
  public enum Change: String, CaseIterable, Sendable {
    /// It would become a favorite.
    case starred
    /// A favorite with a cause of a rule that no longer matches it, or no longer exists.
    case noLonger = "no longer"
    /// A rule matches and it is a favorite already.
    case already
    /// A rule matches and the user said no to it.
    case refused
    /// A rule met an absent value or a price without an amount, and nothing else failed.
    case cannotCompare = "cannot compare"
    /// A rule would match but for the `skip` or `stop` of an earlier one.
    case shadowed

    /// What stands before a line of the diff.
    public var mark: String {
      switch self {
      case .starred: "+"
      case .noLonger: "-"
      case .already: "="
      case .refused: "x"
      case .cannotCompare: "?"
      case .shadowed: "~"
      }
    }
  }

  /// One line of the diff.
  public struct Entry: Sendable {
    public var change: Change
    public var kind: String
    public var key: String
    /// The entity's title or name, else its key.
    public var title: String
    /// The rules that say so, in their order; one for `cannotCompare` and `shadowed`.
    public var rules: [String]
    /// What the first of the rules saw.
    public var evidence: [Evidence]
    /// The rule whose `skip` or `stop` came before, for `shadowed`.
    public var shadowedBy: String?
    /// Whether it stays a favorite for other reasons, for `noLonger`.
    public var stays: Bool
  }

  /// Entities that were asked.
  public internal(set) var entities = 0
  /// At most `limit` for each change, in the order of kinds and entities.
  public internal(set) var entries: [Entry] = []
  public internal(set) var counts: [Change: Int] = [:]
  /// How many entities each rule matches, in the order of the rules; also those with 0.
  public internal(set) var matches: [(rule: String, count: Int)] = []
  /// The `when` functions that raised an error.
  public internal(set) var failures: [RuleFailure] = []

  /// Leaves only what concerns one rule.
  package mutating func keepOnly(rule name: String) {
    entries = entries.filter { $0.change != .noLonger && $0.rules.contains(name) }
    matches = matches.filter { $0.rule == name }
    counts = [:]
    for entry in entries { counts[entry.change, default: 0] += 1 }
  }

  mutating func add(_ entry: Entry, limit: Int) {
    counts[entry.change, default: 0] += 1
    if counts[entry.change, default: 0] <= limit { entries.append(entry) }
  }
}
