import CLuaShim

/// Lua's own types, those that an argument may have with no further look at it.
///
/// The first two arguments that have them are read before Swift is called when they are strings, or
/// plain as `.text`: `LuaCall.first` and `.second`.
package struct LuaPlainTypes: OptionSet, Sendable {
  /// Bit t + 1 for the type t; Lua manual 5.4, lua_type.
  package let rawValue: UInt16

  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Not given.
  package static let none = LuaPlainTypes(rawValue: 1 << 0)
  package static let `nil` = LuaPlainTypes(rawValue: 1 << 1)
  package static let boolean = LuaPlainTypes(rawValue: 1 << 2)
  package static let number = LuaPlainTypes(rawValue: 1 << 4)
  package static let string = LuaPlainTypes(rawValue: UInt16(STARLING_PLAIN_STRING))
  package static let table = LuaPlainTypes(rawValue: 1 << 6)
  package static let function = LuaPlainTypes(rawValue: 1 << 7)
  /// A string, or a number, which becomes its digits; not to be joined with other types.
  package static let text = LuaPlainTypes(rawValue: UInt16(STARLING_PLAIN_TEXT))
  package static let anything = LuaPlainTypes(rawValue: 0x7FFF)
}
