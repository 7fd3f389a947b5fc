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
