import StarlingLua
import StarlingModel

/// What a plugin's `items` gave.
enum FeedItems {
  /// A Lua list; its elements are plain tables or views.
  case list(LuaTable, count: Int)
  /// A node of the document.
  case view(JSONView, Int64)

  /// An element of a list.
  enum Element {
    case table(LuaTable)
    case view(JSONView, Int64)
    case value(LuaValue)

    /// Pushes it as `map` gets it: a view becomes plain tables, a table goes as it is.
    func push(to writer: inout LuaWriter) throws(LuaError) {
      switch self {
      case .table(let table): writer.push(table)
      case .view(let view, let node): try view.pushCopy(node, to: &writer)
      case .value(.string(let text)): writer.push(text)
      case .value(.integer(let number)): writer.push(number)
      case .value(.number(let number)): writer.push(number)
      case .value(.boolean(let flag)): writer.push(flag)
      case .value: writer.pushNil()
      }
    }
  }
}
