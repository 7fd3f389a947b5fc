import StarlingModel

/// The texts of `--help`, printed from the same specifications that parse the command line.
package enum HelpText {
  private static let narrow = 60
  private static let usualWidth = 80

  /// The overview of the tool.
  package static func overview(_ tool: ToolSpec, width: Int? = nil) -> String {
    let width = width ?? usualWidth
    var lines = TerminalText.wrapped(
      "Usage: \(tool.name) [OPTIONS] COMMAND [ARGUMENTS]\n\n\(tool.summary)\n", to: width)
    for group in tool.groups {
      lines.append(group.title + ":")
      lines += columns(group.commands.map { ($0.name, $0.summary) }, width: width)
      lines.append("")
    }
    lines += options(tool.options + general, "Options of every command", width: width)
    lines += TerminalText.wrapped(
      "\n\(tool.name) COMMAND --help tells more of a command.", to: width)
    return lines.joined(separator: "\n") + "\n"
  }

  /// The help of the commands that begin with one word.
  package static func group(
    _ commands: [CommandSpec], tool: ToolSpec, width: Int? = nil
  ) -> String {
    let width = width ?? usualWidth
    var lines = commands.flatMap { command in
      let words = [tool.name, command.name, command.operands].filter { !$0.isEmpty }
      return TerminalText.wrapped("Usage: \(words.joined(separator: " "))", to: width)
    }
    lines.append("")
    lines += columns(commands.map { ($0.name, $0.summary) }, width: width)
    lines += TerminalText.wrapped(
      "\n\(tool.name) COMMAND --help tells more of one of them.", to: width)
    return lines.joined(separator: "\n") + "\n"
  }

  /// The help of one command.
  package static func command(
    _ command: CommandSpec, tool: ToolSpec, width: Int? = nil
  ) -> String {
    let width = width ?? usualWidth
    let words = [tool.name, command.name, command.options.isEmpty ? "" : "[OPTIONS]"]
    let usage = (words + [command.operands]).filter { !$0.isEmpty }.joined(separator: " ")
    var lines = TerminalText.wrapped("Usage: \(usage)\n", to: width)
    lines += TerminalText.wrapped(command.summary, to: width)
    if !command.details.isEmpty {
      lines.append("")
      lines += TerminalText.wrapped(command.details, to: width)
    }
    if !command.options.isEmpty {
      lines.append("")
      lines += options(command.options, "Options", width: width)
    }
    lines.append("")
    lines += options(tool.options + general, "Options of every command", width: width)
    return lines.joined(separator: "\n") + "\n"
  }

  private static let general = [
    OptionSpec("--help", help: "this text; after a command, its own"),
    OptionSpec("--version", help: "the version"),
  ]

  private static func options(
    _ options: [OptionSpec], _ title: String, width: Int
  ) -> [String] {
    let rows = options.map { ($0.usage, $0.isRepeatable ? $0.help + " (repeatable)" : $0.help) }
    return [title + ":"] + columns(rows, width: width)
  }

  /// Two columns, the second wrapped beside the first, or below it on a narrow terminal.
  private static func columns(_ rows: [(String, String)], width: Int) -> [String] {
    let longest = rows.map { DisplayWidth.width(of: $0.0) }.max() ?? 0
    let first = width < narrow ? 4 : min(longest, 26) + 4
    var lines: [String] = []
    for (name, text) in rows {
      let label = "  " + name
      var texts = TerminalText.wrapped(text, to: max(16, width - first))
      if DisplayWidth.width(of: label) + 2 <= first, let opening = texts.first {
        lines.append(DisplayWidth.pad(label, to: first) + opening)
        texts.removeFirst()
      } else {
        lines.append(label)
      }
      lines += texts.map { String(repeating: " ", count: first) + $0 }
    }
    return lines
  }
}
