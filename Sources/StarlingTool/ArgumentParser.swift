import StarlingModel

/// Reads a command line.
///
/// Options may stand before the command and between its operands, as `--name VALUE` or
/// `--name=VALUE`; `--` ends them; `-` alone is an operand.
package struct ArgumentParser {
  package enum Invocation {
    /// `--help` alone (nil), or of one command.
    case help(CommandSpec?)
    /// `--help` of the commands that begin with one word.
    case groupHelp([CommandSpec])
    case version
    case command(CommandSpec, ParsedArguments)
  }

  private let tool: ToolSpec
  private let arguments: [String]
  private var index = 0
  private var parsed = ParsedArguments()
  private var asksHelp = false

  /// Parses the arguments that follow the program's name.
  ///
  /// - Throws: `ToolError` with the status `usage`.
  package static func parse(
    _ arguments: [String], tool: ToolSpec
  ) throws(ToolError) -> Invocation {
    var parser = ArgumentParser(tool: tool, arguments: arguments)
    return try parser.parse()
  }

  /// Whether a command line says `--json`, whatever else is wrong in it.
  static func asksForJSON(_ arguments: [String], tool: ToolSpec) -> Bool {
    let takesValue = Set(
      (tool.options + tool.commands.flatMap(\.options)).filter { $0.value != nil }.map(\.name))
    let openEnded = Set(tool.commands.filter(\.stopsAtFirstOperand).map(\.name))
    var words: [String] = []
    var isValue = false
    for argument in arguments {
      if isValue {
        isValue = false
      } else if argument == "--json" {
        return true
      } else if argument == "--" {
        return false
      } else if argument.utf8.count > 1, argument.utf8.first == UInt8(ascii: "-") {
        isValue = takesValue.contains(argument)
      } else {
        // What follows a script is its own.
        if let word = words.first, openEnded.contains(word) { return false }
        words.append(argument)
      }
    }
    return false
  }

  private init(tool: ToolSpec, arguments: [String]) {
    self.tool = tool
    self.arguments = arguments
  }

  private mutating func parse() throws(ToolError) -> Invocation {
    while index < arguments.count, isOption(arguments[index]) {
      if arguments[index] == "--version" { return .version }
      try takeOption(of: nil)
    }
    guard index < arguments.count else {
      if asksHelp { return .help(nil) }
      throw .usage("no command given")
    }
    if let commands = groupHelp() { return .groupHelp(commands) }
    guard let command = try takeCommand() else { return .help(nil) }
    try takeArguments(of: command)
    if asksHelp { return .help(command) }
    try checkOperands(of: command)
    return .command(command, parsed)
  }

  private func isOption(_ argument: String) -> Bool {
    argument.utf8.count > 1 && argument.utf8.first == UInt8(ascii: "-")
  }

  // MARK: The command

  /// The commands of `refusals --help` and `help refusals`; nil for anything else.
  private func groupHelp() -> [CommandSpec]? {
    let rest = arguments[index...].filter { !["--help", "-h", "help"].contains($0) }
    guard rest.count == 1, let word = rest.first, asksHelp || arguments.count - index > 1 else {
      return nil
    }
    guard !tool.commands.contains(where: { $0.name == word }) else { return nil }
    let commands = tool.commands.filter { $0.name.hasPrefix(word + " ") }
    return commands.isEmpty ? nil : commands
  }

  /// Takes the one or two words of a command; nil for `help` without one.
  private mutating func takeCommand() throws(ToolError) -> CommandSpec? {
    if arguments[index] == "help" {
      asksHelp = true
      index += 1
      if index == arguments.count { return nil }
    }
    let word = arguments[index]
    let two = index + 1 < arguments.count ? word + " " + arguments[index + 1] : word
    if let command = tool.commands.first(where: { $0.name == two && $0.name != word }) {
      index += 2
      return command
    }
    if let command = tool.commands.first(where: { $0.name == word }) {
      index += 1
      return command
    }
    throw unknownCommand(word)
  }

  private func unknownCommand(_ word: String) -> ToolError {
    let group = tool.commands.compactMap { command -> String? in
      let parts = command.name.split(separator: " ")
      return parts.count == 2 && parts[0] == word ? String(parts[1]) : nil
    }
    guard group.isEmpty else {
      let next = index + 1 < arguments.count ? arguments[index + 1] : nil
      let choices = "\(word) takes one of " + group.joined(separator: ", ")
      guard let next, !isOption(next) else { return .usage(choices) }
      return .usage("unknown command \"\(word) \(next)\"; " + choices)
    }
    let names = Set(tool.commands.flatMap { [$0.name, String($0.name.prefix { $0 != " " })] })
    return .usage("unknown command \"\(word)\"" + suggestion(word, among: names))
  }

  // MARK: Options

  private mutating func takeArguments(of command: CommandSpec) throws(ToolError) {
    while index < arguments.count {
      let argument = arguments[index]
      if argument == "--" {
        parsed.add(operands: arguments[(index + 1)...])
        index = arguments.count
      } else if isOption(argument) {
        try takeOption(of: command)
      } else if command.stopsAtFirstOperand {
        parsed.add(operands: arguments[index...])
        index = arguments.count
      } else {
        parsed.add(operands: [argument])
        index += 1
      }
    }
  }

  private mutating func takeOption(of command: CommandSpec?) throws(ToolError) {
    let argument = arguments[index]
    index += 1
    if argument == "--help" || argument == "-h" {
      asksHelp = true
      return
    }
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = argument.hasPrefix("--") ? String(parts[0]) : argument
    let options = (command?.options ?? []) + tool.options
    guard let option = options.first(where: { $0.name == name }) else {
      throw .usage(
        "unknown option \(name)" + suggestion(name, among: options.map(\.name)),
        command: command?.name)
    }
    let attached = name == argument ? nil : String(parts[1])
    guard let value = option.value else {
      guard attached == nil else {
        throw .usage("option \(name) takes no value", command: command?.name)
      }
      parsed.add(flag: name)
      return
    }
    try take(attached, of: option, value, command)
  }

  private mutating func take(
    _ attached: String?, of option: OptionSpec, _ placeholder: String, _ command: CommandSpec?
  ) throws(ToolError) {
    if let attached {
      parsed.add(value: attached, of: option.name)
      return
    }
    guard index < arguments.count else {
      throw .usage("option \(option.name) needs \(placeholder)", command: command?.name)
    }
    parsed.add(value: arguments[index], of: option.name)
    index += 1
  }

  // MARK: Operands

  private func checkOperands(of command: CommandSpec) throws(ToolError) {
    let count = parsed.operands.count
    if count < command.minimumOperands {
      throw .usage("\(command.name) needs \(command.operands)", command: command.name)
    }
    if let maximum = command.maximumOperands, count > maximum {
      throw .usage(
        "\(command.name) does not take \"\(parsed.operands[maximum])\"", command: command.name)
    }
  }

  private func suggestion(_ word: String, among names: some Sequence<String>) -> String {
    Spelling.nearest(to: word, among: names).map { "; did you mean \($0)?" } ?? ""
  }
}
