import StarlingFavorites
import StarlingModel

/// What `rules apply` did over what is stored.
public struct RuleApplication: Sendable {
  /// Entities that were asked.
  public internal(set) var entities = 0
  /// Entities that became favorites.
  public internal(set) var starred = 0
  /// Favorites of before for which a rule now is one more cause.
  public internal(set) var causesAdded = 0
  /// Stars that a refusal kept away.
  public internal(set) var refused = 0
  /// The run in the history, for `undo`; nil when nothing was changed.
  public internal(set) var run: Int64?
  /// The `when` functions that raised an error.
  public internal(set) var failures: [RuleFailure] = []
}

/// Asks the rules about everything that is stored, then gives the stars in one transaction: others
/// may write while the rules are asked.
struct RuleApplicationRun {
  let rules: RuleSet
  let store: FavoritesStore
  let since: Timestamp?
  private var application = RuleApplication()
  private var record = EntityRecord()
  private var outcome = RuleOutcome()

  /// Rows that are read at a time.
  private static let chunk = 1_000
  /// What the rules gave, until it is written.
  private let spool = EntitySpool()
  private var gift = EntityRecord()

  init(rules: RuleSet, store: FavoritesStore, since: Timestamp?) {
    self.rules = rules
    self.store = store
    self.since = since
  }

  mutating func run() throws(HostError) -> RuleApplication {
    rules.begin()
    do throws(FavoritesError) {
      store.startRun("rules apply \(rules.file)")
      let kinds = store.kinds
      for (number, kind) in kinds.enumerated() { try ask(about: kind, number) }
      let batch = try store.beginLoad(source: "", bytes: spool.byteCount)
      try spool.forEach { number, record, stars, _ throws(FavoritesError) in
        try give(stars, to: record, kinds[number / 2], isTags: number % 2 == 1, batch)
      }
      let report = try batch.commit()
      application.starred = report.starred
      application.causesAdded = report.causesAdded
      application.refused = report.refused
    } catch {
      _ = store.endRun()
      throw (failure ?? HostError(.database, error.description, cause: error))
    }
    application.run = store.endRun()
    application.failures = rules.failures
    return application
  }

  /// A stop of the rules, which ends reading and takes everything back.
  private var failure: HostError?

  private mutating func ask(about kind: Kind, _ number: Int) throws(FavoritesError) {
    var query = Query(kind: kind.name, scope: .everything, limit: RuleApplicationRun.chunk)
    repeat {
      query.after = try store.forEachRow(query) { row throws(FavoritesError) in
        try ask(row, number)
        return failure == nil
      }
      if failure != nil { throw .stopped }
    } while query.after != nil
  }

  private mutating func ask(_ row: EntityRow, _ kind: Int) throws(FavoritesError) {
    if let since, max(row.firstSeen, row.lastSeen) < since.secondsSinceEpoch { return }
    row.fill(&record)
    do throws(HostError) {
      try RuleScan.checkTask(application.entities)
      application.entities += 1
      try rules.evaluate(record, kind: row.kind, into: &outcome)
    } catch {
      failure = error
      return
    }
    let tags = row.starredAt == nil ? [] : outcome.tags
    guard !outcome.stars.isEmpty || !tags.isEmpty else { return }
    gift.reset(fieldCount: 0)
    gift.setKey(unsafe gift.append(row.key))
    if !outcome.stars.isEmpty { try spool.append(kind: kind * 2, gift, stars: outcome.stars) }
    if !tags.isEmpty { try spool.append(kind: kind * 2 + 1, gift, stars: tags) }
  }

  private func give(
    _ stars: [RuleStar], to record: borrowing EntityRecord, _ kind: Kind, isTags: Bool,
    _ batch: LoadBatch
  ) throws(FavoritesError) {
    guard isTags else {
      let handle = try store.handle(kind: kind.name)
      let bytes = unsafe record.bytes.span.bytes
      _ = try unsafe bytes.extracting(record.key).withUnsafeBytes { key throws(FavoritesError) in
        try unsafe batch.star(handle, key: key, stars: stars)
      }
      return
    }
    let key = record.string(record.key)
    for tag in stars {
      _ = try store.tag(
        kind: kind.name, key: key, tag.tags, by: .rule(name: tag.rule, version: tag.version))
    }
  }
}
