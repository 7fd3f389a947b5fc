/// A condition made ready for one kind: asks entities whether it holds.
///
/// Texts match without regard to case and exactly otherwise. A regular expression that takes too many
/// steps counts as one that cannot be compared. Whole numbers and reals compare
/// exactly, also beyond 2^53. A price compares by its low end. `has`, `word` and `is` hold for a
/// list when they hold for an element. Logic has three values: a comparison that met an absent
/// value or a price without an amount is no match, and neither is its negation; `has`, `word` and
/// `is` of an absent value are plainly false, so that `not_(has "x")` holds for it.
///
/// Asking allocates nothing once the cache has grown to the size of the entities.
package final class Matcher: Sendable {
  /// How many conditions may lie inside one another.
  package static let depthLimit = 50

  let kind: Kind
  /// The places of the fields that it looks at, each once: a record need hold no others.
  package let fields: [Int]
  let explanation: Explanation
  let steps: FlatTable<MatcherProgram.Step>
  let needles: FlatTable<Needle>
  let needleBytes: FlatTable<UInt8>
  let patterns: [Pattern]
  let integers: FlatTable<MatcherProgram.Interval<Int64>>
  let reals: FlatTable<MatcherProgram.Interval<Double>>

  /// Compiles a condition.
  ///
  /// - Parameter now: what `since "7d"` counts from.
  package init(_ condition: Condition, kind: Kind, now: Timestamp) throws(ConditionError) {
    var program = MatcherProgram(kind: kind, now: now)
    try program.compile(condition, depth: 0)
    self.kind = kind
    fields = program.fields
    explanation = Explanation(condition, 0, kind: kind, steps: program.steps)
    steps = FlatTable(program.steps)
    needles = FlatTable(program.needles)
    needleBytes = FlatTable(program.needleBytes)
    patterns = program.patterns
    integers = FlatTable(program.integers)
    reals = FlatTable(program.reals)
  }

  /// Whether the condition holds for the record, which is of the matcher's kind.
  ///
  /// - Parameter cache: begun for this record.
  package func matches(_ record: borrowing EntityRecord, _ cache: inout FoldCache) -> Bool {
    evaluate(0, record, &cache) == .held
  }

  /// The same with a cache of its own, for a single question.
  package func matches(_ record: borrowing EntityRecord) -> Bool {
    var cache = FoldCache()
    return matches(record, &cache)
  }

  package func verdict(_ record: borrowing EntityRecord, _ cache: inout FoldCache) -> Verdict {
    evaluate(0, record, &cache)
  }
}

// MARK: - Asking

extension Matcher {
  func evaluate(
    _ index: Int, _ record: borrowing EntityRecord, _ cache: inout FoldCache
  ) -> Verdict {
    let step = steps[index]
    switch step.operation {
    case .all: return evaluateEach(index, step, stopping: .failed, record, &cache)
    case .any: return evaluateEach(index, step, stopping: .held, record, &cache)
    case .not:
      switch evaluate(index + 1, record, &cache) {
      case .held: return .failed
      case .failed: return .held
      case .cannotCompare: return .cannotCompare
      }
    default:
      let field = Int(step.field)
      guard field < record.slots.count else { return .failed }
      return evaluate(step, field, record, &cache)
    }
  }

  /// `all` stops at the first that failed, `any` at the first that held; what cannot be compared
  /// decides only when nothing else does.
  private func evaluateEach(
    _ index: Int, _ step: MatcherProgram.Step, stopping: Verdict,
    _ record: borrowing EntityRecord, _ cache: inout FoldCache
  ) -> Verdict {
    var result: Verdict = stopping == .failed ? .held : .failed
    var next = index + 1
    while next < step.end {
      let verdict = evaluate(next, record, &cache)
      if verdict == stopping { return verdict }
      if verdict == .cannotCompare { result = verdict }
      next = Int(steps[next].end)
    }
    return result
  }

  @inline(__always)
  private func evaluate(
    _ step: MatcherProgram.Step, _ field: Int, _ record: borrowing EntityRecord,
    _ cache: inout FoldCache
  ) -> Verdict {
    switch step.operation {
    case .isText, .hasText, .hasWord:
      return findNeedle(step, field, record, &cache) != nil ? .held : .failed
    case .hasPattern: return findPattern(step, record.slots[field], record).verdict
    case .missing:
      if case .absent = record.slots[field] { return .held }
      return .failed
    case .isBoolean:
      guard case .boolean(let flag) = record.slots[field] else { return .failed }
      return step.first & (flag ? 1 : 2) != 0 ? .held : .failed
    case .integer, .time: return compareInteger(step, record.slots[field])
    case .real: return compareReal(step, record.slots[field])
    case .money: return compareMoney(step, record.slots[field], record)
    case .all, .any, .not: return .failed
    }
  }

  private func compareInteger(_ step: MatcherProgram.Step, _ slot: EntityRecord.Slot) -> Verdict {
    switch slot {
    case .integer(let number), .time(let number): holds(number, in: integers, step)
    case .real(let number):
      Int64(exactly: number).map { holds($0, in: integers, step) } ?? .cannotCompare
    default: .cannotCompare
    }
  }

  private func compareReal(_ step: MatcherProgram.Step, _ slot: EntityRecord.Slot) -> Verdict {
    switch slot {
    case .real(let number): holds(number, in: reals, step)
    case .integer(let number): holds(Double(number), in: reals, step)
    default: .cannotCompare
    }
  }

  private func compareMoney(
    _ step: MatcherProgram.Step, _ slot: EntityRecord.Slot, _ record: borrowing EntityRecord
  ) -> Verdict {
    guard case .money(let place) = slot else { return compareReal(step, slot) }
    return record.moneys[place].low.map { holds($0, in: reals, step) } ?? .cannotCompare
  }

  @inline(__always)
  private func holds<Bound: Comparable>(
    _ value: Bound, in table: borrowing FlatTable<MatcherProgram.Interval<Bound>>,
    _ step: MatcherProgram.Step
  ) -> Verdict {
    var range = Int(step.first)..<Int(step.first + step.count)
    // To where the last interval that begins at or below the value is among a few.
    while range.count > Matcher.few {
      let middle = range.lowerBound + range.count / 2
      let interval = table[middle]
      let isBelow = interval.low <= value || interval.isEmpty
      range = isBelow ? middle..<range.upperBound : range.lowerBound..<middle
    }
    for index in range {
      let interval = table[index]
      if interval.low <= value, value <= interval.high { return .held }
    }
    return .failed
  }

  /// Up to so many operands are looked at one by one.
  static let few = 8
}

// MARK: - Texts

extension Matcher {
  /// Where in the field's fold the first of the step's needles stands.
  func findNeedle(
    _ step: MatcherProgram.Step, _ field: Int, _ record: borrowing EntityRecord,
    _ cache: inout FoldCache
  ) -> Range<Int>? {
    guard cache.prepare(field, of: record) else { return nil }
    if step.operation == .isText, step.count > Matcher.few {
      return findWhole(step, cache.entries[field], cache)
    }
    for index in Int(step.first)..<Int(step.first + step.count) {
      let needle = needles[index]
      guard needle.count <= cache.entries[field].end - cache.entries[field].start,
        cache.mayHold(needle, field: field)
      else { continue }
      if let start = find(needle, step.operation, field, cache) {
        return start..<start + needle.count
      }
    }
    return nil
  }

  /// Where the needle stands, counted from the beginning of the field's fold.
  private func find(
    _ needle: Needle, _ operation: MatcherProgram.Operation, _ field: Int,
    _ cache: borrowing FoldCache
  ) -> Int? {
    let entry = cache.entries[field]
    return cache.bytes.withSpan(entry.start..<entry.end) { text in
      needleBytes.withSpan(needle.start..<needle.start + needle.count) { wanted in
        switch operation {
        case .hasText: TextSearch.first(wanted, anchor: needle.anchor, in: text)
        case .hasWord: TextSearch.firstWord(wanted, anchor: needle.anchor, in: text)
        default: firstWhole(wanted, anchor: needle.anchor, in: text)
        }
      }
    }
  }

  /// Where the first whole text, or whole element of a list, stands that is one of many needles.
  private func findWhole(
    _ step: MatcherProgram.Step, _ entry: FoldCache.Entry, _ cache: borrowing FoldCache
  ) -> Range<Int>? {
    cache.bytes.withSpan(entry.start..<entry.end) { text in
      var start = 0
      while start < text.count {
        var end = start
        while end < text.count, text[end] != FoldCache.separator { end += 1 }
        if holds(text.extracting(start..<end), step) { return start..<end }
        start = end + 1
      }
      return nil
    }
  }

  /// Whether a text is one of the step's needles, which lie in order.
  private func holds(_ text: Span<UInt8>, _ step: MatcherProgram.Step) -> Bool {
    var range = Int(step.first)..<Int(step.first + step.count)
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let needle = needles[middle]
      let order = needleBytes.withSpan(needle.start..<needle.start + needle.count) {
        TextSearch.order(text, $0)
      }
      if order == 0 { return true }
      range = order < 0 ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return false
  }

  /// Where the needle is a whole text, or a whole element of a list.
  private func firstWhole(_ wanted: Span<UInt8>, anchor: Int, in text: Span<UInt8>) -> Int? {
    var from = 0
    while let start = TextSearch.first(wanted, anchor: anchor, in: text, from: from) {
      let end = start + wanted.count
      let begins = start == 0 || text[start - 1] == FoldCache.separator
      if begins, end == text.count || text[end] == FoldCache.separator { return start }
      from = start + 1
    }
    return nil
  }
}
