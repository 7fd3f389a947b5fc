import Starling
import StarlingModel

/// What the Tab key does at a place in the line.
struct ConsoleTab {
  enum Press: Equatable {
    case insert(String)
    /// Several names could stand there: lines that show them.
    case list([String])
    case nothing
  }

  let session: ConsoleSession
  let width: Int

  /// - Parameters:
  ///   - text: the line before the cursor.
  ///   - pending: the lines of the chunk before it.
  func press(before text: String, pending: String) -> Press {
    if text.allSatisfy({ $0 == " " || $0 == "\t" }) { return .insert("  ") }
    let found =
      pending.isEmpty && text.hasPrefix(":") && !text.hasPrefix("::")
      ? commands(text) : session.complete(pending + text)
    guard let first = found.names.first else { return .nothing }
    let common = found.names.dropFirst().reduce(first) { ConsoleTab.common($0, $1) }
    let rest = common.utf8.dropFirst(found.prefixBytes)
    if !rest.isEmpty { return .insert(String(decoding: rest, as: UTF8.self)) }
    return found.names.count == 1 ? .nothing : .list(ConsoleTab.columns(found.names, width: width))
  }

  /// The name of a command, what `:help` is asked of, the Lua of `:time`, or an option.
  private func commands(_ text: String) -> Completion {
    let parts = text.dropFirst().split(separator: " ", omittingEmptySubsequences: false)
    let begun = String(parts.last ?? "")
    var names = ConsoleCommand.all.map(\.name)
    if parts.count > 1 {
      guard let command = ConsoleCommand.all.first(where: { $0.name == parts[0] }) else {
        return Completion(prefixBytes: 0, names: [])
      }
      let rest = text.dropFirst(command.name.utf8.count + 2)
      switch command.name {
      case "help": names = names.map { ":" + $0 } + session.complete("help(\"" + begun).names
      case "time": return session.complete(String(rest))
      case "sql": names = SQLWords.all + session.tableNames
      case "history" where parts.count == 2: names = session.kindNames + command.options
      default: names = command.options
      }
    }
    return Completion(
      prefixBytes: begun.utf8.count, names: names.filter { $0.hasPrefix(begun) })
  }

  /// What a query is mostly made of.
  private enum SQLWords {
    static let all = [
      "SELECT", "FROM", "WHERE", "JOIN", "LEFT", "ON", "AND", "OR", "NOT", "IN", "LIKE", "IS",
      "NULL",
      "GROUP", "ORDER", "BY", "DESC", "LIMIT", "AS", "DISTINCT", "HAVING", "count(*)", "sum(",
      "select", "from", "where", "join", "left", "on", "and", "or", "not", "in", "like", "is",
      "null",
      "group", "order", "by", "desc", "limit", "as", "distinct", "having",
    ]
  }

  private static func common(_ one: String, _ other: String) -> String {
    String(zip(one, other).prefix { $0 == $1 }.map(\.0))
  }

  /// Names in columns, from top to bottom as `ls` has them.
  static func columns(_ names: [String], width: Int) -> [String] {
    let most = 200
    let shown = names.prefix(most).map { TerminalText.line($0) }
    let cell = (shown.map { DisplayWidth.width(of: $0) }.max() ?? 0) + 2
    let count = max(1, (width + 1) / cell)
    let rows = (shown.count + count - 1) / count
    var lines = (0..<rows).map { row in
      var line = ""
      for place in stride(from: row, to: shown.count, by: rows) {
        line += DisplayWidth.pad(shown[place], to: cell)
      }
      return line.trimmingBlanks()
    }
    if names.count > most { lines.append(ValueText.hidden(names.count - most)) }
    return lines.map { DisplayWidth.cut($0, to: width) }
  }
}
