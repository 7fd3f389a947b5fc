import StarlingLua
import StarlingModel

/// Reads the table of one rule. Names are conditions, elements are actions or whole conditions.
struct RuleReader {
  private let file: String
  private let name: String
  private let line: Int
  private let body: RuleText.Body?
  private var kinds: [String]?
  private var named: [(name: String, condition: Condition)] = []
  private var placed: [(place: Int64, condition: Condition)] = []
  private var actions: [(place: Int64, action: Rule.Action)] = []
  private var names: Set<String> = []
  private var places: Set<Int64> = []
  private var function: LuaFunction?
  private(set) var faults: [RuleFault] = []

  init(file: String, name: String, line: Int, body: RuleText.Body?) {
    self.file = file
    self.name = name
    self.line = line
    self.body = body
  }

  /// Reads the table; everything that is wrong with it goes to `faults`.
  ///
  /// - Returns: nil when something is wrong.
  mutating func read(_ table: LuaView, state: LuaState, text: RuleText) -> RuleDefinition? {
    do throws(LuaError) {
      try readEntries(table, state)
    } catch {
      add(error.description)
    }
    checkText()
    checkActions()
    guard faults.isEmpty else { return nil }
    return RuleDefinition(rule: makeRule(state, text), function: function, body: body)
  }

  private mutating func readEntries(_ table: LuaView, _ state: LuaState) throws(LuaError) {
    // Collected first: a closure cannot change this value while it is being changed.
    var reader = self
    try table.forEachField { key, value throws(LuaError) in
      switch key.type {
      case .string: reader.readNamed(try key.string(), value, state)
      case .integer: reader.readPlaced(key.integer ?? 0, value)
      default: reader.add("a \(key.type.name) names no field")
      }
    }
    self = reader
  }

  private mutating func add(_ message: String, field: String? = nil, line: Int? = nil) {
    let line = line ?? field.flatMap { body?.lines[$0] } ?? self.line
    faults.append(
      RuleFault(message, rule: name, location: SourceLocation(file: file, line: line)))
  }

  // MARK: Names

  private mutating func readNamed(_ key: String, _ value: LuaView, _ state: LuaState) {
    names.insert(key)
    switch key {
    case "kind": readKinds(value)
    case "when":
      function = state.keepFunction(value)
      if function == nil { add("`when` is a function, not a \(value.type.name)", field: key) }
    default:
      do throws(LuaError) {
        named.append((key, try ConditionReader.clause(key, value)))
      } catch {
        add(error.description, field: key)
      }
    }
  }

  private mutating func readKinds(_ value: LuaView) {
    do throws(LuaError) {
      let values = try ConditionReader.values("kind", value)
      kinds = try values.map { (value) throws(LuaError) in
        guard case .text(let name) = value else { throw .message("") }
        return name
      }
    } catch {
      add("`kind` is the name of a kind or a list of names", field: "kind")
    }
  }

  // MARK: Elements

  private mutating func readPlaced(_ place: Int64, _ value: LuaView) {
    places.insert(place)
    let entry = self.entry(at: place)
    do throws(LuaError) {
      if let action = try action(value, entry) {
        actions.append((place, action))
      } else {
        placed.append((place, try ConditionReader.compound(value, depth: 0)))
      }
    } catch {
      add(error.description, line: entry?.line)
    }
  }

  /// The action that an element is; nil for a table of conditions.
  private func action(
    _ value: LuaView, _ entry: RuleText.Body.Entry?
  ) throws(LuaError) -> Rule.Action? {
    switch value.type {
    case .table: break
    case .function: throw .message(RuleReader.reason(forFunction: entry?.first))
    default:
      throw .message(
        "a \(value.type.name) is no action; the actions are "
          + RuleWords.actionNames.joined(separator: ", "))
    }
    switch try value.ruleWord() {
    case "star": return .star
    case "skip": return .skip
    case "stop": return .stop
    case "tag": return .tag(try RuleReader.tags(value))
    default: return nil
    }
  }

  /// Why a word without its arguments is nothing.
  private static func reason(forFunction word: String?) -> String {
    switch word {
    case "tag": "`tag` needs a text, as in tag \"later\""
    case .some(let word) where RuleWords.later.contains(word):
      "`\(word)` does not exist yet; take it out"
    case .some(let word) where RuleWords.functions.contains { $0.name == word }:
      "`\(word)` asks no field; write `field = \(word)` and what it asks"
    default:
      "a function is no action; the actions are "
        + RuleWords.actionNames.joined(separator: ", ")
    }
  }

  private static func tags(_ value: LuaView) throws(LuaError) -> [String] {
    let list = try ConditionReader.list(of: value, depth: 0) { list, _ throws(LuaError) in
      try ConditionReader.elements(list) { element throws(LuaError) in try element.string() }
    }
    let tags: [String]
    if let list {
      tags = list
    } else {
      tags = try ConditionReader.elements(value) { tag throws(LuaError) in try tag.string() }
    }
    guard !tags.isEmpty, tags.allSatisfy({ !$0.isEmpty }) else {
      throw .message("`tag` needs a text, as in tag \"later\"")
    }
    if let reason = Longest.fault(ofTags: tags) { throw .message("`tag`: \(reason)") }
    return tags
  }

  private func entry(at place: Int64) -> RuleText.Body.Entry? {
    guard let placed = body?.placed, place >= 1, place <= placed.count else { return nil }
    return placed[Int(place) - 1]
  }

  // MARK: Checks

  /// What Lua leaves out of a table in silence: a nil and the first of two equal names. Without
  /// this check the rule would match more than it says.
  private mutating func checkText() {
    guard let body else { return }
    var seen: Set<String> = []
    for entry in body.named {
      guard let name = entry.name else { continue }
      if !seen.insert(name).inserted {
        add("`\(name)` stands twice; join what it asks with `all` or `any`", line: entry.line)
      } else if !names.contains(name) {
        add("the value of `\(name)` is nil, so it would not be asked", line: entry.line)
      }
    }
    for (index, entry) in body.placed.enumerated() where entry.first != "..." {
      if !places.contains(Int64(index) + 1) {
        add("`\(entry.first)` is nil, so it would do nothing", line: entry.line)
      }
    }
  }

  private mutating func checkActions() {
    guard faults.isEmpty else { return }
    if actions.isEmpty {
      add("it does nothing; give it an action, such as star")
    }
    if kinds == nil, named.isEmpty, placed.isEmpty, function == nil {
      add("it asks nothing and would match everything; give it a kind or a condition")
    }
  }

  // MARK: The rule

  private mutating func makeRule(_ state: LuaState, _ text: RuleText) -> Rule {
    named.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    placed.sort { $0.place < $1.place }
    actions.sort { $0.place < $1.place }
    let parts = named.map(\.condition) + placed.map(\.condition)
    let condition = parts.count == 1 ? parts[0] : .all(parts)
    return Rule(
      name: name, kinds: kinds, condition: condition, fields: condition.fields.sorted(),
      actions: actions.map(\.action), location: SourceLocation(file: file, line: line),
      version: version(condition, state, text), hasFunction: function != nil)
  }

  private func version(_ condition: Condition, _ state: LuaState, _ text: RuleText) -> String {
    var hash = TextHash()
    for kind in kinds ?? [] { hash.add(kind) }
    hash.add(condition.description)
    for action in actions { hash.add(action.action.text) }
    if let function {
      let lines = try? state.lines(of: function)?.lines
      let named = lines.map { text.function(on: $0) } ?? []
      for token in body.flatMap({ $0.when.isEmpty ? nil : $0.when }) ?? named { hash.add(token) }
    }
    return hash.digits
  }
}
