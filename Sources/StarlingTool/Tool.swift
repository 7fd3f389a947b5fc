import Starling
import StarlingFavorites

/// The command `starling`: reads a command line, runs what it asks for, and says how it went.
public enum Tool {
  /// The version of the program, as `--version` prints it.
  public static let version = "0.1.0"

  /// Runs the command line of this process.
  ///
  /// - Returns: the exit status (see `ExitCode`).
  public static func run() -> Int32 {
    let arguments = Array(ProcessArguments.all.dropFirst())
    // The console bounds what a question in SQL takes.
    FavoritesStore.ownProcess(boundsMemory: arguments.contains(Array("repl".utf8)))
    let io = ToolIO.standard()
    io.argumentBytes = arguments
    return run(arguments.map { String(decoding: $0, as: UTF8.self) }, io: io).rawValue
  }

  /// Runs a command line on any streams.
  package static func run(_ arguments: [String], io: ToolIO) -> ExitCode {
    // Also what is wrong in the command line itself is said in this form.
    if ArgumentParser.asksForJSON(arguments, tool: Command.tool) { io.errorForm = .json }
    do throws(ToolError) {
      return io.finish(try dispatch(arguments, io: io))
    } catch {
      io.report(error)
      return io.finish(error.exitCode)
    }
  }

  /// What is not UTF-8 names nothing here; a script's own arguments are passed on as they are.
  private static func checkBytes(
    _ spec: CommandSpec, _ parsed: ParsedArguments, _ io: ToolIO
  ) throws(ToolError) {
    var own = io.argumentBytes[...]
    if spec.stopsAtFirstOperand {
      own = own.dropLast(max(0, parsed.operands.count - (parsed.all("-e").isEmpty ? 1 : 0)))
    }
    for argument in own where String(validating: argument, as: UTF8.self) == nil {
      let text = String(decoding: argument, as: UTF8.self)
      throw .usage("\"\(text)\" is not UTF-8, as names and addresses are here", command: spec.name)
    }
  }

  private static func dispatch(
    _ arguments: [String], io: ToolIO
  ) throws(ToolError) -> ExitCode {
    switch try ArgumentParser.parse(arguments, tool: Command.tool) {
    case .version:
      io.out.writeLine("starling \(version)")
      return .done
    case .help(nil):
      io.out.write(HelpText.overview(Command.tool, width: io.width))
      return .done
    case .groupHelp(let specs):
      io.out.write(HelpText.group(specs, tool: Command.tool, width: io.width))
      return .done
    case .help(.some(let spec)):
      io.out.write(HelpText.command(spec, tool: Command.tool, width: io.width))
      return .done
    case .command(let spec, let parsed):
      guard let command = Command.all.first(where: { $0.spec.name == spec.name }) else {
        throw .usage("unknown command \"\(spec.name)\"")
      }
      try checkBytes(spec, parsed, io)
      let usesLua = spec.options.contains { $0.name == "--max-time" }
      return try command.run(try CommandContext(parsed, io: io, usesLua: usesLua))
    }
  }
}
