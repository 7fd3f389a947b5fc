import StarlingLua
import StarlingModel

/// Takes the rules that a file defines while Lua runs it.
final class RuleCollector {
  /// The slot of `ApiEnvironment` in which the function `rule` finds its collector.
  static let slot = "rules"

  let file: String
  let text: RuleText
  let headings = Headings()
  private(set) var definitions: [RuleDefinition] = []
  private(set) var faults: [RuleFault] = []
  /// Whether the file ran to its end.
  private(set) var hasEnded = false

  init(file: String, text: RuleText) {
    self.file = file
    self.text = text
  }

  /// Makes this the collector of an environment.
  func install(into state: LuaState, environment: ApiEnvironment) {
    environment.slots[RuleCollector.slot] = self
    headings.install(into: state)
  }

  /// Begins the rule that the running Lua code names.
  func begin(_ name: String, _ state: LuaState, _ results: inout LuaWriter) throws(LuaError) {
    try headings.begin("rule", name, state, &results) { [weak self] heading, table, state in
      self?.define(heading, table, state)
    }
  }

  private func define(_ heading: Headings.Heading, _ table: LuaView, _ state: LuaState) {
    if heading.name.utf8.allSatisfy({ $0 <= 0x20 }) {
      return add("a rule needs a name", line: heading.line)
    }
    if let reason = Longest.fault(ofName: heading.name) {
      return add(
        reason, rule: heading.name.shortened(toBytes: Longest.name / 4), line: heading.line)
    }
    if let first = definitions.first(where: { $0.rule.name == heading.name }) {
      add(
        "the rule on line \(first.rule.location.line) has the same name", rule: heading.name,
        line: heading.line)
    }
    let body = text.body(of: "rule", heading.name, line: heading.line)
    var reader = RuleReader(file: file, name: heading.name, line: heading.line, body: body)
    if let definition = reader.read(table, state: state, text: text) {
      definitions.append(definition)
    }
    faults += reader.faults
  }

  /// Adds what only the end of the file tells, and what ended it early.
  func finish(_ error: HostError?) {
    if let error {
      return faults.append(
        RuleFault(
          error.location == nil ? "\(file): \(error.message)" : error.message,
          location: error.location.map { SourceLocation(file: file, line: $0.line) },
          kind: error.kind, traceback: error.traceback))
    }
    hasEnded = true
    for heading in headings.undefined {
      let isRule = heading.word == "rule"
      add(
        "it has no table; write \(heading.word) \"\(heading.name)\" { ... }",
        rule: isRule ? heading.name : nil, line: heading.line)
    }
  }

  /// - Parameter line: nil for what concerns the whole file.
  func add(_ message: String, rule: String? = nil, line: Int?) {
    guard let line else { return faults.append(RuleFault("\(file): \(message)", rule: rule)) }
    let location = SourceLocation(file: file, line: line)
    faults.append(RuleFault(message, rule: rule, location: location))
  }
}
