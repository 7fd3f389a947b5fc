import StarlingFavorites
public import StarlingModel

extension Host {
  /// The rules of a file, or its last good ones when it is broken.
  ///
  /// - Throws: the faults of a file that never was good.
  public func rulesInForce(file: String) throws(RulesError) -> RulesInForce {
    let loader = ruleLoader
    return try inForce(file, loader) { source, file throws(RulesError) in
      try loader.load(source: source, file: file)
    }
  }

  /// The rules in the user's `init.lua`, or its last good ones when it is broken.
  ///
  /// - Parameter error: what was found wrong when it was read a moment ago; it is not run again then.
  public func rulesInForce(
    configuration file: String, after error: RulesError? = nil
  ) throws(RulesError) -> RulesInForce {
    let loader = ConfigurationLoader(
      limits: configuration.limits, clock: configuration.clock, log: configuration.log,
      appFunctions: configuration.appFunctions)
    return try inForce(file, ruleLoader, after: error) { source, file throws(RulesError) in
      try loader.load(source: source, file: file).rules
    }
  }

  private func inForce(
    _ file: String, _ loader: RuleLoader, after error: RulesError? = nil,
    _ parse: @escaping ([UInt8], String) throws(RulesError) -> RuleSet
  ) throws(RulesError) -> RulesInForce {
    let store: FavoritesStore
    do throws(HostError) { store = try storeWithPlugins() } catch {
      throw RulesError([RuleFault(error)])
    }
    let keeper = RuleKeeper(
      store: store, now: configuration.clock(),
      read: { file throws(RulesError) in try loader.read(file) }, parse: parse)
    return try keeper.load(file: file, after: error)
  }

  var ruleLoader: RuleLoader {
    RuleLoader(
      limits: configuration.limits, clock: configuration.clock, log: configuration.log,
      appFunctions: configuration.appFunctions)
  }

  /// Shows what rules would change over what is stored. Nothing is written. Canceling the task ends it.
  ///
  /// - Parameters:
  ///   - rules: those of a file that was checked.
  ///   - since: only entities that were seen at this time or later; nil for all.
  ///   - limit: lines to keep for each kind of change.
  public func tryRules(
    _ rules: RuleSet, since: Timestamp? = nil, limit: Int = 1_000
  ) throws(HostError) -> RuleTrial {
    let store = try prepared(rules)
    var run = RuleTrialRun(rules: rules, store: store, since: since, limit: limit)
    try run.run()
    return run.trial
  }

  /// Gives the stars of rules to what is stored, in one transaction and one run of the history.
  /// Canceling the task while the rules are asked ends it, and nothing is changed.
  public func applyRules(
    _ rules: RuleSet, since: Timestamp? = nil
  ) throws(HostError) -> RuleApplication {
    let store = try prepared(rules)
    var run = RuleApplicationRun(rules: rules, store: store, since: since)
    return try run.run()
  }

  /// Counts for each rule what it matches now and what it starred.
  public func ruleStatistics(_ rules: RuleSet) throws(HostError) -> [RuleStatistics] {
    let trial = try tryRules(rules, limit: 0)
    let store = try prepared(rules)
    var statistics = zip(rules.rules, trial.matches).map { rule, match in
      RuleStatistics(rule: rule, matches: match.count)
    }
    var places: [String: Int] = [:]
    for (place, rule) in rules.rules.enumerated() { places[rule.name] = place }
    do throws(FavoritesError) {
      for kind in store.kinds {
        try store.each(Query(kind: kind.name)) { favorite in
          for cause in favorite.causes {
            guard case .rule(let name, _) = cause.origin, let place = places[name] else { continue }
            statistics[place].note(cause.at)
          }
          return true
        }
      }
    } catch {
      throw HostError(.database, error.description, cause: error)
    }
    return statistics
  }

  /// Explains why a rule does not star an entity that is stored.
  public func whyNot(
    rule: String, of rules: RuleSet, kind: String, key: String
  ) throws(HostError) -> RuleWhyNot {
    let store = try prepared(rules)
    return try rules.whyNot(rule: rule, kind: kind, key: key, in: store)
  }

  private func prepared(_ rules: RuleSet) throws(HostError) -> FavoritesStore {
    let store = try storeWithPlugins()
    do throws(RulesError) {
      try rules.prepare(for: store.kinds, now: configuration.clock())
    } catch {
      throw HostError(.script, error.description, cause: error)
    }
    return store
  }
}
