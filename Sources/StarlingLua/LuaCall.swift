import CLua54
import CLuaShim

/// A host function: `{ call, results throws(LuaError) in ... }`. What it pushes are its results; an
/// error that it throws is raised in Lua, with the caller's position, after its frame is gone.
package typealias LuaHostFunction =
  (_ call: borrowing LuaCall, _ results: inout LuaWriter) throws(LuaError) -> Void

/// One call of a host function from Lua.
@safe
@usableFromInline
package struct LuaCall: ~Copyable {
  @usableFromInline let lua: OpaquePointer
  private unowned(unsafe) let function: HostFunction
  /// Beyond any stack (LUAI_MAXSTACK is a million): reads as no value.
  @usableFromInline static var noSlot: Int32 { 2_000_000 }

  /// How many arguments came.
  @usableFromInline package let count: Int

  /// The first two arguments where C has read them as texts (`LuaPlainTypes`), else without a start.
  /// Stored, so that a look at them from another module is no call.
  @unsafe package let first: LuaArgumentText
  @unsafe package let second: LuaArgumentText

  init(
    _ lua: OpaquePointer, function: HostFunction, seen: UnsafePointer<starling_arguments>
  ) {
    let (one, two) = unsafe seen.pointee.text
    unsafe first = unsafe LuaArgumentText(start: one.bytes, count: one.length)
    unsafe second = unsafe LuaArgumentText(start: two.bytes, count: two.length)
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

/// The bytes of an argument; good until the host function returns.
@unsafe @usableFromInline package struct LuaArgumentText {
  @usableFromInline package let start: UnsafePointer<CChar>?
  @usableFromInline package let count: Int

  /// Nil when it is no text.
  @inlinable package var bytes: UnsafeRawBufferPointer? {
    guard let start = unsafe start else { return nil }
    return unsafe UnsafeRawBufferPointer(start: start, count: count)
  }
}
