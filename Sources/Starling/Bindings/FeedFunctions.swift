import StarlingFeeds
import StarlingLua

/// `feeds.*`: feeds as plugins see them, for scripts.
enum FeedFunctions {
  static let all: [ApiFunction] = [
    ApiFunction(
      "feeds.decode", in: .script,
      [
        .required(
          "document", .string, "the bytes of an RSS, Atom, RDF, JSON Feed or JSON document"),
        .optional("options", .shape("starling.DecodeOptions"), "url, content_type, charset"),
      ],
      returns: [
        ApiResult(type: .shape("starling.DecodedFeed"), help: "with entries, or the body of JSON")
      ],
      help: "Decodes a feed: what plugins get, with all entries as a list."
    ) { _, call, results throws(LuaError) in
      let options = try options(call)
      _ = try unsafe call.withText(1) { document throws(LuaError) in
        try unsafe decode(document, options, call, &results)
      }
    }
  ]

  private static func options(_ call: borrowing LuaCall) throws(LuaError) -> FeedOptions {
    if call[2].isNil { return FeedOptions() }
    do throws(LuaError) {
      let names = ["url", "content_type", "charset"]
      let options = try OptionReader(call[2], names, of: "decode")
      return FeedOptions(
        url: try options.text("url"), contentType: try options.text("content_type"),
        charset: try options.text("charset"))
    } catch {
      throw call.argumentError(2, error.description)
    }
  }

  private static func decode(
    _ document: UnsafeRawBufferPointer, _ options: FeedOptions, _ call: borrowing LuaCall,
    _ results: inout LuaWriter
  ) throws(LuaError) {
    let state = call.state
    var held = MemoryCharge(state)
    defer { held.set(0) }
    let decoder = FeedDecoder(options)
    decoder.isStopped = { state.mustStop }
    try results.table(fields: 12) { table throws(LuaError) in
      try table.set(named: "entries") { value throws(LuaError) in
        try unsafe push(entries: document, decoder, &held, call, to: &value)
      }
      let description = FeedDescription(
        header: decoder.header, url: options.url, site: nil, options: [:])
      try description.fill(&table)
      try push(decoder, to: &table)
    }
  }

  /// Pushes the entries as they come, so that the items of a whole document are never held.
  private static func push(
    entries document: UnsafeRawBufferPointer, _ decoder: FeedDecoder, _ held: inout MemoryCharge,
    _ call: borrowing LuaCall, to value: inout LuaWriter
  ) throws(LuaError) {
    let writer = try ItemWriter(state: call.state)
    var item = Item()
    var place = 0
    try value.array(count: 0) { list throws(LuaError) in
      repeat {
        try call.state.checkBudget()
        held.set(decoder.workBytes + item.heldBytes)
        try call.state.checkBudget()
        let end = min(document.count, place + pieceBytes)
        let piece = unsafe UnsafeRawBufferPointer(rebasing: document[place..<end])
        do throws(FeedError) {
          try unsafe decoder.append(piece)
        } catch {
          try call.state.checkBudget()
          throw call.argumentError(1, error.description)
        }
        // All that the document of a text in JSON can become, before it is made.
        held.set(decoder.workBytes + decoder.heldBytes * JSONFunctions.bytesHeld)
        try call.state.checkBudget()
        do throws(FeedError) {
          if end == document.count { try decoder.finish() }
        } catch {
          try call.state.checkBudget()
          throw call.argumentError(1, error.description)
        }
        place = end
        if let body = decoder.document { held.set(decoder.workBytes + body.tapeBytes) }
        while decoder.next(into: &item) {
          held.set(decoder.workBytes + item.heldBytes)
          try call.state.checkBudget()
          try list.append { entry throws(LuaError) in try writer.push(item, to: &entry) }
        }
      } while place < document.count
    }
  }

  private static let pieceBytes = 64 << 10

  private static func push(
    _ decoder: FeedDecoder, to table: inout LuaTableWriter
  ) throws(LuaError) {
    if let body = decoder.document {
      try table.set(named: "body") { value throws(LuaError) in
        try value.push(body, body.root, nulls: false)
      }
    }
    if decoder.isCut { try table.set(named: "cut") { $0.push(true) } }
    if decoder.damage.isEmpty { return }
    try table.set(named: "damage") { value throws(LuaError) in
      try value.array(count: decoder.damage.count) { list in
        for damage in decoder.damage { list.append(damage.description) }
      }
    }
  }
}

/// Memory that a function holds for its caller's budget.
private struct MemoryCharge: ~Copyable {
  private let state: LuaState
  private var bytes = 0

  init(_ state: LuaState) {
    self.state = state
  }

  mutating func set(_ new: Int) {
    if new > bytes {
      state.charge(bytes: new - bytes)
    } else {
      state.discharge(bytes: bytes - new)
    }
    bytes = new
  }
}
