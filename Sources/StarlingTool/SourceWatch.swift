import Starling
import StarlingModel

/// Loads sources when their time has come, with the plugins, the rules and the sources as their
/// files have them then.
struct SourceWatch {
  private let context: CommandContext
  private var syncing: Syncing
  private var rulesFiles = FileChanges()
  private var sourceFiles = FileChanges()
  /// What is wrong with the rules' file while its last good rules stand in for it.
  private var rulesError: RulesError?
  /// Why the rules that were read last stand in for those of the file.
  private var rulesFailure: ToolError?
  /// Whether this round has said what is wrong.
  private var isSaid = true

  private var io: ToolIO { context.io }

  /// - Throws: when there are no sources, and what is wrong with rules that never were good.
  init(_ context: CommandContext) throws(ToolError) {
    self.context = context
    let found = try context.rulesInForce()
    if let error = found?.error { context.reportBroken(error) }
    rulesError = found?.error
    syncing = Syncing(context, rules: found?.rules)
    _ = try syncing.named([])
    _ = rulesFiles.look(at: rulesPaths)
    _ = sourceFiles.look(at: sourcePaths)
  }

  /// Takes over what was changed, then loads each source whose time has come.
  mutating func round() throws(ToolError) {
    let hasNewPlugins = followPlugins()
    // The configuration may not have been there at the start.
    try context.findConfiguration()
    let hasNewFaults = sourceFiles.look(at: sourcePaths) && followSources()
    let hasNewRules = rulesFiles.look(at: rulesPaths)
    if hasNewRules || hasNewPlugins { followRules(isChanged: hasNewRules) }
    let due = try syncing.due()
    if hasNewFaults || !due.isEmpty, !isSaid { sayWhatIsBroken() }
    isSaid = false
    if !due.isEmpty { _ = try syncing.load(due) }
  }

  private var rulesPaths: [String] { context.rulesFileIfAny.map { [$0] } ?? [] }

  private var sourcePaths: [String] {
    (context.configurationFile.map { [$0] } ?? []) + syncing.list.files
  }
}

// MARK: - What was changed

extension SourceWatch {
  /// - Returns: whether other plugins are in use than before.
  private func followPlugins() -> Bool {
    let changes: [PluginReload]
    do throws(HostError) { changes = try context.host.reloadChangedPlugins() } catch {
      io.report(ToolError(error))
      return false
    }
    for change in changes {
      let reason = change.reason.map { ": \($0)" } ?? ""
      io.report("plugin \(change.plugin)", SourceWatch.text(change.outcome) + reason)
    }
    return changes.contains { $0.outcome != .kept }
  }

  private static func text(_ outcome: PluginReload.Outcome) -> String {
    switch outcome {
    case .swapped: "swapped: the changed one is used"
    case .added: "added"
    case .lifted: "lifted: it is used again"
    case .removed: "removed"
    case .kept: "kept the old one"
    case .refused: "refused"
    }
  }

  /// - Returns: whether something else is wrong with the configuration than before.
  private mutating func followSources() -> Bool {
    let faults = context.configurationFaults
    context.readConfiguration()
    let before = syncing.list
    syncing.list = context.sourceList
    for problem in syncing.list.problems where !before.problems.contains(problem) {
      io.report(problem)
    }
    let names = Set(before.sources.map(\.name))
    for source in syncing.list.sources where !names.contains(source.name) {
      io.report("source \(source.name)", "added")
    }
    let left = Set(syncing.list.sources.map(\.name))
    for source in before.sources where !left.contains(source.name) {
      io.report("source \(source.name)", "removed")
    }
    return context.configurationFaults != faults
  }

  private mutating func followRules(isChanged: Bool) {
    let wasBroken = rulesError != nil || rulesFailure != nil
    do throws(ToolError) {
      let found = try context.rulesInForce()
      syncing.rules = found?.rules
      rulesError = found?.error
      rulesFailure = nil
    } catch {
      rulesFailure = error
    }
    if rulesError != nil || rulesFailure != nil {
      if isChanged || !wasBroken { sayWhatIsBroken() }
    } else if isChanged || wasBroken, let file = context.rulesFileIfAny {
      let count = syncing.rules?.rules.count ?? 0
      io.report(file, "read again: " + CountText.of(count, "rule"))
    }
  }

  /// Every round that loads says so, as every run of another command does.
  private mutating func sayWhatIsBroken() {
    isSaid = true
    for fault in context.configurationFaults { io.report(fault.description, ErrorDetail(fault)) }
    if let rulesFailure {
      io.report(rulesFailure)
      io.report(context.rulesFileIfAny ?? "rules", "the rules that were read last stay in force")
    } else if let rulesError {
      context.reportBroken(rulesError)
    }
  }
}
