import Starling
import StarlingFavorites
import StarlingModel

extension Command {
  static let doctor = Command(
    spec: CommandSpec(
      "doctor", summary: "Check the database and the plugins, and say what is wrong",
      details:
        "What --mend cannot put right in place it salvages: all rows that can be read go into a "
        + "new database, and the damaged file is kept beside it.",
      options: [OptionSpec("--mend", help: "mend what can be mended")])
  ) { context throws(ToolError) in
    let path = context.settings.databasePath
    var findings: [ErrorDetail] = []
    var found = try context.databaseProblems()
    if context.arguments.has("--mend") { try context.mend(&found) }
    var problems = found.count
    if context.isJSON {
      findings = found.map { problem in
        ErrorDetail(kind: "database", problem.what, subject: path)
      }
    } else {
      context.show(found)
    }
    if !found.isEmpty {
      let advice = found.allSatisfy(\.canBeMended) ? "mends that" : "salvages what can be read"
      context.io.report(path, "starling doctor --mend \(advice); restore FILE takes a backup")
    }
    // The database may refuse a plugin that agrees with the others.
    if found.isEmpty {
      _ = try hosted { () throws(HostError) in try context.host.storeWithPlugins() }
    }
    for plugin in context.host.plugins {
      guard let refusal = plugin.refusal else { continue }
      problems += 1
      if context.isJSON {
        var detail = ErrorDetail(refusal)
        detail.plugin = plugin.name
        findings.append(detail)
      } else {
        context.io.report("plugin \(plugin.name)", refusal.commandDescription)
      }
    }
    if context.isJSON {
      context.write(findings, of: path)
    } else if problems == 0 {
      context.io.out.writeLine(TerminalText.line("\(path): in order"))
    }
    return problems == 0 ? .done : .partly
  }

  static let backup = Command(
    spec: CommandSpec(
      "backup", operands: "FILE", summary: "Copy the database while others use it",
      minimumOperands: 1, maximumOperands: 1)
  ) { context throws(ToolError) in
    let store = try context.store()
    try stored { () throws(FavoritesError) in try store.backup(to: context.operand(0)) }
    if context.isJSON {
      Answer.write(context, [("backup", .text(context.operand(0)))])
    } else {
      context.io.out.writeLine(TerminalText.line("copied to \(context.operand(0))"))
    }
    return .done
  }

  static let restore = Command(
    spec: CommandSpec(
      "restore", operands: "FILE",
      summary: "Take a backup for the database; what it replaces is kept beside it",
      minimumOperands: 1, maximumOperands: 1)
  ) { context throws(ToolError) in
    let options = StoreOptions(progress: CommandContext.bar(context.io))
    let kept = try stored { () throws(FavoritesError) in
      try FavoritesStore.restore(
        from: context.operand(0), to: context.settings.databasePath, options: options)
    }
    if context.isJSON {
      var members: [(String, Value)] = [("restored", .text(context.operand(0)))]
      if let kept { members.append(("kept", .text(kept))) }
      Answer.write(context, members)
    } else {
      let rest = kept.map { "; what was there is in \($0)" } ?? ""
      context.io.out.writeLine(TerminalText.line("restored from \(context.operand(0))" + rest))
    }
    return .done
  }
}

extension CommandContext {
  /// What is wrong with the database, also where it is too damaged to be opened. The host's store is
  /// not used: salvaging needs the file for itself.
  fileprivate func databaseProblems() throws(ToolError) -> [StoreProblem] {
    do throws(FavoritesError) {
      if let problem = try FavoritesStore.problemOfEmptyFile(settings.databasePath) {
        return [problem]
      }
      return try FavoritesStore(.file(settings.databasePath)).check()
    } catch {
      guard case .corrupt(_, let detail) = error else {
        throw ToolError("", error.commandDescription)
      }
      return [StoreProblem(what: detail, canBeMended: false)]
    }
  }

  /// The findings of `doctor` as one object.
  fileprivate func write(_ findings: [ErrorDetail], of path: String) {
    var json = JSONWriter()
    json.beginObject()
    json.member("database", path)
    json.name("problems")
    json.integer(Int64(findings.count))
    json.name("findings")
    json.beginArray()
    for finding in findings { ErrorJSON.write(finding, to: &json) }
    json.endArray()
    json.name("ok")
    json.boolean(findings.isEmpty)
    json.endObject()
    json.newline()
    io.out.write(json.bytes)
  }

  /// Says what is wrong. A damaged file has thousands of problems, of which the first few tell as much.
  fileprivate func show(_ problems: [StoreProblem]) {
    let most = 8
    for problem in problems.prefix(most) { io.report(settings.databasePath, problem.what) }
    guard problems.count > most else { return }
    let left = ValueText.grouped(problems.count - most)
    io.report(
      settings.databasePath,
      "and \(left) more \(problems.count - most == 1 ? "problem" : "problems") of the file")
  }

  /// Mends in place, or salvages, until nothing is wrong or nothing helps; says what becomes of it.
  fileprivate func mend(_ problems: inout [StoreProblem]) throws(ToolError) {
    // What is mended may show what is beneath it: what a damaged page hid, for one.
    var isSalvaged = false
    for round in 0..<4 where !problems.isEmpty {
      show(problems)
      if round < 2, problems.allSatisfy(\.canBeMended), try mendInPlace() {
        io.report(settings.databasePath, "mended in place")
      } else {
        guard !isSalvaged else { return }
        try salvage()
        isSalvaged = true
      }
      problems = try databaseProblems()
    }
  }

  /// - Returns: false for what is too damaged.
  private func mendInPlace() throws(ToolError) -> Bool {
    do throws(FavoritesError) {
      try FavoritesStore(.file(settings.databasePath)).mend()
      return true
    } catch {
      guard case .corrupt = error else { throw ToolError("", error.commandDescription) }
      return false
    }
  }

  private func salvage() throws(ToolError) {
    let path = settings.databasePath
    let report = try stored { () throws(FavoritesError) in try FavoritesStore.salvage(path) }
    io.report(path, "salvaged into a new database; the damaged file is \(report.kept)")
    for rows in report.rows where report.damaged.contains(rows.table) {
      let keys = rows.keysAlone > 0 ? ", \(rows.keysAlone) of them with nothing but their key" : ""
      io.report(
        path,
        "\(rows.table) was damaged: \(rows.count) rows were saved\(keys); what else it had is lost")
    }
  }
}
