/// A reader of the annotations that lua-language-server knows (LuaCATS): as much of the grammar as
/// an honest file may use, and no more, so that a line with a slip in it is a fault.
struct LuaCATS {
  struct Fault: Error, CustomStringConvertible {
    var line: Int
    var description: String
  }

  struct Class {
    var parents: [String] = []
    /// Types by field, as written.
    var fields: [String: String] = [:]
  }

  struct Function {
    var parameters: [String] = []
    var types: [String] = []
    var returns: [String] = []
  }

  private(set) var classes: [String: Class] = [:]
  private(set) var functions: [String: Function] = [:]
  private(set) var values: [String: String] = [:]
  private(set) var faults: [Fault] = []
  /// Each name of a type that was used, with its line.
  private var named: [(name: String, line: Int)] = []

  private var line = 0
  private var openClass: String?
  private var parameters: [(name: String, type: String)] = []
  private var returns: [String] = []
  private var type: String?

  private static let builtin: Set = [
    "nil", "any", "boolean", "string", "number", "integer", "function", "table", "thread",
    "userdata", "lightuserdata", "unknown", "self", "true", "false",
  ]

  init(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      self.line += 1
      do { try read(String(line)) } catch let fault as Fault { faults.append(fault) } catch {}
    }
    for (name, line) in named where classes[name] == nil && !Self.builtin.contains(name) {
      faults.append(Fault(line: line, description: "no type \(name)"))
    }
  }

  private mutating func read(_ line: String) throws {
    if line.hasPrefix("---@") { return try annotation(String(line.dropFirst(4))) }
    if line.hasPrefix("--") || line.isEmpty {
      if line.isEmpty { openClass = nil }
      return
    }
    try statement(line)
    (parameters, returns, type, openClass) = ([], [], nil, nil)
  }

  private mutating func annotation(_ text: String) throws {
    var scanner = Scanner(text, line)
    let tag = scanner.word()
    switch tag {
    case "meta": return
    case "class": try classLine(&scanner)
    case "field":
      guard let openClass else { throw scanner.fault("a field without a class") }
      try scanner.blank()
      let name = try scanner.name()
      let isOptional = scanner.skip("?")
      try scanner.blank()
      let type = try scanner.type() + (isOptional ? "?" : "")
      guard classes[openClass]?.fields.updateValue(type, forKey: name) == nil else {
        throw scanner.fault("the field \(name) twice")
      }
    case "param":
      try scanner.blank()
      let name = scanner.skip("...") ? "..." : try scanner.name()
      let isOptional = scanner.skip("?")
      try scanner.blank()
      parameters.append((name, try scanner.type() + (isOptional ? "?" : "")))
    case "return":
      try scanner.blank()
      returns.append(try scanner.type())
    case "type":
      try scanner.blank()
      type = try scanner.type()
    case "overload":
      try scanner.blank()
      guard try scanner.type().hasPrefix("fun(") else {
        throw scanner.fault("an overload is fun()")
      }
    default: throw scanner.fault("no annotation @\(tag)")
    }
    // A description follows a blank.
    if !scanner.isAtEnd { try scanner.blank() }
    named += scanner.names.map { ($0, line) }
  }

  private mutating func classLine(_ scanner: inout Scanner) throws {
    try scanner.blank()
    let name = try scanner.name()
    guard classes[name] == nil else { throw scanner.fault("the class \(name) twice") }
    var found = Class()
    if scanner.skip(":") {
      repeat {
        try scanner.blank()
        found.parents.append(try scanner.type())
      } while scanner.skip(",")
    }
    classes[name] = found
    openClass = name
  }

  /// `table = {}`, `name = nil`, `function name(a, b) end`, or the error of a file that must not be
  /// required.
  private mutating func statement(_ line: String) throws {
    var scanner = Scanner(line, self.line)
    let word = scanner.word()
    if word == "error" { return }
    guard word == "function" else {
      if let type { values[word] = type }
      guard type != nil || line == "\(word) = {}" else { throw scanner.fault("untyped: \(line)") }
      return
    }
    try scanner.blank()
    let name = try scanner.name()
    guard scanner.skip("(") else { throw scanner.fault("( expected") }
    var names: [String] = []
    while !scanner.skip(")") {
      names.append(scanner.skip("...") ? "..." : try scanner.name())
      if scanner.skip(",") { try scanner.blank() }
    }
    guard scanner.rest == " end" else { throw scanner.fault("end expected") }
    guard names == parameters.map(\.name) else {
      throw scanner.fault(
        "\(name) has the parameters \(names), annotated \(parameters.map(\.name))")
    }
    guard functions[name] == nil else { throw scanner.fault("the function \(name) twice") }
    functions[name] = Function(
      parameters: names, types: parameters.map(\.type), returns: returns)
  }
}

extension LuaCATS {
  /// Takes one line apart.
  struct Scanner {
    private var text: Substring
    private let line: Int
    /// The names of types so far.
    private(set) var names: [String] = []

    init(_ text: String, _ line: Int) {
      self.text = text[...]
      self.line = line
    }

    var isAtEnd: Bool { text.isEmpty }
    var rest: String { String(text) }

    func fault(_ what: String) -> Fault { Fault(line: line, description: "\(what) at \"\(text)\"") }

    mutating func skip(_ symbol: String) -> Bool {
      guard text.hasPrefix(symbol) else { return false }
      text = text.dropFirst(symbol.count)
      return true
    }

    mutating func blank() throws {
      guard skip(" ") else { throw fault("a blank is missing") }
      if text.hasPrefix(" ") { throw fault("two blanks") }
    }

    /// Letters up to the next blank, for tags.
    mutating func word() -> String {
      let word = text.prefix { $0.isLetter || $0 == "_" || $0 == "." || $0.isNumber }
      text = text.dropFirst(word.count)
      return String(word)
    }

    mutating func name() throws -> String {
      let name = word()
      let isGood = name.split(separator: ".", omittingEmptySubsequences: false)
        .allSatisfy { $0.first.map { $0.isLetter || $0 == "_" } ?? false }
      guard isGood else { throw fault("a name is missing") }
      return name
    }

    /// `T`, `T|U`, `T[]`, `T?`, `fun(a: T, b?: U): V`, `table<K, V>`, `{ a: T }`, `"word"`.
    mutating func type() throws -> String {
      let start = text
      repeat { try part() } while skip("|")
      return String(start.dropLast(text.count))
    }

    private mutating func part() throws {
      if skip("(") {
        _ = try type()
        guard skip(")") else { throw fault(") is missing") }
      } else if skip("\"") {
        text = text.drop { $0 != "\"" }
        guard skip("\"") else { throw fault("\" is missing") }
      } else if text.hasPrefix("fun(") {
        text = text.dropFirst(4)
        try function()
      } else if skip("{ ") {
        repeat {
          if text.hasPrefix(" ") { text = text.dropFirst() }
          _ = try name()
          _ = skip("?")
          guard skip(": ") else { throw fault(": is missing") }
          _ = try type()
        } while skip(",")
        guard skip(" }") else { throw fault("} is missing") }
      } else {
        let name = try name()
        names.append(name)
        if name == "table", skip("<") {
          _ = try type()
          guard skip(", ") else { throw fault(", is missing") }
          _ = try type()
          guard skip(">") else { throw fault("> is missing") }
        }
      }
      while skip("[]") || skip("?") {}
    }

    private mutating func function() throws {
      while !skip(")") {
        if !skip("...") { _ = try name() }
        _ = skip("?")
        if skip(": ") { _ = try type() }
        if skip(", ") { continue }
        guard text.hasPrefix(")") else { throw fault(") is missing") }
      }
      guard skip(": ") else { return }
      repeat { _ = try type() } while skip(", ")
    }
  }
}
