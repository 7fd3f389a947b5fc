/// Reads Lua text (Lua manual 5.4, 9) for its outline. The text has been compiled, so that it
/// parses, and nests no deeper than Lua allows; of other text it makes something, and ends.
struct LuaOutliner {
  /// What is known of an expression.
  indirect enum Value {
    case global(String)
    case local(LuaOutline.Local)
    case member(LuaOutline.Base, String)
    case text(String)
    case number(String)
    case boolean
    /// What `url.parse(...)` gives, and what a function in a variable gives.
    case result(String)
    case call(LuaOutline.Local)
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
  var open: [Int] = []

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

  mutating func expect(_ text: String) { _ = skip(text) }

  mutating func takeName() -> String? {
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

  mutating func declare(_ name: String) -> LuaOutline.Local {
    localCount += 1
    scopes[scopes.count - 1][name] = localCount
    outline.names[localCount] = name
    return localCount
  }

  func find(_ name: String) -> LuaOutline.Local? {
    for scope in scopes.reversed() {
      if let local = scope[name] { return local }
    }
    return nil
  }

  mutating func scoped(_ body: (inout LuaOutliner) -> Void) {
    scopes.append([:])
    body(&self)
    scopes.removeLast()
  }
}
