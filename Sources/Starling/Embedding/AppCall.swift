public import StarlingFavorites
import StarlingLua
import StarlingModel

/// One call of an app's function from Lua. Good until the function returns.
public struct AppCall {
  /// As many as came, each of the type that its parameter declares.
  public let arguments: [ScriptValue]
  private let environment: ApiEnvironment
  private let state: LuaState

  init(arguments: [ScriptValue], environment: ApiEnvironment, state: LuaState) {
    self.arguments = arguments
    self.environment = environment
    self.state = state
  }

  /// The argument at a position, counted from 1 as Lua does; `none` when it was left out.
  public subscript(position: Int) -> ScriptValue {
    position >= 1 && position <= arguments.count ? arguments[position - 1] : .none
  }

  /// Where the calling code runs.
  public var context: ApiContexts { environment.context }

  /// The name of the plugin, rules file or script that calls.
  public var caller: String { environment.name }

  /// The favorites, as the calling script sees them: within its open transaction, and part of its
  /// run of the history. The script is who acts, so that a refusal holds, unless a verb is told
  /// another with `by`.
  ///
  /// - Throws: `HostError` of kind `permission` where there is none: plugins and rules have no store.
  public func store() throws -> FavoritesStore {
    guard let binding = environment.script?.store else {
      throw HostError(.permission, "there are no favorites here; a script has them")
    }
    do throws(LuaError) {
      let store = try binding.store()
      binding.pause()
      store.actor = binding.origin
      return store
    } catch {
      throw Stop(error: error)
    }
  }

  /// Ends the call: whoever acts next is again whom the store takes for it.
  func end() { environment.script?.store?.endActing() }

  /// To be called now and then by what takes long: throws when the script must stop, for time, memory
  /// or on request.
  public func checkStop() throws {
    do throws(LuaError) {
      try state.checkBudget()
    } catch {
      throw Stop(error: error)
    }
  }

  /// An error of Lua's on its way back.
  struct Stop: Error {
    var error: LuaError
  }
}

@available(*, unavailable)
extension AppCall: Sendable {}
