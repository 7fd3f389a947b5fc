import StarlingLua

/// The function that defines rules.
enum RuleFunctions {
  static let all: [ApiFunction] = [
    ApiFunction(
      "rule", in: .rules, [.required("name", .string, "what history and `why` call it")],
      returns: [ApiResult(type: .function, help: "takes the rule's table")],
      help: "Defines a rule: names are conditions, bare words are actions."
    ) { environment, call, results throws(LuaError) in
      guard let collector = environment.slots[RuleCollector.slot] as? RuleCollector else {
        throw .message("rules are defined in a rules file")
      }
      try collector.begin(try call[1].string(), call.state, &results)
    }
  ]
}
