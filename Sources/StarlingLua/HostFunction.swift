/// Looks at a call's arguments.
/// - Throws: the error for one that is wrong.
package typealias LuaArgumentCheck = (_ call: borrowing LuaCall) throws(LuaError) -> Void

/// A registered host function. The C side keeps a plain pointer to it, so that a call costs no
/// counting of references; the state keeps the object.
@safe
final class HostFunction {
  let name: String
  let check: LuaArgumentCheck?
  let body: LuaHostFunction
  /// Unowned without a check: the state owns this object and is running it.
  unowned(unsafe) let owner: LuaState

  init(
    name: String, owner: LuaState, check: LuaArgumentCheck?, body: @escaping LuaHostFunction
  ) {
    self.name = name
    self.check = check
    self.body = body
    unsafe self.owner = owner
  }
}
