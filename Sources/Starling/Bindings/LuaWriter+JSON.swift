import StarlingFeeds
import StarlingLua

extension LuaWriter {
  /// Pushes a part of a JSON document as plain Lua values.
  ///
  /// Integers beyond 64 bits become the text of their digits; an empty array is marked, so that it
  /// stays one; of equal names the last is kept.
  ///
  /// - Parameter nulls: whether `null` is `json.null`; else it is left out (nil in an array).
  mutating func push(
    decoded document: JSONDocument, _ node: JSONDocument.Node, nulls: Bool
  ) throws(LuaError) {
    switch document.kind(node) {
    case .null: if nulls { pushNull() } else { pushNil() }
    case .boolean: push(document.boolean(node))
    case .integer: push(document.integer(node))
    case .real: push(document.real(node))
    case .bigNumber, .string: unsafe document.withText(node) { unsafe push($0) }
    case .array:
      try array(count: document.count(node)) { list throws(LuaError) in
        var child = document.firstChild(node)
        while let element = child {
          try list.append { writer throws(LuaError) in
            try writer.push(decoded: document, element, nulls: nulls)
          }
          child = document.nextSibling(element, in: node)
        }
      }
    case .object:
      try table(fields: document.count(node)) { table throws(LuaError) in
        var child = document.firstChild(node)
        while let key = child, let value = document.nextSibling(key, in: node) {
          let name = unsafe document.withText(key) { unsafe $0 }
          try unsafe table.set(named: name) { writer throws(LuaError) in
            try writer.push(decoded: document, value, nulls: nulls)
          }
          child = document.nextSibling(value, in: node)
        }
      }
    }
  }
}
