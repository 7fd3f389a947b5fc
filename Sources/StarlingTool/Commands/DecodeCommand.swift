import Starling
import StarlingModel

extension Command {
  static let decode = Command(
    spec: CommandSpec(
      "decode", operands: "FILE",
      summary: "Print a feed as one JSON object, without a plugin",
      details:
        "{\"feed\": {title, url, id}, \"entries\": [{id, title, url, published, updated, summary, "
        + "content, author, categories}]}, times as RFC 3339. For plugin authors and tests.",
      options: [
        OptionSpec("--content-type", value: "TYPE", help: "take it as served with this type"),
        OptionSpec("--base", value: "URL", help: "take it as read from this URL"),
        OptionSpec("--charset", value: "NAME", help: "the character set, whatever it declares"),
        OptionSpec("--json-value", help: "read FILE as one strict JSON value: status 0 or 3"),
      ],
      minimumOperands: 1, maximumOperands: 1)
  ) { context throws(ToolError) in
    let arguments = context.arguments
    var input = FeedInput(argument: context.operand(0), url: arguments.value("--base"))
    if arguments.has("--json-value") {
      try hosted { () throws(HostError) in
        try context.host.jsonValue(input) { context.io.out.write($0) }
      }
      context.io.out.writeLine()
      return .done
    }
    input.contentType = arguments.value("--content-type")
    input.charset = arguments.value("--charset")
    let decoded = try hosted { () throws(HostError) in
      try context.host.decode(input) { context.io.out.write($0) }
    }
    context.io.out.writeLine()
    for line in decoded.damage { context.io.report(context.operand(0), line) }
    return decoded.isCut ? .partly : .done
  }
}
