public import CLua54
import CLuaShim

/// Lua's types as scripts see them; a view of a document is a table.
package enum LuaType: Sendable, Hashable {
  /// No value at all: an argument that was not given.
  case none
  case `nil`, boolean, integer, number, string, table, function, thread, null
  /// A read-only view of a document, an object of the host.
  case view, object
  case other

  /// The word for messages.
  package var name: String {
    switch self {
    case .none: "no value"
    case .nil: "nil"
    case .boolean: "boolean"
    case .integer, .number: "number"
    case .string: "string"
    case .table, .view: "table"
    case .function: "function"
    case .thread: "thread"
    case .null: "null"
    case .object, .other: "userdata"
    }
  }
}

/// A value in Lua's hands, looked at without copying. Good until the closure that lent it returns;
/// reading never runs Lua code.
@safe
@usableFromInline
package struct LuaView {
  @usableFromInline let lua: OpaquePointer
  @usableFromInline let slot: Int32

  @inlinable
  init(_ lua: OpaquePointer, _ slot: Int32) {
    unsafe self.lua = unsafe lua
    self.slot = slot
  }

  package var type: LuaType {
    switch unsafe lua_type(lua, slot) {  // [-0, +0, -]
    case LUA_TNONE: .none
    case LUA_TNIL: .nil
    case LUA_TBOOLEAN: .boolean
    case LUA_TNUMBER: unsafe lua_isinteger(lua, slot) != 0 ? .integer : .number
    case LUA_TSTRING: .string
    case LUA_TTABLE: .table
    case LUA_TFUNCTION: .function
    case LUA_TTHREAD: .thread
    default: userdataType
    }
  }

  private var userdataType: LuaType {
    if unsafe starling_is_null(lua, slot) { return .null }
    return switch object?.form {
    case .view: .view
    case .object: .object
    case nil: .other
    }
  }

  /// Whether it is a table of Lua's own, no view.
  @inlinable
  package var isTable: Bool { unsafe lua_type(lua, slot) == LUA_TTABLE }

  package var isNil: Bool { unsafe lua_type(lua, slot) <= LUA_TNIL }

  /// Anything but nil and false is true.
  package var isTrue: Bool { unsafe lua_toboolean(lua, slot) != 0 }

  /// A boolean's value; nil for any other type.
  package var boolean: Bool? {
    unsafe lua_type(lua, slot) == LUA_TBOOLEAN ? unsafe lua_toboolean(lua, slot) != 0 : nil
  }

  /// An integer, a float with an integral value or a numeral, exactly; else nil.
  @inlinable
  package var integer: Int64? {
    var isInteger: Int32 = 0
    let value = unsafe lua_tointegerx(lua, slot, &isInteger)  // [-0, +0, -]
    return isInteger != 0 ? value : nil
  }

  /// A number or a numeral; else nil. May be infinite or NaN.
  package var number: Double? {
    var isNumber: Int32 = 0
    let value = unsafe lua_tonumberx(lua, slot, &isNumber)  // [-0, +0, -]
    return isNumber != 0 ? value : nil
  }

  /// A number as Lua writes it, which runs nothing; nil for any other type.
  package var numberText: String? {
    guard unsafe lua_type(lua, slot) == LUA_TNUMBER, unsafe lua_checkstack(lua, 1) != 0 else {
      return nil
    }
    unsafe lua_pushvalue(lua, slot)  // a copy: the number itself would become a string
    defer { unsafe lua_settop(lua, -2) }  // no to-be-closed slot is on our frames
    var length = 0
    guard let start = unsafe lua_tolstring(lua, -1, &length) else { return nil }  // [-0, +0, m]
    return unsafe LuaText.lossy(UnsafeRawBufferPointer(start: start, count: length))
  }

  /// A string's bytes, good as long as this view; nil for any other type, numbers too.
  @inlinable
  @unsafe package var bytes: UnsafeRawBufferPointer? {
    @inline(__always) get {
      // lua_tolstring would turn a number into a string in place, which breaks lua_next.
      guard unsafe lua_type(lua, slot) == LUA_TSTRING else { return nil }
      var length = 0
      let start = unsafe lua_tolstring(lua, slot, &length)  // [-0, +0, -] for a string
      return unsafe UnsafeRawBufferPointer(start: start, count: length)
    }
  }

  /// Lends a string's bytes; nil for any other type.
  @inlinable
  package func withBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws(LuaError) -> Result
  ) throws(LuaError) -> Result? {
    guard let bytes = unsafe bytes else { return nil }
    return try unsafe body(bytes)
  }

  /// A string's text.
  /// - Throws: `conversion` for another type, and for bytes that are not UTF-8, naming the first
  ///   that is not. `outOfMemory` when the running host function has copied too much.
  package func string() throws(LuaError) -> String {
    guard let bytes = unsafe bytes else {
      throw .conversion(expected: "string", found: type.name, path: "")
    }
    guard unsafe starling_count_text(lua, bytes.count) else {
      let limit = unsafe starling_memory_limit(starling_host_of(lua))
      throw .outOfMemory(limit: Int(clamping: limit))
    }
    return try unsafe LuaText.string(bytes)
  }

  /// A string's text where it is short enough for what it is: the name of something, say.
  ///
  /// - Throws: `conversion` for a longer one as well.
  package func string(atMost bytes: Int) throws(LuaError) -> String {
    if let count = unsafe self.bytes?.count, count > bytes {
      throw .conversion(
        expected: "a string of at most \(bytes) bytes", found: "one of \(count)", path: "")
    }
    return try string()
  }

  /// A string's beginning, for people: what is not UTF-8 is replaced. Nil for any other type.
  package func text(atMost bytes: Int) -> String? {
    unsafe self.bytes.map { unsafe LuaText.lossy($0, atMost: bytes) }
  }

  /// The number of elements as `#` counts them without metamethods; of a string its bytes.
  package var rawCount: Int { Int(clamping: unsafe lua_rawlen(lua, slot)) }

  /// What tells this table, function, coroutine or userdata from all others that live; nil for a
  /// value that is compared by what it holds.
  package var identity: UInt? {
    switch unsafe lua_type(lua, slot) {
    case LUA_TTABLE, LUA_TFUNCTION, LUA_TTHREAD, LUA_TUSERDATA:
      UInt(bitPattern: unsafe lua_topointer(lua, slot))  // [-0, +0, -]
    default: nil
    }
  }

  /// Whether this is an empty array of the host (JSON `[]`).
  package var isMarkedArray: Bool { unsafe starling_is_marked_array(lua, slot) }

  /// The host's view or object, when this is one.
  package var object: LuaObject? {
    var found = starling_object()
    guard unsafe starling_to_object(lua, slot, &found) else { return nil }
    return LuaObject(found)
  }
}

@available(*, unavailable)
extension LuaView: Sendable {}
