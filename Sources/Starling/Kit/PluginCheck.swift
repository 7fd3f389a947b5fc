import StarlingLua
import StarlingModel

/// Reads a plugin's text for what would go wrong: the plugin is loaded for its kinds, and no
/// function of it is called.
///
/// It sees names as they are written. Tables that are put together under computed names, kinds that
/// come out of variables, and fields of a feed's items are not looked at.
struct PluginCheck {
  let plugin: Plugin
  /// The kinds of all plugins.
  let model: KindModel
  private var findings: [PluginFinding] = []
  private(set) var outlines: [(path: String, outline: LuaOutline)] = []

  init(_ plugin: Plugin, model: KindModel) {
    self.plugin = plugin
    self.model = model
  }

  func report() -> PluginCheckReport {
    var check = self
    check.run()
    let findings = check.findings.enumerated().sorted { left, right in
      let (one, other) = (left.element, right.element)
      if one.file != other.file { return check.order(one.file) < check.order(other.file) }
      return (one.line ?? 0, left.offset) < (other.line ?? 0, right.offset)
    }
    return PluginCheckReport(
      plugin: plugin.name, path: plugin.path, findings: findings.map(\.element))
  }

  private func order(_ file: String) -> Int {
    outlines.firstIndex { $0.path == file } ?? -1
  }

  private mutating func run() {
    if plugin.summary == nil, plugin.hasHeader {
      add(.header, plugin.path, 1, "no `--- @summary ...` line, which says what the plugin reads")
    }
    if let refusal = plugin.refusal {
      add(
        .refused, refusal.location?.file ?? plugin.path, refusal.location?.line, refusal.message)
    }
    guard plugin.hasHeader else { return }
    for file in plugin.sources.files where isCompiled(file) {
      outlines.append((file.path, LuaOutliner.outline(of: file.bytes)))
    }
    for (path, outline) in outlines {
      checkGlobals(outline, path)
      checkModules(outline, path)
      checkTables(outline, path)
    }
    if let (path, outline) = outlines.first, path == plugin.path { checkPlugin(outline, path) }
    if plugin.refusal == nil { checkUnused() }
  }

  mutating func add(
    _ kind: PluginFinding.Kind, _ file: String, _ line: Int?, _ message: String
  ) {
    let finding = PluginFinding(kind: kind, file: file, line: line, message: message)
    // What stopped the plugin has said what is wrong with its line.
    let isSaid = findings.contains { other in
      other == finding
        || other.kind == .refused && other.file == file && line != nil && other.line == line
    }
    if !isSaid { findings.append(finding) }
  }

  /// Compiles a file without running it; what does not compile is a finding, once.
  private mutating func isCompiled(_ file: PluginSources.File) -> Bool {
    do throws(LuaError) {
      let state = try LuaState(.plugin)
      _ = try state.load(file.bytes, name: file.path)
      return true
    } catch {
      add(.refused, file.path, error.location?.line, error.messageWithoutLocation)
      return false
    }
  }
}

// MARK: - Names

extension PluginCheck {
  private mutating func checkGlobals(_ outline: LuaOutline, _ path: String) {
    let known = PluginCheck.known
    for use in outline.globals where use.name != "_ENV" {
      if use.isWrite {
        add(
          .global, path, use.line,
          "assigns the global `\(use.name)`; a plugin has none of its own: `local \(use.name)`")
      } else if !known.isEmpty, known[use.name] == nil {
        let hint = PluginCheck.hint(use.name, Array(known.keys))
        add(.global, path, use.line, "unknown global `\(use.name)`\(hint)")
      }
    }
    for use in outline.fields {
      switch use.base {
      case .global(let table):
        guard let fields = known[table], !fields.isEmpty else { continue }
        if use.isWrite {
          let name = use.name.isEmpty ? table + "[...]" : PluginSketch.member(table, use.name)
          add(.field, path, use.line, "assigns `\(name)`, which no plugin can change")
        }
        guard !use.isWrite, !fields.contains(use.name), !use.name.isEmpty else { continue }
        let hint = PluginCheck.hint(use.name, Array(fields))
        add(.field, path, use.line, "`\(table)` has no `\(use.name)`\(hint)")
      case .local(let local): checkLocal(local, use, outline, path)
      case .result(let function): checkResult(of: function, use, path)
      }
    }
  }

  /// A variable that hides a table of the library, or holds what one of its functions gave.
  private mutating func checkLocal(
    _ local: LuaOutline.Local, _ use: LuaOutline.FieldUse, _ outline: LuaOutline, _ path: String
  ) {
    let origin = outline.origins[local]
    if case .result(let function)? = origin { return checkResult(of: function, use, path) }
    guard let name = outline.names[local], origin != .global(name), !use.isWrite,
      PluginCheck.known[name]?.contains(use.name) == true, !outline.holdsTable(local)
    else { return }
    add(
      .global, path, use.line,
      "`\(name)` is a variable here, which hides the library's: give it another name")
  }

  /// A field of the table that a function of the library gives.
  private mutating func checkResult(
    of function: String, _ use: LuaOutline.FieldUse, _ path: String
  ) {
    guard !use.isWrite, let type = PluginCheck.results[function],
      let shape = ApiRegistry.shapes.first(where: { $0.name == type })
    else { return }
    let names = shape.fields.map(\.name)
    if names.isEmpty || names.contains(use.name) { return }
    let hint = PluginCheck.hint(use.name, names)
    add(.field, path, use.line, "what `\(function)` gives has no `\(use.name)`\(hint)")
  }

  /// The shapes of what the library's functions give.
  private static let results: [String: String] = {
    var shapes: [String: String] = [:]
    for function in ApiRegistry.functions where function.contexts.contains(.plugin) {
      if case .shape(let name)? = function.results.first?.type { shapes[function.name] = name }
    }
    return shapes
  }()

  static func hint(_ name: String, _ names: [String]) -> String {
    Spelling.nearest(to: name, among: names).map { "; did you mean `\($0)`?" } ?? ""
  }

  /// The globals of a plugin, with the fields of those that are tables.
  private static let known: [String: Set<String>] = {
    var fields: [String: Set<String>] = [:]
    do throws(LuaError) {
      let state = try LuaState(.plugin)
      let environment = ApiEnvironment(
        context: .plugin, name: "", clock: { Timestamp(secondsSinceEpoch: 0) }, log: { _ in })
      try ApiRegistry.install(into: state, environment: environment)
      state.registerRequire { _ in nil }
      try state.readGlobal("_G") { globals throws(LuaError) in
        try globals.forEachField { name, value throws(LuaError) in
          var names: Set<String> = []
          if value.type == .table {
            try value.forEachField { key, _ throws(LuaError) in
              if key.type == .string { names.insert(try key.string()) }
            }
          }
          fields[try name.string()] = names
        }
      }
    } catch {
      // Without memory for a state nothing is known, and nothing is found.
    }
    return fields
  }()

  private mutating func checkModules(_ outline: LuaOutline, _ path: String) {
    let names = plugin.sources.moduleNames
    for module in outline.modules where !names.contains(module.content) {
      guard plugin.file.folder != nil else {
        add(
          .module, path, module.line,
          "there is no module `\(module.content)`: a plugin of one file has none")
        continue
      }
      let hint = PluginCheck.hint(module.content, names)
      add(
        .module, path, module.line,
        "there is no module `\(module.content)` in the plugin's folder\(hint)")
    }
  }
}

// MARK: - Kinds

extension PluginCheck {
  /// Kinds that nothing in the text makes.
  private mutating func checkUnused() {
    guard declared.count > 1 else { return }
    let kindLines = outlines.first { $0.path == plugin.path }?.outline.kindLines
    let texts = plugin.sources.files.map { file in (file.path, LuaLexer.tokens(of: file.bytes)) }
    for kind in declared {
      // Also as the name of a field, as in a table of functions by kind; the declaration is one place.
      let isMade = texts.contains { path, tokens in
        let places = tokens.filter { $0.content == kind || $0.isName(kind) }
        guard path == plugin.path, let kindLines else { return !places.isEmpty }
        let inside = places.count { kindLines.contains($0.line) }
        return places.count > min(inside, 1)
      }
      if isMade { continue }
      add(
        .kind, plugin.path, line(ofKind: kind),
        "kind `\(kind)` is declared and never made: no text of the plugin names it")
    }
  }

  private func line(ofKind kind: String) -> Int? {
    guard let outline = outlines.first?.outline, let lines = outline.kindLines else { return nil }
    let shared = outline.strings.first { $0.content == kind && lines.contains($0.line) }?.line
    let own = outline.tables.lazy.flatMap(\.fields)
      .first { $0.name == kind && lines.contains($0.line) }?.line
    return own ?? shared ?? lines.lowerBound
  }
}

// MARK: - The plugin's own functions

extension PluginCheck {
  /// What the chunk returns, and the `feed` that its functions get.
  private mutating func checkPlugin(_ outline: LuaOutline, _ path: String) {
    guard let module = outline.returned else { return }
    let known = ["kinds", "accepts", "items", "map"]
    for use in outline.fields where use.base == .local(module) && !use.name.isEmpty {
      if known.contains(use.name) || use.name.hasPrefix("_") { continue }
      let hint = PluginCheck.hint(use.name, known)
      add(
        .field, path, use.line,
        "a plugin has no `\(use.name)`\(hint.isEmpty ? "; names of its own begin with _" : hint)")
    }
    for function in outline.functions where function.base == .local(module) {
      let place = function.name == "map" ? 1 : 0
      guard known.contains(function.name ?? ""), place < function.parameters.count else { continue }
      checkFeed(function.parameters[place], outline, path)
    }
    // A helper that is given one names it so; where it does not, another table may have any field.
    for function in outline.functions where function.base != .local(module) {
      for parameter in function.parameters where outline.names[parameter] == "feed" {
        checkFeed(parameter, outline, path, onlyNear: true)
      }
    }
  }

  private mutating func checkFeed(
    _ feed: LuaOutline.Local, _ outline: LuaOutline, _ path: String, onlyNear: Bool = false
  ) {
    let names =
      ApiRegistry.shapes.first { $0.name == "starling.Feed" }?.fields.map(\.name) ?? []
    let uses = outline.fields.filter { $0.base == .local(feed) && !$0.name.isEmpty }
    let own = Set(uses.filter(\.isWrite).map(\.name))
    for use in uses where use.isWrite && !onlyNear {
      add(.field, path, use.line, "assigns `feed.\(use.name)`, which no plugin can change")
    }
    for use in uses where !names.contains(use.name) && !own.contains(use.name) {
      let hint = PluginCheck.hint(use.name, names)
      if onlyNear && hint.isEmpty { continue }
      add(.field, path, use.line, "a feed has no `\(use.name)`\(hint)")
    }
  }
}

extension Host {
  /// Reads plugins for what would go wrong, without a feed.
  ///
  /// - Parameter names: names of plugins, or paths of their files or folders; empty for all.
  public func checkPlugins(_ names: [String] = []) throws(HostError) -> [PluginCheckReport] {
    let bench = try PluginBench(self, names: names)
    return bench.plugins.map { PluginCheck($0, model: bench.set.model).report() }
  }
}
