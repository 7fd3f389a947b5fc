import CLuaShim

/// The C side of a state. References hold it, so that a function that outlives its state is a
/// clean error instead of a dangling pointer, and so that a host function may keep one without
/// keeping the state.
@safe
final class LuaCore {
  private(set) var host: OpaquePointer?

  init(host: OpaquePointer) {
    unsafe self.host = unsafe host
  }

  func close() {
    guard let host = unsafe host else { return }
    unsafe self.host = nil
    unsafe starling_close(host)
  }
}

/// A slot of Lua's registry, given back when the last holder goes.
final class LuaReference {
  let core: LuaCore
  let number: Int32

  init(core: LuaCore, number: Int32) {
    self.core = core
    self.number = number
  }

  deinit {
    if let host = unsafe core.host { unsafe starling_drop_reference(host, number) }
  }
}

/// A function kept across calls. It belongs to the state that made it.
package struct LuaFunction {
  let reference: LuaReference
}

/// A table kept across calls. It belongs to the state that made it.
package struct LuaTable {
  let reference: LuaReference
}

/// An object kept across calls, which is the same value whenever it is pushed. It belongs to the state
/// that made it.
package struct LuaKeptObject {
  let reference: LuaReference
}

/// The name of a field, made into a Lua string once. It belongs to the state that made it.
@usableFromInline
package struct LuaKey: Sendable {
  @usableFromInline let number: Int32
}
