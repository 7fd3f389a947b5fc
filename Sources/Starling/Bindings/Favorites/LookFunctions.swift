import StarlingFavorites
import StarlingLua
import StarlingModel

/// The functions of `favorites` and `entities` that look and change nothing.
enum LookFunctions {
  static let all: [ApiFunction] =
    membership + rows("favorites", .favorites)
    + rows("entities", .everything) + [kinds]

  private static let kindOrEntity = ApiParameter.required(
    "kind", .union([.string, .table]), "a kind, or an entity that says its own")
  private static let key = ApiParameter.optional(
    "key", .any, "a key (text or a whole number), or an entity of that kind")

  // MARK: Membership

  private static let membership: [ApiFunction] = [
    ApiFunction(
      "favorites.contains", in: .script, [kindOrEntity, key],
      returns: [ApiResult(type: .boolean, help: "whether it is a favorite")],
      help: "Is it a favorite? Ask by kind and key, by an entity, or by { url = ... }."
    ) { environment, call, results throws(LuaError) in
      results.push(try contains(try environment.store(), call))
    },
    ApiFunction(
      "favorites.containing", in: .script,
      [
        .required("kind", .string, "a kind"), .required("keys", .list(.string), "a page of keys"),
      ],
      returns: [ApiResult(type: .table, help: "{ [key] = true } for those that are favorites")],
      help: "Which of these keys are favorites, in one look."
    ) { environment, call, results throws(LuaError) in
      try containing(try environment.store(), call, &results)
    },
    ApiFunction(
      "favorites.members", in: .script, [.required("kind", .string, "a kind")],
      returns: [ApiResult(type: .shape("starling.Members"), help: "members[key]; #members")],
      help: "A snapshot of all keys in memory, for a million questions; members:refresh()."
    ) { environment, call, results throws(LuaError) in
      let binding = try environment.store()
      let kind = try binding.kind(call, 1)
      let store = try binding.store()
      let set = try binding.run { () throws(FavoritesError) in try store.members(kind.handle) }
      results.push(binding.objects.push(set, binding, call))
    },
    ApiFunction(
      "favorites.refused", in: .script, [kindOrEntity, key],
      returns: [ApiResult(type: .boolean, help: "whether the user said no to it")],
      help: "Whether the user refused it."
    ) { environment, call, results throws(LuaError) in
      let binding = try environment.store()
      let target = try binding.textTarget(call)
      let store = try binding.reading()
      results.push(
        try binding.run { () throws(FavoritesError) in
          try store.isRefused(kind: target.kind, key: target.key)
        })
    },
    ApiFunction(
      "favorites.why", in: .script, [kindOrEntity, key],
      returns: [ApiResult(type: .list(.shape("starling.Cause")), help: "empty when it is none")],
      help: "Why it is a favorite: its causes, in the order in which they came."
    ) { environment, call, results throws(LuaError) in
      let binding = try environment.store()
      defer { binding.letGo() }
      var causes: [Cause] = []
      try unsafe binding.withTarget(call) { kind, key, _ throws(LuaError) in
        let store = try binding.reading()
        try binding.run { () throws(FavoritesError) in
          _ = try unsafe store.row(kind.handle, key: key, favoritesOnly: true) {
            row throws(FavoritesError) in causes = try row.causes()
          }
        }
      }
      try results.push(causes, binding.keys.cause)
    },
    ApiFunction(
      "favorites.history", in: .script,
      [.optional("options", .shape("starling.HistoryOptions"), "kind, key, run, before, limit")],
      returns: [ApiResult(type: .list(.shape("starling.Change")), help: "newest first")],
      help: "The changes of favorites and refusals, newest first; 50 unless a limit is given."
    ) { environment, call, results throws(LuaError) in
      try history(try environment.store(), call, &results)
    },
  ]

  private static func contains(
    _ binding: StoreBinding, _ call: borrowing LuaCall
  ) throws(LuaError) -> Bool {
    // Nearly always a kind and a key, which C has read.
    if let name = unsafe call.first.bytes, let key = unsafe call.second.bytes, key.count > 0 {
      return try unsafe contains(binding, try binding.kind(named: name, call, 1), key)
    }
    if call[1].isTable, let url = try urlAlone(call, binding) {
      let store = try binding.reading()
      return try binding.run { () throws(FavoritesError) in try store.contains(url: url) }
    }
    return try unsafe binding.withTarget(call) { kind, key, _ throws(LuaError) in
      try unsafe contains(binding, kind, key)
    }
  }

  @inline(__always)
  private static func contains(
    _ binding: StoreBinding, _ kind: BoundKind, _ key: UnsafeRawBufferPointer
  ) throws(LuaError) -> Bool {
    let store = try binding.reading()
    do throws(FavoritesError) {
      return try unsafe store.contains(kind.handle, key: key)
    } catch {
      throw binding.lua(error)
    }
  }

  /// The address of `{ url = ... }`; nil for an entity.
  private static func urlAlone(
    _ call: borrowing LuaCall, _ binding: StoreBinding
  ) throws(LuaError) -> String? {
    let hasKind = try call[1].field(binding.keys.kind) { !$0.isNil }
    if hasKind { return nil }
    return try call[1].field(named: "url") { value throws(LuaError) in
      guard value.type == .string else { return nil }
      do throws(LuaError) {
        return try value.string()
      } catch {
        throw call.argumentError(1, error.inside("url").description)
      }
    }
  }

  private static func containing(
    _ binding: StoreBinding, _ call: borrowing LuaCall, _ results: inout LuaWriter
  ) throws(LuaError) {
    let kind = try binding.kind(call, 1)
    let list = call[2]
    let other = try list.keyOutsideList { key in
      key.text(atMost: 40).map { "the field \"\($0)\"" }
        ?? "a key that is a \(key.type.name)"
    }
    if let other {
      throw call.argumentError(2, "a list of keys expected, got a table with \(other)")
    }
    // One transaction for all: one look at one state of the file.
    let store = try binding.reading()
    var look = KeyListLook(list, kind, store, binding)
    try results.table(fields: min(list.rawCount, 256)) { table throws(LuaError) in
      try look.answer(into: &table, call)
    }
  }

  private static func history(
    _ binding: StoreBinding, _ call: borrowing LuaCall, _ results: inout LuaWriter
  ) throws(LuaError) {
    var filter = HistoryFilter()
    do throws(LuaError) {
      let names = ["kind", "key", "run", "before", "limit"]
      let options = try OptionReader(call[1], names, of: "history")
      filter.kind = try options.text("kind")
      filter.key = try options.read("key") { key throws(LuaError) in
        try unsafe binding.withKey(key) { unsafe String(decoding: $0, as: UTF8.self) }
      }
      filter.run = try options.count("run").map { Int64($0) }
      filter.before = try options.count("before").map { Int64($0) }
      filter.limit = try options.count("limit") ?? filter.limit
    } catch {
      throw call.argumentError(1, error.description)
    }
    let store = try binding.reading()
    defer { binding.letGo() }
    let changes = try binding.run { () throws(FavoritesError) in try store.history(filter) }
    try results.array(count: changes.count) { list throws(LuaError) in
      for change in changes {
        try list.append { writer throws(LuaError) in try writer.push(change, binding.keys) }
      }
    }
  }

  // MARK: Rows

  private static let kindName = ApiParameter.required("kind", .string, "a kind")
  private static let queryOptions = ApiParameter.optional(
    "options", .shape("starling.Query"), "where, order, limit, after, tag, text, causes")

  /// The four functions that read rows.
  private static func rows(_ table: String, _ scope: Query.Scope) -> [ApiFunction] {
    let what = scope == .favorites ? "favorite" : "entity, starred or not,"
    let those = scope == .favorites ? "favorites" : "entities, starred or not,"
    return [
      ApiFunction(
        "\(table).get", in: .script, [kindOrEntity, key],
        returns: [
          ApiResult(type: .shape("starling.Entity"), isOptional: true, help: "or nil")
        ],
        help: "The \(what) with this key, with tags, note, causes and starred_at; or nil."
      ) { environment, call, results throws(LuaError) in
        try get(try environment.store(), call, scope, &results)
      },
      ApiFunction(
        "\(table).fetch", in: .script, [kindName, queryOptions],
        returns: [
          ApiResult(type: .list(.shape("starling.Entity")), help: "the rows"),
          ApiResult(type: .string, isOptional: true, help: "`after` for the next page, if any"),
        ],
        help: "The \(those) that match, as a list."
      ) { environment, call, results throws(LuaError) in
        let binding = try environment.store()
        let (reader, writer) = try query(binding, call, scope, function: "fetch")
        var rows = RowPusher(writer, call.state)
        var next: Cursor?
        try results.array(count: min(reader.query.limit ?? 0, 256)) { list throws(LuaError) in
          next = try rows.append(reader.query, binding, to: &list)
        }
        if let next { results.push(next.text) }
      },
      ApiFunction(
        "\(table).each", in: .script, [kindName, queryOptions],
        returns: [ApiResult(type: .function, help: "an iterator")],
        help: "Goes through the \(those) that match: memory does not grow; it is no snapshot."
      ) { environment, call, results throws(LuaError) in
        let binding = try environment.store()
        let (reader, writer) = try query(binding, call, scope, function: "each")
        results.push(binding.objects.push(RowIterator(binding, writer, reader.query), call))
      },
      ApiFunction(
        "\(table).count", in: .script, [kindName, queryOptions],
        returns: [ApiResult(type: .integer, help: "how many; limit and after do not count")],
        help: "How many \(those) match."
      ) { environment, call, results throws(LuaError) in
        let binding = try environment.store()
        let (reader, _) = try query(binding, call, scope, function: "count")
        let store = try binding.reading()
        results.push(
          Int64(
            try binding.run { () throws(FavoritesError) in try store.count(reader.query) }))
      },
    ]
  }

  private static func query(
    _ binding: StoreBinding, _ call: borrowing LuaCall, _ scope: Query.Scope, function: String
  ) throws(LuaError) -> (QueryReader, RowWriter) {
    let kind = try binding.kind(call, 1)
    kind.update(call.state)
    let reader = try QueryReader(call, 2, kind: kind, scope: scope, function: function)
    if binding.remembersQueries { binding.lastQuery = reader.query }
    let writer = RowWriter(
      kind: kind, binding: binding, withCauses: reader.withCauses,
      withSeen: scope == .everything)
    return (reader, writer)
  }

  private static func get(
    _ binding: StoreBinding, _ call: borrowing LuaCall, _ scope: Query.Scope,
    _ results: inout LuaWriter
  ) throws(LuaError) {
    var failure: LuaError?
    defer { binding.letGo() }
    let found = try unsafe binding.withTarget(call) { kind, key, _ throws(LuaError) in
      kind.update(call.state)
      let writer = RowWriter(kind: kind, binding: binding, withCauses: true, withSeen: true)
      let store = try binding.reading()
      return try binding.run { () throws(FavoritesError) in
        try unsafe store.row(kind.handle, key: key, favoritesOnly: scope == .favorites) { row in
          do throws(LuaError) { try writer.push(row, to: &results) } catch { failure = error }
        }
      }
    }
    if let failure { throw failure }
    if !found { results.pushNil() }
  }

  // MARK: Kinds

  private static let kinds = ApiFunction(
    "favorites.kinds", in: .script,
    returns: [ApiResult(type: .list(.shape("starling.Kind")), help: "name, key, fields, indexes")],
    help: "The kinds that there are, with their fields."
  ) { environment, call, results throws(LuaError) in
    let kinds = try environment.store().storeWithPlugins().kinds
    try results.array(count: kinds.count) { list throws(LuaError) in
      for kind in kinds {
        try list.append { writer throws(LuaError) in try writer.push(kind) }
      }
    }
  }
}

extension LuaWriter {
  /// Pushes a kind as plugins declare it.
  fileprivate mutating func push(_ kind: Kind) throws(LuaError) {
    try table(fields: 4) { table throws(LuaError) in
      try table.set(named: "name") { $0.push(kind.name) }
      try table.set(named: "key") { writer throws(LuaError) in
        switch kind.key {
        case .auto: writer.push("auto")
        case .fields(let names): try writer.push(list: names)
        }
      }
      try table.set(named: "fields") { writer throws(LuaError) in
        try writer.array(count: kind.fields.count) { list throws(LuaError) in
          for field in kind.fields {
            try list.append { writer throws(LuaError) in try writer.push(field) }
          }
        }
      }
      try table.set(named: "indexes") { writer throws(LuaError) in
        try writer.push(list: kind.indexes)
      }
    }
  }

  private mutating func push(_ field: Field) throws(LuaError) {
    try table(fields: 2) { table throws(LuaError) in
      try table.set(named: "name") { $0.push(field.name) }
      try table.set(named: "type") { $0.push(field.type.rawValue) }
    }
  }

  fileprivate mutating func push(list texts: [String]) throws(LuaError) {
    try array(count: texts.count) { list in
      for text in texts { list.append(text) }
    }
  }
}
