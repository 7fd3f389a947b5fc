import StarlingLua
import StarlingModel

/// Takes the rules that a file defines while Lua runs it.
final class RuleCollector {
  /// The slot of `ApiEnvironment` in which the function `rule` finds its collector.
  static let slot = "rules"

  private let file: String
  private let text: RuleText
  private var type: LuaObjectType?
  private var begun: [Heading] = []
  private(set) var definitions: [RuleDefinition] = []
  private(set) var faults: [RuleFault] = []

  /// What `rule "name"` gives: something to call with the rule's table.
  private final class Heading {
    let name: String
    let line: Int
    var isDefined = false

    init(name: String, line: Int) {
      self.name = name
      self.line = line
    }
  }

  init(file: String, text: RuleText) {
    self.file = file
    self.text = text
  }

  /// Makes what `rule` gives known to the state and this the collector of its environment.
  func install(into state: LuaState, environment: ApiEnvironment) {
    environment.slots[RuleCollector.slot] = self
    type = state.makeObjectType(
      "rule",
      call: { [weak self] call, _ throws(LuaError) in
        guard let self, let type = self.type,
          let heading = call.state.payload(of: call[1], type: type, as: Heading.self)
        else { throw .message("a rule is defined while its file is read") }
        guard call[2].type == .table else { throw call.argumentError(2, expected: "table") }
        self.define(heading, call[2], call.state)
      })
  }

  /// Begins the rule that the running Lua code names.
  func begin(_ name: String, _ state: LuaState, _ results: inout LuaWriter) throws(LuaError) {
    guard let type else { throw .message("rules are defined in a rules file") }
    let heading = Heading(name: name, line: state.callerLine ?? 1)
    begun.append(heading)
    results.push(state.makeObject(type, heading))
  }

  private func define(_ heading: Heading, _ table: LuaView, _ state: LuaState) {
    heading.isDefined = true
    if heading.name.utf8.allSatisfy({ $0 <= 0x20 }) {
      return add("a rule needs a name", line: heading.line)
    }
    if let first = definitions.first(where: { $0.rule.name == heading.name }) {
      add(
        "the rule on line \(first.rule.location.line) has the same name", rule: heading.name,
        line: heading.line)
    }
    let body = text.body(ofRule: heading.name, line: heading.line)
    var reader = RuleReader(file: file, name: heading.name, line: heading.line, body: body)
    if let definition = reader.read(table, state: state, text: text) {
      definitions.append(definition)
    }
    faults += reader.faults
  }

  /// Adds what only the end of the file tells, and what ended it early.
  func finish(_ error: LuaError?) {
    if let error {
      return add(error.messageWithoutLocation, line: error.location?.line)
    }
    for heading in begun where !heading.isDefined {
      add(
        "it has no table; write rule \"\(heading.name)\" { ... }", rule: heading.name,
        line: heading.line)
    }
  }

  private func add(_ message: String, rule: String? = nil, line: Int?) {
    let location = line.map { SourceLocation(file: file, line: $0) }
    faults.append(RuleFault(message, rule: rule, location: location))
  }
}

/// The function that defines rules.
enum RuleFunctions {
  static let all: [ApiFunction] = [
    ApiFunction(
      "rule", in: .rules, [.required("name", .string, "what history and `why` call it")],
      returns: [ApiResult(type: .function, help: "takes the rule's table")],
      help: "Defines a rule: names are conditions, bare words are actions."
    ) { environment, call, results throws(LuaError) in
      guard let collector = environment.slots[RuleCollector.slot] as? RuleCollector else {
        throw .message("rules are defined in a rules file")
      }
      try collector.begin(try call[1].string(), call.state, &results)
    }
  ]
}
