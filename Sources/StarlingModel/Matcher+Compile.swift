extension Matcher {
  mutating func compile(
    _ condition: Condition, now: Timestamp, depth: Int
  ) throws(ConditionError) {
    guard depth <= Matcher.depthLimit else { throw .tooDeep }
    switch condition {
    case .test(let name, let test):
      guard let index = kind.index(of: name) else {
        let nearest = Spelling.nearest(to: name, among: kind.fields.map(\.name))
        throw .unknownField(name, kind: kind.name, nearest: nearest)
      }
      try ClauseCompiler(field: kind.fields[index], index: index, now: now)
        .compile(test, into: &self)
    case .all(let parts): try compile(.all, parts, now: now, depth: depth)
    case .any(let parts): try compile(.any, parts, now: now, depth: depth)
    case .not(let part): try compile(.not, [part], now: now, depth: depth)
    }
  }

  private mutating func compile(
    _ operation: Operation, _ parts: [Condition], now: Timestamp, depth: Int
  ) throws(ConditionError) {
    let place = steps.count
    steps.append(Step(operation: operation))
    for part in parts { try compile(part, now: now, depth: depth + 1) }
    steps[place].end = Int32(truncatingIfNeeded: steps.count)
  }

  /// Appends a step about one field.
  mutating func append(_ operation: Operation, field: Int, first: Int, count: Int) {
    var step = Step(operation: operation)
    step.field = Int32(truncatingIfNeeded: field)
    step.first = Int32(truncatingIfNeeded: first)
    step.count = Int32(truncatingIfNeeded: count)
    steps.append(step)
    steps[steps.count - 1].end = Int32(truncatingIfNeeded: steps.count)
  }
}
