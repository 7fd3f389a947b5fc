import StarlingLua

/// The words of `init.lua` beside those of the rules.
enum ConfigurationFunctions {
  static let all: [ApiFunction] = [
    headed("source", .required("name", .string, "what commands call it"), "Names a feed to load."),
    headed("search", .required("name", .string, "what commands call it"), "Names a query."),
    ApiFunction(
      "sources", in: .rules, [.required("file", .string, "relative to the folder of init.lua")],
      help: "Names an OPML file with feeds to load."
    ) { environment, call, _ throws(LuaError) in
      try collector(of: environment, "sources").addSourceFile(try call[1].string())
    },
    ApiFunction(
      "limits", in: .rules,
      [.required("limits", .shape("starling.Limits"), "time = \"5s\", memory = \"64MB\"")],
      help: "Says how much time and memory Lua may use."
    ) { environment, call, _ throws(LuaError) in
      try collector(of: environment, "limits").readLimits(call[1], call.state)
    },
  ]

  private static func headed(
    _ name: String, _ parameter: ApiParameter, _ help: String
  ) -> ApiFunction {
    ApiFunction(
      name, in: .rules, [parameter],
      returns: [ApiResult(type: .function, help: "takes the table")], help: help
    ) { environment, call, results throws(LuaError) in
      try collector(of: environment, name)
        .begin(name, try call[1].string(), call.state, &results)
    }
  }

  private static func collector(
    of environment: ApiEnvironment, _ word: String
  ) throws(LuaError) -> ConfigurationCollector {
    let found = environment.slots[ConfigurationCollector.slot] as? ConfigurationCollector
    guard let found else { throw .message("'\(word)' belongs in init.lua, not in a rules file") }
    return found
  }
}
