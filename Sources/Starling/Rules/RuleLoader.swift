import StarlingLua
import StarlingModel

/// Reads a file of rules: runs it in a Lua state of its own and takes what it defines.
struct RuleLoader {
  var limits = Limits.plugin
  var clock: () -> Timestamp
  var log: (LogLine) -> Void = { _ in }
  /// The app's own functions.
  var appFunctions: [ApiFunction] = []
  /// When they are known, the rules of a file with other faults are checked against them all the
  /// same, so that all faults are said together.
  var kinds: [Kind] = []

  /// Reads a rules file.
  ///
  /// - Throws: everything that is wrong in it. Fields and kinds are checked later, by
  ///   `RuleSet.prepare`.
  func load(file: String) throws(RulesError) -> RuleSet {
    try load(source: try read(file), file: file)
  }

  func read(_ file: String) throws(RulesError) -> [UInt8] {
    do throws(HostError) {
      return try Files.read(file, limitBytes: 4 << 20)
    } catch {
      throw RulesError([RuleFault(error.description)])
    }
  }

  /// Reads rules from text.
  ///
  /// - Parameters:
  ///   - file: what messages call it.
  ///   - extend: called before the text runs, to make more words known; what it returns is called
  ///     after a run without an error.
  func load(
    source: [UInt8], file: String, extend: @escaping (Run) -> () -> Void = { _ in {} }
  ) throws(RulesError) -> RuleSet {
    let source = Files.luaText(of: source)
    let attempt = attempt(source, file, extend)
    guard attempt.collector.faults.isEmpty, let state = attempt.state else {
      throw RulesError(allFaults(after: attempt, source, file, extend))
    }
    let rules = RuleSet(
      file: file, definitions: attempt.collector.definitions, state: state, limits: limits)
    rules.remake = { () throws(RulesError) in
      try load(source: source, file: file, extend: extend)
    }
    return rules
  }

  /// What one run of a text gave.
  private struct Attempt {
    var collector: RuleCollector
    var state: LuaState?
    /// The line of the error of the code that ended it; nil when it ran to its end, did not parse or
    /// was stopped.
    var brokenLine: Int?
  }

  /// - Parameter tracing: whether the line is looked for on which the text sets what it may not.
  private func attempt(
    _ source: [UInt8], _ file: String, _ extend: (Run) -> () -> Void, tracing: Bool = false
  ) -> Attempt {
    var attempt = Attempt(collector: RuleCollector(file: file, text: RuleText(source)))
    do throws(LuaError) {
      let run = try prepare(attempt.collector)
      attempt.state = run.state
      let finish = extend(run)
      try run.state.sealLibrary()
      let text = String(decoding: source, as: UTF8.self)
      run.state.traceOverwriting(tracing)
      defer { run.state.traceOverwriting(false) }
      try run.state.call(try run.state.load(text, name: Files.name(file)), repeating: .never)
      finish()
      attempt.collector.finish(nil)
    } catch {
      if case .overwritten = error, !tracing {
        return self.attempt(source, file, extend, tracing: true)
      }
      var failure = attempt.state.map { HostError(error, in: $0) } ?? HostError(error)
      if case .overwritten(let name, _) = error,
        ConfigurationFunctions.all.contains(where: { $0.name == name })
      {
        failure.message = "write \(name) without `=`"
      }
      if case .runtime = error { attempt.brokenLine = failure.location?.line }
      attempt.collector.finish(failure)
    }
    return attempt
  }

  /// The faults of a file that has some. A definition whose code raises an error ends the file for
  /// Lua: without it the file runs on, to those that follow.
  private func allFaults(
    after first: Attempt, _ source: [UInt8], _ file: String, _ extend: (Run) -> () -> Void
  ) -> [RuleFault] {
    var last = first
    var source = source
    var found = first.collector.faults
    for _ in 0..<RuleLoader.faultLimit {
      guard let line = last.brokenLine,
        let lines = last.collector.text.definition(around: line)
      else { break }
      source = RuleLoader.blanking(lines, of: source)
      let next = attempt(source, file, extend)
      // What no longer parses was more than a definition.
      guard next.brokenLine != nil || next.collector.hasEnded else { break }
      last = next
      found += next.collector.faults.filter { !found.contains($0) }
    }
    return found + faults(of: last.collector.definitions)
  }

  private static let faultLimit = 100

  private static func blanking(_ lines: ClosedRange<Int>, of source: [UInt8]) -> [UInt8] {
    var line = 1
    return source.filter { byte in
      defer { if byte == UInt8(ascii: "\n") { line += 1 } }
      return byte == UInt8(ascii: "\n") || !lines.contains(line)
    }
  }

  private func faults(of definitions: [RuleDefinition]) -> [RuleFault] {
    guard !kinds.isEmpty else { return [] }
    let now = clock()
    return definitions.flatMap { definition in
      var check = RuleCheck(definition: definition, kinds: kinds, now: now)
      check.run()
      return check.faults
    }
  }

  /// A file that is about to run.
  struct Run {
    var state: LuaState
    var environment: ApiEnvironment
    var collector: RuleCollector
  }

  private func prepare(_ collector: RuleCollector) throws(LuaError) -> Run {
    let state = try LuaState(configuration)
    let environment = ApiEnvironment(
      context: .rules, name: Files.name(collector.file), clock: clock, log: log,
      appFunctions: appFunctions)
    try ApiRegistry.install(into: state, environment: environment)
    collector.install(into: state, environment: environment)
    return Run(state: state, environment: environment, collector: collector)
  }

  private var configuration: LuaConfiguration {
    var configuration = LuaConfiguration.rules
    configuration.memoryLimit = limits.memoryBytes
    configuration.timeLimit = limits.time
    return configuration
  }
}
