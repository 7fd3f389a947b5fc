import Starling

/// What the console does with a line.
enum ConsoleAction: Equatable {
  case nothing
  /// The chunk that was begun goes on in the next line.
  case more
  /// A chunk to run.
  case run(ConsoleChunk)
  /// `:name argument`
  case command(name: String, argument: String)
  /// `x?`
  case help(String)
}

/// A chunk as it is run.
struct ConsoleChunk: Equatable {
  /// As it was typed, with all its lines.
  var text: String
  /// Whether it is an expression, whose values are shown.
  var isExpression: Bool
  /// The line on which it begins, from 1.
  var line: Int
  /// Whether it is no Lua; running it says why.
  var isWrong = false
}

/// Turns lines into actions: commands, questions, and chunks that may take several lines. An
/// expression first, then a statement, as lua does it (Lua manual 5.4, §7). No input or output.
struct ConsoleMachine {
  /// Whether text is a chunk; what `ConsoleSession.parse` says.
  typealias Parser = (String) -> ConsoleSession.Parse

  private let parse: Parser
  private var pending: [Substring] = []
  private var begin = 1
  /// The number of the last line.
  private(set) var line = 0

  /// Beyond so many lines a chunk is tried only where it may well end: at a line that is not
  /// indented. Else a long function would be read again for each of its lines.
  private static let patience = 64

  init(parse: @escaping Parser) {
    self.parse = parse
  }

  /// Whether a chunk is begun.
  var isPending: Bool { !pending.isEmpty }

  /// The lines of the chunk that is begun, each with its end.
  var pendingText: String { pending.map { $0 + "\n" }.joined() }

  /// Takes a line; one that comes back from the history may hold several.
  mutating func consume(_ text: String) -> ConsoleAction {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    line += lines.count
    if pending.isEmpty {
      begin = line - lines.count + 1
      let trimmed = text.trimmingBlanks()
      if trimmed.isEmpty { return .nothing }
      if let command = ConsoleMachine.command(trimmed) { return command }
      if let topic = ConsoleMachine.question(trimmed) { return .help(topic) }
    }
    pending += lines
    if pending.count > Self.patience, let first = lines.last?.utf8.first, first <= 0x20 {
      return .more
    }
    return tryChunk(isLast: false)
  }

  /// Takes what is begun as it is: the input is at its end.
  mutating func finish() -> ConsoleAction {
    pending.isEmpty ? .nothing : tryChunk(isLast: true)
  }

  /// Forgets what is begun.
  mutating func abandon() { pending = [] }

  private mutating func tryChunk(isLast: Bool) -> ConsoleAction {
    let text = pending.joined(separator: "\n")
    let expression = parse("return " + text)
    if expression == .complete { return take(text, isExpression: true) }
    let statement = parse(text)
    if statement == .complete { return take(text) }
    if !isLast, expression == .incomplete || statement == .incomplete { return .more }
    return take(text, isExpression: ConsoleMachine.isNoStatement(text), isWrong: true)
  }

  /// Whether a text begins with what no statement begins with, such as `{`, a number or a quote: what
  /// is wrong with it is what is wrong with the expression.
  private static func isNoStatement(_ text: String) -> Bool {
    guard let first = text.utf8.first(where: { $0 > 0x20 }) else { return false }
    return "{[\"'#-~0123456789.".utf8.contains(first) && !text.trimmingBlanks().hasPrefix("--")
  }

  private mutating func take(
    _ text: String, isExpression: Bool = false, isWrong: Bool = false
  ) -> ConsoleAction {
    pending = []
    return .run(
      ConsoleChunk(text: text, isExpression: isExpression, line: begin, isWrong: isWrong))
  }

  /// `:sql SELECT 1`; a label (`::name::`) is Lua.
  static func command(_ text: String) -> ConsoleAction? {
    guard text.hasPrefix(":"), !text.hasPrefix("::"), !text.contains("\n"),
      !text.hasSuffix("?") || text.contains(" ")
    else { return nil }
    let name = text.dropFirst().prefix { $0 != " " && $0 != "\t" }
    let argument = String(text.dropFirst(1 + name.count)).trimmingBlanks()
    return .command(name: String(name), argument: argument)
  }

  /// `news?`, `favorites.fetch ?`, `:sql?`: no Lua has a question mark there.
  private static func question(_ text: String) -> String? {
    text.hasSuffix("?") ? name(text.dropLast(), mayBeCommand: true) : nil
  }

  /// The name in `help(news)`, which need be no value of Lua.
  static func helpTopic(_ text: String) -> String? {
    let text = text.trimmingBlanks()
    guard text.hasPrefix("help("), text.hasSuffix(")") else { return nil }
    return name(text.dropFirst(5).dropLast(), mayBeCommand: false)
  }

  private static func name(_ text: Substring, mayBeCommand: Bool) -> String? {
    let name = text.trimmingBlanks()
    let bare = mayBeCommand && name.hasPrefix(":") ? name.dropFirst() : name[...]
    guard let first = bare.utf8.first, first < 0x30 || first > 0x39,
      bare.utf8.allSatisfy(isNameByte)
    else { return nil }
    return name
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}

extension StringProtocol {
  /// Without blanks at both ends.
  func trimmingBlanks() -> String {
    var text = self[...]
    while let last = text.last, last.isWhitespace { text.removeLast() }
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    return String(text)
  }
}
