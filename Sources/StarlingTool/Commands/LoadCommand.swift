import Starling
import StarlingModel

extension Command {
  static let load = Command(
    spec: CommandSpec(
      "load", operands: "FILE|URL|-...",
      summary: "Read feeds, map them with plugins, star by rules, and store what came of it",
      details:
        "Without --plugin each plugin is asked whether it accepts the feed. A feed is read and "
        + "mapped first and then written whole; items that fail are reported and left out.",
      options: [
        OptionSpec("--plugin", value: "NAME", help: "the plugin that maps the feeds; or its path"),
        rulesOption,
      ] + feedOptions + limitOptions,
      minimumOperands: 1, maximumOperands: nil)
  ) { context throws(ToolError) in
    try FeedLoading(context).run()
  }
}

/// One run of `load` over several feeds.
private struct FeedLoading {
  let context: CommandContext
  let rules: RuleSet?

  init(_ context: CommandContext) throws(ToolError) {
    self.context = context
    rules = try context.rules()
  }

  func run() throws(ToolError) -> ExitCode {
    var failed = 0
    var isPartial = false
    context.catchInterrupts()
    context.reportQuarantine(but: context.arguments.value("--plugin"))
    for word in context.arguments.operands {
      do throws(ToolError) {
        let report = try load(try context.feedInput(word))
        LoadReportText(context.io, isJSON: context.isJSON).write(report)
        if !report.isComplete { isPartial = true }
      } catch {
        if error.exitCode == .usage || error.exitCode == .interrupted { throw error }
        failed += 1
        context.io.report(error)
        if context.isJSON { LoadReportText.writeFailure(word, error, to: context.io) }
      }
    }
    if failed == context.arguments.operands.count { return .failed }
    return failed > 0 || isPartial ? .partly : .done
  }

  private func load(_ input: FeedInput) throws(ToolError) -> LoadReport {
    let bar = ProgressBar("loading \(input.name)", io: context.io)
    defer { bar.finish() }
    return try hosted { () throws(HostError) in
      try context.host.load(
        input, plugin: context.arguments.value("--plugin"), rules: rules,
        progress: { progress in
          bar.update(
            done: progress.bytes, total: progress.total,
            detail: CountText.of(progress.items, "item"))
        },
        isCanceled: { context.isInterrupted })
    }
  }
}

extension CommandContext {
  /// Says which plugins no feed is given to, so that nobody wonders.
  ///
  /// - Parameter named: the plugin that was asked for, which has an error of its own.
  func reportQuarantine(but named: String? = nil) {
    if named != nil { return }
    for plugin in host.plugins {
      guard let refusal = plugin.refusal else { continue }
      let isStopped = refusal.kind == .time || refusal.kind == .memory
      guard plugin.isQuarantined || isStopped else { continue }
      report(refusal, about: ["plugin \(plugin.name)"] + (isStopped ? ["not used"] : []))
    }
  }

  /// The input that a word names, with what the options say of it.
  func feedInput(_ word: String) throws(ToolError) -> FeedInput {
    var input = FeedInput(argument: word, url: arguments.value("--url"))
    if case .file = input.origin, word.contains("://") {
      throw ToolError(word, "only http and https can be fetched; name a file by its path")
    }
    input.contentType = arguments.value("--content-type")
    input.charset = arguments.value("--charset")
    input.site = arguments.value("--site")
    for text in arguments.all("--option") {
      guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
        throw .usage("--option needs NAME=VALUE, not \"\(text)\"")
      }
      let value = String(text[text.index(after: equals)...])
      input.options[String(text[..<equals])] = OptionValue(parsing: value)
    }
    return input
  }

}

extension OptionValue {
  /// `true`, `false` and numbers are what they look like; all else is text.
  init(parsing text: String) {
    if text == "true" || text == "false" {
      self = .boolean(text == "true")
    } else if let number = Int64(text), String(number) == text {
      self = .integer(number)
    } else {
      self = .text(text)
    }
  }
}
