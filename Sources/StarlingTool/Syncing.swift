import Starling
import StarlingModel

/// Loads sources for `sync` and `watch`.
struct Syncing {
  private let context: CommandContext
  /// What is starred; nil without rules.
  var rules: RuleSet?
  var list: SourceList

  /// Reads the sources, and says what is wrong with them.
  init(_ context: CommandContext, rules: RuleSet?) {
    self.context = context
    self.rules = rules
    list = context.sourceList
    for problem in list.problems { context.io.report(problem) }
  }

  /// - Throws: when there is none of a name, or none at all.
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

  /// The sources whose time has come.
  func due() throws(ToolError) -> [FeedSource] {
    let now = context.host.configuration.clock()
    var due: [FeedSource] = []
    for source in list.sources {
      let state = try hosted { () throws(HostError) in try context.host.state(of: source) }
      if state.due(source) <= now { due.append(source) }
    }
    return due
  }

  /// One that fails does not stop the others.
  func load(_ sources: [FeedSource]) throws(ToolError) -> ExitCode {
    var failed = 0
    // A configuration that does not read has sources that nobody knows.
    var isPartial = !list.problems.isEmpty || !context.configurationFaults.isEmpty
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
        progress: { progress in
          bar.update(
            done: progress.bytes, total: progress.total,
            detail: CountText.of(progress.items, "item"))
        },
        isCanceled: { context.isInterrupted })
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
