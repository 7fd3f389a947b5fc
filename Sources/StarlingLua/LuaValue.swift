/// A Lua value copied out of its state, for paths that are not hot: options, declarations, tests.
package indirect enum LuaValue: Hashable, Sendable {
  case `nil`
  /// `json.null`.
  case null
  case boolean(Bool)
  case integer(Int64)
  case number(Double)
  /// Text; bytes that are not UTF-8 do not copy.
  case string(String)
  /// A sequence 1...n and nothing else; a marked empty array too.
  case array([LuaValue])
  /// Named and numbered fields; the keys keep no order.
  case table([LuaValue: LuaValue])
  /// A function, thread or userdata: nothing to copy but the name of its type.
  case opaque(String)

  /// The field of a table; nil when there is none or this is no table.
  package subscript(name: String) -> LuaValue? {
    if case .table(let fields) = self { fields[.string(name)] } else { nil }
  }

  package var string: String? { if case .string(let text) = self { text } else { nil } }
  package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
}

extension LuaView {
  /// Copies this value with what it holds, reading raw.
  ///
  /// - Throws: `conversion`, with the path, for a table deeper than `maxDepth` (a cycle is one),
  ///   more than `maxNodes` values, or a string that is not UTF-8.
  package func copy(maxDepth: Int = 16, maxNodes: Int = 10_000) throws(LuaError) -> LuaValue {
    var nodes = maxNodes
    return try copy(depth: maxDepth, nodes: &nodes)
  }

  private func copy(depth: Int, nodes: inout Int) throws(LuaError) -> LuaValue {
    nodes -= 1
    if nodes < 0 {
      throw .conversion(expected: "a smaller value", found: "too many values", path: "")
    }
    switch type {
    case .none, .nil: return .nil
    case .null: return .null
    case .boolean: return .boolean(isTrue)
    case .integer: return .integer(integer ?? 0)
    case .number: return .number(number ?? 0)
    case .string: return .string(try string())
    case .table: return try copyTable(depth: depth, nodes: &nodes)
    case .function, .thread, .view, .object, .other: return .opaque(type.name)
    }
  }

  private func copyTable(depth: Int, nodes: inout Int) throws(LuaError) -> LuaValue {
    if depth == 0 {
      throw .conversion(expected: "a flatter table", found: "tables nested too deeply", path: "")
    }
    var fields: [LuaValue: LuaValue] = [:]
    var left = nodes
    try forEachField { key, value throws(LuaError) in
      let name = try key.copy(depth: 1, nodes: &left)
      do throws(LuaError) {
        fields[name] = try value.copy(depth: depth - 1, nodes: &left)
      } catch {
        throw error.inside(name.pathStep)
      }
    }
    nodes = left
    return sequence(fields) ?? .table(fields)
  }

  private func sequence(_ fields: [LuaValue: LuaValue]) -> LuaValue? {
    if fields.isEmpty { return isMarkedArray ? .array([]) : nil }
    var elements: [LuaValue] = []
    for position in 1...Int64(fields.count) {
      guard let element = fields[.integer(position)] else { return nil }
      elements.append(element)
    }
    return .array(elements)
  }
}

extension LuaValue {
  /// How a path names this key.
  fileprivate var pathStep: String {
    switch self {
    case .string(let name): name
    case .integer(let position): "[\(position)]"
    default: "[?]"
    }
  }
}
