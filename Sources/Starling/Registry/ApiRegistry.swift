import StarlingLua

/// Every function and value of the Lua surface.
enum ApiRegistry {
  static let functions: [ApiFunction] = [
    TextFunctions.all,
    URLFunctions.all,
    MoneyFunctions.all,
    TimeFunctions.all,
    JSONFunctions.all,
    LogFunctions.all,
    RuleWords.functions,
    RuleFunctions.all,
    ConfigurationFunctions.all,
    LookFunctions.all,
    ChangeFunctions.all,
    TransactionFunction.all,
    FeedFunctions.all,
    StreamFunctions.all,
    OSFunctions.all,
    PermittedFunctions.all,
    HTTPFunctions.all,
    ProcessFunctions.all,
    HelpFunction.all,
  ].flatMap { $0 }
  static let values: [ApiValue] = [JSONFunctions.values, RuleWords.values].flatMap { $0 }

  /// Makes the functions of the environment's context the globals of a state.
  static func install(
    into state: LuaState, environment: ApiEnvironment
  ) throws(LuaError) {
    for value in values where !value.contexts.isDisjoint(with: environment.context) {
      try state.setGlobal(value.name, value.push)
    }
    // Not joined: that would copy every function, for each state.
    for list in [functions, environment.appFunctions] {
      for function in list where !function.contexts.isDisjoint(with: environment.context) {
        let body = function.body
        state.register(
          function.name, plain: function.plainTypes,
          check: { call throws(LuaError) in try function.check(call) },
          { call, results throws(LuaError) in try body(environment, call, &results) })
      }
    }
    try ApiTables.close(in: state, environment)
  }
}
