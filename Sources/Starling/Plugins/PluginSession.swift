import StarlingFeeds
import StarlingLua
import StarlingModel

/// A plugin's Lua state with the functions of its module.
final class PluginSession {
  let state: LuaState
  let declarations: [KindDeclaration]
  let hasAccepts: Bool
  private let file: PluginFile
  private let limits: Limits
  private let clock: () -> Timestamp
  private let module: Module
  private let itemWriter: ItemWriter
  private let kindKey: LuaKey
  private let meter: PluginMeter
  private let sources: PluginSources
  /// Where each function of the module is written.
  private let places: [String: Place]
  /// Whether the place is kept where `map` returned; it slows Lua down.
  var isTracing = false {
    didSet { state.traceReturns(isTracing) }
  }

  private typealias Place = (chunk: String, lines: ClosedRange<Int>)

  private struct Module {
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
    var made: LuaState?
    do throws(LuaError) {
      var configuration = LuaConfiguration.plugin
      configuration.memoryLimit = services.limits.memoryBytes
      configuration.timeLimit = services.limits.time
      configuration.randomSeed = services.randomSeed
      let state = try LuaState(configuration)
      made = state
      let environment = ApiEnvironment(
        context: .plugin, name: file.name, clock: services.clock, log: services.log,
        appFunctions: services.appFunctions)
      try ApiRegistry.install(into: state, environment: environment)
      state.registerRequire(PluginSession.resolver(sources))
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
      guard let hint = Spelling.nearest(to: name, among: sources.moduleNames) else { return nil }
      throw .message("module '\(name.prefix(200))' not found; did you mean '\(hint)'?")
    }
  }

  private static func run(
    _ file: PluginFile, _ source: [UInt8], in state: LuaState
  ) throws(LuaError) -> Module {
    let chunk = try state.load(source, name: file.path)
    return try state.call(chunk) { results throws(LuaError) in
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

// MARK: - Calls

extension PluginSession {
  /// Makes the `feed` table of one document.
  func makeFeed(_ feed: FeedDescription, body: JSONView?) throws(HostError) -> LuaTable {
    try guarded("feed") { () throws(LuaError) in
      let make = try state.load("return ...", name: "feed")
      return try state.call(
        make,
        arguments: { writer throws(LuaError) in
          try feed.push(to: &writer, body: body, loadedAt: clock())
        },
        results: { results throws(LuaError) in
          guard let table = state.keepTable(results[1]) else { throw .message("no feed table") }
          return table
        })
    }
  }

  /// Whether the plugin takes the feed; false for one without `accepts`, which is used by name.
  func accepts(_ feed: LuaTable) throws(HostError) -> Bool {
    guard let function = module.accepts else { return false }
    return try metered("accepts") { () throws(LuaError) in
      try state.call(
        function, arguments: { $0.push(feed) }, results: { results in results[1].isTrue })
    }
  }

  /// What `items` gives, or nil when there is no such function or it gives nothing.
  func items(of feed: LuaTable) throws(HostError) -> FeedItems? {
    guard let function = module.items else { return nil }
    return try metered("items") { () throws(LuaError) in
      try state.call(
        function, arguments: { $0.push(feed) },
        results: { results throws(LuaError) -> FeedItems? in
          let value = results[1]
          if value.isNil { return nil }
          if let list = state.keepTable(value) { return .list(list, count: value.rawCount) }
          if let (source, node) = try state.source(of: value), let view = source as? JSONView {
            return .view(view, node)
          }
          throw .message("`items` returns a list or nil, not a \(value.type.name)")
        })
    }
  }

  /// Maps one item and hands each entity to `take`.
  ///
  /// - Returns: the reason when the plugin leaves the item out, nil when it gave an entity.
  func map(
    feed: LuaTable, item push: (inout LuaWriter) throws(LuaError) -> Void,
    take: (LuaView) throws(LuaError) -> Void
  ) throws(HostError) -> String? {
    guard let function = module.map else { return "no map" }
    return try metered("map") { () throws(LuaError) in
      try state.call(
        function,
        arguments: { writer throws(LuaError) in
          try push(&writer)
          writer.push(feed)
        },
        results: { results throws(LuaError) -> String? in
          try answer(results, take)
        })
    }
  }

  /// Bytes of a reason, which may be as long as a string and is kept for the feed's report.
  private static let longestReason = 400

  /// Bytes that the entities of one answer may take.
  var answerLimitBytes: Int { limits.memoryBytes }

  private func answer(
    _ results: borrowing LuaResults, _ take: (LuaView) throws(LuaError) -> Void
  ) throws(LuaError) -> String? {
    let value = results[1]
    if value.isNil {
      return results[2].text(atMost: PluginSession.longestReason) ?? "no reason given"
    }
    guard value.type == .table else {
      throw .message("`map` returns an entity, a list of them, or nil, not a \(value.type.name)")
    }
    let isList = try value.element(1) { first in first.type == .table }
    if isList {
      try value.forEachElement { _, entity throws(LuaError) in try take(entity) }
    } else if try value.isEmptyTable {
      return "an empty list"
    } else {
      try take(value)
    }
    return nil
  }

  /// One element of the list that `items` gave.
  func element(_ position: Int, of list: LuaTable) throws(HostError) -> FeedItems.Element {
    try guarded("items") { () throws(LuaError) in
      try state.read(list) { table throws(LuaError) in
        try table.element(position) { value throws(LuaError) in
          if let table = state.keepTable(value) { return .table(table) }
          if let (source, node) = try state.source(of: value), let view = source as? JSONView {
            return .view(view, node)
          }
          return .value(try value.copy(maxDepth: 1))
        }
      }
    }
  }

  func push(_ item: borrowing Item, to writer: inout LuaWriter) throws(LuaError) {
    try itemWriter.push(item, to: &writer)
  }

  /// The kind that an entity table names, or the plugin's only one.
  func kindName(of entity: LuaView) throws(LuaError) -> String {
    try entity.field(kindKey) { value throws(LuaError) in
      if let name = value.text(atMost: Field.longestName) { return name }
      if declarations.count == 1, value.isNil { return declarations[0].name }
      throw .message(
        "an entity says its `kind`, one of \(declarations.map(\.name))", about: "kind")
    }
  }

  /// Where `map` returned the last time, when that is traced.
  var lastReturn: SourceLocation? { isTracing ? state.lastReturn : nil }

  /// Runs a call of one of the plugin's functions and counts it.
  private func metered<Result>(
    _ function: String, _ body: () throws(LuaError) -> Result
  ) throws(HostError) -> Result {
    let start = state.timeUsedNanoseconds
    defer { meter.noteCall(state.timeUsedNanoseconds &- start) }
    return try guarded(function, body)
  }

  /// Runs a call into Lua and gives its error the plugin's name.
  private func guarded<Result>(
    _ function: String, _ body: () throws(LuaError) -> Result
  ) throws(HostError) -> Result {
    do throws(LuaError) {
      return try body()
    } catch {
      throw HostError(
        error, in: state, subject: "\(file.path): \(function)", plugin: file.name
      )
      .placed(at: place(of: error, in: function), in: function)
    }
  }

  /// The line of what is wrong in an answer, in the function that gave it: where the field gets its
  /// value, else where the function begins.
  private func place(of error: LuaError, in function: String) -> SourceLocation? {
    if case .interrupted(.request) = error { return nil }
    guard let (chunk, lines) = places[function] else { return nil }
    let text = error.steps.isEmpty ? nil : sources.files.first { $0.path == chunk }?.bytes
    let line = text.flatMap { TextPlace($0).line(of: error.steps, in: lines) }
    return SourceLocation(file: chunk, line: line ?? lines.lowerBound)
  }
}

/// What a plugin's `items` gave.
enum FeedItems {
  /// A Lua list; its elements are plain tables or views.
  case list(LuaTable, count: Int)
  /// A node of the document.
  case view(JSONView, Int64)

  /// An element of a list.
  enum Element {
    case table(LuaTable)
    case view(JSONView, Int64)
    case value(LuaValue)

    /// Pushes it as `map` gets it: a view becomes plain tables, a table goes as it is.
    func push(to writer: inout LuaWriter) throws(LuaError) {
      switch self {
      case .table(let table): writer.push(table)
      case .view(let view, let node): try view.pushCopy(node, to: &writer)
      case .value(.string(let text)): writer.push(text)
      case .value(.integer(let number)): writer.push(number)
      case .value(.number(let number)): writer.push(number)
      case .value(.boolean(let flag)): writer.push(flag)
      case .value: writer.pushNil()
      }
    }
  }
}

extension LuaView {
  /// Whether a table has no field at all.
  fileprivate var isEmptyTable: Bool {
    get throws(LuaError) {
      var count = 0
      try forEachField { _, _ in count += 1 }
      return count == 0
    }
  }
}
