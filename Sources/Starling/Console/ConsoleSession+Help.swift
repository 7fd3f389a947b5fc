import StarlingFavorites
import StarlingLua
import StarlingModel

/// What the console says of names and values.
extension ConsoleSession {
  /// What is said of a name as a person writes it: `favorites.insert`, `news`, `below`.
  package func help(topic: String) -> String {
    help.text(topic) ?? help.unknown(topic)
  }

  /// Whether something has this name.
  package func hasHelp(_ topic: String) -> Bool { help.text(topic) != nil }

  private var help: ConsoleHelp { ConsoleHelp(kinds: kinds, surface: host.surface) }

  /// The kinds that there are; none when the store cannot be opened.
  var kinds: [Kind] { (try? store())?.kinds ?? host.model.kinds }

  package var kindNames: [String] { kinds.map(\.name) }

  /// The tables and views of the database, and the columns of its kinds: what a query can name.
  package var tableNames: [String] {
    // A file that cannot be opened has none.
    let names = (try? store().relationNames()) ?? []
    return names + Set(kinds.flatMap { $0.fields.map(\.name) }).sorted()
  }

  func help(_ call: borrowing LuaCall, _ introduction: () -> String) -> String {
    let value = call[1]
    switch value.type {
    case .none, .nil: return introduction()
    case .string: return help(topic: (try? value.string()) ?? "")
    case .table:
      if let word = try? value.ruleWord() { return help(topic: word) }
      if let name = value.identity.flatMap({ functionNames[$0] }) { return help(topic: name) }
      let kind = try? value.field(named: "kind") { kind throws(LuaError) in try kind.string() }
      return kind.map { help(topic: $0) } ?? "a table; help(\"NAME\") tells of a name"
    case .function:
      let name = value.identity.flatMap { functionNames[$0] }
      return name.map { help(topic: $0) } ?? "a function without help"
    default: return "a \(value.type.name)"
    }
  }

  /// The global names of the functions that the session begins with, and of their tables.
  static func functionNames(_ state: LuaState) -> [UInt: String] {
    var names: [UInt: String] = [:]
    try? state.readGlobal("") { globals throws(LuaError) in
      try globals.forEachField { key, value throws(LuaError) in
        guard key.type == .string, let name = try? key.string(), name != "_G" else { return }
        if let identity = value.identity { names[identity] = name }
        guard value.type == .table else { return }
        try value.forEachField { key, value throws(LuaError) in
          guard key.type == .string, let inner = try? key.string() else { return }
          if let identity = value.identity {
            names[identity] = names[identity] ?? "\(name).\(inner)"
          }
        }
      }
    }
    return names
  }
}
