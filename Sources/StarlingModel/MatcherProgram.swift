/// A condition as a flat program: what `Matcher` runs.
struct MatcherProgram {
  /// What one step asks. Steps lie in the order of the condition, each before the steps inside it.
  enum Operation: UInt8, BitwiseCopyable, Sendable {
    case all, any, not
    case missing
    /// A range of `needles`; one has to be found.
    /// Those of `isText` lie in the order of their bytes.
    case isText, hasText, hasWord
    /// A range of `patterns`; one has to be found.
    case hasPattern
    /// `first` is 1 for true, 2 for false, 3 for either.
    case isBoolean
    /// A range of `integers` or `reals`; the value lies in one of the closed intervals, which lie in
    /// order and apart, the empty ones first.
    case integer, real, money, time
  }

  /// One step: plain numbers, so that asking counts no references.
  struct Step: BitwiseCopyable, Sendable {
    var operation: Operation
    var field: Int32 = 0
    /// The operands, in the table that the operation names.
    var first: Int32 = 0
    var count: Int32 = 0
    /// Past the last step inside this one.
    var end: Int32 = 0
  }

  /// A closed interval; empty when `low` is above `high`.
  struct Interval<Bound: Comparable & Sendable & BitwiseCopyable>: BitwiseCopyable, Sendable {
    var low: Bound
    var high: Bound

    var isEmpty: Bool { low > high }

    /// The order of the intervals of one step.
    func precedes(_ other: Interval) -> Bool {
      isEmpty || other.isEmpty ? isEmpty && !other.isEmpty : low < other.low
    }
  }

  let kind: Kind
  let now: Timestamp
  var steps: [Step] = []
  var needles: [Needle] = []
  var needleBytes: [UInt8] = []
  var patterns: [Pattern] = []
  var integers: [Interval<Int64>] = []
  var reals: [Interval<Double>] = []

  /// The fields that the steps ask about, each once.
  var fields: [Int] {
    var fields: [Int] = []
    for step in steps {
      switch step.operation {
      case .all, .any, .not: break
      default:
        if !fields.contains(Int(step.field)) { fields.append(Int(step.field)) }
      }
    }
    return fields
  }

  init(kind: Kind, now: Timestamp) {
    self.kind = kind
    self.now = now
  }

  mutating func compile(_ condition: Condition, depth: Int) throws(ConditionError) {
    guard depth <= Matcher.depthLimit else { throw .tooDeep }
    switch condition {
    case .test(let name, let test):
      guard let index = kind.index(of: name) else {
        let nearest = Spelling.nearest(to: name, among: kind.fields.map(\.name))
        throw .unknownField(name, kind: kind.name, nearest: nearest)
      }
      try ClauseCompiler(field: kind.fields[index], index: index, now: now)
        .compile(test, into: &self)
    case .all(let parts): try compile(.all, parts, depth: depth)
    case .any(let parts): try compile(.any, parts, depth: depth)
    case .not(let part): try compile(.not, [part], depth: depth)
    }
  }

  private mutating func compile(
    _ operation: Operation, _ parts: [Condition], depth: Int
  ) throws(ConditionError) {
    let place = steps.count
    steps.append(Step(operation: operation))
    for part in parts { try compile(part, depth: depth + 1) }
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
