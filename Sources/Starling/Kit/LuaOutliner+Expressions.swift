/// Expressions (Lua manual 5.4, 3.4).
extension LuaOutliner {
  mutating func expressions() -> [Value] {
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
  mutating func expression() -> Value {
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
      return .number(token.text)
    case .string: return suffixed(isTarget: false)
    case .symbol where token.text == "{": return table()
    case .symbol where token.text == "...":
      place += 1
      return .other
    default: break
    }
    switch token.text {
    case "nil":
      place += 1
      return .other
    case "true", "false":
      place += 1
      return .boolean
    case "function":
      let start = line
      place += 1
      return .function(functionBody(start, isMethod: false))
    default: return suffixed(isTarget: false)
    }
  }

  /// A name or an expression in parentheses with what follows: members, indexes, calls.
  mutating func suffixed(isTarget: Bool) -> Value {
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

  mutating func read(_ value: Value, _ line: Int) {
    if case .global(let name) = value { noteGlobal(name, line, isWrite: false) }
  }

  mutating func call(_ function: Value) -> Value {
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
    return switch function {
    case .member(.global(let table), let name): .result("\(table).\(name)")
    case .local(let local): .call(local)
    default: .other
    }
  }

  mutating func variable(_ name: String) -> Value {
    if let local = find(name) { return .local(local) }
    // Where _ENV is a variable of the text, its globals are fields of that.
    return find("_ENV") == nil ? .global(name) : .other
  }

  mutating func member(
    of value: Value, _ name: String, line: Int, isLast: Bool
  ) -> Value {
    let base: LuaOutline.Base
    switch value {
    case .global(let name): base = .global(name)
    case .local(let local): base = .local(local)
    case .result(let function): base = .result(function)
    default: return .other
    }
    outline.fields.append(
      LuaOutline.FieldUse(base: base, name: name, line: line, isWrite: false))
    return .member(base, name)
  }

  mutating func element(of value: Value, _ key: Value, line: Int) -> Value {
    if case .text(let name) = key { return member(of: value, name, line: line, isLast: true) }
    if case .local(let local) = value { return .member(.local(local), "") }
    return .other
  }

  mutating func table() -> Value {
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
    outline.tables[table].fields.append(
      LuaOutline.Table.Field(name: name, line: line, value: value.literal))
    guard name == "kind" else { return }
    outline.tables[table].hasKind = true
    outline.tables[table].kinds = value.texts ?? []
  }

  mutating func functionBody(_ line: Int, isMethod: Bool) -> Int {
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

  mutating func name(function number: Int, as value: Value) {
    guard case .member(let base, let name) = value else { return }
    outline.functions[number].base = base
    outline.functions[number].name = name
    if let index = outline.fields.indices.last(where: {
      outline.fields[$0].base == base && outline.fields[$0].name == name
    }) {
      outline.fields[index].isWrite = true
    }
  }

  mutating func noteGlobal(_ name: String, _ line: Int, isWrite: Bool) {
    outline.globals.append(LuaOutline.GlobalUse(name: name, line: line, isWrite: isWrite))
  }
}

extension LuaOutliner.Value {
  var literal: LuaOutline.Literal {
    switch self {
    case .text(let text): .text(text)
    case .number(let digits): .number(digits)
    case .boolean: .boolean
    case .table(let index): .table(index)
    default: .other
    }
  }

  var origin: LuaOutline.Origin {
    switch self {
    case .result(let function): .result(function)
    case .call(let local): .call(local)
    case .global(let name): .global(name)
    default: .other
    }
  }

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
