import StarlingLua
import StarlingModel

/// The tables of the Lua surface: a name that one does not have is an error with the nearest right
/// one, as it is for globals.
enum ApiTables {
  /// Tables that Lua has too: code that asks whether `os.execute` is there gets nil, as anywhere.
  private static let stock: Set = [
    "coroutine", "io", "math", "os", "string", "table", "utf8",
  ]

  static func close(in state: LuaState, _ environment: ApiEnvironment) throws(LuaError) {
    let close = try state.load(
      "local table, index = ... setmetatable(table, { __index = index, __metatable = false })",
      name: LuaState.hostChunk)
    for (name, fields) in fields(environment) where !stock.contains(name) {
      let table = try state.readGlobal(name) { state.keepTable($0) }
      guard let table else { continue }
      let index = state.makeHostFunction(name) { call, _ throws(LuaError) in
        throw .message(message(name, try call.state.display(call[2]), fields))
      }
      try state.call(close) { arguments in
        arguments.push(table)
        arguments.push(index)
      }
    }
  }

  private static func message(_ table: String, _ name: String, _ fields: [String]) -> String {
    let hint = Spelling.nearest(to: name, among: fields).map { "; did you mean '\($0)'?" } ?? ""
    return "'\(table)' has no '\(name)'\(hint)"
  }

  /// The names in each table that the context has.
  private static func fields(_ environment: ApiEnvironment) -> [String: [String]] {
    let context = environment.context
    var fields: [String: [String]] = [:]
    func add(_ name: String) {
      // By bytes, not by characters: this is done for each state, before anything runs.
      guard let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")) else { return }
      let field = name[name.utf8.index(after: dot)...]
      fields[String(name[..<dot]), default: []].append(String(field))
    }
    for functions in [ApiRegistry.functions, environment.appFunctions] {
      for function in functions where !function.contexts.isDisjoint(with: context) {
        add(function.name)
      }
    }
    for value in ApiRegistry.values where !value.contexts.isDisjoint(with: context) {
      add(value.name)
    }
    return fields
  }
}
