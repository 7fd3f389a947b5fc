/// What a text of Lua names: the globals it uses, the fields, tables, functions and modules. Made
/// by `LuaOutliner` without running anything.
struct LuaOutline {
  /// A variable of a scope, by number: two of one name are two.
  typealias Local = Int

  /// What a field is taken of.
  enum Base: Hashable {
    case global(String)
    case local(Local)
    /// What a call of a function in a table of the library gives: `url.parse`.
    case result(String)
  }

  /// A value as far as it is written out.
  enum Literal: Hashable {
    case text(String)
    case number(String)
    case boolean
    /// By number.
    case table(Int)
    case other
  }

  /// A global that is read or assigned.
  struct GlobalUse {
    var name: String
    var line: Int
    var isWrite: Bool
  }

  /// `base.name`, read or assigned.
  struct FieldUse {
    var base: Base
    var name: String
    var line: Int
    var isWrite: Bool
    /// What is assigned.
    var value = Literal.other
  }

  /// A table as written.
  struct Table {
    struct Field {
      var name: String
      var line: Int
      var value = Literal.other
    }

    var line: Int
    /// The fields with a name, in order.
    var fields: [Field] = []
    /// What `kind` may be, of a table where that is one or several strings as written.
    var kinds: [String] = []
    /// Whether it has a `kind`, whatever that is.
    var hasKind = false
    /// Whether it is the value of a `return`, or an element of one.
    var isReturned = false
    /// The variable that holds it, or the list that it is put into.
    var holder: Local?
    /// The function that it is written in, by number; nil for the chunk itself.
    var function: Int?
    /// The tables that are its elements.
    var elements: [Int] = []
  }

  struct Function {
    /// `M` and `map` of `function M.map` and of `M.map = function`.
    var base: Base?
    var name: String?
    var parameters: [Local] = []
    var line: Int
    var isVariadic = false
    /// The variables that are returned as they are.
    var returned: Set<Local> = []
    /// The variables with functions whose results are returned as they are.
    var returnedCalls: Set<Local> = []
    /// The variable that holds it.
    var local: Local?
  }

  /// Where a variable's value comes from.
  enum Origin: Hashable {
    /// A call of a function in a table of the library.
    case result(String)
    /// A call of a function that a variable holds.
    case call(Local)
    case global(String)
    case other
  }

  struct Text {
    var content: String
    var line: Int
  }

  var globals: [GlobalUse] = []
  var fields: [FieldUse] = []
  var tables: [Table] = []
  var functions: [Function] = []
  /// `require "name"`.
  var modules: [Text] = []
  /// Every string, but for names of fields.
  var strings: [Text] = []
  /// The variable that the text returns: a plugin's `M`.
  var returned: Local?
  var returnedLocals: Set<Local> = []
  var names: [Local: String] = [:]
  /// What a variable is given where it is declared; those that are assigned later are left out.
  var origins: [Local: Origin] = [:]
  /// The lines of the value of `M.kinds`.
  var kindLines: ClosedRange<Int>?
}
