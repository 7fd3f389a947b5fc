import Starling

extension Command {
  static let repl = Command(
    spec: CommandSpec(
      "repl", summary: "Open a console with the favorites, the entities and all of Lua's own",
      details:
        "An expression is shown, a statement is run; a chunk that is not complete goes on in the "
        + "next line. Tab completes, Ctrl-R searches what was typed, Ctrl-C stops what runs, Ctrl-D "
        + "leaves; :help lists the console's own commands. Changes are by hand, and :undo takes "
        + "them back. Where standard input is no terminal it is a script, and its first error ends "
        + "it with status 3.",
      options: [
        OptionSpec("--dry-run", help: "work on a copy, and show at the end what would change"),
        rulesOption,
      ] + permissionOptions + limitOptions)
  ) { context throws(ToolError) in
    let dryRun = context.arguments.has("--dry-run") ? try DryRun(context) : nil
    defer { dryRun?.remove() }
    let console = try Console(context, isDryRun: dryRun != nil)
    let status: ExitCode
    do throws(ToolError) {
      status = try console.run()
    } catch {
      // What was done before the error is a difference too.
      try dryRun?.showChanges()
      throw error
    }
    try dryRun?.showChanges()
    return status
  }
}
