/// Compiles what one field is asked.
struct ClauseCompiler {
  let field: Field
  let index: Int
  let now: Timestamp

  func compile(_ test: Test, into program: inout MatcherProgram) throws(ConditionError) {
    switch test {
    case .is(let values): try compileIs(values, test.word, &program)
    case .has(let texts): try compileTexts(texts, .hasText, test.word, &program)
    case .word(let texts): try compileTexts(texts, .hasWord, test.word, &program)
    case .matches(let patterns): try compilePatterns(patterns, test.word, &program)
    case .missing: program.append(.missing, field: index, first: 0, count: 0)
    case .atLeast(let value): try compileOrder(from: value, to: nil, test.word, &program)
    case .atMost(let value): try compileOrder(from: nil, to: value, test.word, &program)
    case .between(let low, let high): try compileOrder(from: low, to: high, test.word, &program)
    case .above(let value):
      try compileOrder(from: value, to: nil, isOpen: true, test.word, &program)
    case .below(let value):
      try compileOrder(from: nil, to: value, isOpen: true, test.word, &program)
    case .since(let moment):
      try compileTime(low: moment.timestamp(now: now).secondsSinceEpoch, test.word, &program)
    case .before(let moment):
      let end = moment.timestamp(now: now).secondsSinceEpoch
      let (last, overflow) = end.subtractingReportingOverflow(1)
      // Nothing is earlier than the earliest time.
      let interval = MatcherProgram.Interval(
        low: overflow ? Int64.max : .min, high: overflow ? .min : last)
      try compileTime(interval, test.word, &program)
    }
  }

  // MARK: Texts

  private func compileTexts(
    _ texts: [String], _ operation: MatcherProgram.Operation, _ word: String,
    _ program: inout MatcherProgram
  ) throws(ConditionError) {
    guard [.text, .url, .list, .money].contains(field.type) else {
      throw wrongType(word, "asks a text, a url, a list or a price")
    }
    var folds: [[UInt8]] = []
    for text in texts {
      let folded = TextFold.folded(text)
      guard !folded.isEmpty else { throw .empty(field: field.name, word: word) }
      folds.append(folded)
    }
    guard !folds.isEmpty else { throw .empty(field: field.name, word: word) }
    // In order, `is` among many is found by halving.
    if operation == .isText { folds.sort { $0.lexicographicallyPrecedes($1) } }
    let first = program.needles.count
    for folded in folds {
      let start = program.needleBytes.count
      program.needleBytes.append(contentsOf: folded)
      program.needles.append(Needle(folded.span, start: start))
    }
    program.append(operation, field: index, first: first, count: folds.count)
  }

  private func compilePatterns(
    _ texts: [String], _ word: String, _ program: inout MatcherProgram
  ) throws(ConditionError) {
    guard [.text, .url, .list, .money].contains(field.type) else {
      throw wrongType(word, "asks a text, a url, a list or a price")
    }
    let first = program.patterns.count
    for text in texts {
      guard !text.isEmpty else { throw .empty(field: field.name, word: word) }
      do throws(Pattern.Fault) {
        program.patterns.append(try Pattern(text))
      } catch {
        throw .badPattern(
          field: field.name, pattern: text.shortened(toBytes: Pattern.longest),
          offset: error.offset, reason: error.message)
      }
    }
    guard !texts.isEmpty else { throw .empty(field: field.name, word: word) }
    program.append(.hasPattern, field: index, first: first, count: texts.count)
  }

  private func compileIs(
    _ values: [Value], _ word: String, _ program: inout MatcherProgram
  ) throws(ConditionError) {
    guard !values.isEmpty else { throw .empty(field: field.name, word: word) }
    switch field.type {
    case .text, .url, .list: try compileTexts(try texts(values, word), .isText, word, &program)
    case .boolean: try compileBooleans(values, word, &program)
    case .money: try compilePrices(values, word, &program)
    case .integer, .real, .time:
      let first = tableCount(program)
      for value in values { try appendInterval(value, value, isOpen: false, word, &program) }
      sortIntervals(from: first, &program)
      program.append(operation, field: index, first: first, count: values.count)
    }
  }

  /// The texts that `is` names: a number asked of a text is its digits, since keys and ids come as
  /// either.
  private func texts(_ values: [Value], _ word: String) throws(ConditionError) -> [String] {
    var texts: [String] = []
    for value in values {
      switch value {
      case .text(let text): texts.append(text)
      case .integer(let number): texts.append(String(number))
      case .list(let elements) where field.type == .list: texts += elements
      default: throw unreadable(value, word, "a text")
      }
    }
    return texts
  }

  private func compileBooleans(
    _ values: [Value], _ word: String, _ program: inout MatcherProgram
  ) throws(ConditionError) {
    var accepted = 0
    for value in values {
      guard case .boolean(let flag) = value else { throw unreadable(value, word, "true or false") }
      accepted |= flag ? 1 : 2
    }
    program.append(.isBoolean, field: index, first: accepted, count: 1)
  }

  /// Prices with an amount compare by it, those without (`暂无报价`) by their text.
  private func compilePrices(
    _ values: [Value], _ word: String, _ program: inout MatcherProgram
  ) throws(ConditionError) {
    var amounts: [Value] = []
    var texts: [String] = []
    for value in values {
      if amount(of: value) != nil {
        amounts.append(value)
      } else if case .text(let text) = value, Money(parsing: text)?.low == nil, !text.isEmpty {
        texts.append(text)
      } else {
        throw unreadable(value, word, expected)
      }
    }
    let place = program.steps.count
    if !amounts.isEmpty, !texts.isEmpty {
      program.steps.append(MatcherProgram.Step(operation: .any))
    }
    if !texts.isEmpty { try compileTexts(texts, .isText, word, &program) }
    if !amounts.isEmpty {
      let first = program.reals.count
      for value in amounts { try appendInterval(value, value, isOpen: false, word, &program) }
      sortIntervals(from: first, &program)
      program.append(.money, field: index, first: first, count: amounts.count)
    }
    program.steps[place].end = Int32(truncatingIfNeeded: program.steps.count)
  }

  // MARK: Order

  private var operation: MatcherProgram.Operation {
    switch field.type {
    case .integer: .integer
    case .real: .real
    case .money: .money
    default: .time
    }
  }

  private func tableCount(_ program: MatcherProgram) -> Int {
    operation == .integer || operation == .time ? program.integers.count : program.reals.count
  }

  private func compileOrder(
    from low: Value?, to high: Value?, isOpen: Bool = false, _ word: String,
    _ program: inout MatcherProgram
  ) throws(ConditionError) {
    guard [.integer, .real, .money, .time].contains(field.type) else {
      throw wrongType(word, "compares numbers, prices and times")
    }
    let first = tableCount(program)
    try appendInterval(low, high, isOpen: isOpen, word, &program)
    program.append(operation, field: index, first: first, count: 1)
  }

  private func compileTime(
    low: Int64, _ word: String, _ program: inout MatcherProgram
  ) throws(ConditionError) {
    try compileTime(MatcherProgram.Interval(low: low, high: .max), word, &program)
  }

  private func compileTime(
    _ interval: MatcherProgram.Interval<Int64>, _ word: String, _ program: inout MatcherProgram
  ) throws(ConditionError) {
    guard field.type == .time else { throw wrongType(word, "asks a time") }
    program.integers.append(interval)
    program.append(.time, field: index, first: program.integers.count - 1, count: 1)
  }

  /// Appends the values from `low` to `high` as a closed interval of the field's own type, so that
  /// asking compares two numbers of one type and no precision is lost.
  private func appendInterval(
    _ low: Value?, _ high: Value?, isOpen: Bool, _ word: String, _ program: inout MatcherProgram
  ) throws(ConditionError) {
    let from = try low.map { value throws(ConditionError) in try number(value, word) }
    let to = try high.map { value throws(ConditionError) in try number(value, word) }
    if operation == .integer || operation == .time {
      let least = from.map { $0.integerAtLeast(isOpen: isOpen) } ?? .some(.min)
      let greatest = to.map { $0.integerAtMost(isOpen: isOpen) } ?? .some(.max)
      // No integer on one side: an interval that holds none.
      let isEmpty = least == nil || greatest == nil
      program.integers.append(
        MatcherProgram.Interval(
          low: isEmpty ? .max : least ?? .max, high: isEmpty ? .min : greatest ?? .min))
    } else {
      program.reals.append(
        MatcherProgram.Interval(
          low: from.map { $0.realAtLeast(isOpen: isOpen) } ?? -.infinity,
          high: to.map { $0.realAtMost(isOpen: isOpen) } ?? .infinity))
    }
  }

  /// Brings the intervals of one step in order, so that a value among many is found by halving. They
  /// are single values, so none overlaps another.
  private func sortIntervals(from first: Int, _ program: inout MatcherProgram) {
    if operation == .integer || operation == .time {
      program.integers[first...].sort { $0.precedes($1) }
    } else {
      program.reals[first...].sort { $0.precedes($1) }
    }
  }

  private func number(_ value: Value, _ word: String) throws(ConditionError) -> ExactNumber {
    switch (field.type, value) {
    case (.integer, .integer(let number)), (.real, .integer(let number)),
      (.time, .integer(let number)):
      return .integer(number)
    case (.integer, .real(let number)) where !number.isNaN,
      (.real, .real(let number)) where !number.isNaN:
      return .real(number)
    case (.money, _): if let amount = amount(of: value) { return amount }
    case (.time, .time(let time)): return .integer(time.secondsSinceEpoch)
    case (.time, .text(let text)):
      if let time = Timestamp(parsing: text) { return .integer(time.secondsSinceEpoch) }
    default: break
    }
    throw unreadable(value, word, expected)
  }

  private func amount(of value: Value) -> ExactNumber? {
    switch value {
    case .integer(let number): .integer(number)
    case .real(let number): number.isNaN ? nil : .real(number)
    case .money(let money): money.low.map { .real($0) }
    case .text(let text): Money(wholeText: text)?.low.map { .real($0) }
    default: nil
    }
  }

  // MARK: Errors

  private var expected: String {
    switch field.type {
    case .money: "an amount such as 200000 or \"20万\""
    case .time: "a time such as \"2026-11-30\""
    default: "a number"
    }
  }

  private func wrongType(_ word: String, _ expected: String) -> ConditionError {
    .wrongType(field: field.name, type: field.type, word: word, expected: expected)
  }

  private func unreadable(_ value: Value, _ word: String, _ expected: String) -> ConditionError {
    .unreadable(field: field.name, word: word, operand: value.ruleText, expected: expected)
  }
}
