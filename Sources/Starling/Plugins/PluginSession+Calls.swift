import StarlingFeeds
import StarlingLua
import StarlingModel

/// Calls of the plugin's functions, and what they answer.
extension PluginSession {
  /// Makes the `feed` table of one document, which no call can change, and begins the numbers of
  /// `math.random` anew: what becomes of a feed depends on no other.
  func makeFeed(_ feed: FeedDescription, body: JSONView?) throws(HostError) -> LuaTable {
    try guarded("feed") { () throws(LuaError) in
      let make = try state.load("return ...", name: LuaState.hostChunk)
      let table = try state.call(
        make,
        arguments: { writer throws(LuaError) in
          try feed.push(to: &writer, body: body, loadedAt: clock())
        },
        results: { results throws(LuaError) in
          guard let table = state.keepTable(results[1]) else { throw .message("no feed table") }
          return table
        })
      state.reseed(randomSeed)
      return try state.seal(table, as: "feed")
    }
  }

  /// Whether the plugin takes the feed; false for one without `accepts`, which is used by name.
  func accepts(_ feed: LuaTable) throws(HostError) -> Bool {
    guard let function = module.accepts else { return false }
    return try metered("accepts") { () throws(LuaError) in
      try state.call(
        function, arguments: { $0.push(feed) }, results: { results in results[1].isTrue })
    }
  }

  /// What `items` gives, or nil when there is no such function or it gives nothing.
  func items(of feed: LuaTable) throws(HostError) -> FeedItems? {
    guard let function = module.items else { return nil }
    return try metered("items") { () throws(LuaError) in
      try state.call(
        function, arguments: { $0.push(feed) },
        results: { results throws(LuaError) -> FeedItems? in
          let value = results[1]
          if value.isNil { return nil }
          if let list = state.keepTable(value) {
            try PluginSession.requireList(value)
            return .list(list, count: value.rawCount)
          }
          if let (source, node) = try state.source(of: value), let view = source as? JSONView {
            guard view.isArray(node) else { throw PluginSession.noList("an object") }
            return .view(view, node)
          }
          throw .message("`items` returns a list or nil, not a \(value.type.name)")
        })
    }
  }

  private static func requireList(_ table: LuaView) throws(LuaError) {
    if let key = try table.keyOutsideList({ $0.text(atMost: 40) ?? $0.type.name }) {
      throw noList("a table with the key `\(key)`")
    }
  }

  private static func noList(_ found: String) -> LuaError {
    .message(
      "`items` returns a list, not \(found); go through it with pairs() and collect its values")
  }

  /// Maps one item and lends each entity to `take`, in their order.
  ///
  /// - Returns: the reason when the plugin leaves the item out, nil when it gave an entity.
  func map(
    feed: LuaTable, item push: (inout LuaWriter) throws(LuaError) -> Void,
    take: (LuaView) throws(LuaError) -> Void
  ) throws(HostError) -> String? {
    guard let function = module.map else { return "no map" }
    hasBadAnswer = false
    return try metered("map") { () throws(LuaError) in
      try state.call(
        function,
        arguments: { writer throws(LuaError) in
          try push(&writer)
          writer.push(feed)
        },
        results: { results throws(LuaError) -> String? in
          do throws(LuaError) {
            return try answer(results, take)
          } catch {
            hasBadAnswer = true
            throw error
          }
        })
    }
  }

  /// The error of a bad answer with the line on which `map` returned it, for which the item is mapped
  /// once more: to look at every return slows Lua down, and nearly all answers are good.
  func traced(
    _ known: HostError, feed: LuaTable, item push: (inout LuaWriter) throws(LuaError) -> Void,
    take: (LuaView) throws(LuaError) -> Void
  ) -> HostError {
    guard hasBadAnswer, !isTracing, !known.isStop else { return known }
    isTracing = true
    defer { isTracing = false }
    do throws(HostError) {
      _ = try map(feed: feed, item: push, take: take)
    } catch {
      // One that is stopped now was in its time when nobody looked.
      if !error.isStop { return error }
    }
    return known
  }

  /// Bytes of a reason, which may be as long as a string and is kept for the feed's report.
  private static let longestReason = 400

  /// Bytes that the entities of one answer may take.
  var answerLimitBytes: Int { limits.memoryBytes }

  private func answer(
    _ results: borrowing LuaResults, _ take: (LuaView) throws(LuaError) -> Void
  ) throws(LuaError) -> String? {
    if results.count > 1, results[1].isTable, results[2].isTable {
      throw .message("`map` returned two tables: several entities go in a list, { a, b }")
    }
    return try state.withCopy(of: results[1], JSONView.pushCopy) { value throws(LuaError) in
      try answer(value, results, take)
    }
  }

  private func answer(
    _ value: LuaView, _ results: borrowing LuaResults,
    _ take: (LuaView) throws(LuaError) -> Void
  ) throws(LuaError) -> String? {
    if value.isNil {
      return results[2].text(atMost: PluginSession.longestReason) ?? "no reason given"
    }
    guard value.type == .table else {
      throw .message("`map` returns an entity, a list of them, or nil, not a \(value.type.name)")
    }
    let isList = try value.element(1) { first in first.type == .table || first.type == .view }
    if isList {
      try takeList(value, take)
    } else if try value.isEmptyTable {
      return "an empty list"
    } else {
      try take(value)
    }
    return nil
  }

  private func takeList(
    _ list: LuaView, _ take: (LuaView) throws(LuaError) -> Void
  ) throws(LuaError) {
    if let key = try list.keyOutsideList({ $0.text(atMost: 40) ?? $0.type.name }) {
      throw .message("`map` returned a list that has a field `\(key)` too")
    }
    var count = 0
    try list.forEachField { _, _ in count += 1 }
    try list.forEachElement { position, entity throws(LuaError) in
      guard !entity.isNil else { throw PluginSession.hole(at: position) }
      count -= 1
      try state.withCopy(of: entity, JSONView.pushCopy, take)
    }
    if count > 0 { throw PluginSession.hole(at: list.rawCount + 1) }
  }

  private static func hole(at position: Int) -> LuaError {
    .message(
      "the list that `map` returned ends at a nil, element \(position), and goes on behind it; "
        + "add entities with list[#list + 1] = entity")
  }

  /// One element of the list that `items` gave.
  func element(_ position: Int, of list: LuaTable) throws(HostError) -> FeedItems.Element {
    try guarded("items") { () throws(LuaError) in
      try state.read(list) { table throws(LuaError) in
        try table.element(position) { value throws(LuaError) in
          if let table = state.keepTable(value) { return .table(table) }
          if let (source, node) = try state.source(of: value), let view = source as? JSONView {
            return .view(view, node)
          }
          return .value(try value.copy(maxDepth: 1))
        }
      }
    }
  }

  func push(_ item: borrowing Item, to writer: inout LuaWriter) throws(LuaError) {
    try itemWriter.push(item, to: &writer)
  }

  /// The kind that an entity table names, or the plugin's only one.
  func kindName(of entity: LuaView) throws(LuaError) -> String {
    try entity.field(kindKey) { value throws(LuaError) in
      if let name = value.text(atMost: Field.longestName) { return name }
      if declarations.count == 1, value.isNil { return declarations[0].name }
      throw .message(
        "an entity says its `kind`, one of \(declarations.map(\.name))", about: "kind")
    }
  }

  /// Where `map` returned the last time, when that is traced.
  var lastReturn: SourceLocation? { isTracing ? state.lastReturn : nil }

  /// Runs a call of one of the plugin's functions and counts it.
  private func metered<Result>(
    _ function: String, _ body: () throws(LuaError) -> Result
  ) throws(HostError) -> Result {
    let start = state.timeUsedNanoseconds
    defer { meter.noteCall(state.timeUsedNanoseconds &- start) }
    return try guarded(function, body)
  }

  /// Runs a call into Lua and gives its error the plugin's name.
  private func guarded<Result>(
    _ function: String, _ body: () throws(LuaError) -> Result
  ) throws(HostError) -> Result {
    do throws(LuaError) {
      return try body()
    } catch {
      throw HostError(
        error, in: state, subject: "\(file.path): \(function)", plugin: file.name
      )
      .placed(at: place(of: error, in: function), in: function)
    }
  }

  /// The line of what is wrong in an answer, in the function that gave it: where the field gets its
  /// value, seen from where the function returned if that is known; else where the function begins.
  private func place(of error: LuaError, in function: String) -> SourceLocation? {
    if case .interrupted(.request) = error { return nil }
    guard let (chunk, lines) = places[function] else { return nil }
    let back = function == "map" ? lastReturn : nil
    let file = back?.file ?? chunk
    guard let text = sources.files.first(where: { $0.path == file })?.bytes else {
      return SourceLocation(file: chunk, line: lines.lowerBound)
    }
    let place = TextPlace(text)
    if let back {
      let first = file == chunk && lines.contains(back.line) ? lines.lowerBound : 1
      return SourceLocation(
        file: file, line: place.line(of: error.steps, returnedOn: back.line, from: first))
    }
    let line = error.steps.isEmpty ? nil : place.line(of: error.steps, in: lines)
    return SourceLocation(file: chunk, line: line ?? lines.lowerBound)
  }
}

extension LuaView {
  /// Whether a table has no field at all.
  fileprivate var isEmptyTable: Bool {
    get throws(LuaError) {
      var count = 0
      try forEachField { _, _ in count += 1 }
      return count == 0
    }
  }
}
