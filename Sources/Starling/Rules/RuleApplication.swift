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

/// Asks the rules about everything that is stored and gives the stars, in one transaction.
struct RuleApplicationRun {
  let rules: RuleSet
  let store: FavoritesStore
  let since: Timestamp?
  private var application = RuleApplication()
  private var record = EntityRecord()
  private var outcome = RuleOutcome()

  /// Rows that are read before their stars are written: reading must be over by then.
  private static let chunk = 1_000

  init(rules: RuleSet, store: FavoritesStore, since: Timestamp?) {
    self.rules = rules
    self.store = store
    self.since = since
  }

  /// What the rules gave to one entity.
  private struct Gift {
    var key: [UInt8]
    var stars: [RuleStar]
    var tags: [RuleStar]
  }

  mutating func run() throws(HostError) -> RuleApplication {
    rules.begin()
    do throws(FavoritesError) {
      store.startRun("rules apply \(rules.file)")
      let batch = try store.beginLoad(source: "")
      for kind in store.kinds { try run(over: kind, batch) }
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

  private mutating func run(over kind: Kind, _ batch: LoadBatch) throws(FavoritesError) {
    let handle = try store.handle(kind: kind.name)
    var query = Query(kind: kind.name, scope: .everything, limit: RuleApplicationRun.chunk)
    repeat {
      var gifts: [Gift] = []
      query.after = try store.forEachRow(query) { row in
        if let gift = ask(row) { gifts.append(gift) }
        return failure == nil
      }
      if failure != nil { throw .stopped }
      for gift in gifts { try give(gift, handle, batch) }
    } while query.after != nil
  }

  private mutating func ask(_ row: EntityRow) -> Gift? {
    if let since, max(row.firstSeen, row.lastSeen) < since.secondsSinceEpoch { return nil }
    application.entities += 1
    row.fill(&record)
    do throws(HostError) {
      try rules.evaluate(record, kind: row.kind, into: &outcome)
    } catch {
      failure = error
      return nil
    }
    let tags = row.starredAt == nil ? [] : outcome.tags
    guard !outcome.stars.isEmpty || !tags.isEmpty else { return nil }
    return Gift(key: Array(record.bytes[record.key]), stars: outcome.stars, tags: tags)
  }

  private func give(
    _ gift: Gift, _ handle: KindHandle, _ batch: LoadBatch
  ) throws(FavoritesError) {
    try unsafe gift.key.span.bytes.withUnsafeBytes { key throws(FavoritesError) in
      _ = try unsafe batch.star(handle, key: key, stars: gift.stars)
    }
    let key = String(decoding: gift.key, as: UTF8.self)
    for tag in gift.tags {
      _ = try store.tag(
        kind: handle.kind.name, key: key, tag.tags,
        by: .rule(name: tag.rule, version: tag.version))
    }
  }
}
