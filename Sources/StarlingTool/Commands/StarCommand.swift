import Starling
import StarlingFavorites
import StarlingModel

extension Command {
  static let star = Command(
    spec: CommandSpec(
      "star", operands: "KIND KEY [FIELD=VALUE...]",
      summary: "Make an entity a favorite by hand; lifts a refusal",
      details:
        "An entity that no feed brought is made from its key and the fields given; where these make "
        + "the key, from them alone: star post site=s id=1. Prices and times are read as people "
        + "write them; a number after @ is the seconds since 1970.",
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
    let known = try stored { () throws(FavoritesError) in
      try store.entity(kind: kind.name, key: key)
    }
    if known == nil, let equals = key.firstIndex(of: "="),
      kind.index(of: String(key[..<equals])) != nil
    {
      return try entity(ofFields: try fields(of: kind, from: 1), kind)
    }
    let given = try fields(of: kind, from: 2)
    var entity = Entity(kind: kind.name, key: kind.key == .auto ? "" : key)
    entity.values = EntityKey.values(ofKey: key, kind: kind) ?? [:]
    if let known { entity = known }
    let before = entity.values
    entity.values.merge(given) { _, new in new }
    guard case .fields(let names) = kind.key, names.contains(where: { given[$0] != nil }),
      names.contains(where: { entity.values[$0] != before[$0] }),
      let made = EntityKey.key(of: entity, kind: kind), made != key, made != entity.key
    else { return entity }
    throw .usage(
      "the key of kind \(kind.name) is made of \(names.joined(separator: ", ")): these make "
        + "\(made), not \(key)")
  }

  /// An entity that is given by the fields which its key is made of.
  private func entity(
    ofFields values: [String: Value], _ kind: Kind
  ) throws(ToolError) -> Entity {
    var entity = Entity(kind: kind.name, key: "", values: values)
    guard case .fields(let names) = kind.key else { return entity }
    guard names.allSatisfy({ values[$0] != nil }),
      let key = EntityKey.key(of: entity, kind: kind)
    else {
      let form = names.map { "\($0)=..." }.joined(separator: " ")
      throw .usage("KEY expected, or all fields that make it: \(kind.name) \(form)")
    }
    entity.key = key
    return entity
  }

  /// The operands FIELD=VALUE, from a place on.
  private func fields(of kind: Kind, from place: Int) throws(ToolError) -> [String: Value] {
    var values: [String: Value] = [:]
    for text in arguments.operands.dropFirst(place) {
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
