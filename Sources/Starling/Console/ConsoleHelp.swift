import StarlingModel

/// What the console says of a name.
struct ConsoleHelp {
  var kinds: [Kind]
  /// What the host has, with the app's own functions.
  var surface: ApiSurface

  /// - Parameter topic: `favorites.insert`, `favorites`, `below`, `news`, `news.title`, `Query`.
  /// - Returns: nil when nothing has this name.
  func text(_ topic: String) -> String? {
    if let text = ApiHelp.text(topic, in: surface) { return text }
    if let kind = kinds.first(where: { $0.name == topic }) { return text(of: kind) }
    if let text = field(topic) ?? table(topic) { return text }
    return ConsoleHelp.ofLua.contains(topic)
      ? "\(topic) is a function of Lua itself: see the Lua 5.4 manual, §6" : nil
  }

  /// What to say where nothing has the name.
  func unknown(_ topic: String) -> String {
    let names = ApiHelp.names(in: surface) + kinds.map(\.name) + tables
    let nearest = Spelling.nearest(to: topic, among: names)
    return "there is no help for \(topic)" + (nearest.map { "; did you mean \($0)?" } ?? "")
  }

  private func text(of kind: Kind) -> String {
    let key: String
    switch kind.key {
    case .auto: key = "its key is made for it"
    case .fields(let names): key = "its key is " + names.joined(separator: " and ")
    }
    let width = kind.fields.map(\.name.utf8.count).max() ?? 0
    let fields = kind.fields.map { field in
      let blanks = String(repeating: " ", count: width - field.name.utf8.count)
      return "  \(field.name)\(blanks)  \(field.type.rawValue)"
        + (kind.indexes.contains(field.name) ? ", indexed" : "")
    }
    return (["\(kind.name): a kind; \(key)"] + fields).joined(separator: "\n")
  }

  /// `news.title`.
  private func field(_ topic: String) -> String? {
    let parts = topic.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let kind = kinds.first(where: { $0.name == parts[0] }),
      let field = kind.fields.first(where: { $0.name == parts[1] })
    else { return nil }
    let words = RuleWords.names(for: field.type).joined(separator: ", ")
    return "\(topic): a field, \(field.type.rawValue)\n  words: \(words)"
  }

  /// The functions of a table, a line each.
  private func table(_ name: String) -> String? {
    let functions = surface.functions.filter { function in
      function.contexts.contains(.script) && function.name.hasPrefix(name + ".")
    }
    if functions.isEmpty { return nil }
    return functions.map { "\($0.signature)\n  \($0.help)" }.joined(separator: "\n")
  }

  private var tables: [String] {
    Array(
      Set(ApiHelp.names(in: surface).compactMap { $0.split(separator: ".").first.map(String.init) })
    )
  }

  /// The functions of Lua's own library that scripts have (Lua manual 5.4, 6).
  private static let ofLua: Set<String> = [
    "assert", "collectgarbage", "error", "getmetatable", "ipairs", "load", "next", "pairs",
    "pcall", "rawequal", "rawget", "rawlen", "rawset", "require", "select", "setmetatable",
    "tonumber", "tostring", "type", "xpcall",
    "coroutine.close", "coroutine.create", "coroutine.isyieldable", "coroutine.resume",
    "coroutine.running", "coroutine.status", "coroutine.wrap", "coroutine.yield",
    "math.abs", "math.ceil", "math.floor", "math.fmod", "math.max", "math.min", "math.modf",
    "math.random", "math.sqrt", "math.tointeger", "math.type", "math.ult",
    "string.byte", "string.char", "string.find", "string.format", "string.gmatch", "string.gsub",
    "string.len", "string.lower", "string.match", "string.pack", "string.packsize", "string.rep",
    "string.reverse", "string.sub", "string.unpack", "string.upper",
    "table.concat", "table.insert", "table.move", "table.pack", "table.remove", "table.sort",
    "table.unpack", "utf8.char", "utf8.codepoint", "utf8.codes", "utf8.len", "utf8.offset",
  ]
}

extension RuleWords {
  /// The words that say something of one field.
  static func names(for type: FieldType) -> [String] {
    let order = ["at_least", "at_most", "above", "below", "between"]
    switch type {
    case .text, .url, .list: return ["is", "has", "word", "matches", "missing"]
    case .boolean: return ["is", "missing"]
    case .integer, .real, .money: return ["is"] + order + ["missing"]
    case .time: return ["is"] + order + ["since", "before", "missing"]
    }
  }

  /// All words that may stand in a `where`.
  static let conditionNames = conditions.map(\.name) + ["missing"]
}
