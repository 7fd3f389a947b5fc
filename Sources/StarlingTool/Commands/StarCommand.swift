import Starling
import StarlingFavorites
import StarlingModel

extension Command {
  static let star = Command(
    spec: CommandSpec(
      "star", operands: "KIND KEY [FIELD=VALUE...]",
      summary: "Make an entity a favorite by hand; lifts a refusal",
      details:
        "An entity that no feed brought is made from its key and the fields given. Prices and "
        + "times are read as people write them.",
      options: [
        OptionSpec("--tag", value: "TAG", isRepeatable: true, help: "tag it"),
        OptionSpec("--note", value: "TEXT", help: "keep a note with it"),
      ],
      minimumOperands: 2, maximumOperands: nil)
  ) { context throws(ToolError) in
    let store = try context.store(for: context.operand(0))
    let entity = try context.entity(in: store)
    let inserted = try stored { () throws(FavoritesError) in
      try store.insert(
        entity, by: .hand, tags: context.arguments.all("--tag"),
        note: context.arguments.value("--note"))
    }
    let text =
      switch inserted.outcome {
      case .starred: "starred"
      case .already: "a favorite already"
      case .refused: "refused"
      }
    context.say(entity, isFavorite: inserted.outcome != .refused, text)
    return .done
  }

  static let unstar = Command(
    spec: CommandSpec(
      "unstar", operands: "KIND KEY",
      summary: "Take a favorite back by hand; no rule will star it again",
      minimumOperands: 2, maximumOperands: 2)
  ) { context throws(ToolError) in
    let store = try context.store(for: context.operand(0))
    let kind = try context.kind(context.operand(0), in: store)
    let entity = Entity(kind: kind.name, key: context.operand(1))
    let wasFavorite = try stored { () throws(FavoritesError) in
      try store.delete(kind: kind.name, key: entity.key, by: .hand)
    }
    context.say(
      entity, isFavorite: false,
      wasFavorite ? "unstarred and refused" : "was no favorite; refused from now on")
    return .done
  }

  static let toggle = Command(
    spec: CommandSpec(
      "toggle", operands: "KIND KEY [FIELD=VALUE...]",
      summary: "Star it, or unstar it if it is a favorite; says what it is now",
      minimumOperands: 2, maximumOperands: nil)
  ) { context throws(ToolError) in
    let store = try context.store(for: context.operand(0))
    let entity = try context.entity(in: store)
    let isFavorite = try stored { () throws(FavoritesError) in
      try store.toggle(entity, by: .hand)
    }
    context.say(entity, isFavorite: isFavorite, isFavorite ? "starred" : "unstarred and refused")
    return .done
  }
}

extension CommandContext {
  /// The entity of KIND KEY [FIELD=VALUE...]: what is stored of it, what its key says, and the
  /// fields given.
  fileprivate func entity(in store: FavoritesStore) throws(ToolError) -> Entity {
    let kind = try kind(operand(0), in: store)
    let key = operand(1)
    let given = try fields(of: kind)
    let known = try stored { () throws(FavoritesError) in
      try store.entity(kind: kind.name, key: key)
    }
    if var known {
      known.values.merge(given) { _, new in new }
      return known
    }
    var entity = Entity(kind: kind.name, key: kind.key == .auto ? "" : key)
    entity.values = EntityKey.values(ofKey: key, kind: kind) ?? [:]
    entity.values.merge(given) { _, new in new }
    return entity
  }

  private func fields(of kind: Kind) throws(ToolError) -> [String: Value] {
    var values: [String: Value] = [:]
    for text in arguments.operands.dropFirst(2) {
      guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
        throw .usage("FIELD=VALUE expected, not \"\(text)\"")
      }
      let name = String(text[..<equals])
      guard let index = kind.index(of: name) else {
        let hint = Spelling.nearest(to: name, among: kind.fields.map(\.name))
        throw .usage(
          "kind \(kind.name) has no field \(name)" + (hint.map { "; did you mean \($0)?" } ?? ""))
      }
      let written = String(text[text.index(after: equals)...])
      let type = kind.fields[index].type
      guard let value = Value(importing: written, as: type) else {
        throw .usage("\(name) needs a \(type.rawValue), not \"\(written)\"")
      }
      values[name] = value
    }
    return values
  }

  /// Says what an entity is now.
  fileprivate func say(_ entity: Entity, isFavorite: Bool, _ text: String) {
    if isJSON {
      Answer.write(
        self, [("kind", .text(entity.kind)), ("key", .text(entity.key)), ("result", .text(text))],
        ("favorite", isFavorite))
    } else {
      io.out.writeLine(TerminalText.line("\(entity.kind) \(entity.key): \(text)"))
    }
  }
}
