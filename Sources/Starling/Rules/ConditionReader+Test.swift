import StarlingLua
import StarlingModel

/// What one word asks of a field.
extension ConditionReader {
  static func test(
    _ field: String, _ word: String, _ value: LuaView
  ) throws(LuaError) -> Test {
    switch word {
    case "missing": return .missing
    case "is": return .is(try arguments(field, word, value))
    case "has": return .has(try texts(field, word, value))
    case "word": return .word(try texts(field, word, value))
    case "matches": return .matches(try texts(field, word, value))
    case "at_least": return .atLeast(try operand(field, word, value))
    case "at_most": return .atMost(try operand(field, word, value))
    case "above": return .above(try operand(field, word, value))
    case "below": return .below(try operand(field, word, value))
    case "since": return .since(try moment(field, word, value))
    case "before": return .before(try moment(field, word, value))
    case "between":
      let ends = try arguments(field, word, value)
      guard ends.count == 2 else {
        throw fault(field, "`between` takes two values, got \(ends.count)")
      }
      return .between(ends[0], ends[1])
    default:
      throw fault(field, "`\(word)` is an action and asks nothing")
    }
  }

  /// A plain value, or a plain list of values: what `is` stands for.
  static func values(_ field: String, _ value: LuaView) throws(LuaError) -> [Value] {
    guard value.type == .table, !(try isMoney(value)) else {
      return [try scalar(field, value)]
    }
    try requireList(field, value)
    return try elements(value) { element throws(LuaError) in try scalar(field, element) }
  }

  /// Refuses names and holes, which reading the elements would pass over in silence.
  static func requireList(_ field: String, _ list: LuaView) throws(LuaError) {
    var count = 0
    try list.forEachField { key, _ throws(LuaError) in
      guard key.type == .integer else {
        throw fault(field, "a value or a list of values is expected, not a table with names")
      }
      count += 1
    }
    guard count == list.rawCount else { throw fault(field, "the list has holes") }
    guard count > 0 else { throw fault(field, "the list is empty") }
  }

  /// The arguments of a word, or the elements of the list that is its only one.
  private static func arguments(
    _ field: String, _ word: String, _ value: LuaView
  ) throws(LuaError) -> [Value] {
    let listed = try list(of: value, depth: 0) { list, _ throws(LuaError) -> [Value] in
      try values(field, list)
    }
    if let listed { return listed }
    return try elements(value) { element throws(LuaError) in try scalar(field, element) }
  }

  private static func texts(
    _ field: String, _ word: String, _ value: LuaView
  ) throws(LuaError) -> [String] {
    try arguments(field, word, value).map { (value) throws(LuaError) in
      guard case .text(let text) = value else {
        throw fault(field, "`\(word)` looks for text, not \(value.ruleText); put it in quotes")
      }
      return text
    }
  }

  private static func operand(
    _ field: String, _ word: String, _ value: LuaView
  ) throws(LuaError) -> Value {
    let values = try arguments(field, word, value)
    guard let value = values.first, values.count == 1 else {
      throw fault(field, "`\(word)` takes one value, got \(values.count)")
    }
    return value
  }

  private static func moment(
    _ field: String, _ word: String, _ value: LuaView
  ) throws(LuaError) -> Moment {
    let operand = try operand(field, word, value)
    switch operand {
    case .integer(let seconds): return .at(Timestamp(secondsSinceEpoch: seconds))
    case .text(let text): if let moment = Moment(parsing: text) { return moment }
    default: break
    }
    throw fault(
      field,
      "`\(word)` needs a time such as \"7d\" (ago) or \"2026-11-30\", not \(operand.ruleText)")
  }

  // MARK: Values

  private static func scalar(_ field: String, _ value: LuaView) throws(LuaError) -> Value {
    switch value.type {
    case .string: return .text(try value.string())
    case .boolean: return .boolean(value.isTrue)
    case .integer: if let number = value.integer { return .integer(number) }
    case .number:
      if let number = value.number, number.isFinite { return .real(number) }
      throw fault(field, "a number that is not finite compares with nothing")
    case .table:
      if try value.ruleWord() != nil {
        throw fault(field, "a list holds values; join conditions with `any` or `all`")
      }
      if let money = try money(value) { return .money(money) }
    default: break
    }
    throw fault(field, "a value is expected, got \(value.type.name)")
  }

  /// Whether this is a table of `money.parse`.
  private static func isMoney(_ value: LuaView) throws(LuaError) -> Bool {
    try value.field(named: "text") { $0.type == .string }
  }

  private static func money(_ value: LuaView) throws(LuaError) -> Money? {
    guard try isMoney(value) else { return nil }
    return Money(
      low: try value.field(named: "low") { $0.number },
      high: try value.field(named: "high") { $0.number },
      currency: try value.field(named: "currency") { currency throws(LuaError) in
        currency.type == .string ? try currency.string() : nil
      },
      text: try value.field(named: "text") { text throws(LuaError) in try text.string() })
  }
}
