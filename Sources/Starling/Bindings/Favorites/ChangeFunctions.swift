import StarlingFavorites
import StarlingLua
import StarlingModel

/// The functions of `favorites` that change something. Their cause is the script.
enum ChangeFunctions {
  static let all: [ApiFunction] = [
    ApiFunction(
      "favorites.insert", in: .script,
      [
        kindOrEntity, .optional("entity", .any, "an entity, or the key of one that was seen"),
        .optional("options", .shape("starling.InsertOptions"), "tags, note"),
      ],
      returns: [
        ApiResult(type: .boolean, help: "true; false when it was a favorite already"),
        ApiResult(type: .string, isOptional: true, help: "\"refused\" when the user said no to it"),
      ],
      help: "Makes an entity a favorite."
    ) { environment, call, results throws(LuaError) in
      let binding = try environment.store()
      switch try insert(binding, call) {
      case .starred: results.push(true)
      case .already: results.push(false)
      case .refused:
        results.push(false)
        results.push("refused")
      }
    },
    ApiFunction(
      "favorites.delete", in: .script,
      [
        kindOrEntity, key,
        .optional("options", .shape("starling.DeleteOptions"), "refuse: also say no to it"),
      ],
      returns: [ApiResult(type: .boolean, help: "whether it was a favorite")],
      help: "Takes a favorite away, with all its causes."
    ) { environment, call, results throws(LuaError) in
      let binding = try environment.store()
      results.push(try delete(binding, call))
    },
    ApiFunction(
      "favorites.toggle", in: .script,
      [kindOrEntity, .optional("entity", .any, "an entity, or the key of one that was seen")],
      returns: [ApiResult(type: .boolean, help: "whether it is a favorite now")],
      help: "Makes it a favorite, or takes it away when it is one."
    ) { environment, call, results throws(LuaError) in
      let binding = try environment.store()
      let (kind, _) = try binding.readEntity(call)
      let store = try binding.store()
      defer { binding.letGo() }
      let record = binding.record
      results.push(
        try binding.run { () throws(FavoritesError) in
          try store.toggle(kind.handle, record, by: binding.origin)
        })
    },
    ApiFunction(
      "favorites.tag", in: .script, [kindOrEntity, key, tags],
      returns: [ApiResult(type: .boolean, help: "false when it is no favorite")],
      help: "Adds tags to a favorite."
    ) { environment, call, results throws(LuaError) in
      let binding = try environment.store()
      let (target, tags) = try tagged(binding, call)
      let store = try binding.store()
      defer { binding.letGo() }
      results.push(
        try binding.run { () throws(FavoritesError) in
          try store.tag(kind: target.kind, key: target.key, tags, by: binding.origin)
        })
    },
    ApiFunction(
      "favorites.untag", in: .script, [kindOrEntity, key, tags],
      returns: [ApiResult(type: .boolean, help: "false when it is no favorite")],
      help: "Takes tags off a favorite."
    ) { environment, call, results throws(LuaError) in
      let binding = try environment.store()
      let (target, tags) = try tagged(binding, call)
      let store = try binding.store()
      defer { binding.letGo() }
      results.push(
        try binding.run { () throws(FavoritesError) in
          try store.untag(kind: target.kind, key: target.key, tags, by: binding.origin)
        })
    },
    ApiFunction(
      "favorites.note", in: .script,
      [
        kindOrEntity, key, .optional("text", .string, "the note, at most 64 KB; nil takes it away"),
      ],
      returns: [ApiResult(type: .boolean, help: "false when it is no favorite")],
      help: "Sets the note of a favorite."
    ) { environment, call, results throws(LuaError) in
      let binding = try environment.store()
      let target = try binding.textTarget(call)
      let text = try call.text(target.next)
      let store = try binding.store()
      defer { binding.letGo() }
      results.push(
        try binding.run { () throws(FavoritesError) in
          try store.note(kind: target.kind, key: target.key, text, by: binding.origin)
        })
    },
    ApiFunction(
      "favorites.allow", in: .script, [kindOrEntity, key],
      returns: [ApiResult(type: .boolean, help: "whether it was refused")],
      help: "Lifts a refusal; it does not become a favorite by that."
    ) { environment, call, results throws(LuaError) in
      let binding = try environment.store()
      let target = try binding.textTarget(call)
      let store = try binding.store()
      defer { binding.letGo() }
      results.push(
        try binding.run { () throws(FavoritesError) in
          try store.allow(kind: target.kind, key: target.key, by: binding.origin)
        })
    },
    ApiFunction(
      "favorites.undo", in: .script,
      [.optional("what", .shape("starling.Undo"), "id, run or rule; the last run when left out")],
      returns: [
        ApiResult(type: .list(.shape("starling.Change")), help: "what was taken back"),
        ApiResult(type: .list(.shape("starling.Change")), help: "what was left, with reasons"),
      ],
      help: "Takes back one change, one run, or all that one rule did."
    ) { environment, call, results throws(LuaError) in
      let binding = try environment.store()
      let what = try undo(call)
      let store = try binding.store()
      defer { binding.letGo() }
      let report = try binding.run { () throws(FavoritesError) in
        try store.undo(what, by: binding.origin)
      }
      try results.array(count: report.undone.count) { list throws(LuaError) in
        for change in report.undone {
          try list.append { writer throws(LuaError) in try writer.push(change, binding.keys) }
        }
      }
      try results.array(count: report.left.count) { list throws(LuaError) in
        for left in report.left {
          try list.append { writer throws(LuaError) in
            try writer.push(left.change, binding.keys, reason: left.reason)
          }
        }
      }
    },
    ApiFunction(
      "favorites.on", in: .script,
      [
        .required("event", .string, "insert, delete, tag, untag, note, refuse, allow or change"),
        .required("listener", .function, "called with the change, after its commit, once"),
      ],
      returns: [ApiResult(type: .function, help: "call it to end that")],
      help: "Has a function called after each change, own or another process's."
    ) { environment, call, results throws(LuaError) in
      try observe(environment, call, &results)
    },
  ]

  private static let kindOrEntity = ApiParameter.required(
    "kind", .union([.string, .table]), "a kind, or an entity that says its own")
  private static let key = ApiParameter.optional(
    "key", .any, "a key (text or a whole number), or an entity of that kind")
  private static let tags = ApiParameter.rest(
    "tags", .any, "texts of at most 256 bytes, at most 100")

  private static func insert(
    _ binding: StoreBinding, _ call: borrowing LuaCall
  ) throws(LuaError) -> InsertOutcome {
    let (kind, next) = try binding.readEntity(call)
    var tags: [String] = []
    var note: String?
    if !call[next].isNil {
      do throws(LuaError) {
        let options = try OptionReader(call[next], ["tags", "note"], of: "insert")
        tags = try options.texts("tags") ?? []
        note = try options.text("note")
      } catch {
        throw call.argumentError(next, error.description)
      }
    }
    let store = try binding.store()
    defer { binding.letGo() }
    do throws(FavoritesError) {
      return try store.insert(
        kind.handle, binding.record, by: binding.origin, tags: tags, note: note)
    } catch {
      throw binding.lua(error)
    }
  }

  private static func delete(
    _ binding: StoreBinding, _ call: borrowing LuaCall
  ) throws(LuaError) -> Bool {
    try unsafe binding.withTarget(call) { kind, key, next throws(LuaError) in
      // What a person deletes is refused unless they say otherwise.
      var refuse: Bool? = binding.origin == .hand ? nil : false
      if !call[next].isNil {
        do throws(LuaError) {
          refuse = try OptionReader(call[next], ["refuse"], of: "delete").flag("refuse") ?? refuse
        } catch {
          throw call.argumentError(next, error.description)
        }
      }
      let store = try binding.store()
      defer { binding.letGo() }
      return try binding.run { () throws(FavoritesError) in
        try unsafe store.delete(kind.handle, key: key, by: binding.origin, refuse: refuse)
      }
    }
  }

  private static func tagged(
    _ binding: StoreBinding, _ call: borrowing LuaCall
  ) throws(LuaError) -> (target: (kind: String, key: String, next: Int), tags: [String]) {
    let target = try binding.textTarget(call)
    var tags: [String] = []
    var position = target.next
    while position <= call.count {
      guard call[position].type == .string, let tag = try call.text(position), !tag.isEmpty else {
        throw call.argumentError(position, expected: "tag")
      }
      tags.append(tag)
      position += 1
    }
    return (target, tags)
  }

  private static func undo(_ call: borrowing LuaCall) throws(LuaError) -> Undo {
    if call[1].isNil { return .last }
    do throws(LuaError) {
      let options = try OptionReader(call[1], ["id", "run", "rule"], of: "undo")
      let id = try options.count("id").map { Undo.change(Int64($0)) }
      let run = try options.count("run").map { Undo.run(Int64($0)) }
      let rule = try options.text("rule").map { Undo.rule($0) }
      let named = [id, run, rule].compactMap { $0 }
      guard named.count == 1, let what = named.first else {
        throw .message("one of id, run and rule expected")
      }
      return what
    } catch {
      throw call.argumentError(1, error.description)
    }
  }

  // MARK: Observers

  /// What Lua calls the actions of the history.
  private static let events: [String: Change.Action] = [
    "insert": .star, "delete": .unstar, "tag": .tag, "untag": .untag, "note": .note,
    "refuse": .refuse, "allow": .allow,
  ]

  static let eventNames = events.keys.sorted() + ["change"]

  private static func observe(
    _ environment: ApiEnvironment, _ call: borrowing LuaCall, _ results: inout LuaWriter
  ) throws(LuaError) {
    let event = call[1].text(atMost: 64) ?? ""
    guard event == "change" || events[event] != nil else {
      let names = eventNames
      let hint = Spelling.nearest(to: event, among: names).map { "; did you mean \"\($0)\"?" }
      throw call.argumentError(
        1, "there is no event \"\(event)\"" + (hint ?? ": \(names.joined(separator: ", "))"))
    }
    guard let listener = call.state.keepFunction(call[2]) else {
      throw call.argumentError(2, expected: "function")
    }
    let (binding, script) = (try environment.store(), try environment.requireScript())
    let wanted = events[event]
    let token = try binding.observe {
      [weak state = call.state, weak environment, weak script] change in
      guard let state, wanted == nil || change.action == wanted else { return }
      do throws(LuaError) {
        try script?.tell { () throws(LuaError) in
          try state.call(listener) { writer throws(LuaError) in
            try writer.push(change, binding.keys)
          }
        }
      } catch {
        // The change is made; what a listener does cannot take it back.
        var failure = HostError(error, in: state)
        let text = failure.description
        failure.subject = failure.subject ?? "a listener of \"\(event)\""
        environment?.log(
          LogLine(
            level: .error, source: environment?.name ?? "",
            message: "a listener of \"\(event)\" failed: \(text)", error: failure))
      }
    }
    results.push(binding.objects.push(token, binding, call))
  }
}
