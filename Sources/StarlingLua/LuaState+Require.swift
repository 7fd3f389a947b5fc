import CLua54
import CLuaShim

/// A module's text, found by the host.
package struct LuaModule {
  package var source: [UInt8]
  /// Shown in messages and given to the module as its second argument.
  package var chunk: String

  package init(source: [UInt8], chunk: String) {
    self.source = source
    self.chunk = chunk
  }
}

/// Finds the module that `require` asks for; nil when there is none.
package typealias LuaResolver = (_ name: String) throws(LuaError) -> LuaModule?

extension LuaState {
  /// Gives the state a `require` of its own (Lua manual 5.4, 6.3): modules come from the resolver
  /// alone, run once, and are kept by this state alone.
  package func registerRequire(_ resolver: @escaping LuaResolver) {
    register("require") { call, results throws(LuaError) in
      guard call[1].type == .string else { throw call.argumentError(1, expected: "string") }
      let name = try call[1].string()
      let module = try call.state.module(name, resolver)
      results.push(module)
    }
  }

  private func module(_ name: String, _ resolver: LuaResolver) throws(LuaError) -> LuaReference {
    switch modules[name] {
    case .loaded(let value): return value
    case .loading: throw .message("module '\(name)' requires itself")
    case nil: break
    }
    guard let found = try resolver(name) else {
      throw .message("module '\(name.prefix(200))' not found")
    }
    modules[name] = .loading
    do throws(LuaError) {
      let value = try run(found, as: name)
      modules[name] = .loaded(value)
      return value
    } catch {
      modules[name] = nil
      throw error
    }
  }

  private func run(_ module: LuaModule, as name: String) throws(LuaError) -> LuaReference {
    let chunk = try load(module.source, name: module.chunk)
    return try call(
      chunk,
      arguments: { arguments in
        arguments.push(name)
        arguments.push(module.chunk)
      },
      results: { results throws(LuaError) in try keepModule(results[1]) })
  }

  /// A module that returns nothing is `true`.
  private func keepModule(_ value: LuaView) throws(LuaError) -> LuaReference {
    try reserveStack()
    if value.isNil {
      unsafe lua_pushboolean(lua, 1)
    } else {
      unsafe lua_pushvalue(lua, value.slot)
    }
    return makeReference()
  }
}

/// Where `require` is with a module.
enum ModuleState {
  case loading
  case loaded(LuaReference)
}
