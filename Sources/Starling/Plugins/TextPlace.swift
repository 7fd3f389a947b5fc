import StarlingModel

/// Finds the line of a Lua text on which something is named that turned out wrong as a value: Lua
/// does not tell where the fields of a table were written.
struct TextPlace {
  private let tokens: [LuaToken]

  init(_ source: [UInt8]) {
    tokens = LuaLexer.tokens(of: source)
  }

  /// The line of the innermost of several names, each looked for after the one before it; nil when
  /// not even the first is there.
  ///
  /// - Parameters:
  ///   - steps: the names from the outside, as in `kinds`, `post`, `fields`.
  ///   - lines: where to look; all of the text when left out.
  func line(of steps: [String], in lines: ClosedRange<Int>? = nil) -> Int? {
    var place = lines.map { lines in tokens.firstIndex { $0.line >= lines.lowerBound } } ?? 0
    var found: Int?
    let end = lines.map { lines in tokens.firstIndex { $0.line > lines.upperBound } ?? tokens.count
    }
    for step in steps {
      guard let start = place else { break }
      let range = start..<max(start, end ?? tokens.count)
      guard
        let next = range.first(where: { gives(step, at: $0) })
          ?? range.first(where: { tokens[$0].content == step })
      else { continue }
      found = tokens[next].line
      place = next + 1
    }
    return found
  }

  /// The line on which a function gave a name its value, which returned on a line: in what it
  /// returned there, else where it was given last before that, else where it returned.
  ///
  /// - Parameter first: where the function begins.
  func line(of steps: [String], returnedOn line: Int, from first: Int) -> Int {
    // Lua says where the returned table is closed.
    guard let last = tokens.lastIndex(where: { $0.line <= line }),
      let start = tokens[...last].lastIndex(where: { $0.isName("return") }),
      tokens[start].line >= first
    else { return line }
    guard let name = steps.first else { return tokens[start].line }
    if let inside = self.line(of: steps, in: tokens[start].line...line) { return inside }
    let given = tokens.indices[..<start].last { index in
      tokens[index].line >= first && gives(name, at: index) && !isLocal(index)
    }
    return given.map { tokens[$0].line } ?? tokens[start].line
  }

  /// Whether a name is that of a variable of the function's own.
  private func isLocal(_ index: Int) -> Bool {
    index > 0 && tokens[index - 1].isName("local")
  }

  /// The line of the text's last `return`, which gives what the text is for; its last line where
  /// there is none.
  var lineOfResult: Int {
    tokens.last { $0.isName("return") }?.line ?? tokens.last?.line ?? 1
  }

  /// Whether a field or variable gets a value here: `name =`, `["name"] =`, `function M.name(`.
  private func gives(_ name: String, at index: Int) -> Bool {
    let token = tokens[index]
    if token.isName(name) {
      if follows("=", index) { return true }
      return follows("(", index) && index >= 3 && tokens[index - 3].isName("function")
    }
    return token.content == name && follows("]", index) && follows("=", index + 1)
  }

  private func follows(_ symbol: String, _ index: Int) -> Bool {
    index + 1 < tokens.count && tokens[index + 1].isSymbol(symbol)
  }
}
