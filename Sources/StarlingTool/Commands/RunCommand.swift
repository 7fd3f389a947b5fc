import Starling

extension Command {
  static let run = Command(
    spec: CommandSpec(
      "run", operands: "SCRIPT|- [ARGS]",
      summary: "Run a Lua script with the favorites, the entities and the standard streams",
      details:
        "What follows SCRIPT is the script's, options too. With -e there is no SCRIPT. A script "
        + "reaches nothing else of the machine unless an --allow option grants it.",
      options: [
        OptionSpec("-e", value: "CODE", isRepeatable: true, help: "run this Lua text")
      ] + permissionOptions + limitOptions,
      minimumOperands: 0, maximumOperands: nil, stopsAtFirstOperand: true)
  ) { context throws(ToolError) in
    let script = try context.script()
    let stop = StopHandle()
    context.catchInterrupts(stop)
    do throws(HostError) {
      return ExitCode(rawValue: try context.host.run(script, io: context.scriptIO(), stop: stop))
    } catch {
      // A script that was stopped since nobody takes its output may write its errors there too.
      if error.kind != .time || context.takesErrors { context.report(error) }
      return ToolError(error).exitCode
    }
  }
}

extension Command {
  /// What a script may do beyond the favorites and the standard streams.
  static let permissionOptions = [
    OptionSpec(
      "--allow-read", value: "PATH", isRepeatable: true,
      help: "let it read this file or folder (fs.read, fs.list)"),
    OptionSpec(
      "--allow-write", value: "PATH", isRepeatable: true,
      help: "let it write this file or in this folder (fs.write)"),
    OptionSpec(
      "--allow-net", value: "HOST", isRepeatable: true,
      help: "let it fetch from this host (http.get)"),
    OptionSpec(
      "--allow-env", value: "NAME", isRepeatable: true,
      help: "let it read this environment variable (env.get)"),
    OptionSpec(
      "--allow-run", value: "PROGRAM", isRepeatable: true,
      help: "let it run this program (process.run)"),
  ]
}

extension CommandContext {
  /// What the arguments grant.
  ///
  /// - Throws: a usage error for what can never be granted.
  func permissions() throws(ToolError) -> Permissions {
    for host in arguments.all("--allow-net") where !Permissions.isHost(host) {
      throw .usage(
        "--allow-net needs a host such as example.org, example.org:8080 or [::1], not \"\(host)\"")
    }
    return Permissions(
      read: arguments.all("--allow-read"), write: arguments.all("--allow-write"),
      net: arguments.all("--allow-net"), env: arguments.all("--allow-env"),
      run: arguments.all("--allow-run"))
  }

  /// The script that the arguments name, with what it may do.
  fileprivate func script() throws(ToolError) -> Script {
    let code = arguments.all("-e").map { Script.Source.code($0) }
    let operands = arguments.operands
    let permissions = try permissions()
    if !code.isEmpty {
      return script(code, arguments: operands.count, permissions)
    }
    guard let name = operands.first else {
      throw .usage("a script, - or -e CODE is needed", command: "run")
    }
    return script(
      [name == "-" ? .standardInput : .file(name)], arguments: operands.count - 1, permissions)
  }

  /// A script with so many of the last arguments, as bytes: they need not be UTF-8.
  private func script(
    _ sources: [Script.Source], arguments count: Int, _ permissions: Permissions
  ) -> Script {
    var script = Script(
      sources, arguments: arguments.operands.suffix(count), permissions: permissions)
    let bytes = io.argumentBytes.suffix(count)
    if bytes.count == count { script.argumentBytes = Array(bytes) }
    return script
  }

  /// The tool's streams, as a script has them. What it writes to a terminal is made safe, since it may
  /// be text of a feed; into a pipe or a file every byte goes as it is.
  func scriptIO() -> ScriptIO {
    let io = io
    let outFilter = io.isOutputTerminal ? TerminalFilter() : nil
    let errorFilter = io.isErrorTerminal ? TerminalFilter() : nil
    return ScriptIO(
      write: { piece in
        io.out.write(outFilter?.filter(piece) ?? piece)
        io.out.flush()
        return !io.out.isClosed && io.out.failure == nil
      },
      writeError: { piece in
        io.err.write(errorFilter?.filter(piece) ?? piece)
        io.err.flush()
      },
      read: { most throws(HostError) in
        do throws(ToolError) { return try io.input.poll(upTo: most) } catch {
          throw HostError(.host, error.reason, subject: error.subject)
        }
      },
      waitForReader: io.isProcess ? { Terminal.takes($0 ? 2 : 1, withinMilliseconds: 5) } : nil,
      isInteractive: io.isOutputTerminal)
  }

  fileprivate var takesErrors: Bool { !io.isProcess || Terminal.takes(2, withinMilliseconds: 5) }

  /// Says why a script ended.
  fileprivate func report(_ error: HostError) {
    io.report(ToolError(error))
    io.showCalls(error)
  }
}
