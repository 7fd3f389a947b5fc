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
    let syncing = try Syncing(context)
    let sources = try syncing.named(context.arguments.operands)
    context.catchInterrupts()
    return try syncing.load(sources)
  }

  static let watch = Command(
    spec: CommandSpec(
      "watch", summary: "Load each source when its time has come, until Ctrl-C",
      details:
        "A source says how often with every = \"30m\" in init.lua, or --every of sources add; else "
        + "it is an hour. A server's Retry-After is kept.",
      options: [rulesOption] + limitOptions)
  ) { context throws(ToolError) in
    let syncing = try Syncing(context)
    let sources = try syncing.named([])
    context.catchInterrupts()
    while !context.isInterrupted {
      do throws(ToolError) {
        _ = try syncing.load(try syncing.due(sources))
      } catch {
        guard error.exitCode == .interrupted else { throw error }
      }
      Terminal.pause(milliseconds: 500)
    }
    return .done
  }
}

/// Loads sources for `sync` and `watch`.
private struct Syncing {
  private let context: CommandContext
  private let rules: RuleSet?
  private let list: SourceList

  init(_ context: CommandContext) throws(ToolError) {
    self.context = context
    rules = try context.rules()
    list = context.sourceList
    for problem in list.problems { context.io.report(problem) }
  }

  func named(_ names: [String]) throws(ToolError) -> [FeedSource] {
    if names.isEmpty {
      guard list.sources.isEmpty else { return list.sources }
      throw ToolError("sources", "there are none; add one with `starling sources add URL`")
    }
    var sources: [FeedSource] = []
    for name in names {
      sources.append(try hosted { () throws(HostError) in try list.source(named: name) })
    }
    return sources
  }

  func due(_ sources: [FeedSource]) throws(ToolError) -> [FeedSource] {
    let now = context.host.configuration.clock()
    var due: [FeedSource] = []
    for source in sources {
      let state = try hosted { () throws(HostError) in try context.host.state(of: source) }
      if state.due(source) <= now { due.append(source) }
    }
    return due
  }

  /// One that fails does not stop the others.
  func load(_ sources: [FeedSource]) throws(ToolError) -> ExitCode {
    var failed = 0
    var isPartial = !list.problems.isEmpty
    for source in sources {
      do throws(ToolError) {
        switch try load(source) {
        case .notModified: writeNotModified(source)
        case .loaded(let report):
          LoadReportText(context.io, isJSON: context.isJSON).write(report)
          if !report.isComplete { isPartial = true }
        }
      } catch {
        if error.exitCode == .interrupted { throw error }
        failed += 1
        context.io.report(error)
        if context.isJSON { LoadReportText.writeFailure(source.url, error, to: context.io) }
      }
      context.io.out.flush()
    }
    if failed > 0, failed == sources.count { return .failed }
    return failed > 0 || isPartial ? .partly : .done
  }

  private func load(_ source: FeedSource) throws(ToolError) -> SyncOutcome {
    let bar = ProgressBar("loading \(source.name)", io: context.io)
    defer { bar.finish() }
    return try hosted { () throws(HostError) in
      try context.host.sync(
        source, rules: rules, isForced: context.arguments.has("--force"),
        isCanceled: { context.isInterrupted }
      ) { progress in
        bar.update(done: progress.bytes, total: progress.total, detail: "\(progress.items) items")
      }
    }
  }

  private func writeNotModified(_ source: FeedSource) {
    if context.isJSON {
      Answer.write(context, [("source", .text(source.url))], ("not_modified", true))
    } else {
      context.io.out.writeLine(TerminalText.line("\(source.url): nothing new"))
    }
  }
}
