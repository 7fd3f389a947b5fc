/// One token of Lua text (Lua manual 5.4, 3.1).
struct LuaToken: Equatable {
  enum Form: Equatable {
    /// A name or a keyword.
    case name
    case number
    /// A text between quotes or long brackets.
    case string
    case symbol
  }

  var form: Form
  /// As written, quotes and brackets included.
  var text: String
  /// The line on which it begins, from 1.
  var line: Int

  /// The text between the quotes or brackets of a string, escapes as written.
  var content: String? {
    guard form == .string else { return nil }
    let ends = text.utf8.first == UInt8(ascii: "[") ? level : 1
    guard text.utf8.count >= 2 * ends else { return nil }
    return String(decoding: text.utf8.dropFirst(ends).dropLast(ends), as: UTF8.self)
  }

  /// The bytes of a long bracket: 2 for `[[`, 3 for `[=[`.
  private var level: Int { text.utf8.dropFirst().prefix { $0 == UInt8(ascii: "=") }.count + 2 }

  func isSymbol(_ symbol: String) -> Bool { form == .symbol && text == symbol }
  func isName(_ name: String) -> Bool { form == .name && text == name }
}
