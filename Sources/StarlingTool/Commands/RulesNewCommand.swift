import Starling
import StarlingModel

extension Command {
  static let rulesNew = Command(
    spec: CommandSpec(
      "rules new", operands: "FILE", summary: "Start a rules file, with an example of each word",
      minimumOperands: 1, maximumOperands: 1)
  ) { context throws(ToolError) in
    let file = context.operand(0)
    try hosted { () throws(HostError) in try RulesTemplate.write(to: file) }
    if context.isJSON {
      Answer.write(context, [("file", .text(file))], ("written", true))
    } else {
      context.io.out.writeLine(
        TerminalText.line("\(file): written; try it with: starling rules try \(file)"))
    }
    return .done
  }
}
