import Starling
import StarlingModel

extension Command {
  static let pluginsNew = Command(
    spec: CommandSpec(
      "plugins new", operands: "NAME",
      summary: "Write a plugin to begin with, and a fixture that it passes",
      details:
        "It goes into the first folder of plugins, or to NAME when that is a path. With --from the "
        + "feed is looked at, and its items are mapped to fields of guessed types: a beginning, to "
        + "be read and changed. Nothing is overwritten.",
      options: [
        OptionSpec("--from", value: "FILE|URL", help: "a feed whose items it is to map"),
        OptionSpec("--url", value: "URL", help: "take that feed as read from this URL"),
        OptionSpec("--content-type", value: "TYPE", help: "take it as served with this type"),
        OptionSpec("--charset", value: "NAME", help: "the character set, whatever it declares"),
      ] + limitOptions,
      minimumOperands: 1, maximumOperands: 1)
  ) { context throws(ToolError) in
    let name = context.operand(0)
    let input = try context.arguments.value("--from").map { word throws(ToolError) in
      try context.feedInput(word)
    }
    let new = try hosted { () throws(HostError) in try context.host.newPlugin(name, from: input) }
    if context.isJSON {
      NewPluginText.writeJSON(new, to: context.io)
    } else {
      NewPluginText.write(new, as: name, trying: context.arguments, to: context.io)
    }
    return .done
  }
}

/// What was written, and what its author does next.
private enum NewPluginText {
  static func write(
    _ new: NewPlugin, as name: String, trying arguments: ParsedArguments, to io: ToolIO
  ) {
    for file in new.files { io.out.writeLine(TerminalText.line("\(file): written")) }
    let fields = new.kind.fields.map { "\($0.name) \($0.type.rawValue)" }.joined(separator: ", ")
    let entities = CountText.of(new.entityCount, "entity", "entities")
    var sample = arguments.value("--from") ?? new.files.dropFirst().first ?? ""
    for option in ["--url", "--content-type", "--charset"] {
      if let value = arguments.value(option) { sample += " \(option) \(value)" }
    }
    let lines = [
      "It makes `\(new.kind.name)`: \(fields). Its fixture gives \(entities).",
      "Change plugin.lua, and see what it does at each save:",
      "  starling plugins try \(name) \(sample) --watch",
      "What its fixture must give then, and whether it does:",
      "  starling plugins test \(name) --update",
      "  starling plugins test \(name)",
    ]
    for line in lines {
      io.out.writeLine(
        line.hasPrefix("  ") ? "  " + TerminalText.line(line) : TerminalText.line(line))
    }
  }

  static func writeJSON(_ new: NewPlugin, to io: ToolIO) {
    var json = JSONWriter()
    json.beginObject()
    json.member("name", new.name)
    json.member("folder", new.folder)
    json.member("kind", new.kind.name)
    json.name("fields")
    json.beginObject()
    for field in new.kind.fields { json.member(field.name, field.type.rawValue) }
    json.endObject()
    json.name("files")
    json.list(new.files)
    json.name("entities")
    json.integer(Int64(new.entityCount))
    json.endObject()
    json.newline()
    io.out.write(json.bytes)
  }
}
