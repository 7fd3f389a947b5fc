import Starling
import StarlingFavorites
import StarlingModel

/// Where the rules of a command come from: `--rules FILE`, an operand, or the configuration.
extension CommandContext {
  /// The file with rules that the command line names; else the configuration.
  func rulesFile(_ command: String) throws(ToolError) -> String {
    if let file = namedRulesFile { return file }
    if let file = configurationFile { return file }
    throw .usage("no rules; name a file with --rules FILE", command: command)
  }

  /// The same; nil when there is none.
  var rulesFileIfAny: String? { namedRulesFile ?? configurationFile }

  private var namedRulesFile: String? {
    arguments.value("--rules")
      ?? (arguments.operands.first?.hasSuffix(".lua") == true
        ? arguments.operands.first : nil)
  }

  /// The rules of `--rules`, or those of the configuration; nil when there are none. For a broken
  /// file its last good rules, which is said aloud.
  func rules() throws(ToolError) -> RuleSet? {
    let found = try rulesInForce()
    if let error = found?.error { reportBroken(error) }
    return found?.rules
  }

  /// The same, with what is wrong with the file still to be said.
  func rulesInForce() throws(ToolError) -> RulesInForce? {
    do throws(RulesError) {
      if let file = arguments.value("--rules"), file != configurationFile {
        return isConfiguration(file)
          ? try host.rulesInForce(configuration: file) : try host.rulesInForce(file: file)
      }
      guard let file = configurationFile else { return nil }
      // One that was stopped would be stopped again, as late as before.
      let isStopped = configurationFaults.contains { $0.kind != .script }
      let known = isStopped ? RulesError(configurationFaults) : nil
      return try host.rulesInForce(configuration: file, after: known)
    } catch {
      throw ToolError(error)
    }
  }

  /// Says why a file's last good rules stand in for it; what was said of the configuration when it
  /// was read is not said again.
  func reportBroken(_ error: RulesError) {
    report(RulesError(error.faults.filter { !configurationFaults.contains($0) }))
    io.report(
      rulesFileIfAny ?? "rules",
      "the last good rules stay in force; `starling rules check` says when it is good")
  }

  /// The rules as the file has them now.
  func checkedRules(_ file: String) throws(ToolError) -> RuleSet {
    do throws(RulesError) { return try rules(of: file) } catch { throw ToolError(error) }
  }

  /// The rules of a file; one that is named `init.lua` has the words of the configuration too.
  func rules(of file: String) throws(RulesError) -> RuleSet {
    isConfiguration(file) ? try host.rules(configuration: file) : try host.rules(file: file)
  }

  private func isConfiguration(_ file: String) -> Bool {
    file == configurationFile || file.split(separator: "/").last == "init.lua"
  }

  /// The time of `--since`: `7d` ago or a date; nil without it.
  func since() throws(ToolError) -> Timestamp? {
    guard let text = arguments.value("--since") else { return nil }
    guard let moment = Moment(parsing: text) else {
      throw .usage("--since needs a time such as 30d (ago) or 2026-11-30, not \"\(text)\"")
    }
    return moment.timestamp(now: host.configuration.clock())
  }

  /// Says which functions of rules raised errors.
  func report(_ failures: [RuleFailure]) {
    for failure in failures { io.report(failure.description, ErrorDetail(failure.fault)) }
  }
}
