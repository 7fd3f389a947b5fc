import StarlingLua
import StarlingModel

/// The rules that are for one kind, made ready to ask its entities.
struct RulePlan {
  struct Step {
    /// The place in `RuleSet.rules`.
    var rule: Int
    var function: LuaFunction?
    /// What a `when` function may read; empty without one.
    var known: Set<String>
    var stars: Bool
    var tags: [String]
    /// Whether no later rule sees the entity.
    var ends: Bool
  }

  var kind: Kind
  var steps: [Step] = []
  /// One for each step, in an array of their own since each entity goes through all of them; nil
  /// for a rule without conditions.
  var matchers: [Matcher?] = []

  init(kind: Kind) {
    self.kind = kind
  }

  /// Takes the functions of the same rules in a new Lua state.
  mutating func adopt(_ definitions: [RuleDefinition]) {
    for index in steps.indices where definitions.indices.contains(steps[index].rule) {
      steps[index].function = definitions[steps[index].rule].function
    }
  }

  mutating func append(
    _ definition: RuleDefinition, at index: Int, matcher: Matcher?, known: Set<String>
  ) {
    let actions = definition.rule.actions
    steps.append(
      Step(
        rule: index, function: definition.function, known: known,
        stars: actions.contains(.star),
        tags: actions.flatMap { action in
          if case .tag(let tags) = action { tags } else { [String]() }
        },
        ends: actions.contains(.skip) || actions.contains(.stop)))
    matchers.append(matcher)
  }
}
