/// A type as the Lua surface names it, for argument checks, help and editor annotations.
public indirect enum ApiType: Equatable, Sendable {
  case any
  case string
  case integer
  case number
  case boolean
  case function
  case table
  /// A table with a shape that the reference describes, such as `starling.Money`.
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
public struct ApiParameter: Sendable {
  public var name: String
  public var type: ApiType
  public var isOptional = false
  /// Takes the rest of the arguments; the last parameter only.
  public var isVariadic = false
  /// A few words, in small letters.
  public var help: String

  /// One that must be given.
  public static func required(_ name: String, _ type: ApiType, _ help: String) -> ApiParameter {
    ApiParameter(name: name, type: type, help: help)
  }

  /// One that may be left out or nil.
  public static func optional(_ name: String, _ type: ApiType, _ help: String) -> ApiParameter {
    ApiParameter(name: name, type: type, isOptional: true, help: help)
  }

  /// All the arguments from here on.
  public static func rest(_ name: String, _ type: ApiType, _ help: String) -> ApiParameter {
    ApiParameter(name: name, type: type, isOptional: true, isVariadic: true, help: help)
  }
}

/// One result of a function.
public struct ApiResult: Sendable {
  public var type: ApiType
  /// Whether it may be nil.
  public var isOptional: Bool
  /// A few words, in small letters.
  public var help: String

  public init(type: ApiType, isOptional: Bool = false, help: String) {
    self.type = type
    self.isOptional = isOptional
    self.help = help
  }
}

/// The surroundings in which Lua runs; each has its own set of functions.
public struct ApiContexts: OptionSet, Sendable {
  public var rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Plugins, which are not trusted.
  public static let plugin = ApiContexts(rawValue: 1)
  /// Rules and the configuration.
  public static let rules = ApiContexts(rawValue: 2)
  /// Scripts and the console.
  public static let script = ApiContexts(rawValue: 4)
  /// The console alone, beside what scripts have.
  static let console = ApiContexts(rawValue: 8)

  public static let everywhere: ApiContexts = [.plugin, .rules, .script]
}
