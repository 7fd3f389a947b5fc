/// How a condition explains itself: made once, so that evidence for a star costs its values alone.
indirect enum Explanation: Sendable {
  /// What the condition says of these fields, decided by the step at `index`.
  case clause(Clause, index: Int)
  case each([Explanation])
  /// The first alternative that holds, else all of them; each with its step.
  case alternatives([(explanation: Explanation, index: Int)])

  struct Clause: Sendable {
    /// Places in the kind; one, or several for a `not_` over several fields.
    var fields: [Int]
    /// The fields' names as an outcome shows them.
    var names: String
    /// As the rule says it.
    var text: String
  }

  /// - Parameter index: the place of the condition's step.
  init(_ condition: Condition, _ index: Int, kind: Kind, steps: [MatcherProgram.Step]) {
    if let name = condition.field {
      let fields = kind.index(of: name).map { [$0] } ?? []
      self = .clause(Clause(fields: fields, names: name, text: condition.clause), index: index)
      return
    }
    switch condition {
    case .all(let parts):
      let placed = Explanation.placed(parts, index, kind: kind, steps: steps)
      self = .each(placed.map(\.explanation))
    case .any(let parts):
      self = .alternatives(Explanation.placed(parts, index, kind: kind, steps: steps))
    case .test, .not:
      let names = condition.fields
      let clause = Clause(
        fields: names.compactMap(kind.index), names: names.joined(separator: ", "),
        text: condition.compound)
      self = .clause(clause, index: index)
    }
  }

  private static func placed(
    _ parts: [Condition], _ index: Int, kind: Kind, steps: [MatcherProgram.Step]
  ) -> [(explanation: Explanation, index: Int)] {
    var place = index + 1
    return parts.map { part in
      defer { place = Int(steps[place].end) }
      return (Explanation(part, place, kind: kind, steps: steps), place)
    }
  }
}
