/// What a compiled condition asks, as far as an index or plain comparisons can answer it.
///
/// A database narrows its rows with it; what is `opaque` only the matcher can tell. Comparisons of
/// an absent value are neither true nor false, as in SQL; texts and booleans of an absent value are
/// plainly false.
package indirect enum Narrowing: Sendable {
  case all([Narrowing])
  case any([Narrowing])
  case not(Narrowing)
  case missing(field: Int)
  /// The value is in one of the closed intervals; one whose low is above its high is empty.
  case integers(field: Int, [(low: Int64, high: Int64)])
  case reals(field: Int, [(low: Double, high: Double)])
  case boolean(field: Int, acceptsTrue: Bool, acceptsFalse: Bool)
  /// The fold of the whole text is one of these (`TextFold`).
  case texts(field: Int, [[UInt8]])
  case opaque
}

extension Matcher {
  package var narrowing: Narrowing { narrowing(0) }

  private func narrowing(_ index: Int) -> Narrowing {
    let step = steps[index]
    let field = Int(step.field)
    let operands = Int(step.first)..<Int(step.first) + Int(step.count)
    switch step.operation {
    case .all: return .all(inner(index, step))
    case .any: return .any(inner(index, step))
    case .not: return .not(narrowing(index + 1))
    case .missing: return .missing(field: field)
    case .isBoolean:
      return .boolean(
        field: field, acceptsTrue: step.first & 1 != 0, acceptsFalse: step.first & 2 != 0)
    case .integer, .time:
      return .integers(field: field, operands.map { (integers[$0].low, integers[$0].high) })
    case .real, .money:
      return .reals(field: field, operands.map { (reals[$0].low, reals[$0].high) })
    case .isText:
      guard kind.fields[field].type == .text || kind.fields[field].type == .url else {
        return .opaque
      }
      return .texts(
        field: field,
        operands.map { needle in
          let start = needles[needle].start
          return (start..<start + needles[needle].count).map { needleBytes[$0] }
        })
    case .hasText, .hasWord, .hasPattern: return .opaque
    }
  }

  private func inner(_ index: Int, _ step: MatcherProgram.Step) -> [Narrowing] {
    var parts: [Narrowing] = []
    var next = index + 1
    while next < step.end {
      parts.append(narrowing(next))
      next = Int(steps[next].end)
    }
    return parts
  }
}
