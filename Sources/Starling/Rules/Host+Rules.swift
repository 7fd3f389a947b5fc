import StarlingFavorites
import StarlingLua
public import StarlingModel

extension Host {
  /// Reads a rules file and checks it against the kinds of the plugins and of the database.
  ///
  /// - Throws: every fault of the file, with its line and the nearest right spelling.
  public func rules(file: String) throws(RulesError) -> RuleSet {
    var loader = ruleLoader
    loader.kinds = knownKinds()
    let rules = try loader.load(file: file)
    try rules.prepare(for: loader.kinds, now: configuration.clock())
    return rules
  }

  /// Reads the rules of the user's `init.lua` and checks them in the same way.
  public func rules(configuration file: String) throws(RulesError) -> RuleSet {
    let loader = ConfigurationLoader(
      limits: configuration.limits, clock: configuration.clock, log: configuration.log,
      appFunctions: configuration.appFunctions, kinds: knownKinds())
    let rules = try loader.load(file: file).rules
    try rules.prepare(for: loader.kinds, now: configuration.clock())
    return rules
  }

  /// The kinds of the plugins, and those that the database has besides when it can be opened.
  private func knownKinds() -> [Kind] {
    guard let store = try? storeWithPlugins() else { return model.kinds }
    return store.kinds
  }

  /// Reads conditions as a rule or a `where` has them: `price = below "20万", energy = is "EV"`.
  ///
  /// - Throws: `HostError` of kind `script` when it does not parse or has an unknown word.
  public func condition(parsing text: String) throws(HostError) -> Condition {
    do throws(LuaError) {
      var configuration = LuaConfiguration.rules
      configuration.memoryLimit = self.configuration.limits.memoryBytes
      configuration.timeLimit = self.configuration.limits.time
      let state = try LuaState(configuration)
      let environment = ApiEnvironment(
        context: .rules, name: "where", clock: self.configuration.clock,
        log: self.configuration.log, appFunctions: self.configuration.appFunctions)
      try ApiRegistry.install(into: state, environment: environment)
      let chunk = try state.load("return { \(text) }", name: "where")
      return try state.call(chunk) { results throws(LuaError) in
        try ConditionReader.read(results[1])
      }
    } catch {
      throw HostError(.script, error.messageWithoutLocation, subject: "where", cause: error)
    }
  }
}
