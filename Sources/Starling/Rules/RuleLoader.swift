import StarlingLua
import StarlingModel

/// Reads a file of rules: runs it in a Lua state of its own and takes what it defines.
struct RuleLoader {
  var limits = Limits.plugin
  var clock: () -> Timestamp
  var log: (LogLine) -> Void = { _ in }

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
  /// - Parameter file: what messages call it.
  func load(source: [UInt8], file: String) throws(RulesError) -> RuleSet {
    let source = RuleLoader.luaText(of: source)
    let collector = RuleCollector(file: file, text: RuleText(source))
    var state: LuaState?
    do throws(LuaError) {
      let made = try LuaState(configuration)
      state = made
      try run(source, file: file, in: made, collector)
      collector.finish(nil)
    } catch {
      collector.finish(error)
    }
    guard collector.faults.isEmpty, let state else { throw RulesError(collector.faults) }
    return RuleSet(
      file: file, definitions: collector.definitions, state: state, limits: limits)
  }

  private func run(
    _ source: [UInt8], file: String, in state: LuaState, _ collector: RuleCollector
  ) throws(LuaError) {
    let environment = ApiEnvironment(
      context: .rules, name: Files.name(file), clock: clock, log: log)
    try ApiRegistry.install(into: state, environment: environment)
    collector.install(into: state, environment: environment)
    let text = String(decoding: source, as: UTF8.self)
    try state.call(try state.load(text, name: Files.name(file)))
  }

  private var configuration: LuaConfiguration {
    var configuration = LuaConfiguration.rules
    configuration.memoryLimit = limits.memoryBytes
    configuration.timeLimit = limits.time
    return configuration
  }

  /// The text without a byte order mark and a first line that begins with `#`, as lua.c reads it.
  static func luaText(of source: [UInt8]) -> [UInt8] {
    var text = source[...]
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
    if text.first == UInt8(ascii: "#") { text = text.drop { $0 != UInt8(ascii: "\n") } }
    return Array(text)
  }
}
