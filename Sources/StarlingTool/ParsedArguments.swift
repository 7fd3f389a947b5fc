/// The options and operands that a command was given.
package struct ParsedArguments: Equatable, Sendable {
  private(set) var flags: Set<String> = []
  private(set) var values: [String: [String]] = [:]
  package private(set) var operands: [String] = []

  package init() {}

  package func has(_ flag: String) -> Bool { flags.contains(flag) }

  /// The last value of an option; nil when it was not given or given empty.
  package func value(_ option: String) -> String? { all(option).last }

  /// The values of a repeatable option, in order, without empty ones.
  package func all(_ option: String) -> [String] {
    (values[option] ?? []).filter { !$0.isEmpty }
  }

  /// The value of an option as a whole number from 0 on.
  ///
  /// - Throws: a usage error for anything else.
  package func number(_ option: String) throws(ToolError) -> Int? {
    guard let text = value(option) else { return nil }
    guard let number = Int(text), number >= 0, text.utf8.first != UInt8(ascii: "+") else {
      throw .usage("\(option) needs a whole number, not \"\(text)\"")
    }
    return number
  }

  /// An operand by its place, from 0; nil when there are fewer.
  package func operand(_ place: Int) -> String? {
    operands.indices.contains(place) ? operands[place] : nil
  }

  mutating func add(flag: String) { flags.insert(flag) }
  mutating func add(value: String, of option: String) { values[option, default: []].append(value) }
  mutating func add(operands more: some Sequence<String>) { operands += more }
}
