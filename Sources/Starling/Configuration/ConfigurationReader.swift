import StarlingLua
import StarlingModel

/// Reads the table of one definition of `init.lua`; what is wrong goes to the collector.
struct ConfigurationReader {
  let word: String
  let name: String?
  let line: Int
  let table: LuaView
  /// The names that the table may have.
  let known: [String]
  let rules: RuleCollector
  private let body: RuleText.Body?

  init(
    word: String, name: String?, line: Int, table: LuaView, known: [String], rules: RuleCollector
  ) {
    self.word = word
    self.name = name
    self.line = line
    self.table = table
    self.known = known
    self.rules = rules
    body = rules.text.body(of: word, name, line: line)
  }

  var location: SourceLocation { SourceLocation(file: rules.file, line: line) }

  func report(_ message: String, _ field: String?) {
    let title = name.map { "\(word) \"\($0)\"" } ?? word
    rules.add("\(title): \(message)", line: field.flatMap { body?.lines[$0] } ?? line)
  }

  func checkNames() {
    attempt(nil) { () throws(LuaError) in
      try table.forEachField { key, _ throws(LuaError) in
        guard key.type == .string else { return report("it takes names with values only", nil) }
        let key = try key.string()
        guard !known.contains(key) else { return }
        let nearest = Spelling.nearest(to: key, among: known)
        report(
          "unknown name `\(key)`"
            + (nearest.map { "; did you mean `\($0)`?" }
              ?? "; there are " + known.joined(separator: ", ")),
          key)
      }
    }
    for entry in body?.named ?? [] {
      guard let name = entry.name, known.contains(name) else { continue }
      let isNil = attempt(name) { () throws(LuaError) in try table.field(named: name, \.isNil) }
      if isNil == true { report("the value of `\(name)` is nil", name) }
    }
  }

  /// A text or a number as text; nil when it is absent.
  func text(_ field: String) -> String? {
    attempt(field) { () throws(LuaError) in
      try table.field(named: field) { value throws(LuaError) -> String? in
        if value.isNil { return nil }
        if value.type == .integer, let number = value.integer { return String(number) }
        if value.type == .number, let number = value.number { return "\(number)" }
        guard value.type == .string else {
          throw .message("`\(field)` is a text, not a \(value.type.name)")
        }
        return try value.string()
      }
    } ?? nil
  }

  func required(_ field: String) -> String? {
    if let text = text(field), !text.isEmpty { return text }
    report("it needs `\(field)`", field)
    return nil
  }

  func integer(_ field: String) -> Int? {
    guard let text = text(field) else { return nil }
    guard let number = Int(text), number > 0 else {
      report("`\(field)` is a whole number above 0, not \(text)", field)
      return nil
    }
    return number
  }

  func table(_ field: String) -> LuaValue {
    attempt(field) { () throws(LuaError) in
      try table.field(named: field) { value throws(LuaError) -> LuaValue in
        if value.isNil { return .table([:]) }
        guard value.type == .table else {
          throw .message("`\(field)` is a table, not a \(value.type.name)")
        }
        return try value.copy()
      }
    } ?? .table([:])
  }

  func condition(_ field: String) -> Condition {
    attempt(field) { () throws(LuaError) in
      try table.field(named: field) { value throws(LuaError) -> Condition in
        value.isNil ? .all([]) : try ConditionReader.read(value)
      }
    } ?? .all([])
  }

  @discardableResult
  private func attempt<Result>(
    _ field: String?, _ body: () throws(LuaError) -> Result
  ) -> Result? {
    do throws(LuaError) {
      return try body()
    } catch {
      report(error.description, field)
      return nil
    }
  }
}
