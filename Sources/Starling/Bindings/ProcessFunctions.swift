import StarlingLua

/// `process.run`, for programs that were granted; no shell reads the arguments.
enum ProcessFunctions {
  static let all: [ApiFunction] = [
    ApiFunction(
      "process.run", in: .script,
      [
        .required("program", .string, "as it was granted: a name that PATH finds, or a path"),
        .optional("arguments", .list(.string), "as they are; no shell reads them"),
        .optional("options", .shape("starling.ProcessOptions"), "input"),
      ],
      returns: [ApiResult(type: .shape("starling.Process"), help: "status, output, errors")],
      help: "Runs a program to its end.", permission: "--allow-run"
    ) { environment, call, results throws(LuaError) in
      let script = try environment.requireScript()
      let child = try child(script, call)
      script.streams.flush()
      script.streams.beforeWaiting()
      let state = call.state
      let ended: ChildProcess.Outcome
      do throws(HostError) {
        ended = try child.run(handle: script.stop, stop: { stop(state) })
      } catch {
        try state.checkBudget()
        throw .host(error)
      }
      try script.streams.whileWaiting(true)
      try push(ended, &results)
    }
  ]

  private static func stop(_ state: LuaState) -> ChildProcess.Stop? {
    do throws(LuaError) { try state.stopCheck.check() } catch {
      if case .interrupted(.request) = error { return .request }
      return .time
    }
    return nil
  }

  private static func child(
    _ script: ScriptEnvironment, _ call: borrowing LuaCall
  ) throws(LuaError) -> ChildProcess {
    let program = try call.name(1) ?? ""
    guard script.permissions.run.contains(program), !program.isEmpty else {
      throw .host(Permissions.refusal("running \(program)", .run, program))
    }
    var child = ChildProcess(program: program, arguments: [])
    child.limitBytes = call.state.configuration.stringLimit
    if !call[2].isNil {
      try call[2].forEachElement { position, value throws(LuaError) in
        do throws(LuaError) {
          let text = try value.string()
          guard !text.utf8.contains(0) else { throw .message("a zero byte") }
          child.arguments.append(text)
        } catch {
          throw call.argumentError(2, error.inside("[\(position)]").description)
        }
      }
    }
    if !call[3].isNil {
      do throws(LuaError) {
        let options = try OptionReader(call[3], ["input"], of: "run")
        let input = try options.read("input") { value throws(LuaError) in
          guard let bytes = unsafe value.bytes else {
            throw .conversion(expected: "string", found: value.type.name, path: "")
          }
          return unsafe Array(bytes)
        }
        child.input = input ?? []
      } catch {
        throw call.argumentError(3, error.description)
      }
    }
    return child
  }

  private static func push(
    _ outcome: ChildProcess.Outcome, _ results: inout LuaWriter
  ) throws(LuaError) {
    try results.table(fields: 3) { table throws(LuaError) in
      try table.set(named: "status") { $0.push(Int64(outcome.status)) }
      try table.set(named: "output") { $0.push(outcome.output) }
      try table.set(named: "errors") { $0.push(outcome.errors) }
    }
  }
}
