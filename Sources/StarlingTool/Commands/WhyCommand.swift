import Starling
import StarlingFavorites
import StarlingModel

extension Command {
  static let why = Command(
    spec: CommandSpec(
      "why", operands: "KIND KEY",
      summary: "Why an entity is a favorite: each cause with the values that it saw",
      minimumOperands: 2, maximumOperands: 2)
  ) { context throws(ToolError) in
    let (name, key) = (context.operand(0), context.operand(1))
    let store = try context.store(for: name)
    _ = try context.kind(name, in: store)
    let causes = try stored { () throws(FavoritesError) in try store.causes(kind: name, key: key) }
    if causes.isEmpty {
      let isRefused = try stored { () throws(FavoritesError) in
        try store.isRefused(kind: name, key: key)
      }
      throw .absent(
        "\(name) \(key)",
        isRefused
          ? "no favorite: you refused it; starling star \(name) \(key) lifts that" : "no favorite")
    }
    if !context.isJSON { try context.writeTitle(of: name, key, in: store) }
    for cause in causes { context.write(cause) }
    return .done
  }

  static let refusalsList = Command(
    spec: CommandSpec(
      "refusals list", operands: "[KIND]", summary: "List what you said no to", maximumOperands: 1)
  ) { context throws(ToolError) in
    let name = context.arguments.operand(0)
    let store = try context.store(forOptional: name)
    if let name { _ = try context.kind(name, in: store) }
    let refusals = try stored { () throws(FavoritesError) in try store.refusals(kind: name) }
    context.write(refusals)
    return .done
  }

  static let refusalsLift = Command(
    spec: CommandSpec(
      "refusals lift", operands: "KIND KEY",
      summary: "Lift a refusal, so that rules may star it again",
      minimumOperands: 2, maximumOperands: 2)
  ) { context throws(ToolError) in
    let (name, key) = (context.operand(0), context.operand(1))
    let store = try context.store(for: name)
    _ = try context.kind(name, in: store)
    let wasRefused = try stored { () throws(FavoritesError) in
      try store.allow(kind: name, key: key, by: .hand)
    }
    if context.isJSON {
      Answer.write(context, [("kind", .text(name)), ("key", .text(key))], ("lifted", wasRefused))
    } else {
      context.io.out.writeLine(
        TerminalText.line("\(name) \(key): " + (wasRefused ? "lifted" : "was not refused")))
    }
    return .done
  }
}

extension CommandContext {
  /// `car_type cars.example.cn/50012: Mini 300km`.
  fileprivate func writeTitle(
    of kind: String, _ key: String, in store: FavoritesStore
  ) throws(ToolError) {
    let entity = try stored { () throws(FavoritesError) in try store.entity(kind: kind, key: key) }
    let title = entity?["title"] ?? entity?["name"]
    let heading = TerminalText.line("\(kind) \(key)" + (title.map { ": \($0)" } ?? ""))
    io.out.writeLine(io.styled(heading, .bold))
  }

  fileprivate func write(_ cause: Cause) {
    if isJSON {
      var json = JSONWriter()
      json.cause(cause)
      json.newline()
      io.out.write(json.bytes)
      return
    }
    io.out.writeLine("  " + TerminalText.line("\(CauseText.origin(cause.origin)), \(cause.at)"))
    for evidence in cause.evidence {
      io.out.writeLine("    " + TerminalText.line(CauseText.evidence(evidence)))
    }
  }

  fileprivate func write(_ refusals: [Refusal]) {
    if isJSON {
      for refusal in refusals {
        Answer.write(
          self,
          [("kind", .text(refusal.kind)), ("key", .text(refusal.key)), ("at", .time(refusal.at))])
      }
      return
    }
    var table = Table(
      [
        Table.Column("kind"), Table.Column("key", .key), Table.Column("at", .whole),
      ], io: io, wayToAll: "--json shows all")
    for refusal in refusals { table.add([refusal.kind, refusal.key, refusal.at.description]) }
    table.finish()
  }
}
