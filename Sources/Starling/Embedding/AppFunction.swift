import StarlingFavorites
import StarlingLua

/// A function of the app that Lua code may call.
///
/// It is one of the registry's: Lua checks its arguments and says which is wrong, `help` shows it,
/// and the annotations and the reference of the host have it. The body is plain Swift; what it
/// throws is raised in Lua after its frame is gone, and comes out of `Host.run` as the `cause` of the
/// error when no Lua code catches it.
public struct AppFunction: Sendable {
  public typealias Body = @Sendable (_ call: AppCall) throws -> [ScriptValue]

  let function: ApiFunction

  /// The name as Lua has it.
  public var name: String { function.name }

  /// - Parameters:
  ///   - name: `beep`, or `app.beep` in a table of the app's own.
  ///   - contexts: where Lua has it. A plugin is not trusted: what it may call is the app's risk.
  ///   - parameters: in their order; a variadic one is the last.
  ///   - results: what it gives, in their order.
  ///   - help: one line that ends with a full stop.
  ///   - body: takes the checked arguments and gives the results. It runs where the host runs.
  /// - Throws: `HostError` of kind `host` for a name that is none, or that Lua or Starling has.
  public init(
    _ name: String, in contexts: ApiContexts = .script, _ parameters: [ApiParameter] = [],
    returns results: [ApiResult] = [], help: String, body: @escaping Body
  ) throws(HostError) {
    if let fault = AppFunction.fault(name, parameters) {
      throw HostError(.host, fault, subject: "function \(name)")
    }
    function = ApiFunction(name, in: contexts, parameters, returns: results, help: help) {
      environment, call, writer throws(LuaError) in
      let arguments = try AppFunction.arguments(call, parameters)
      let appCall = AppCall(arguments: arguments, environment: environment, state: call.state)
      let values: [ScriptValue]
      defer { appCall.end() }
      do {
        values = try body(appCall)
      } catch {
        throw AppFunction.lua(error)
      }
      for value in values { try value.push(to: &writer) }
    }
  }

  private static func arguments(
    _ call: borrowing LuaCall, _ parameters: [ApiParameter]
  ) throws(LuaError) -> [ScriptValue] {
    var values: [ScriptValue] = []
    for position in 1...max(1, call.count) where position <= call.count {
      let place = min(position, parameters.count) - 1
      guard place >= 0, position <= parameters.count || parameters[place].isVariadic else { break }
      do throws(LuaError) {
        values.append(try ScriptValue(call[position], as: parameters[place].type))
      } catch {
        throw call.argumentError(position, error.description)
      }
    }
    return values
  }

  /// What the body threw as Lua raises it: the store's errors as the host reports them, a stop as a
  /// stop, all else whole.
  private static func lua(_ error: any Error) -> LuaError {
    switch error {
    case let stop as AppCall.Stop: stop.error
    case let error as FavoritesError: .host(HostError(error))
    case is CancellationError: .host(HostError(.canceled, "canceled", cause: error))
    default: .host(error)
    }
  }
}

// MARK: - Names

extension AppFunction {
  private static func fault(_ name: String, _ parameters: [ApiParameter]) -> String? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ isName($0) }) else {
      return "its name is a Lua name, or two with a dot between them"
    }
    if let variadic = parameters.firstIndex(where: \.isVariadic), variadic < parameters.count - 1 {
      return "only the last parameter takes the rest of the arguments"
    }
    let names = parameters.map(\.name)
    if let other = names.first(where: { !isName($0[...]) }) {
      return "a parameter has a Lua name, and `\(other)` is none"
    }
    if Set(names).count < names.count { return "two of its parameters have one name" }
    let taken = ApiRegistry.functions.map(\.name) + ApiRegistry.values.map(\.name)
    let tables = taken.compactMap { name in
      name.firstIndex(of: ".").map { String(name[..<$0]) }
    }
    let first = String(parts[0])
    if taken.contains(first) || luaGlobals.contains(first) || tables.contains(first) {
      return "`\(first)` is Lua's or Starling's own; choose another name"
    }
    return nil
  }

  private static func isName(_ name: Substring) -> Bool {
    guard let first = name.utf8.first, !(0x30...0x39).contains(first),
      !keywords.contains(String(name))
    else { return false }
    return name.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x5F
    }
  }

  /// Lua manual 5.4, 3.1.
  private static let keywords: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]

  /// Lua manual 5.4, 6: what the libraries set, also where a context leaves it out.
  private static let luaGlobals: Set<String> = [
    "_G", "_VERSION", "_ENV", "_", "arg", "assert", "collectgarbage", "coroutine", "debug",
    "dofile", "error", "getmetatable", "io", "ipairs", "load", "loadfile", "math", "next", "os",
    "package", "pairs", "pcall", "print", "rawequal", "rawget", "rawlen", "rawset", "require",
    "select", "setmetatable", "string", "table", "tonumber", "tostring", "type", "utf8", "warn",
    "xpcall", "help",
  ]
}
