import StarlingLua
import StarlingModel

/// Reads a table of conditions: the `where` of a query, the named keys of a rule.
///
///     { published = since "7d", price = below "20万", any { { likes = above(5) }, { pinned = true } } }
///
/// Names are fields, and each must hold; elements are whole tables of conditions, or `any`, `all`
/// and `not_` over such. A plain value or a plain list means `is`. Named keys are read in the order
/// of their bytes, so that the same table always gives the same condition. Reading is raw: no
/// metamethod runs. Fields are not known here; `Matcher` checks them against a kind.
struct ConditionReader {
  private init() {}

  /// - Throws: `LuaError.runtime` with a message that names the field and what is wrong.
  static func read(_ table: LuaView) throws(LuaError) -> Condition {
    guard table.type == .table else {
      throw .conversion(expected: "table of conditions", found: table.type.name, path: "")
    }
    return try compound(table, depth: 0)
  }

  /// Reads what is said of one field.
  static func clause(_ field: String, _ value: LuaView) throws(LuaError) -> Condition {
    try clause(field, value, depth: 0)
  }

  // MARK: Whole tables

  /// A table of conditions, or `any`, `all`, `not_` over such.
  static func compound(_ value: LuaView, depth: Int) throws(LuaError) -> Condition {
    try check(depth)
    guard value.type == .table else {
      throw .message(
        "a \(value.type.name) is no condition; write `field = value` or a table of these")
    }
    switch try value.ruleWord() {
    case nil: return joined(try parts(value, depth: depth))
    case "any": return .any(try operands(of: value, "any", depth: depth))
    case "all": return .all(try operands(of: value, "all", depth: depth))
    case "not_": return .not(try negated(value, depth: depth))
    case .some(let word): throw .message("`\(word)` asks no field; write `field = \(word)`")
    }
  }

  /// What each name and each element of a table of conditions asks.
  private static func parts(_ table: LuaView, depth: Int) throws(LuaError) -> [Condition] {
    var named: [(name: String, condition: Condition)] = []
    var placed: [(place: Int64, condition: Condition)] = []
    try table.forEachField { key, value throws(LuaError) in
      switch key.type {
      case .string:
        let name = try key.string(atMost: 4 << 10)
        named.append((name, try clause(name, value, depth: depth + 1)))
      case .integer:
        placed.append((key.integer ?? 0, try compound(value, depth: depth + 1)))
      default:
        throw .message("a \(key.type.name) names no field")
      }
    }
    named.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    placed.sort { $0.place < $1.place }
    return named.map(\.condition) + placed.map(\.condition)
  }

  private static func joined(_ parts: [Condition]) -> Condition {
    if let only = parts.first, parts.count == 1 { return only }
    return .all(parts)
  }

  /// The alternatives of `any{ a = 1, b = 2 }`, `any{ { a = 1 }, { b = 2 } }`, `any({..}, {..})`.
  private static func operands(
    of word: LuaView, _ name: String, depth: Int
  ) throws(LuaError) -> [Condition] {
    let operands: [Condition]
    if let list = try list(of: word, depth: depth, parts) {
      operands = list
    } else {
      operands = try elements(word) { value throws(LuaError) in
        try compound(value, depth: depth + 1)
      }
    }
    guard !operands.isEmpty else { throw .message("`\(name)` has no condition") }
    return operands
  }

  private static func negated(_ word: LuaView, depth: Int) throws(LuaError) -> Condition {
    let parts = try elements(word) { value throws(LuaError) in
      try compound(value, depth: depth + 1)
    }
    guard let part = parts.first, parts.count == 1 else {
      throw .message("`not_` takes one condition")
    }
    if case .all(let conditions) = part, conditions.isEmpty {
      throw .message("`not_` has no condition")
    }
    return part
  }

  // MARK: One field

  static func clause(
    _ field: String, _ value: LuaView, depth: Int
  ) throws(LuaError) -> Condition {
    try check(depth)
    let word = try value.ruleWord()
    switch word {
    case "any", "all":
      let parts = try clauses(field, value, depth: depth)
      guard !parts.isEmpty else { throw fault(field, "`\(word ?? "")` has no condition") }
      return word == "any" ? .any(parts) : .all(parts)
    case "not_":
      let parts = try clauses(field, value, depth: depth, isNegated: true)
      guard let part = parts.first, parts.count == 1 else {
        throw fault(field, "`not_` takes one condition; join several with `any` or `all`")
      }
      return .not(part)
    case .some(let word): return .test(field: field, try test(field, word, value))
    case nil: return .test(field: field, .is(try values(field, value)))
    }
  }

  private static func clauses(
    _ field: String, _ word: LuaView, depth: Int, isNegated: Bool = false
  ) throws(LuaError) -> [Condition] {
    // `not_{ "a", "b" }` denies `is` of the list; `any{ has "a", "b" }` joins its elements.
    let isList = try list(of: word, depth: depth) { list, _ throws(LuaError) in
      guard isNegated else { return true }
      return try list.element(1) { first throws(LuaError) in try first.ruleWord() != nil }
    }
    let read = { (value: LuaView) throws(LuaError) in
      try clause(field, value, depth: depth + 1)
    }
    guard isList == true else { return try elements(word, read) }
    return try word.element(1) { list throws(LuaError) in
      try requireList(field, list)
      return try elements(list, read)
    }
  }

  // MARK: Helpers

  static func fault(_ field: String, _ why: String) -> LuaError {
    .message("field \"\(field)\": \(why)")
  }

  private static func check(_ depth: Int) throws(LuaError) {
    guard depth < Matcher.depthLimit else {
      throw .message("conditions lie deeper than \(Matcher.depthLimit) inside one another")
    }
  }

  /// Lends the plain table that is a word's only argument; nil when its arguments are others.
  static func list<Result>(
    of word: LuaView, depth: Int, _ body: (LuaView, Int) throws(LuaError) -> Result
  ) throws(LuaError) -> Result? {
    guard word.rawCount == 1 else { return nil }
    return try word.element(1) { value throws(LuaError) in
      guard value.type == .table, try value.ruleWord() == nil else { return nil }
      return try body(value, depth)
    }
  }

  static func elements<Result>(
    _ table: LuaView, _ body: (LuaView) throws(LuaError) -> Result
  ) throws(LuaError) -> [Result] {
    var results: [Result] = []
    try table.forEachElement { _, value throws(LuaError) in results.append(try body(value)) }
    return results
  }
}
