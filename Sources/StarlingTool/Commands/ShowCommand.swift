import Starling
import StarlingFavorites
import StarlingModel

extension Command {
  static let show = Command(
    spec: CommandSpec(
      "show", operands: "KIND KEY", summary: "Show one entity with all that is known of it",
      minimumOperands: 2, maximumOperands: 2)
  ) { context throws(ToolError) in
    let store = try context.store(for: context.operand(0))
    let kind = try context.kind(context.operand(0), in: store)
    let key = context.operand(1)
    let favorite = try stored { () throws(FavoritesError) in
      try store.get(kind: kind.name, key: key)
    }
    let stored = try stored { () throws(FavoritesError) in
      try store.entity(kind: kind.name, key: key)
    }
    guard let entity = favorite?.entity ?? stored else {
      throw .absent(
        "\(kind.name) \(key)", "no such entity; see starling list \(kind.name) --all")
    }
    if context.isJSON {
      var json = JSONWriter()
      if let favorite {
        json.favorite(favorite, kind: kind)
      } else {
        json.entity(entity, kind: kind)
      }
      json.newline()
      context.io.out.write(json.bytes)
    } else {
      Card.write(entity, favorite: favorite, kind: kind, io: context.io)
    }
    return .done
  }

  static let contains = Command(
    spec: CommandSpec(
      "contains", operands: "KIND KEY",
      summary: "Whether an entity is a favorite: status 0 for yes, 1 for no",
      minimumOperands: 2, maximumOperands: 2)
  ) { context throws(ToolError) in
    let store = try context.store(for: context.operand(0))
    let isFavorite = try stored { () throws(FavoritesError) in
      try store.contains(kind: context.operand(0), key: context.operand(1))
    }
    if context.isJSON {
      Answer.write(
        context, [("kind", .text(context.operand(0))), ("key", .text(context.operand(1)))],
        ("favorite", isFavorite))
    } else {
      context.io.out.writeLine(isFavorite ? "yes" : "no")
    }
    return isFavorite ? .done : .partly
  }
}

/// The one-object answers of commands that change or ask one thing.
enum Answer {
  static func write(
    _ context: CommandContext, _ members: [(String, Value)], _ flags: (String, Bool)...
  ) {
    var json = JSONWriter()
    json.beginObject()
    for (name, value) in members {
      json.name(name)
      json.value(value)
    }
    for (name, flag) in flags {
      json.name(name)
      json.boolean(flag)
    }
    json.endObject()
    json.newline()
    context.io.out.write(json.bytes)
  }
}
