/// An option of a command: a flag, or a name that takes a value.
package struct OptionSpec: Sendable {
  /// With its hyphens: `--limit`, or `-e` for the few that have one letter.
  package var name: String
  /// What stands for the value in help, such as `FILE`; nil for a flag.
  package var value: String?
  package var help: String
  package var isRepeatable: Bool

  package init(_ name: String, value: String? = nil, isRepeatable: Bool = false, help: String) {
    self.name = name
    self.value = value
    self.isRepeatable = isRepeatable
    self.help = help
  }

  /// As help shows it: `--limit N`.
  var usage: String {
    value.map { name + " " + $0 } ?? name
  }
}

/// A command: what it is called, what it takes and what help says of it.
package struct CommandSpec: Sendable {
  /// One word, or two for a command of a group: `rules try`.
  package var name: String
  /// What follows the name, without options: `KIND KEY [FIELD=VALUE...]`.
  package var operands: String
  /// One line for the list of all commands.
  package var summary: String
  /// What `--help` says beyond the summary, wrapped to the terminal; may be empty.
  package var details: String
  package var options: [OptionSpec]
  /// How many operands it takes; nil for any number above.
  package var minimumOperands: Int
  package var maximumOperands: Int?
  /// What follows the first operand belongs to it (`run SCRIPT ARGS`), options too.
  package var stopsAtFirstOperand: Bool

  package init(
    _ name: String, operands: String = "", summary: String, details: String = "",
    options: [OptionSpec] = [], minimumOperands: Int = 0, maximumOperands: Int? = 0,
    stopsAtFirstOperand: Bool = false
  ) {
    self.name = name
    self.operands = operands
    self.summary = summary
    self.details = details
    self.options = options
    self.minimumOperands = minimumOperands
    self.maximumOperands = maximumOperands
    self.stopsAtFirstOperand = stopsAtFirstOperand
  }
}

/// What the tool consists of: its commands and the options that each of them takes.
package struct ToolSpec: Sendable {
  package var name: String
  package var version: String
  package var summary: String
  /// In the order of the overview, in groups with a title each.
  package var groups: [(title: String, commands: [CommandSpec])]
  package var options: [OptionSpec]

  package init(
    name: String, version: String, summary: String,
    groups: [(title: String, commands: [CommandSpec])], options: [OptionSpec]
  ) {
    self.name = name
    self.version = version
    self.summary = summary
    self.groups = groups
    self.options = options
  }

  package var commands: [CommandSpec] { groups.flatMap(\.commands) }
}
