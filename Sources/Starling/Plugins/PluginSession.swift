import StarlingFeeds
import StarlingLua
import StarlingModel

/// A plugin's Lua state with the functions of its module.
final class PluginSession {
  let state: LuaState
  let declarations: [KindDeclaration]
  let hasAccepts: Bool
  let file: PluginFile
  let limits: Limits
  let clock: () -> Timestamp
  /// What the numbers of each feed begin with.
  let randomSeed: Int64
  let module: Module
  let itemWriter: ItemWriter
  let kindKey: LuaKey
  let meter: PluginMeter
  let sources: PluginSources
  /// Where each function of the module is written.
  let places: [String: Place]
  /// Whether the place is kept where `map` returned; it slows Lua down.
  var isTracing = false {
    didSet { state.traceReturns(isTracing) }
  }

  /// Whether what `map` returned the last time was what is wrong, and not its code.
  var hasBadAnswer = false

  typealias Place = (chunk: String, lines: ClosedRange<Int>)

  struct Module {
    var kinds: [KindDeclaration] = []
    var accepts: LuaFunction?
    var items: LuaFunction?
    var map: LuaFunction?
  }

  /// Runs the plugin's file.
  ///
  /// - Throws: what Lua raises, a stop, or what is wrong with the module.
  init(
    _ file: PluginFile, sources: PluginSources, services: PluginServices, meter: PluginMeter
  ) throws(HostError) {
    self.file = file
    self.meter = meter
    self.sources = sources
    limits = services.limits
    clock = services.clock
    randomSeed = services.randomSeed ?? 0
    var made: LuaState?
    do throws(LuaError) {
      var configuration = LuaConfiguration.plugin
      configuration.memoryLimit = services.limits.memoryBytes
      configuration.timeLimit = services.limits.time
      configuration.randomSeed = randomSeed
      let state = try LuaState(configuration)
      made = state
      let environment = ApiEnvironment(
        context: .plugin, name: file.name, clock: services.clock, log: services.log,
        appFunctions: services.appFunctions)
      try ApiRegistry.install(into: state, environment: environment)
      state.registerRequire(PluginSession.resolver(sources))
      try state.sealLibrary()
      self.state = state
      module = try PluginSession.run(file, sources.main, in: state)
      itemWriter = try ItemWriter(state: state)
      kindKey = state.key("kind")
      places = try PluginSession.places(module, in: state)
    } catch {
      guard let made else { throw HostError(error, subject: file.path, plugin: file.name) }
      throw HostError(error, in: made, subject: file.path, plugin: file.name)
        .placed(at: PluginSession.place(of: error, sources.main, file.path), in: nil)
    }
    declarations = module.kinds
    hasAccepts = module.accepts != nil
  }

  /// `require` finds a plugin's own modules and nothing else.
  private static func resolver(_ sources: PluginSources) -> LuaResolver {
    { name throws(LuaError) in
      if let file = sources.module(name) { return LuaModule(source: file.bytes, chunk: file.path) }
      if sources.leftOut.contains(name) {
        throw .message("module '\(name)' is not read: a plugin has at most 16 MB of files")
      }
      guard let hint = Spelling.nearest(to: name, among: sources.moduleNames) else { return nil }
      throw .message("module '\(name.prefix(200))' not found; did you mean '\(hint)'?")
    }
  }

  private static func run(
    _ file: PluginFile, _ source: [UInt8], in state: LuaState
  ) throws(LuaError) -> Module {
    let chunk = try state.load(source, name: file.path)
    return try state.call(chunk, repeating: .withModules) { results throws(LuaError) in
      guard results.count >= 1, results[1].type == .table else {
        throw .message("a plugin returns its table: `return M` at its end")
      }
      var module = Module()
      try check(results[1])
      module.kinds = try kinds(results[1], source)
      module.accepts = try function("accepts", of: results[1], in: state)
      module.items = try function("items", of: results[1], in: state)
      module.map = try function("map", of: results[1], in: state)
      if module.map == nil { throw .message("a plugin has a function `map`") }
      return module
    }
  }

  /// Refuses a misspelt name; names of the plugin's own begin with `_`.
  private static func check(_ module: LuaView) throws(LuaError) {
    let known = ["kinds", "accepts", "items", "map"]
    try module.forEachField { key, _ throws(LuaError) in
      guard key.type == .string else { return }
      let name = try key.string()
      if known.contains(name) || name.hasPrefix("_") { return }
      if let hint = Spelling.nearest(to: name, among: known) {
        throw .message("a plugin has no `\(name)`; did you mean `\(hint)`?", about: name)
      }
    }
  }

  private static func kinds(
    _ module: LuaView, _ source: [UInt8]
  ) throws(LuaError) -> [KindDeclaration] {
    try module.field(named: "kinds") { value throws(LuaError) in
      guard value.type == .table else {
        throw .message("a plugin says its kinds: `M.kinds = { ... }`", about: "kinds")
      }
      do throws(LuaError) {
        return try KindReader(source: source).read(value)
      } catch {
        throw error.inside("kinds")
      }
    }
  }

  private static func places(
    _ module: Module, in state: LuaState
  ) throws(LuaError) -> [String: Place] {
    var places: [String: Place] = [:]
    if let accepts = module.accepts { places["accepts"] = try state.lines(of: accepts) }
    if let items = module.items { places["items"] = try state.lines(of: items) }
    if let map = module.map { places["map"] = try state.lines(of: map) }
    return places
  }

  /// What is wrong in what the chunk returned has no place in Lua, and one in its text.
  private static func place(
    of error: LuaError, _ source: [UInt8], _ path: String
  ) -> SourceLocation? {
    switch error {
    case .runtime, .conversion: break
    default: return nil
    }
    let text = TextPlace(source)
    return SourceLocation(file: path, line: text.line(of: error.steps) ?? text.lineOfResult)
  }

  private static func function(
    _ name: String, of module: LuaView, in state: LuaState
  ) throws(LuaError) -> LuaFunction? {
    try module.field(named: name) { value throws(LuaError) -> LuaFunction? in
      if value.isNil { return nil }
      guard let function = state.keepFunction(value) else {
        throw .message(
          "`\(name)` of a plugin is a function, not a \(value.type.name)", about: name)
      }
      return function
    }
  }
}

@available(*, unavailable)
extension PluginSession: Sendable {}
