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
  /// - Throws: `HostError` of kind `host` for what could never be called or would spoil the annotations:
  ///   a name that is none, or that Lua or Starling has; no context; a parameter that no call can
  ///   satisfy, as functions and the words of rules cannot be copied; a help of several lines.
  public init(
    _ name: String, in contexts: ApiContexts = .script, _ parameters: [ApiParameter] = [],
    returns results: [ApiResult] = [], help: String, body: @escaping Body
  ) throws(HostError) {
    if let fault = AppFunction.fault(name, contexts, parameters, results, help) {
      throw HostError(.host, fault, subject: "function \(name)")
    }
    function = ApiFunction(name, in: contexts, parameters, returns: results, help: help) {
      environment, call, writer throws(LuaError) in
      let arguments = try AppFunction.arguments(call, parameters)
      let appCall = AppCall(arguments: arguments, environment: environment, state: call.state)
      var values: [ScriptValue]
      defer { appCall.end() }
      do {
        values = try body(appCall)
      } catch {
        throw AppFunction.lua(error)
      }
      do throws(LuaError) {
        for value in values { try value.push(to: &writer) }
      } catch {
        values.dismantle()
        throw error
      }
    }
  }

  private static func arguments(
    _ call: borrowing LuaCall, _ parameters: [ApiParameter]
  ) throws(LuaError) -> [ScriptValue] {
    var values: [ScriptValue] = []
    for position in 1...max(1, call.count) where position <= call.count {
      let place = min(position, parameters.count) - 1
      guard place >= 0, position <= parameters.count || parameters[place].isVariadic else { break }
      let (value, parameter) = (call[position], parameters[place])
      // Only what is left out may be nil; of the rest each one is there.
      if parameter.isVariadic, value.isNil, !parameter.type.accepts(value) {
        throw call.argumentError(position, expected: parameter.type.expectation)
      }
      do throws(LuaError) {
        values.append(try ScriptValue(value, as: parameter.type))
      } catch {
        throw call.argumentError(position, error.description)
      }
    }
    return values
  }

  /// What the body threw as Lua raises it: the store's errors as the host reports them, the host's with
  /// themselves as the cause, a stop as a stop, all else whole.
  private static func lua(_ error: any Error) -> LuaError {
    switch error {
    case let stop as AppCall.Stop: stop.error
    case let error as FavoritesError: .host(HostError(error))
    case let error as HostError: .host(error.asCause)
    case is CancellationError: .host(HostError(.canceled, "canceled", cause: error))
    default: .host(error)
    }
  }
}

extension HostError {
  /// The same, caused by this one.
  fileprivate var asCause: HostError {
    var error = self
    error.cause = self
    return error
  }
}
