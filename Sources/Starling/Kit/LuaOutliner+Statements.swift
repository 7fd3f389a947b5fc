/// Statements (Lua manual 5.4, 3.3).
extension LuaOutliner {
  mutating func block() {
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
      let local = declare(name)
      let number = functionBody(start, isMethod: false)
      outline.functions[number].local = local
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
      guard index < values.count else { continue }
      hold(values[index], in: local)
      outline.origins[local] = values[index].origin
      if case .function(let number) = values[index] { outline.functions[number].local = local }
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
    case .call(let local):
      if let function = open.last { outline.functions[function].returnedCalls.insert(local) }
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
    case .local(let local):
      hold(value, in: local)
      outline.origins[local] = nil
    case .member(let base, let name):
      if let index = outline.fields.indices.last(where: {
        $0 >= since && outline.fields[$0].base == base && outline.fields[$0].name == name
      }) {
        outline.fields[index].isWrite = true
        outline.fields[index].value = value.literal
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

  mutating func hold(_ value: Value, in local: LuaOutline.Local) {
    switch value {
    case .table(let index): outline.tables[index].holder = local
    case .either(let values): for value in values { hold(value, in: local) }
    default: break
    }
  }
}
