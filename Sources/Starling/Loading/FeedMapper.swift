import StarlingFavorites
import StarlingFeeds
import StarlingLua
import StarlingModel

/// Takes one feed from bytes to entities: decodes it, finds its plugin, maps item by item.
///
/// Nothing is stored here, and only one item of an XML feed is in memory at a time.
final class FeedMapper {
  /// What became of the items; the entities went to `take` one by one.
  struct Report {
    var plugin = ""
    var items = 0
    var leftOut: [String: Int] = [:]
    var failures: [LoadReport.ItemFailure] = []
    var failureCount = 0
    var damage: [String] = []
    /// What the server said of the document.
    var response: FeedInput.Response?
    var isCut = false
  }

  /// The item that an entity was made of.
  struct Origin {
    /// Its place in the feed, from 1.
    var place: Int
    /// When it was published, for an item that has no address and is told apart by its id alone.
    var publishedUnderID: Timestamp?
  }

  /// What happens to an item that becomes no entity.
  enum Event {
    /// The location is where the plugin returned, if that is looked for.
    case leftOut(place: Int, reason: String, SourceLocation?)
    /// The plugin was named, and would not have taken the feed.
    case notAccepted
    case failed(LoadReport.ItemFailure)
  }

  typealias Take = (_ kind: Kind, _ record: inout EntityRecord, _ origin: Origin)
    throws(HostError) -> Void

  private let input: FeedInput
  private let candidates: [Plugin]
  private let isNamed: Bool
  private let kindNamed: (String) -> Kind?
  private let take: Take
  private let recall: ItemRecall?
  private let decoder: FeedDecoder
  private let baseURL: String?

  private var plugin: Plugin?
  private var session: PluginSession?
  private var feed: LuaTable?
  private var body: JSONView?
  private var readers: [(name: String, reader: EntityReader)] = []
  private var item = Item()
  private var record = EntityRecord()
  /// The entities of the answer at hand before the last, which `record` is: none of them is stored
  /// unless all can be.
  private var earlier: [(kind: Kind, record: EntityRecord)] = []
  /// Whether the plugin's `items` gave what there is to map, in place of the entries.
  private var hasOwnItems = false
  /// Bytes of the entities so far. Each item's are bounded, and there may be many items: what a feed
  /// makes must fit on the disk.
  private var made = 0
  private static let mostAnswers = 16
  private var unreadableTimes: [String] = []
  private var unreadableCount = 0
  private(set) var report = Report()
  /// Told of each item that becomes no entity.
  var observe: ((Event) -> Void)?
  /// Whether a plugin that was named is asked all the same whether it takes the feed.
  var asksNamed = false

  /// - Parameters:
  ///   - candidates: the plugins to ask, in this order; with `isNamed` the one to use.
  ///   - kindNamed: the kinds as records are to have them.
  init(
    _ input: FeedInput, url: String?, contentType: String?, candidates: [Plugin], isNamed: Bool,
    kindNamed: @escaping (String) -> Kind?, recall: ItemRecall? = nil, take: @escaping Take
  ) {
    self.recall = recall
    self.input = input
    self.candidates = candidates
    self.isNamed = isNamed
    self.kindNamed = kindNamed
    self.take = take
    baseURL = input.url ?? url
    decoder = FeedDecoder(
      FeedOptions(
        url: baseURL, contentType: input.contentType ?? contentType, charset: input.charset))
  }

  /// Takes the next piece of the document and maps the items that it completes.
  func append(_ bytes: UnsafeRawBufferPointer) throws(HostError) {
    do throws(FeedError) {
      try unsafe decoder.append(bytes)
    } catch {
      throw refusal(error)
    }
    try mapEntries()
  }

  /// Maps what is left at the end of the document.
  func finish() throws(HostError) {
    do throws(FeedError) {
      try decoder.finish()
    } catch {
      throw refusal(error)
    }
    if session == nil { try choosePlugin() }
    if !hasOwnItems { try mapEntries() }
    if decoder.header.format == .json && !hasOwnItems { try mapArray() }
    report.damage = decoder.damage.map(\.description) + unreadableLine
    report.isCut = decoder.isCut
    if let session { body?.retract(from: session.state) }
    noteMemory()
    plugin?.meter.noteFeed()
  }

  private func noteMemory() {
    guard let session, let plugin else { return }
    plugin.meter.peakMemory = max(plugin.meter.peakMemory, session.state.memoryPeak)
  }

  private func refusal(_ error: FeedError) -> HostError {
    HostError(.feed, error.description, subject: input.name, cause: error)
  }

  /// One line for all times that could not be read.
  private var unreadableLine: [String] {
    guard let first = unreadableTimes.first else { return [] }
    let (one, many) = ("time could not be read and is", "times could not be read and are")
    return [CountText.of(unreadableCount, one, many) + " left out, such as \"\(first)\""]
  }
}

@available(*, unavailable)
extension FeedMapper: Sendable {}

// MARK: - The plugin

extension FeedMapper {
  private func choosePlugin() throws(HostError) {
    for plugin in candidates where plugin.refusal == nil || isNamed {
      if let refusal = plugin.refusal { throw refusal }
      if try use(plugin) { return }
    }
    throw noPlugin()
  }

  private func noPlugin() -> HostError {
    let format = decoder.header.format?.rawValue ?? "document"
    let error = HostError(.plugin, "no plugin accepts this \(format) feed", subject: input.name)
    return error.with(
      Remedy(library: advice(forCommand: false), command: advice(forCommand: true)))
  }

  /// What to do about a feed that no plugin takes.
  private func advice(forCommand: Bool) -> String {
    func text(_ error: HostError) -> String {
      forCommand ? error.commandDescription : error.description
    }
    let names = candidates.filter { $0.refusal == nil }.map(\.name)
    let refused = candidates.compactMap { plugin -> String? in
      guard let refusal = plugin.refusal else { return nil }
      // A stop has been said where it was met.
      return refusal.isStop ? plugin.name : "\(plugin.name) (\(text(refusal)))"
    }
    var advice = "; "
    if !names.isEmpty {
      advice += forCommand ? "name one with --plugin" : "name one"
      advice += " (\(names.joined(separator: ", ")))"
    } else if refused.isEmpty {
      advice += "there are no plugins: name their folder"
      advice += forCommand ? " with --plugins DIR" : " in the configuration"
    } else {
      advice += "there is no other plugin"
    }
    for failure in report.failures {
      advice += "; \(failure.error.plugin ?? "one") failed: \(text(failure.error))"
    }
    if !refused.isEmpty {
      advice += "; not used: \(refused.joined(separator: ", "))"
      if forCommand { advice += ", see starling plugins list" }
    }
    return advice
  }

  /// Makes the feed known to a plugin and asks whether it takes it. A plugin that fails here loses
  /// the feed, not the others theirs.
  private func use(_ candidate: Plugin) throws(HostError) -> Bool {
    do throws(HostError) {
      let session = try candidate.currentSession()
      if !isNamed && !session.hasAccepts { return false }
      let body = decoder.document.map { JSONView.lend($0, to: session.state) }
      let feed = try session.makeFeed(description, body: body)
      let isAsked = !isNamed || asksNamed && session.hasAccepts
      let isTaken = isAsked ? try session.accepts(feed) : true
      if !isTaken, isNamed { observe?(.notAccepted) }
      guard isTaken || isNamed else {
        body?.retract(from: session.state)
        return false
      }
      self.session = session
      self.feed = feed
      self.body = body
      plugin = candidate
      report.plugin = candidate.name
    } catch {
      candidate.meter.note(error)
      if error.isStop { candidate.discardSession() }
      if isNamed { throw error }
      fail(0, error)
      return false
    }
    try mapOwnItems()
    // A plugin that sees the whole document may make another entity of the same item.
    if !hasOwnItems, body == nil { try recall?.begin(candidate, description) }
    return true
  }

  private var description: FeedDescription {
    FeedDescription(
      header: decoder.header, url: baseURL, site: input.site, options: input.options)
  }
}

// MARK: - Items

extension FeedMapper {
  /// The entries that the decoder has ready.
  private func mapEntries() throws(HostError) {
    // What nobody else can change meanwhile is lent without a copy.
    var item = Item()
    swap(&item, &self.item)
    defer { swap(&item, &self.item) }
    while decoder.next(into: &item) {
      if session == nil { try choosePlugin() }
      if hasOwnItems { continue }
      guard let session else { return }
      report.items += 1
      defer { recall?.end() }
      let underID = item[.url].isEmpty ? item.published : nil
      // What is told apart by its id alone is compared with all others of its feed.
      if underID == nil, let kind = try recall?.recall(item, into: &record) {
        try take(kind, &record, Origin(place: report.items))
        continue
      }
      try map(report.items, publishedUnderID: underID) { writer throws(LuaError) in
        try session.push(item, to: &writer)
      }
    }
  }

  /// What the plugin's own `items` gives.
  private func mapOwnItems() throws(HostError) {
    guard let session, let feed else { return }
    let items: FeedItems?
    do throws(HostError) {
      items = try session.items(of: feed)
    } catch {
      noteMemory()
      plugin?.meter.note(error)
      if error.isStop { plugin?.discardSession() }
      throw error
    }
    guard let items else { return }
    hasOwnItems = true
    switch items {
    case .view(let view, let node): try mapElements(view, node)
    case .list(let list, let count): try mapList(list, count)
    }
  }

  private func mapArray() throws(HostError) {
    guard let body, let document = decoder.document else { return }
    guard document.kind(document.root) == .array else {
      throw HostError(
        .plugin, "the document is no list: the plugin needs a function `items`",
        subject: input.name, plugin: plugin?.name)
    }
    try mapElements(body, document.root.place)
  }

  private func mapElements(_ view: JSONView, _ node: Int64) throws(HostError) {
    var failure: HostError?
    view.forEachElement(of: node) { element in
      report.items += 1
      if view.isNull(element) {
        leaveOut("null", report.items)
        return true
      }
      do throws(HostError) {
        try map(report.items) { writer throws(LuaError) in
          try view.pushCopy(element, to: &writer)
        }
        return true
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
  }

  private func mapList(_ list: LuaTable, _ count: Int) throws(HostError) {
    guard let session else { return }
    for position in 1...max(1, count) where count > 0 {
      report.items += 1
      let element = try session.element(position, of: list)
      try map(report.items) { writer throws(LuaError) in try element.push(to: &writer) }
    }
  }

  /// Maps one item. One that fails is reported and lost, and no other; a stop ends the feed.
  private func map(
    _ place: Int, publishedUnderID: Timestamp? = nil,
    _ push: (inout LuaWriter) throws(LuaError) -> Void
  ) throws(HostError) {
    guard let session, let feed else { return }
    earlier.removeAll(keepingCapacity: true)
    var last: Kind?
    let reason: String?
    do throws(HostError) {
      var size = 0
      reason = try session.map(feed: feed, item: push) { entity throws(LuaError) in
        if let last {
          earlier.append((last, record))
          record = EntityRecord()
        }
        last = try read(entity, session)
        size += record.bytes.count
        if size > session.answerLimitBytes {
          throw .outOfMemory(limit: session.answerLimitBytes)
        }
      }
      made += size
      if made / FeedMapper.mostAnswers > session.answerLimitBytes { throw tooMuch(session) }
    } catch {
      plugin?.meter.note(error)
      if error.isStop {
        noteMemory()
        plugin?.discardSession()
        throw error
      }
      return fail(place, located(error, session, feed, push))
    }
    if let reason { leaveOut(reason, place, session.lastReturn) }
    let origin = Origin(place: place, publishedUnderID: publishedUnderID)
    for index in earlier.indices {
      try take(earlier[index].kind, &earlier[index].record, origin)
    }
    if let last { try take(last, &record, origin) }
  }

  /// The error with the line where the plugin returned what is wrong, for those that are kept.
  private func located(
    _ error: HostError, _ session: PluginSession, _ feed: LuaTable,
    _ push: (inout LuaWriter) throws(LuaError) -> Void
  ) -> HostError {
    guard report.failures.count < LoadReport.failuresKept else { return error }
    return session.traced(error, feed: feed, item: push) { entity throws(LuaError) in
      _ = try read(entity, session)
    }
  }

  private func tooMuch(_ session: PluginSession) -> HostError {
    HostError(
      .memory,
      "the entities of one feed are more than "
        + "\((session.answerLimitBytes >> 20) * FeedMapper.mostAnswers) MB",
      subject: input.name, plugin: plugin?.name)
  }

  private func read(_ entity: LuaView, _ session: PluginSession) throws(LuaError) -> Kind {
    let name = try session.kindName(of: entity)
    let index = try reader(name, session)
    try readers[index].reader.read(entity, into: &record)
    for text in readers[index].reader.takeUnreadable() {
      unreadableCount += 1
      if unreadableTimes.isEmpty { unreadableTimes.append(text) }
    }
    return readers[index].reader.kind
  }

  private func reader(_ name: String, _ session: PluginSession) throws(LuaError) -> Int {
    if let index = readers.firstIndex(where: { $0.name == name }) { return index }
    let names = session.declarations.map(\.name)
    guard names.contains(name), let kind = kindNamed(name) else {
      let hint = Spelling.nearest(to: name, among: names).map { "; did you mean `\($0)`?" } ?? ""
      throw .message("the plugin declares no kind `\(name)`\(hint)", about: "kind")
    }
    readers.append((name, EntityReader(kind: kind, state: session.state)))
    return readers.count - 1
  }

  private func leaveOut(_ reason: String, _ place: Int, _ location: SourceLocation? = nil) {
    observe?(.leftOut(place: place, reason: reason, location))
    // A reason that holds the item's own text would make a list as long as the feed.
    let isKnown = report.leftOut[reason] != nil
    report.leftOut[isKnown || report.leftOut.count < 100 ? reason : "other reasons", default: 0] +=
      1
  }

  private func fail(_ place: Int, _ error: HostError) {
    let failure = LoadReport.ItemFailure(place: place, error: error)
    observe?(.failed(failure))
    report.failureCount += 1
    if report.failures.count < LoadReport.failuresKept { report.failures.append(failure) }
  }
}

extension HostError {
  /// Whether Lua was stopped, so that its state is no longer trusted.
  var isStop: Bool { kind == .time || kind == .memory || kind == .canceled }
}
