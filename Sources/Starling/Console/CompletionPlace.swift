/// Where in Lua text the cursor stands: what is written before it and the brackets around it.
struct CompletionPlace {
  /// A step of a path such as `_1[2].title`.
  enum Step: Equatable {
    case name(String)
    case index(Int)
  }

  /// A bracket that is open at the cursor.
  struct Frame: Equatable {
    enum Form: Equatable {
      /// `f(`, `f {` or `f "`: the function's path, empty for what is none.
      case call(String)
      /// `{`: a table.
      case table
      /// `[`, or a block such as `function() ... end`.
      case other
    }

    var form: Form
    /// The field that a table is the value of: `where = {`.
    var name: String?
    /// How many commas were passed.
    var commas = 0
    /// In a table: the field whose value is being written; nil where a key or an element begins.
    var field: String?
    /// The first argument of a call, when that is a text.
    var firstText: String?
    /// Whether a call has no parentheses, and ends with the table that is its argument: `has { }`.
    var endsWithTable = false

    var callee: String? { if case .call(let path) = form { path } else { nil } }
  }

  /// What is begun and is to be completed.
  private(set) var prefix = ""
  /// Whether the cursor is in a text that is open.
  private(set) var isInText = false
  /// What the name belongs to: `_1[2]` of `_1[2].ti`; nil for a name that stands alone.
  private(set) var path: [Step]?
  /// From the outermost to the innermost.
  private(set) var frames: [Frame] = []
  /// Whether nothing can stand here: in a number, after a closed text.
  private(set) var isClosed = false

  /// - Parameter text: the Lua text before the cursor.
  init(_ text: String) {
    var tokens = LuaLexer.tokens(of: Array(text.utf8))
    takePrefix(from: &tokens, text)
    if !isInText, let last = tokens.last, last.isSymbol(".") || last.isSymbol(":") {
      tokens.removeLast()
      path = CompletionPlace.takePath(from: &tokens)
      if path == nil { isClosed = true }
    }
    // `favorites["fe`: a field by its name.
    if isInText, let last = tokens.last, last.isSymbol("[") {
      var before = Array(tokens.dropLast())
      path = CompletionPlace.takePath(from: &before)
    }
    for index in tokens.indices { take(tokens, index) }
    // `favorites.fetch "`: a call without parentheses.
    if isInText, let last = tokens.last, last.form == .name,
      !CompletionPlace.keywords.contains(last.text)
    {
      frames.append(Frame(form: .call(CompletionPlace.callee(tokens, tokens.count))))
    }
  }

  private mutating func takePrefix(from tokens: inout [LuaToken], _ text: String) {
    guard let last = tokens.last, text.hasSuffix(last.text) else { return }
    switch last.form {
    case .name:
      prefix = last.text
      tokens.removeLast()
    case .string where CompletionPlace.isOpen(last.text):
      isInText = true
      prefix = String(last.text.dropFirst())
      tokens.removeLast()
    case .string, .number: isClosed = true
    case .symbol: break
    }
  }

  /// Whether a text in quotes has no end.
  private static func isOpen(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard let quote = bytes.first, quote != UInt8(ascii: "[") else { return false }
    var place = 1
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "\\") {
        place += 2
      } else if bytes[place] == quote {
        return false
      } else {
        place += 1
      }
    }
    return true
  }

  /// Takes the path that ends the tokens: names and indexes.
  ///
  /// - Returns: nil when what stands before the dot is a call or an expression.
  private static func takePath(from tokens: inout [LuaToken]) -> [Step]? {
    var steps: [Step] = []
    while let last = tokens.last {
      if last.form == .name, !keywords.contains(last.text) {
        steps.append(.name(last.text))
        tokens.removeLast()
        guard let before = tokens.last, before.isSymbol(".") else { return steps.reversed() }
        tokens.removeLast()
      } else if last.isSymbol("]"), tokens.count >= 4, tokens[tokens.count - 3].isSymbol("[") {
        let index = tokens[tokens.count - 2]
        if let number = Int(index.text) {
          steps.append(.index(number))
        } else if let name = index.content {
          steps.append(.name(name))
        } else {
          return nil
        }
        tokens.removeLast(3)
      } else {
        return nil
      }
    }
    return nil
  }

  // MARK: Brackets

  private mutating func take(_ tokens: [LuaToken], _ index: Int) {
    let token = tokens[index]
    switch token.text {
    case "(": frames.append(Frame(form: .call(CompletionPlace.callee(tokens, index))))
    case "{": openTable(tokens, index)
    case "[": frames.append(Frame(form: .other))
    case "function", "do", "then", "repeat":
      if token.form == .name { frames.append(Frame(form: .other)) }
    case ")", "]": _ = frames.popLast()
    case "}":
      _ = frames.popLast()
      if frames.last?.endsWithTable == true { frames.removeLast() }
    case "end", "until", "elseif": if token.form == .name { _ = frames.popLast() }
    case ",", ";": nextEntry()
    case "=": assign(tokens, index)
    default:
      guard token.form == .string, let place = frames.indices.last else { return }
      if frames[place].callee != nil, frames[place].commas == 0 {
        frames[place].firstText = token.content
      }
    }
  }

  private mutating func openTable(_ tokens: [LuaToken], _ index: Int) {
    let callee = CompletionPlace.callee(tokens, index)
    let name = callee.isEmpty ? frames.last?.field : nil
    if !callee.isEmpty { frames.append(Frame(form: .call(callee), endsWithTable: true)) }
    frames.append(Frame(form: .table, name: name))
  }

  private mutating func nextEntry() {
    guard let place = frames.indices.last else { return }
    frames[place].commas += 1
    frames[place].field = nil
  }

  private mutating func assign(_ tokens: [LuaToken], _ index: Int) {
    guard let place = frames.indices.last, frames[place].form == .table, index > 0 else { return }
    frames[place].field = tokens[index - 1].form == .name ? tokens[index - 1].text : ""
  }

  /// The path of names that ends before a token, joined by dots; empty when none does.
  private static func callee(_ tokens: [LuaToken], _ end: Int) -> String {
    var names: [String] = []
    var place = end - 1
    while place >= 0, tokens[place].form == .name, !keywords.contains(tokens[place].text) {
      names.append(tokens[place].text)
      guard place >= 1, tokens[place - 1].isSymbol(".") || tokens[place - 1].isSymbol(":") else {
        break
      }
      place -= 2
    }
    return names.reversed().joined(separator: ".")
  }

  /// The words that Lua keeps for itself (Lua manual 5.4, §3.1).
  static let keywords: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]
}
