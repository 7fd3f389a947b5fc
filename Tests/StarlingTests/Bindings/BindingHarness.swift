import StarlingLua
import StarlingModel

@testable import Starling

/// A Lua state with the functions of one context, for asking single expressions.
final class BindingHarness {
  let state: LuaState
  let environment: ApiEnvironment

  init(_ context: ApiContexts = .plugin, _ configuration: LuaConfiguration = .plugin) throws {
    state = try LuaState(configuration)
    let log = Log()
    environment = ApiEnvironment(
      context: context, name: "test",
      clock: { Timestamp(secondsSinceEpoch: 1_780_000_000) }, log: { log.lines.append($0) })
    self.log = log
    try ApiRegistry.install(into: state, environment: environment)
  }

  private let log: Log
  var logged: [LogLine] { log.lines }

  private final class Log {
    var lines: [LogLine] = []
  }

  /// The values that a chunk returns.
  func run(_ source: String) throws(LuaError) -> [LuaValue] {
    let chunk = try state.load(source, name: "test.lua")
    return try state.call(chunk) { results throws(LuaError) in
      var values: [LuaValue] = []
      for position in 1...max(1, results.count) where position <= results.count {
        values.append(try results[position].copy())
      }
      return values
    }
  }

  /// The value of an expression.
  func value(_ expression: String) throws(LuaError) -> LuaValue {
    try run("return " + expression).first ?? .nil
  }

  /// The message of the error that a chunk raises; nil when it raises none.
  func failure(_ source: String) -> String? {
    do {
      _ = try run(source)
      return nil
    } catch {
      return error.description
    }
  }
}
