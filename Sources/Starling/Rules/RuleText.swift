/// The text of a file with rules, for what the tables that Lua makes of it no longer tell: on which
/// line a field stands, that a field was nil, that a name came twice, how a function is written.
struct RuleText {
  private let tokens: [LuaToken]

  init(_ source: [UInt8]) {
    tokens = LuaLexer.tokens(of: source)
  }

  /// What stands between the braces of a definition: `rule "name" { ... }`.
  struct Body: Equatable {
    struct Entry: Equatable {
      /// The name before the `=`; nil for what stands in its place.
      var name: String?
      var line: Int
      /// The first token of the value.
      var first: String
    }

    var entries: [Entry]
    /// The lines on which each name stands before a `=`, in inner tables too.
    var lines: [String: Int]
    /// The tokens of a `when` that is written in its place; empty for a named one.
    var when: [String] = []

    var named: [Entry] { entries.filter { $0.name != nil } }
    var placed: [Entry] { entries.filter { $0.name == nil } }
  }

  /// The body of the definition that was begun on a line; nil when it is not written out there, as
  /// in a loop that makes rules.
  ///
  /// - Parameter name: nil for a word without a name before its table.
  func body(of word: String, _ name: String?, line: Int) -> Body? {
    let starts = tokens.indices.filter { tokens[$0].isName(word) }
    let onLine = starts.filter { tokens[$0].line == line }
    func named(_ starts: [Int]) -> Int? {
      starts.first { name != nil && nameToken(after: $0)?.content == name }
    }
    // Lua gives the line of the name where that stands on a line of its own.
    guard let start = named(onLine) ?? (onLine.count == 1 ? onLine.first : named(starts)),
      let open = opening(after: start)
    else { return nil }
    return body(from: open)
  }

  /// The tokens of a function that is written on these lines.
  func function(on lines: ClosedRange<Int>) -> [String] {
    tokens.filter { lines.contains($0.line) }.map(\.text)
  }

  /// The line on which a name is first assigned to.
  func line(ofAssignmentTo name: String) -> Int? {
    let place = tokens.indices.first { place in
      tokens[place].isName(name) && place + 1 < tokens.count && tokens[place + 1].isSymbol("=")
    }
    return place.map { tokens[$0].line }
  }

  /// The lines of the definition that a line is in, as `rule "name" { ... }`; nil for what stands
  /// outside of any.
  func definition(around line: Int) -> ClosedRange<Int>? {
    for start in tokens.indices where RuleText.words.contains(where: { tokens[start].isName($0) }) {
      guard tokens[start].line <= line, let open = opening(after: start),
        let close = closing(of: open), tokens[close].line >= line
      else { continue }
      return tokens[start].line...tokens[close].line
    }
    return nil
  }

  private static let words = ["rule", "source", "search", "limits"]

  // MARK: Finding

  /// The string in `rule "name"` or `rule("name")`.
  private func nameToken(after start: Int) -> LuaToken? {
    for place in [start + 1, start + 2] where place < tokens.count {
      if tokens[place].form == .string { return tokens[place] }
      if !tokens[place].isSymbol("(") { return nil }
    }
    return nil
  }

  /// The brace that opens the rule's table.
  private func opening(after start: Int) -> Int? {
    var depth = 0
    for place in tokens.indices.dropFirst(start + 1) {
      let token = tokens[place]
      if depth == 0, token.isSymbol("{") { return place }
      if token.isSymbol("(") { depth += 1 }
      if token.isSymbol(")") { depth -= 1 }
      let isName = depth > 0 || token.form == .string || token.isSymbol(")")
      if !isName { return nil }
    }
    return nil
  }

  private func closing(of open: Int) -> Int? {
    var depth = 0
    for place in tokens.indices.dropFirst(open) {
      depth += RuleText.step(tokens[place])
      if depth == 0 { return place }
    }
    return nil
  }

  // MARK: Reading

  private func body(from open: Int) -> Body? {
    var body = Body(entries: [], lines: [:])
    var place = open + 1
    while place < tokens.count {
      if tokens[place].isSymbol("}") { return body }
      let end = entryEnd(from: place)
      let entry = entry(place..<end)
      body.entries.append(entry)
      if entry.name == "when", entry.first == "function" {
        body.when = tokens[place..<end].map(\.text)
      }
      collectLines(place..<end, into: &body)
      place = end
      if place < tokens.count, !tokens[place].isSymbol("}") { place += 1 }
    }
    return nil
  }

  private func entry(_ range: Range<Int>) -> Body.Entry {
    let line = tokens[range.lowerBound].line
    if let (name, equals) = assignment(at: range.lowerBound), equals + 1 < range.upperBound {
      return Body.Entry(name: name, line: line, first: tokens[equals + 1].text)
    }
    return Body.Entry(name: nil, line: line, first: tokens[range.lowerBound].text)
  }

  /// The name of `name =` or `["name"] =` at a place, and where the `=` stands.
  private func assignment(at place: Int) -> (name: String, equals: Int)? {
    func isEquals(_ place: Int) -> Bool { place < tokens.count && tokens[place].isSymbol("=") }
    if tokens[place].form == .name, isEquals(place + 1) { return (tokens[place].text, place + 1) }
    guard tokens[place].isSymbol("["), place + 2 < tokens.count, isEquals(place + 3),
      let name = tokens[place + 1].content
    else { return nil }
    return (name, place + 3)
  }

  private func collectLines(_ range: Range<Int>, into body: inout Body) {
    for place in range {
      guard let (name, _) = assignment(at: place), body.lines[name] == nil else { continue }
      body.lines[name] = tokens[place].line
    }
  }

  /// Where the entry that begins at a place ends: at its `,`, `;` or the closing brace.
  private func entryEnd(from start: Int) -> Int {
    var depth = 0
    for place in tokens.indices.dropFirst(start) {
      let token = tokens[place]
      if depth == 0, token.isSymbol(",") || token.isSymbol(";") || token.isSymbol("}") {
        return place
      }
      depth += RuleText.step(token)
    }
    return tokens.count
  }

  /// How a token changes how deep we are in brackets and blocks. `while` and `for` open theirs with
  /// their `do`, `elseif` and `else` go on with that of the `if`.
  private static func step(_ token: LuaToken) -> Int {
    switch token.form {
    case .symbol where ["{", "(", "["].contains(token.text): 1
    case .symbol where ["}", ")", "]"].contains(token.text): -1
    case .name where ["function", "if", "do", "repeat"].contains(token.text): 1
    case .name where ["end", "until"].contains(token.text): -1
    default: 0
    }
  }
}
