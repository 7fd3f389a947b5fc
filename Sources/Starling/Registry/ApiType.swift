/// A type as the Lua surface names it, for argument checks, help and editor annotations.
indirect enum ApiType: Equatable, Sendable {
  case any
  case string
  case integer
  case number
  case boolean
  case function
  case table
  /// A table with a shape that the reference describes, such as `starling.Query`.
  case shape(String)
  case list(ApiType)
  case union([ApiType])

  /// As LuaCATS writes it.
  var annotation: String {
    switch self {
    case .any: "any"
    case .string: "string"
    case .integer: "integer"
    case .number: "number"
    case .boolean: "boolean"
    case .function: "function"
    case .table: "table"
    case .shape(let name): name
    case .list(let element): element.annotation + "[]"
    case .union(let types): types.map(\.annotation).joined(separator: "|")
    }
  }

  /// As an error names it: "string", "table", "string or table".
  var expectation: String {
    switch self {
    case .shape, .list: "table"
    case .union(let types):
      types.map(\.expectation).reduce(into: [String]()) { list, name in
        if !list.contains(name) { list.append(name) }
      }.joined(separator: " or ")
    default: annotation
    }
  }
}

/// One parameter of a function, in its place.
struct ApiParameter: Sendable {
  var name: String
  var type: ApiType
  var isOptional = false
  /// Takes the rest of the arguments; the last parameter only.
  var isVariadic = false
  var help: String

  static func required(_ name: String, _ type: ApiType, _ help: String) -> ApiParameter {
    ApiParameter(name: name, type: type, help: help)
  }

  static func optional(_ name: String, _ type: ApiType, _ help: String) -> ApiParameter {
    ApiParameter(name: name, type: type, isOptional: true, help: help)
  }

  static func rest(_ name: String, _ type: ApiType, _ help: String) -> ApiParameter {
    ApiParameter(name: name, type: type, isOptional: true, isVariadic: true, help: help)
  }
}

/// One result of a function.
struct ApiResult: Sendable {
  var type: ApiType
  var isOptional = false
  var help: String
}

/// The surroundings in which Lua runs; each has its own set of functions.
struct ApiContexts: OptionSet, Sendable {
  var rawValue: UInt8

  static let plugin = ApiContexts(rawValue: 1)
  static let rules = ApiContexts(rawValue: 2)
  static let script = ApiContexts(rawValue: 4)

  static let everywhere: ApiContexts = [.plugin, .rules, .script]
}
