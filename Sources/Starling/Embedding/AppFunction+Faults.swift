import StarlingModel

/// What an app's function may be.
extension AppFunction {
  /// What is wrong with a function, whatever its body does; nil for one that can be called.
  static func fault(
    _ name: String, _ contexts: ApiContexts, _ parameters: [ApiParameter], _ results: [ApiResult],
    _ help: String
  ) -> String? {
    if contexts.isDisjoint(with: .everywhere) {
      return "it is in no context, and nobody could call it; say `in: .script`"
    }
    return fault(inName: name) ?? fault(in: parameters) ?? fault(in: results) ?? fault(inHelp: help)
  }

  private static func fault(in parameters: [ApiParameter]) -> String? {
    if let variadic = parameters.firstIndex(where: \.isVariadic), variadic < parameters.count - 1 {
      return "only the last parameter takes the rest of the arguments"
    }
    let names = parameters.map(\.name)
    if let other = names.first(where: { !isName($0[...]) }) {
      return "a parameter has a Lua name, and `\(other)` is none"
    }
    if Set(names).count < names.count { return "two of its parameters have one name" }
    if let optional = parameters.firstIndex(where: \.isOptional),
      let required = parameters[optional...].first(where: { !$0.isOptional })
    {
      return "`\(required.name)` must be given, and stands after one that may be left out"
    }
    for parameter in parameters {
      if let fault = fault(of: parameter.type) ?? fault(inWords: parameter.help) {
        return "parameter `\(parameter.name)`: \(fault)"
      }
    }
    return nil
  }

  private static func fault(in results: [ApiResult]) -> String? {
    for (place, result) in results.enumerated() {
      if let fault = fault(of: result.type, isResult: true) ?? fault(inWords: result.help) {
        return "result \(place + 1): \(fault)"
      }
    }
    return nil
  }

  private static func fault(inHelp help: String) -> String? {
    if let fault = fault(inWords: help) { return "its help: \(fault)" }
    guard let last = help.last, ".!?…。！？".contains(last) else {
      return "its help is a line that ends with a full stop"
    }
    return nil
  }

  /// Comments of the annotations, and lines of help.
  private static func fault(inWords text: String) -> String? {
    text.unicodeScalars.contains { $0.properties.generalCategory == .control || $0 == "\u{2028}" }
      ? "it is one line of text, without control characters" : nil
  }

  // MARK: Types

  /// Why no value of a type can be given to Swift, or come from there; nil when it can.
  private static func fault(of type: ApiType, isResult: Bool = false) -> String? {
    switch type {
    case .any, .string, .integer, .number, .boolean, .table: nil
    case .function: "a function is Lua's own and cannot be copied"
    case .list(let element): fault(of: element, isResult: isResult)
    case .union(let types):
      types.isEmpty
        ? "a union of no types" : types.lazy.compactMap { fault(of: $0, isResult: isResult) }.first
    // Its words are read as the body is to have them.
    case .shape("starling.Query") where !isResult: nil
    case .shape(let name): fault(ofShape: name)
    }
  }

  private static func fault(ofShape name: String) -> String? {
    guard let shape = ApiRegistry.shapes.first(where: { $0.name == name }) else {
      let nearest = Spelling.nearest(to: name, among: ApiRegistry.shapes.map(\.name))
      return "there is no shape `\(name)`" + (nearest.map { "; did you mean `\($0)`?" } ?? "")
    }
    return isPlain(shape, above: [])
      ? nil : "`\(name)` holds functions or the words of rules, which cannot be copied"
  }

  private static func isPlain(_ shape: ApiShape, above: Set<String>) -> Bool {
    // Conditions are made of words, and a word is nothing but itself.
    guard shape.name != "starling.Word", shape.name != "starling.Query" else { return false }
    return shape.fields.allSatisfy { isPlain($0.type, above: above.union([shape.name])) }
  }

  private static func isPlain(_ type: ApiType, above: Set<String>) -> Bool {
    switch type {
    case .any, .string, .integer, .number, .boolean, .table: true
    case .function: false
    case .list(let element): isPlain(element, above: above)
    case .union(let types): types.allSatisfy { isPlain($0, above: above) }
    case .shape(let name):
      above.contains(name)
        || ApiRegistry.shapes.first { $0.name == name }.map { isPlain($0, above: above) } ?? false
    }
  }

  // MARK: Names

  private static func fault(inName name: String) -> String? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ isName($0) }) else {
      return "its name is a Lua name, or two with a dot between them"
    }
    let taken = ApiRegistry.functions.map(\.name) + ApiRegistry.values.map(\.name)
    let tables = taken.compactMap { name in
      name.firstIndex(of: ".").map { String(name[..<$0]) }
    }
    let first = String(parts[0])
    if taken.contains(first) || luaGlobals.contains(first) || tables.contains(first) {
      return "`\(first)` is Lua's or Starling's own; choose another name"
    }
    return nil
  }

  private static func isName(_ name: Substring) -> Bool {
    guard let first = name.utf8.first, !(0x30...0x39).contains(first),
      !keywords.contains(String(name))
    else { return false }
    return name.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x5F
    }
  }

  /// Lua manual 5.4, 3.1.
  private static let keywords: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]

  /// Lua manual 5.4, 6: what the libraries set, also where a context leaves it out.
  private static let luaGlobals: Set<String> = [
    "_G", "_VERSION", "_ENV", "_", "arg", "assert", "collectgarbage", "coroutine", "debug",
    "dofile", "error", "getmetatable", "io", "ipairs", "load", "loadfile", "math", "next", "os",
    "package", "pairs", "pcall", "print", "rawequal", "rawget", "rawlen", "rawset", "require",
    "select", "setmetatable", "string", "table", "tonumber", "tostring", "type", "utf8", "warn",
    "xpcall", "help",
  ]
}
