/// A registered host function. The C side keeps a plain pointer to it, so that a call costs no
/// counting of references; the state keeps the object.
@safe
final class HostFunction {
  let name: String
  let body: LuaHostFunction
  /// Unowned without a check: the state owns this object and is running it.
  unowned(unsafe) let owner: LuaState

  init(name: String, owner: LuaState, body: @escaping LuaHostFunction) {
    self.name = name
    self.body = body
    unsafe self.owner = owner
  }
}
