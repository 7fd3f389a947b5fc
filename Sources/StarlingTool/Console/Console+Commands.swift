import Starling
import StarlingFavorites
import StarlingModel

/// What the console's own commands do.
extension Console {
  /// `:help`, `:help news`, `:help :sql`, `:help sql`.
  func explain(_ topic: String) throws(ToolError) {
    if topic.isEmpty {
      return write(help: ConsoleCommand.introduction(width: io.width))
    }
    guard let command = ConsoleCommand.all.first(where: { $0.name == topic }) else {
      return try act(.help(topic))
    }
    write(help: command.help)
    guard session.hasHelp(topic) else { return }
    io.out.writeLine()
    try act(.help(topic))
  }

  /// Runs a command of the tool in the console's surroundings, with the arguments that follow.
  func command(_ name: String, _ text: String) throws(ToolError) {
    let words = name.split(separator: " ").map(String.init) + ConsoleWords.split(text)
    guard
      case .command(let spec, var parsed) = try ArgumentParser.parse(words, tool: Command.tool),
      let command = Command.all.first(where: { $0.spec.name == spec.name })
    else { return try explain(":" + (name.split(separator: " ").last.map(String.init) ?? "")) }
    if let file = context.arguments.value("--rules"), parsed.value("--rules") == nil {
      parsed.add(value: file, of: "--rules")
    }
    if context.isJSON { parsed.add(flag: "--json") }
    try context.findConfiguration()
    // The session's store is the host's, and Ctrl-C ends what it is asked.
    _ = try hosted { () throws(HostError) in try session.store() }
    _ = try command.run(CommandContext(context, parsed))
  }

  /// `:undo` alone takes back what this console did, however much others did before or since.
  func undo(_ argument: String) throws(ToolError) {
    guard argument.isEmpty else { return try command("undo", argument) }
    let run = try hosted { () throws(HostError) in try session.lastUndoableRun() }
    guard let run else {
      throw ToolError(
        ":undo",
        "nothing to undo: no change of this console stands; :history lists all runs, and "
          + ":undo --run ID takes one back")
    }
    try command("undo", "--run \(run)")
  }

  func reload() throws(ToolError) {
    try context.findConfiguration()
    let changes = try hosted { () throws(HostError) in try context.host.reloadPlugins() }
    for change in changes {
      guard !context.isJSON else {
        io.writeResult { json in
          json.member("plugin", change.plugin)
          json.member("outcome", change.outcome.rawValue)
          if let reason = change.reason { json.member("reason", reason) }
        }
        continue
      }
      let reason = change.reason.map { ": \($0)" } ?? ""
      io.out.writeLine(TerminalText.line("\(change.plugin): \(change.outcome.rawValue)\(reason)"))
    }
    let plugins = context.host.plugins
    let store = try hosted { () throws(HostError) in try session.store() }
    for plugin in plugins {
      if let refusal = plugin.refusal { io.report(ToolError(refusal)) }
    }
    let used = plugins.filter { $0.refusal == nil }.count
    var line = CountText.of(used, "plugin") + ", " + CountText.of(store.kinds.count, "kind")
    if let file = context.rulesFileIfAny {
      line += ", " + CountText.of(try context.checkedRules(file).rules.count, "rule")
    }
    if context.isJSON { io.report(line) } else { io.out.writeLine(line) }
  }

  func time(_ text: String) throws(ToolError) {
    guard !text.isEmpty else { throw ToolError(":time", "a chunk is needed") }
    let isExpression = session.parse("return " + text) == .complete
    let begin = Terminal.monotonicSeconds()
    try run(isExpression ? "return " + text : text, name: "console")
    let milliseconds = ((Terminal.monotonicSeconds() - begin) * 1_000_000).rounded() / 1_000
    guard context.isJSON else { return io.out.writeLine("\(milliseconds) ms") }
    io.writeResult { json in
      json.name("milliseconds")
      json.real(milliseconds)
    }
  }

  // MARK: SQL

  func askSQL(_ text: String) throws(ToolError) {
    guard !text.isEmpty else { throw ToolError(":sql", "a query is needed") }
    let limit = isInteractive ? 1_000 : Int.max
    var (rows, count) = (SQLRows(io: io, isJSON: context.isJSON), 0)
    defer { stop.clear() }
    do throws(HostError) {
      try session.ask(
        sql: text,
        columns: { names in rows.begin(names) },
        row: { values in
          guard count < limit, !io.out.isClosed, !stop.isStopped else { return false }
          count += 1
          rows.add(values)
          return true
        })
    } catch {
      rows.finish()
      throw ToolError(":sql", error.message)
    }
    rows.finish()
    if count == limit { io.out.writeLine("… the first \(ValueText.grouped(limit)) rows") }
  }

  // MARK: A rule

  func makeRule(_ argument: String) throws(ToolError) {
    let name = try ruleName(argument)
    guard let query = session.lastQuery else {
      throw ToolError(":rule", "there is no query yet; ask favorites.fetch(KIND, { where = ... })")
    }
    let draft = try hosted { () throws(HostError) in try RuleDraft(name: name, query: query) }
    let file = try rulesFileToWrite()
    let rules: RuleSet
    do throws(RulesError) {
      rules = try context.host.rules(
        adding: draft, to: file, isConfiguration: file == configurationPath)
    } catch {
      throw ToolError(error)
    }
    tell(draft)
    try show(rules, draft.name)
    if isDryRun { return say(file, "not written") }
    try hosted { () throws(HostError) in try context.host.append(draft, to: file) }
    say(file, "written; :try shows all of its rules")
  }

  private func tell(_ draft: RuleDraft) {
    guard !context.isJSON else {
      return io.writeResult { json in
        json.member("rule", draft.text)
        json.name("left_out")
        json.beginArray()
        for name in draft.leftOut { json.text(name) }
        json.endArray()
      }
    }
    io.out.writeLine(TerminalText.line(draft.text))
    if !draft.leftOut.isEmpty {
      io.out.writeLine("(left out: \(draft.leftOut.joined(separator: ", ")))")
    }
  }

  private func say(_ subject: String, _ text: String) {
    guard !context.isJSON else { return io.report(subject, text) }
    io.out.writeLine(TerminalText.line("\(subject): \(text)"))
  }

  /// A name is a constant of Lua, or all that follows the command.
  private func ruleName(_ argument: String) throws(ToolError) -> String {
    if let name = session.text(ofConstant: argument) { return name }
    let isText = argument.first.map { "\"'[".contains($0) } ?? true
    guard !isText else {
      throw ToolError(":rule", "a name is needed, as Lua writes a text: :rule \"Cheap\"")
    }
    return argument
  }

  /// What the last of the rules would do, those before it considered.
  private func show(_ rules: RuleSet, _ name: String) throws(ToolError) {
    var trial = try hosted { () throws(HostError) in
      try context.host.tryRules(rules, limit: 100_000)
    }
    context.report(trial.failures)
    trial.keepOnly(rule: name)
    RuleTrialText(
      io: io, isJSON: context.isJSON, limit: 20,
      ending: "nothing is starred before rules are applied"
    ).write(trial)
  }

  private var configurationPath: String? {
    context.configurationFile ?? UserConfiguration.defaultPath { io.variable($0) }
  }

  private func rulesFileToWrite() throws(ToolError) -> String {
    if let file = context.arguments.value("--rules") ?? configurationPath { return file }
    throw ToolError(":rule", "no rules file; name one with --rules FILE")
  }
}

/// Words of a command as a person types them: parted by blanks, quotes around what has blanks.
enum ConsoleWords {
  static func split(_ text: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in text {
      if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "\"" || character == "'" {
        quote = character
        word = word ?? ""
      } else if character == " " || character == "\t" {
        if let whole = word { words.append(whole) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return words
  }
}
