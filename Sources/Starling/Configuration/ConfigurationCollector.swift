import StarlingLua
import StarlingModel

/// Takes what `init.lua` defines while Lua runs it; its rules go to the `RuleCollector`.
final class ConfigurationCollector {
  /// The slot of `ApiEnvironment` in which the words find their collector.
  static let slot = "configuration"

  private let rules: RuleCollector
  private(set) var configuration = UserConfiguration()

  init(rules: RuleCollector) {
    self.rules = rules
  }

  // MARK: Words

  func begin(
    _ word: String, _ name: String, _ state: LuaState, _ results: inout LuaWriter
  ) throws(LuaError) {
    try rules.headings.begin(word, name, state, &results) { [weak self] heading, table, _ in
      self?.define(heading, table)
    }
  }

  func addSourceFile(_ path: String) {
    configuration.sourceFiles.append(path)
  }

  func readLimits(_ table: LuaView, _ state: LuaState) {
    let reader = reader("limits", nil, state.callerLine ?? 1, table, ["time", "memory"])
    if let time = reader.text("time") {
      configuration.time = Limits.time(parsing: time)
      if configuration.time == nil {
        reader.report("a time is written as in \"5s\" or \"500ms\", not \"\(time)\"", "time")
      }
    }
    if let memory = reader.text("memory") {
      configuration.memoryBytes = Limits.memoryBytes(parsing: memory)
      if configuration.memoryBytes == nil {
        reader.report("an amount of memory is written as in \"64MB\", not \"\(memory)\"", "memory")
      }
    }
  }

  private func define(_ heading: Headings.Heading, _ table: LuaView) {
    if heading.name.utf8.allSatisfy({ $0 <= 0x20 }) {
      return rules.add("a \(heading.word) needs a name", line: heading.line)
    }
    if heading.word == "source" {
      defineSource(heading, table)
    } else {
      defineSearch(heading, table)
    }
  }

  private func defineSource(_ heading: Headings.Heading, _ table: LuaView) {
    let reader = reader(
      "source", heading.name, heading.line, table,
      ["url", "plugin", "every", "options", "charset", "site"])
    if configuration.sources.contains(where: { $0.name == heading.name }) {
      reader.report("another source has the same name", nil)
    }
    var every: Int64?
    if let text = reader.text("every") {
      every = Moment.seconds(parsing: text)
      if every == nil || every == 0 {
        reader.report("a time is written as in \"30m\" or \"12h\", not \"\(text)\"", "every")
      }
    }
    guard let url = reader.required("url") else { return }
    configuration.sources.append(
      UserConfiguration.Source(
        name: heading.name, url: url, plugin: reader.text("plugin"), everySeconds: every,
        options: reader.table("options"), charset: reader.text("charset"),
        site: reader.text("site"), location: reader.location))
  }

  private func defineSearch(_ heading: Headings.Heading, _ table: LuaView) {
    let reader = reader(
      "search", heading.name, heading.line, table,
      ["kind", "where", "order", "limit", "tag", "text"])
    if configuration.searches.contains(where: { $0.name == heading.name }) {
      reader.report("another search has the same name", nil)
    }
    guard let kind = reader.required("kind") else { return }
    configuration.searches.append(
      UserConfiguration.Search(
        name: heading.name, kind: kind, condition: reader.condition("where"),
        order: reader.text("order"), limit: reader.integer("limit"), tag: reader.text("tag"),
        text: reader.text("text"), location: reader.location))
  }

  private func reader(
    _ word: String, _ name: String?, _ line: Int, _ table: LuaView, _ known: [String]
  ) -> ConfigurationReader {
    let reader = ConfigurationReader(
      word: word, name: name, line: line, table: table, known: known, rules: rules)
    reader.checkNames()
    return reader
  }

  // MARK: Globals

  /// Reads the settings that are assigned to, after the file has run.
  func readGlobals(_ state: LuaState) {
    do throws(LuaError) {
      try state.forEachUserGlobal { key, value throws(LuaError) in
        guard key.type == .string else { return }
        readGlobal(try key.string(), value)
      }
    } catch {
      rules.add(error.description, line: nil)
    }
  }

  private func readGlobal(_ name: String, _ value: LuaView) {
    if name == "keep" { return readKeep(value) }
    // A function may help the rules; any other global is a setting that nobody reads.
    guard value.type != .function else { return }
    let words = ["keep"] + ConfigurationFunctions.all.map(\.name)
    let nearest = Spelling.nearest(to: name, among: words)
    report(
      "unknown setting `\(name)`"
        + (nearest.map { "; did you mean `\($0)`?" }
          ?? "; write local before a variable of your own"),
      name)
  }

  private func readKeep(_ value: LuaView) {
    let seconds = (try? value.string()).flatMap { Moment.seconds(parsing: $0) }
    guard let seconds, seconds > 0 else {
      return report("`keep` is a time as in \"90d\"", "keep")
    }
    configuration.keepSeconds = seconds
  }

  private func report(_ message: String, _ name: String) {
    rules.add(message, line: rules.text.line(ofAssignmentTo: name))
  }
}
