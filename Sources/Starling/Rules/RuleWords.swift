import StarlingLua

/// The words of the rule language, as rules, queries and scripts call them.
///
/// A word makes a plain table that `ConditionReader` and `RuleReader` read: what it is called under
/// `RuleWords.tag`, which no field can be named, and its arguments as elements. `has{ "a", "b" }`
/// is `{ ["(word)"] = "has", { "a", "b" } }`.
enum RuleWords {
  /// The key that tells a word's table from a list or a table of conditions.
  static let tag = "(word)"

  static let functions: [ApiFunction] =
    conditions.map { word in
      make(word.name, in: [.rules, .script], word.parameter, help: word.help)
    } + [
      make(
        "tag", in: .rules,
        .rest("tags", .union([.string, .list(.string)]), "one tag or several"),
        help: "An action: tags what the rule matches.")
    ] + later.map { refused($0) }

  static let values: [ApiValue] =
    [
      value("missing", in: [.rules, .script], help: "Holds when the field is absent.")
    ]
    + actions.map { action in value(action.name, in: .rules, help: action.help) }

  /// Words that are values: actions without arguments.
  private static let actions: [(name: String, help: String)] = [
    ("star", "An action: makes what the rule matches a favorite."),
    ("skip", "An action: not this one; no later rule sees the entity."),
    ("stop", "An action: no later rule sees the entity; what was given stays."),
  ]

  /// Actions that are announced and do not exist yet.
  static let later = ["notify", "cap", "expire"]

  /// Everything that may stand in a rule as an action.
  static let actionNames = ["star", "tag", "skip", "stop"]

  static let conditions: [(name: String, parameter: ApiParameter, help: String)] = [
    ("is", values("what it may be"), "Equal to one of these; text without regard to case."),
    ("has", texts("what to look for"), "The text has one of these in it."),
    ("word", texts("the words"), "The text has one of these as whole words."),
    (
      "matches", texts("regular expressions (PCRE2)"),
      "One of these is found in the text, without regard to case."
    ),
    ("at_least", operand("the least"), "Not less than this number, price or time."),
    ("at_most", operand("the most"), "Not more than this number, price or time."),
    ("above", operand("the bound"), "More than this number, price or time."),
    ("below", operand("the bound"), "Less than this number, price or time."),
    ("between", values("the lower and the upper end"), "From the first to the second, both in."),
    ("since", operand("\"7d\" ago, or a time"), "At this time or later."),
    ("before", operand("\"7d\" ago, or a time"), "Earlier than this time."),
    ("not_", operand("a condition"), "Holds when the condition does not."),
    ("any", values("conditions"), "Holds when one of the conditions does."),
    ("all", values("conditions"), "Holds when all of the conditions do."),
  ]

  private static func values(_ help: String) -> ApiParameter { .rest("values", .any, help) }

  private static func operand(_ help: String) -> ApiParameter { .required("value", .any, help) }

  private static func texts(_ help: String) -> ApiParameter {
    .rest("texts", .union([.string, .list(.string)]), help)
  }

  private static func make(
    _ name: String, in contexts: ApiContexts, _ parameter: ApiParameter, help: String
  ) -> ApiFunction {
    ApiFunction(
      name, in: contexts, [parameter],
      returns: [ApiResult(type: .shape("starling.Word"), help: "for a rule or a `where`")],
      help: help
    ) { _, call, results throws(LuaError) in
      try build(name, call, &results)
    }
  }

  private static func value(_ name: String, in contexts: ApiContexts, help: String) -> ApiValue {
    ApiValue(name, in: contexts, type: .shape("starling.Word"), help: help) {
      writer throws(LuaError) in
      try writer.table(fields: 1) { table throws(LuaError) in
        try table.set(named: tag) { $0.push(name) }
      }
    }
  }

  private static func refused(_ name: String) -> ApiFunction {
    ApiFunction(
      name, in: .rules, [.rest("values", .any, "not read")], help: "Does not exist yet."
    ) { _, _, _ throws(LuaError) in
      throw .message("'\(name)' does not exist yet; take it out")
    }
  }

  private static func build(
    _ name: String, _ call: borrowing LuaCall, _ results: inout LuaWriter
  ) throws(LuaError) {
    // A nil would leave the word with less to ask for, or with nothing.
    guard call.count > 0 else { throw call.argumentError(1, expected: "value") }
    for position in 1...call.count where call[position].isNil {
      throw call.argumentError(position, expected: "value")
    }
    try results.table(fields: 1, elements: call.count) { table throws(LuaError) in
      try table.set(named: tag) { $0.push(name) }
      for position in 1...call.count {
        let argument = call[position]
        try table.append { $0.push(argument) }
      }
    }
  }
}

extension LuaView {
  /// The word that made this table; nil for any other value.
  func ruleWord() throws(LuaError) -> String? {
    guard type == .table else { return nil }
    return try field(named: RuleWords.tag) { word throws(LuaError) in
      word.type == .string ? try word.string() : nil
    }
  }
}
