import Starling
import StarlingModel

extension Command {
  static let sync = Command(
    spec: CommandSpec(
      "sync", operands: "[SOURCE...]",
      summary: "Load the sources of the configuration, all of them or those named",
      details:
        "A server is asked whether anything is new since the last time; --force loads anew, as after "
        + "a change of a plugin.",
      options: [rulesOption, OptionSpec("--force", help: "load what is not modified, too")]
        + limitOptions,
      maximumOperands: nil)
  ) { context throws(ToolError) in
    let syncing = Syncing(context, rules: try context.rules())
    let sources = try syncing.named(context.arguments.operands)
    context.catchInterrupts()
    return try syncing.load(sources)
  }

  static let watch = Command(
    spec: CommandSpec(
      "watch", summary: "Load each source when its time has come, until Ctrl-C",
      details:
        "A source says how often with every = \"30m\" in init.lua, or --every of sources add; else "
        + "it is an hour. A server's Retry-After is kept. Plugins, rules and sources that are "
        + "changed meanwhile count from the next round on; a plugin whose new text fails its "
        + "fixtures, and rules that do not read, stay as they were until they are mended.",
      options: [rulesOption] + limitOptions)
  ) { context throws(ToolError) in
    var watch = try SourceWatch(context)
    context.catchInterrupts()
    while !context.isInterrupted {
      do throws(ToolError) { try watch.round() } catch {
        guard error.exitCode == .interrupted else { throw error }
      }
      Terminal.pause(milliseconds: 500)
    }
    return .done
  }
}
