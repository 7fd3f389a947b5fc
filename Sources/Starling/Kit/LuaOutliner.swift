/// Reads Lua text (Lua manual 5.4, 9) for its outline. The text has been compiled, so that it
/// parses, and nests no deeper than Lua allows; of other text it makes something, and ends.
struct LuaOutliner {
  /// What is known of an expression.
  indirect enum Value {
    case global(String)
    case local(LuaOutline.Local)
    case member(LuaOutline.Base, String)
    case text(String)
    case table(Int)
    case function(Int)
    /// One of several: `a and b or c`.
    case either([Value])
    case other
  }

  let tokens: [LuaToken]
  var place = 0
  var outline = LuaOutline()
  private var scopes: [[String: LuaOutline.Local]] = [[:]]
  private var localCount = 0
  /// The functions around this place, by number.
  private var open: [Int] = []

  static func outline(of source: [UInt8]) -> LuaOutline {
    var tokens = LuaLexer.tokens(of: source)
    // A first line that begins with # is skipped by Lua.
    if source.first == UInt8(ascii: "#") { tokens.removeAll { $0.line == 1 } }
    var outliner = LuaOutliner(tokens: tokens)
    outliner.block()
    return outliner.outline
  }

  private init(tokens: [LuaToken]) {
    self.tokens = tokens
  }

  // MARK: Tokens

  var token: LuaToken? { place < tokens.count ? tokens[place] : nil }
  var line: Int { token?.line ?? tokens.last?.line ?? 1 }

  func isAt(_ text: String) -> Bool {
    guard let token, token.form != .string else { return false }
    return token.text == text
  }

  mutating func skip(_ text: String) -> Bool {
    guard isAt(text) else { return false }
    place += 1
    return true
  }

  private mutating func expect(_ text: String) { _ = skip(text) }

  private mutating func takeName() -> String? {
    guard let token, token.form == .name, !LuaOutliner.keywords.contains(token.text) else {
      return nil
    }
    place += 1
    return token.text
  }

  static let keywords: Set = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]

  // MARK: Scopes

  private mutating func declare(_ name: String) -> LuaOutline.Local {
    localCount += 1
    scopes[scopes.count - 1][name] = localCount
    return localCount
  }

  private func find(_ name: String) -> LuaOutline.Local? {
    for scope in scopes.reversed() {
      if let local = scope[name] { return local }
    }
    return nil
  }

  private mutating func scoped(_ body: (inout LuaOutliner) -> Void) {
    scopes.append([:])
    body(&self)
    scopes.removeLast()
  }
}

// MARK: - Statements

extension LuaOutliner {
  private mutating func block() {
    while let token,
      !["end", "else", "elseif", "until"].contains(token.text)
        || token.form == .string
    {
      let before = place
      statement()
      if place == before { place += 1 }
    }
  }

  private mutating func statement() {
    guard let token, token.form != .string else { return expressionStatement() }
    switch token.text {
    case ";", "break": place += 1
    case "goto": place += 2
    case "::": place += 3
    case "do":
      place += 1
      scoped { $0.block() }
      expect("end")
    case "while":
      place += 1
      _ = expression()
      expect("do")
      scoped { $0.block() }
      expect("end")
    case "repeat":
      place += 1
      scoped {
        $0.block()
        $0.expect("until")
        _ = $0.expression()
      }
    case "if": ifStatement()
    case "for": forStatement()
    case "function": functionStatement()
    case "local": localStatement()
    case "return": returnStatement()
    default: expressionStatement()
    }
  }

  private mutating func ifStatement() {
    place += 1
    _ = expression()
    expect("then")
    scoped { $0.block() }
    while isAt("elseif") {
      place += 1
      _ = expression()
      expect("then")
      scoped { $0.block() }
    }
    if skip("else") { scoped { $0.block() } }
    expect("end")
  }

  private mutating func forStatement() {
    place += 1
    var names: [String] = []
    repeat {
      if let name = takeName() { names.append(name) }
    } while skip(",")
    if !skip("=") { expect("in") }
    _ = expressions()
    expect("do")
    scoped { outliner in
      for name in names { _ = outliner.declare(name) }
      outliner.block()
    }
    expect("end")
  }

  private mutating func functionStatement() {
    let start = line
    place += 1
    guard let first = takeName() else { return }
    var value = variable(first)
    var isMethod = false
    while isAt(".") || isAt(":") {
      isMethod = isAt(":")
      place += 1
      guard let name = takeName() else { break }
      value = member(of: value, name, line: start, isLast: !isAt(".") && !isAt(":"))
    }
    if case .global(let name) = value { noteGlobal(name, start, isWrite: true) }
    let number = functionBody(start, isMethod: isMethod)
    name(function: number, as: value)
  }

  private mutating func localStatement() {
    place += 1
    if skip("function") {
      let start = line
      guard let name = takeName() else { return }
      _ = declare(name)
      _ = functionBody(start, isMethod: false)
      return
    }
    var names: [String] = []
    repeat {
      if let name = takeName() { names.append(name) }
      if skip("<") {
        place += 1
        expect(">")
      }
    } while skip(",")
    let values = skip("=") ? expressions() : []
    for (index, name) in names.enumerated() {
      let local = declare(name)
      if index < values.count { hold(values[index], in: local) }
    }
  }

  private mutating func returnStatement() {
    place += 1
    guard let token, !["end", "else", "elseif", "until", ";"].contains(token.text) else {
      expect(";")
      return
    }
    let values = expressions()
    expect(";")
    if let first = values.first { noteReturned(first) }
    if open.isEmpty, case .local(let local)? = values.first { outline.returned = local }
  }

  private mutating func noteReturned(_ value: Value) {
    switch value {
    case .table(let index):
      outline.tables[index].isReturned = true
      for element in outline.tables[index].elements { outline.tables[element].isReturned = true }
    case .local(let local):
      outline.returnedLocals.insert(local)
      if let function = open.last { outline.functions[function].returned.insert(local) }
    case .either(let values): for value in values { noteReturned(value) }
    default: break
    }
  }

  /// A call, or an assignment.
  private mutating func expressionStatement() {
    var targets: [Value] = []
    var lines: [Int] = []
    let fieldCount = outline.fields.count
    repeat {
      lines.append(line)
      targets.append(suffixed(isTarget: true))
    } while skip(",")
    guard skip("=") else {
      // It was a call after all: what looked assigned is read.
      for target in targets {
        if case .global(let name) = target { noteGlobal(name, lines[0], isWrite: false) }
      }
      return
    }
    let start = line
    let values = expressions()
    for (index, target) in targets.enumerated() {
      let value = index < values.count ? values[index] : .other
      assign(value, to: target, line: lines[index], valueLine: start, since: fieldCount)
    }
  }

  private mutating func assign(
    _ value: Value, to target: Value, line: Int, valueLine: Int, since: Int
  ) {
    switch target {
    case .global(let name): noteGlobal(name, line, isWrite: true)
    case .local(let local): hold(value, in: local)
    case .member(let base, let name):
      if let index = outline.fields.indices.last(where: {
        $0 >= since && outline.fields[$0].base == base && outline.fields[$0].name == name
      }) {
        outline.fields[index].isWrite = true
        if case .text(let text) = value { outline.fields[index].text = text }
      }
      if case .function(let number) = value { self.name(function: number, as: target) }
      if case .local(let local) = base, case .table = value {
        hold(value, in: local)
        if name == "kinds" { outline.kindLines = valueLine...max(valueLine, self.lastLine) }
      }
    default: break
    }
  }

  private var lastLine: Int { place > 0 && place <= tokens.count ? tokens[place - 1].line : line }

  private mutating func hold(_ value: Value, in local: LuaOutline.Local) {
    switch value {
    case .table(let index): outline.tables[index].holder = local
    case .either(let values): for value in values { hold(value, in: local) }
    default: break
    }
  }
}

// MARK: - Expressions

extension LuaOutliner {
  private mutating func expressions() -> [Value] {
    var values = [expression()]
    while skip(",") { values.append(expression()) }
    return values
  }

  private static let operators: Set = [
    "+", "-", "*", "/", "//", "%", "^", "..", "<<", ">>", "&", "|", "~", "==", "~=", "<", "<=",
    ">", ">=",
  ]

  /// Operands and operators in a row. `and` and `or` bind loosest and give one of their operands;
  /// what others give is no name of anything.
  private mutating func expression() -> Value {
    var values = [operand()]
    while let token, token.form != .string {
      if token.text == "and" || token.text == "or" {
        place += 1
        values.append(operand())
      } else if LuaOutliner.operators.contains(token.text) {
        place += 1
        _ = operand()
        values[values.count - 1] = .other
      } else {
        break
      }
    }
    return values.count == 1 ? values[0] : .either(values)
  }

  private mutating func operand() -> Value {
    while isAt("not") || isAt("-") || isAt("#") || isAt("~") { place += 1 }
    guard let token else { return .other }
    switch token.form {
    case .number:
      place += 1
      return .other
    case .string: return suffixed(isTarget: false)
    case .symbol where token.text == "{": return table()
    case .symbol where token.text == "...":
      place += 1
      return .other
    default: break
    }
    switch token.text {
    case "nil", "true", "false":
      place += 1
      return .other
    case "function":
      let start = line
      place += 1
      return .function(functionBody(start, isMethod: false))
    default: return suffixed(isTarget: false)
    }
  }

  /// A name or an expression in parentheses with what follows: members, indexes, calls.
  private mutating func suffixed(isTarget: Bool) -> Value {
    let start = line
    var value: Value
    if let token, token.form == .string {
      place += 1
      outline.strings.append(LuaOutline.Text(content: token.content ?? "", line: start))
      value = .text(token.content ?? "")
    } else if skip("(") {
      value = expression()
      expect(")")
    } else if let name = takeName() {
      value = variable(name)
    } else {
      return .other
    }
    while let token {
      let isLiteral = token.form == .string
      if case .text = value, tokens[place - 1].form == .string { break }
      if !isLiteral, token.text == "." || token.text == ":" {
        read(value, start)
        let line = token.line
        place += 1
        guard let name = takeName() else { break }
        value = member(of: value, name, line: line, isLast: true)
      } else if !isLiteral, token.text == "[" {
        read(value, start)
        place += 1
        let key = expression()
        expect("]")
        value = element(of: value, key, line: token.line)
      } else if isLiteral || token.text == "(" || token.text == "{" {
        read(value, start)
        value = call(value)
      } else {
        break
      }
    }
    if !isTarget { read(value, start) }
    return value
  }

  private mutating func read(_ value: Value, _ line: Int) {
    if case .global(let name) = value { noteGlobal(name, line, isWrite: false) }
  }

  private mutating func call(_ function: Value) -> Value {
    var arguments: [Value] = []
    let start = line
    if let token, token.form == .string {
      arguments = [.text(token.content ?? "")]
      outline.strings.append(LuaOutline.Text(content: token.content ?? "", line: start))
      place += 1
    } else if isAt("{") {
      arguments = [table()]
    } else if skip("(") {
      if !isAt(")") { arguments = expressions() }
      expect(")")
    }
    if case .global("require") = function, case .text(let name)? = arguments.first {
      outline.modules.append(LuaOutline.Text(content: name, line: start))
    }
    if case .member(.global("table"), "insert") = function,
      case .local(let list)? = arguments.first, let last = arguments.last
    {
      hold(last, in: list)
    }
    // setmetatable gives its first argument.
    if case .global("setmetatable") = function, let first = arguments.first { return first }
    return .other
  }

  private mutating func variable(_ name: String) -> Value {
    if let local = find(name) { return .local(local) }
    // Where _ENV is a variable of the text, its globals are fields of that.
    return find("_ENV") == nil ? .global(name) : .other
  }

  private mutating func member(
    of value: Value, _ name: String, line: Int, isLast: Bool
  ) -> Value {
    let base: LuaOutline.Base
    switch value {
    case .global(let name): base = .global(name)
    case .local(let local): base = .local(local)
    default: return .other
    }
    outline.fields.append(
      LuaOutline.FieldUse(base: base, name: name, line: line, isWrite: false))
    return .member(base, name)
  }

  private mutating func element(of value: Value, _ key: Value, line: Int) -> Value {
    if case .text(let name) = key { return member(of: value, name, line: line, isLast: true) }
    if case .local(let local) = value { return .member(.local(local), "") }
    return .other
  }

  private mutating func table() -> Value {
    outline.tables.append(LuaOutline.Table(line: line, function: open.last))
    let index = outline.tables.count - 1
    place += 1
    while let token, !isAt("}") {
      let before = place
      let next = place + 1 < tokens.count ? tokens[place + 1] : nil
      if token.form == .name, next?.isSymbol("=") == true,
        !LuaOutliner.keywords.contains(token.text)
      {
        place += 2
        note(expression(), as: token.text, token.line, in: index)
      } else if skip("[") {
        let key = expression()
        expect("]")
        expect("=")
        let value = expression()
        if case .text(let name) = key { note(value, as: name, token.line, in: index) }
      } else if case .table(let element) = expression() {
        outline.tables[index].elements.append(element)
      }
      if !skip(",") { _ = skip(";") }
      if place == before { place += 1 }
    }
    expect("}")
    return .table(index)
  }

  private mutating func note(_ value: Value, as name: String, _ line: Int, in table: Int) {
    outline.tables[table].fields.append(LuaOutline.Table.Field(name: name, line: line))
    guard name == "kind" else { return }
    outline.tables[table].hasKind = true
    outline.tables[table].kinds = value.texts ?? []
  }

  private mutating func functionBody(_ line: Int, isMethod: Bool) -> Int {
    outline.functions.append(LuaOutline.Function(line: line))
    let number = outline.functions.count - 1
    open.append(number)
    scoped { outliner in
      if isMethod { outliner.outline.functions[number].parameters.append(outliner.declare("self")) }
      outliner.expect("(")
      while let token = outliner.token, !outliner.isAt(")") {
        outliner.place += 1
        if token.form == .name {
          let local = outliner.declare(token.text)
          outliner.outline.functions[number].parameters.append(local)
        } else if token.isSymbol("...") {
          outliner.outline.functions[number].isVariadic = true
        }
      }
      outliner.expect(")")
      outliner.block()
      outliner.expect("end")
    }
    open.removeLast()
    return number
  }

  private mutating func name(function number: Int, as value: Value) {
    guard case .member(let base, let name) = value else { return }
    outline.functions[number].base = base
    outline.functions[number].name = name
    if let index = outline.fields.indices.last(where: {
      outline.fields[$0].base == base && outline.fields[$0].name == name
    }) {
      outline.fields[index].isWrite = true
    }
  }

  private mutating func noteGlobal(_ name: String, _ line: Int, isWrite: Bool) {
    outline.globals.append(LuaOutline.GlobalUse(name: name, line: line, isWrite: isWrite))
  }
}

extension LuaOutliner.Value {
  /// The strings that it may be: one, or those of `cond and "a" or "b"`. Nil for what may be
  /// anything else.
  fileprivate var texts: [String]? {
    switch self {
    case .text(let text): return [text]
    case .either(let values):
      let texts = values.suffix(2).map(\.texts)
      return texts.contains { $0 == nil } ? nil : texts.flatMap { $0 ?? [] }
    default: return nil
    }
  }
}
