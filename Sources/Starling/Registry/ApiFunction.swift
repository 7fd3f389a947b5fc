import StarlingLua

/// One function of the Lua surface. The functions that Lua sees, their argument checks, the help,
/// the editor annotations and the reference are all made from these.
struct ApiFunction: Sendable {
  typealias Body =
    @Sendable (
      _ environment: ApiEnvironment, _ call: borrowing LuaCall, _ results: inout LuaWriter
    ) throws(LuaError) -> Void

  /// The global name, with dots: `favorites.insert`.
  var name: String
  var contexts: ApiContexts
  var parameters: [ApiParameter]
  var results: [ApiResult]
  /// One line.
  var help: String
  /// The permission that it needs, as the flag that grants it: `--allow-read`.
  var permission: String?
  var body: Body

  init(
    _ name: String, in contexts: ApiContexts, _ parameters: [ApiParameter] = [],
    returns results: [ApiResult] = [], help: String, permission: String? = nil,
    body: @escaping Body
  ) {
    self.name = name
    self.contexts = contexts
    self.parameters = parameters
    self.results = results
    self.help = help
    self.permission = permission
    self.body = body
  }

  /// As help shows it: `favorites.contains(kind, key)`.
  var signature: String {
    let names = parameters.map { parameter in
      let name = parameter.isVariadic ? "\(parameter.name)..." : parameter.name
      return parameter.isOptional ? "[\(name)]" : name
    }
    return "\(name)(\(names.joined(separator: ", ")))"
  }
}

extension ApiFunction {
  /// Checks the types of the arguments as the parameters declare them.
  ///
  /// - Throws: `bad argument #2 to 'insert' (table expected, got nil)`.
  func check(_ call: borrowing LuaCall) throws(LuaError) {
    for (index, parameter) in parameters.enumerated() {
      let position = index + 1
      if parameter.isVariadic {
        var rest = position
        while rest <= call.count {
          try check(call, rest, parameter)
          rest += 1
        }
        return
      }
      try check(call, position, parameter)
    }
  }

  private func check(
    _ call: borrowing LuaCall, _ position: Int, _ parameter: ApiParameter
  ) throws(LuaError) {
    let value = call[position]
    if parameter.isOptional && value.isNil { return }
    guard parameter.type.accepts(value) else {
      throw call.argumentError(position, expected: parameter.type.expectation)
    }
  }
}

extension ApiFunction {
  /// The types for which a look at an argument would find nothing, so that most calls need none.
  /// They cover four arguments; the last has none where there are more to look at.
  var plainTypes: [LuaPlainTypes] {
    var known: [LuaPlainTypes] = []
    known.reserveCapacity(4)
    for parameter in parameters {
      if known.count == 4 {
        known[3] = []
        break
      }
      known.append(parameter.plain)
    }
    return known
  }
}

extension ApiParameter {
  fileprivate var plain: LuaPlainTypes {
    if isVariadic { return type == .any ? .anything : [] }
    return isOptional ? type.plain.optional : type.plain
  }
}

extension LuaPlainTypes {
  /// The same for an argument that may be left out, which is then no text.
  fileprivate var optional: LuaPlainTypes {
    (self == .text ? [.string, .number] : self).union([.none, .nil])
  }
}

extension ApiType {
  /// The types that `accepts` takes whatever the value.
  fileprivate var plain: LuaPlainTypes {
    switch self {
    case .any: LuaPlainTypes.anything.subtracting(.none)
    case .string: .text
    case .integer: []
    case .number: .number
    case .boolean: .boolean
    case .function: .function
    case .table, .shape, .list: .table
    case .union(let types):
      types.reduce([]) { $0.union($1.plain == .text ? [.string, .number] : $1.plain) }
    }
  }

  /// Whether a value may stand for this type, by its outer type only. Integers may come as floats
  /// with an integral value and as numerals, numbers as numerals, as everywhere in Lua.
  func accepts(_ value: LuaView) -> Bool {
    switch self {
    case .any: value.type != .none
    case .string: value.type == .string || value.type == .integer || value.type == .number
    case .integer: value.integer != nil
    case .number: value.number != nil
    case .boolean: value.type == .boolean
    case .function: value.type == .function
    case .table, .shape, .list: value.type == .table || value.type == .view
    case .union(let types): types.contains { $0.accepts(value) }
    }
  }
}
