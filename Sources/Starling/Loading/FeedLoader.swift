import StarlingFavorites
import StarlingFetch
import StarlingLua
import StarlingModel

extension Host {
  /// Reads a feed, maps it, asks the rules, and stores what came of it.
  ///
  /// The feed is read and mapped to its end first; then one short transaction writes everything. A
  /// stop for time or memory, or a document that is no feed, writes nothing.
  ///
  /// - Parameters:
  ///   - input: where the document is, and what is known of it.
  ///   - plugin: the plugin to use, by its name or its path; nil asks each plugin's `accepts`, in the
  ///     order of loading.
  ///   - rules: decide what is starred; nil stars nothing.
  ///   - isDry: takes everything back at the end, and still reports.
  ///   - progress: told after each piece of the document.
  ///   - isCanceled: asked after each piece and each item; true ends the load, and nothing is written.
  ///     When left out: whether the task was canceled.
  public func load(
    _ input: FeedInput, plugin: String? = nil, rules: RuleSet? = nil, isDry: Bool = false,
    progress: (LoadProgress) -> Void = { _ in },
    isCanceled: @escaping () -> Bool = { Task.isCancelled }
  ) throws(HostError) -> LoadReport {
    let plugin = try plugin.map { (word) throws(HostError) in try pluginName(word) }
    let store = try storeWithPlugins()
    let recall = ItemRecall(store, source: input.source, version: configuration.version)
    let loader = FeedLoader(
      store: store, rules: rules, recall: recall, source: input.source, isDry: isDry)
    if let rules { try loader.prepare(rules, now: configuration.clock()) }
    defer { if !isDry { noteHealth(in: store) } }
    let mapping = try map(
      input, plugin: plugin, kindNamed: { store.model[$0] }, isCanceled: isCanceled,
      progress: progress, recall: configuration.appFunctions.isEmpty ? recall : nil
    ) { kind, record, origin throws(HostError) in
      if isCanceled() { throw HostError(.canceled, "interrupted", subject: input.name) }
      try loader.add(kind, &record, origin)
    }
    let isUnchanged = mapping.response?.isNotModified == true
    let report =
      isUnchanged ? LoadReport(mapping, source: input.name) : try loader.write(mapping, input)
    if !isDry { keepHouse(store, unchanged: isUnchanged ? input.source : nil) }
    return report
  }

  /// Forgets what no feed has had for the keeping time. A failure here takes nothing from the load,
  /// and the next one tries again.
  private func keepHouse(_ store: FavoritesStore, unchanged source: String?) {
    if let source { try? store.noteUnchanged(source: source) }
    _ = try? store.pruneDaily()
  }

  /// Writes down what the plugins did for a feed, whatever came of it.
  private func noteHealth(in store: FavoritesStore) {
    PluginHealth(store: store, clock: configuration.clock).write(plugins)
  }

  /// Reads a feed and maps it; `take` gets each entity.
  func map(
    _ input: FeedInput, plugin: String?, kindNamed: @escaping (String) -> Kind?,
    isCanceled: @escaping () -> Bool, progress: (LoadProgress) -> Void,
    recall: ItemRecall? = nil, take: @escaping FeedMapper.Take
  ) throws(HostError) -> FeedMapper.Report {
    let candidates = try plugin.map { name throws(HostError) in [try self.plugin(named: name)] }
    var mapper: FeedMapper?
    var state = LoadProgress(total: input.size)
    let response = try unsafe read(
      input, isCanceled: isCanceled,
      start: { head throws(HostError) in
        mapper = FeedMapper(
          input, url: head.url, contentType: head.contentType,
          candidates: candidates ?? plugins, isNamed: candidates != nil, kindNamed: kindNamed,
          recall: recall, take: take)
      },
      piece: { bytes throws(HostError) in
        if isCanceled() { throw HostError(.canceled, "interrupted", subject: input.name) }
        try unsafe mapper?.append(bytes)
        state.bytes += bytes.count
        state.items = mapper?.report.items ?? 0
        progress(state)
      })
    try mapper?.finish()
    var report = mapper?.report ?? FeedMapper.Report()
    report.response = response
    return report
  }

  /// - Throws: when there is none of this name, with the nearest one; when it is refused.
  public func plugin(named name: String) throws(HostError) -> Plugin {
    let plugin = try pluginSet.plugin(named: name)
    if let refusal = plugin.refusal { throw refusal }
    return plugin
  }
}

/// How far a feed has been read.
public struct LoadProgress: Sendable, Equatable {
  public var bytes = 0
  /// Size of the document in bytes, when that is known.
  public var total: Int?
  public var items = 0
}

extension FeedInput {
  fileprivate var size: Int? {
    switch origin {
    case .file(let path): Files.size(path)
    case .bytes(let bytes, _): bytes.count
    case .standardInput, .url: nil
    }
  }
}

/// Keeps what a feed's items became until its end, then writes it in one transaction.
private final class FeedLoader {
  private let store: FavoritesStore
  private let rules: RuleSet?
  private let recall: ItemRecall
  private let source: String
  private let isDry: Bool
  private let spool = EntitySpool()
  /// Entities that were known and that no rule stars: there is nothing to write.
  private var knownRows: [Int64] = []
  private var kinds: [KindHandle] = []
  private var outcome = RuleOutcome()
  private var identities = SharedIdentities()
  /// The item that the last entity came from.
  private var lastPlace = 0

  init(
    store: FavoritesStore, rules: RuleSet?, recall: ItemRecall, source: String, isDry: Bool
  ) {
    self.recall = recall
    self.store = store
    self.rules = rules
    self.source = source
    self.isDry = isDry
  }

  func prepare(_ rules: RuleSet, now: Timestamp) throws(HostError) {
    do throws(RulesError) {
      try rules.prepare(for: store.kinds, now: now)
    } catch {
      throw HostError(.script, error.description, cause: error)
    }
    rules.begin()
  }

  /// Asks the rules about an entity and keeps it.
  func add(
    _ kind: Kind, _ record: inout EntityRecord, _ origin: FeedMapper.Origin
  ) throws(HostError) {
    outcome.reset()
    if let rules { try rules.evaluate(record, kind: kind, into: &outcome) }
    if recall.isKnown, outcome.stars.isEmpty {
      if let memory = recall.memory { knownRows.append(memory.recalledRow) }
      return
    }
    do throws(FavoritesError) {
      let place = try place(of: kind)
      if let published = origin.publishedUnderID {
        identities.note(
          record, kind: place, of: kinds[place], published: published, entity: spool.count)
      }
      // The lowest bit says that an item begins.
      let begins = origin.place != lastPlace ? 1 : 0
      lastPlace = origin.place
      try spool.append(
        kind: place << 1 | begins, record, stars: outcome.stars, item: recall.item)
    } catch {
      throw HostError(error)
    }
  }

  private func place(of kind: Kind) throws(FavoritesError) -> Int {
    if let place = kinds.firstIndex(where: { $0.kind.name == kind.name }) { return place }
    kinds.append(try store.handle(kind: kind.name))
    return kinds.count - 1
  }

  /// Writes everything and reports.
  func write(_ mapping: FeedMapper.Report, _ input: FeedInput) throws(HostError) -> LoadReport {
    var report = LoadReport(mapping, source: input.name)
    report.ruleFailures = rules?.failures ?? []
    do throws(FavoritesError) {
      store.startRun("load \(input.name)")
      defer { _ = store.endRun() }
      let batch = try store.beginLoad(
        source: source, dry: isDry, bytes: spool.byteCount)
      do throws(FavoritesError) {
        try write(to: batch, &report)
      } catch {
        batch.abandon()
        throw error
      }
      report.take(try batch.commit())
    } catch {
      throw HostError(error)
    }
    return report
  }

  private func write(
    to batch: LoadBatch, _ report: inout LoadReport
  ) throws(FavoritesError) {
    let renamed = try identities.renamed { place, key throws(FavoritesError) in
      try batch.holds(kinds[place], key: key)
    }
    batch.noteSeen(knownRows)
    var number = 0
    var addsNothing = false
    try spool.forEach { word, record, stars, item throws(FavoritesError) in
      if word & 1 == 1 {
        if addsNothing { report.duplicates += 1 }
        addsNothing = true
        recall.memory?.beginItem()
      } else {
        recall.memory?.forgetItem()
      }
      let kind = kinds[word >> 1]
      if let key = renamed[number] { record.rename(key, kind) }
      number += 1
      do throws(FavoritesError) {
        let result = try batch.add(kind, record, stars: stars)
        if result.entity != .repeated { addsNothing = false }
        report.note(result, kind.kind, record, stars)
        if word & 1 == 1 { recall.memory?.note(item, kind, result, record) }
      } catch {
        addsNothing = false
        guard error.concernsOneEntity else { throw error }
        report.fail(HostError(error))
      }
    }
    if addsNothing { report.duplicates += 1 }
    if let memory = recall.memory { try batch.keep(memory, known: knownRows.count) }
  }
}

extension LoadReport {
  /// What mapping a feed gave, before anything is stored.
  init(_ mapping: FeedMapper.Report, source: String) {
    self.init(plugin: mapping.plugin, source: source)
    items = mapping.items
    leftOut = mapping.leftOut.map { LeftOut(reason: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
    failures = mapping.failures
    failureCount = mapping.failureCount
    damage = mapping.damage
    isCut = mapping.isCut
    response = mapping.response
  }

  fileprivate mutating func note(
    _ outcome: LoadOutcome, _ kind: Kind, _ record: EntityRecord, _ stars: [RuleStar]
  ) {
    for (star, result) in zip(stars, outcome.stars)
    where result == .starred && self.stars.count < LoadReport.starsKept {
      self.stars.append(
        Star(
          kind: kind.name, key: record.string(record.key), title: record.title(kind),
          rule: star.rule, version: star.version, evidence: star.evidence))
    }
  }

  fileprivate mutating func fail(_ error: HostError) {
    failureCount += 1
    if failures.count < LoadReport.failuresKept {
      failures.append(ItemFailure(place: 0, error: error))
    }
  }

  fileprivate mutating func take(_ counts: StarlingFavorites.LoadReport) {
    new = counts.new
    changed = counts.changed
    unchanged = counts.unchanged
    starCount = counts.starred
    causesAdded = counts.causesAdded
    refused = counts.refused
  }
}

extension FavoritesError {
  /// Whether the load may go on without the entity that was refused.
  fileprivate var concernsOneEntity: Bool {
    switch self {
    case .badKey, .badValue: true
    default: false
    }
  }
}

extension EntityRecord {
  /// What a person calls the entity: its title or name, else its key. A long one is cut, as reports
  /// have a thousand of them.
  func title(_ kind: Kind) -> String {
    for name in ["title", "name"] {
      if let index = kind.index(of: name), case .text(let range) = slots[index] {
        return string(range).shortened(toBytes: Evidence.longest)
      }
    }
    return string(key)
  }
}
