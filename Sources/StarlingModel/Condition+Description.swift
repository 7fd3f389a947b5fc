extension Condition: CustomStringConvertible {
  /// The condition as the rule language says it, a table that reads back as the same condition:
  /// `{ published = since "7d", price = below "20万" }`.
  public var description: String {
    switch self {
    case .all(let parts) where field == nil: Condition.table(parts)
    default: Condition.table([self])
    }
  }

  /// The one field that the condition asks; nil when it asks several or none.
  var field: String? {
    switch self {
    case .test(let field, _): return field
    case .not(let part): return part.field
    case .all(let parts), .any(let parts):
      guard let first = parts.first?.field, parts.allSatisfy({ $0.field == first }) else {
        return nil
      }
      return first
    }
  }

  /// The fields that the condition asks, in the order in which it first asks them.
  package var fields: [String] {
    var names: [String] = []
    collectFields(into: &names)
    return names
  }

  private func collectFields(into names: inout [String]) {
    switch self {
    case .test(let field, _): if !names.contains(field) { names.append(field) }
    case .not(let part): part.collectFields(into: &names)
    case .all(let parts), .any(let parts):
      for part in parts { part.collectFields(into: &names) }
    }
  }

  /// What the condition says of its one field, without the name: `not_(has "x")`.
  var clause: String {
    switch self {
    case .test(_, let test): test.description
    case .not(let part): "not_(" + part.clause + ")"
    case .all(let parts): "all { " + parts.map(\.clause).joined(separator: ", ") + " }"
    case .any(let parts): "any { " + parts.map(\.clause).joined(separator: ", ") + " }"
    }
  }

  /// A part of a table that asks several fields: `any { { a = is "x" }, { b = is "y" } }`.
  var compound: String {
    switch self {
    case .not(let part): "not_ " + part.description
    case .any(let parts): "any " + Condition.list(parts)
    case .all(let parts): "all " + Condition.list(parts)
    case .test: description
    }
  }

  private static func list(_ parts: [Condition]) -> String {
    guard !parts.isEmpty else { return "{}" }
    return "{ " + parts.map(\.description).joined(separator: ", ") + " }"
  }

  private static func table(_ parts: [Condition]) -> String {
    guard !parts.isEmpty else { return "{}" }
    var named: Set<String> = []
    let entries = parts.map { part in
      guard let field = part.field else { return part.compound }
      // A table has each name once; what asks a field again stands in a table of its own.
      guard named.insert(field).inserted else { return "{ \(field) = \(part.clause) }" }
      return "\(field) = \(part.clause)"
    }
    return "{ " + entries.joined(separator: ", ") + " }"
  }
}

extension Test: CustomStringConvertible {
  /// The word of the rule language.
  package var word: String {
    switch self {
    case .is: "is"
    case .has: "has"
    case .word: "word"
    case .matches: "matches"
    case .atLeast: "at_least"
    case .atMost: "at_most"
    case .above: "above"
    case .below: "below"
    case .between: "between"
    case .since: "since"
    case .before: "before"
    case .missing: "missing"
    }
  }

  /// The test as the rule language says it: `below "20万"`, `is { "EV", 5 }`, `between(1, 5)`.
  public var description: String {
    switch self {
    case .is(let values): word + Test.arguments(values)
    case .has(let texts), .word(let texts), .matches(let texts):
      word + Test.arguments(texts.map { .text($0) })
    case .atLeast(let value), .atMost(let value), .above(let value), .below(let value):
      word + Test.arguments([value])
    case .between(let low, let high): word + "(" + low.ruleText + ", " + high.ruleText + ")"
    case .since(.ago(let seconds)), .before(.ago(let seconds)):
      word + Test.arguments([.text(Moment.text(ofSeconds: seconds))])
    case .since(.at(let time)), .before(.at(let time)): word + Test.arguments([.time(time)])
    case .missing: word
    }
  }

  /// Lua calls a function without parentheses for one text or one table alone.
  private static func arguments(_ values: [Value]) -> String {
    guard let first = values.first, values.count == 1 else {
      return values.isEmpty ? " {}" : " { " + values.map(\.ruleText).joined(separator: ", ") + " }"
    }
    switch first {
    case .text, .time, .money, .list: return " " + first.ruleText
    case .integer, .real, .boolean: return "(" + first.ruleText + ")"
    }
  }
}

extension Value {
  /// The value as a Lua constant.
  package var ruleText: String {
    switch self {
    case .text(let text): Value.quoted(text)
    case .integer(.min): "math.mininteger"
    case .integer(let number): String(number)
    case .real(let number): number.isInfinite ? (number < 0 ? "-1e999" : "1e999") : "\(number)"
    case .boolean(let flag): flag ? "true" : "false"
    case .time(let time): Value.quoted(time.description)
    case .money(let money): Value.quoted(money.text)
    case .list(let texts): "{ " + texts.map(Value.quoted).joined(separator: ", ") + " }"
    }
  }

  /// A Lua string constant (Lua manual 5.4, §3.1).
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value)
        result += "\\" + String(repeating: "0", count: 3 - digits.utf8.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
