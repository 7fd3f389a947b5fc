import CLua54

/// A host function: `{ call, results throws(LuaError) in ... }`. What it pushes are its results; an
/// error that it throws is raised in Lua, with the caller's position, after its frame is gone.
package typealias LuaHostFunction =
  (_ call: borrowing LuaCall, _ results: inout LuaWriter) throws(LuaError) -> Void

/// One call of a host function from Lua.
@safe
package struct LuaCall: ~Copyable {
  @usableFromInline let lua: OpaquePointer
  private unowned(unsafe) let function: HostFunction
  /// Beyond any stack (LUAI_MAXSTACK is a million): reads as no value.
  @usableFromInline static var noSlot: Int32 { 2_000_000 }

  /// How many arguments came.
  package let count: Int

  init(_ lua: OpaquePointer, function: HostFunction) {
    unsafe self.lua = unsafe lua
    unsafe self.function = function
    self.count = unsafe Int(lua_gettop(lua))  // [-0, +0, -]
  }

  /// The state that runs; nested calls into Lua go through it and share this call's deadline.
  package var state: LuaState { unsafe function.owner }

  /// Argument `position`, counted from 1; of type `none` when it was not given.
  @inlinable
  package subscript(position: Int) -> LuaView {
    // A position after the arguments could meet the results.
    unsafe LuaView(lua, position <= count ? Int32(truncatingIfNeeded: position) : LuaCall.noSlot)
  }

  /// The error for a bad argument, in Lua's words: `bad argument #2 to 'insert' (why)`.
  package func argumentError(_ position: Int, _ why: String) -> LuaError {
    let path = unsafe function.name
    let name = path.split(separator: ".").last.map(String.init) ?? path
    return .message("bad argument #\(position) to '\(name)' (\(why))")
  }

  /// The error for an argument of the wrong type.
  package func argumentError(_ position: Int, expected: String) -> LuaError {
    argumentError(position, "\(expected) expected, got \(self[position].type.name)")
  }
}
