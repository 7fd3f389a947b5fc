import StarlingLua
import StarlingModel

/// Reads the user's `init.lua`.
struct ConfigurationLoader {
  var limits = Limits.plugin
  var clock: () -> Timestamp
  var log: (LogLine) -> Void = { _ in }
  /// The app's own functions.
  var appFunctions: [ApiFunction] = []
  /// See `RuleLoader.kinds`.
  var kinds: [Kind] = []

  /// - Throws: everything that is wrong in the file. The fields of its rules and searches are
  ///   checked when the kinds are known.
  func load(file: String) throws(RulesError) -> (configuration: UserConfiguration, rules: RuleSet) {
    let loader = RuleLoader(
      limits: limits, clock: clock, log: log, appFunctions: appFunctions)
    return try load(source: try loader.read(file), file: file)
  }

  func load(
    source: [UInt8], file: String
  ) throws(RulesError) -> (configuration: UserConfiguration, rules: RuleSet) {
    var configuration = UserConfiguration()
    let loader = RuleLoader(
      limits: limits, clock: clock, log: log, appFunctions: appFunctions, kinds: kinds)
    let rules = try loader.load(source: source, file: file) { run in
      let collector = ConfigurationCollector(rules: run.collector)
      run.environment.slots[ConfigurationCollector.slot] = collector
      return {
        collector.readGlobals(run.state)
        configuration = collector.configuration
      }
    }
    rules.limits = configuration.limits(over: limits)
    return (configuration, rules)
  }
}
