package import StarlingFavorites

/// What the rules say of one entity. Made once and filled again for each entity.
package struct RuleOutcome: Sendable {
  /// The stars that were given, in the order of the rules; the tags of rules that only tag are with
  /// the last one.
  package internal(set) var stars: [RuleStar] = []
  /// What rules that only tag said when no star was given. A load leaves it: a tag comes with a
  /// star, so that one which was taken off by hand stays off. `rules apply`, which is asked for,
  /// gives it to what is a favorite already.
  package internal(set) var tags: [RuleStar] = []
  /// The place in `RuleSet.rules` of the rule whose `skip` or `stop` ended the run.
  package internal(set) var endedBy: Int?

  package init() {}

  mutating func reset() {
    stars.removeAll(keepingCapacity: true)
    tags.removeAll(keepingCapacity: true)
    endedBy = nil
  }

  /// Gives the tags to the last star, when there is one.
  mutating func settleTags() {
    guard let last = stars.indices.last, !tags.isEmpty else { return }
    for tag in tags.flatMap(\.tags) where !stars[last].tags.contains(tag) {
      stars[last].tags.append(tag)
    }
    tags.removeAll(keepingCapacity: true)
  }
}
