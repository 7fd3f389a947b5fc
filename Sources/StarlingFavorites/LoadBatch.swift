package import StarlingModel
import StarlingSQLite

/// What became of one entity of a load.
package struct LoadOutcome: Sendable {
  package var entity: EntityOutcome
  package var rowid: Int64
  /// Whether the entity has no value now that was not given with it.
  package var isWhole: Bool
  /// One for each star that was given with it; none for an entity that was repeated.
  package var stars: [StarOutcome]
}

/// What a load did, in numbers.
package struct LoadReport: Sendable, Equatable {
  package var new = 0
  package var changed = 0
  package var unchanged = 0
  /// Entities that were no favorites before.
  package var starred = 0
  /// Causes that favorites got in addition.
  package var causesAdded = 0
  /// Stars that changed nothing.
  package var already = 0
  package var refused = 0
  /// Entities that the load had already.
  package var repeated = 0
}

/// The writing of one feed: one transaction, all of it or nothing.
package final class LoadBatch {
  private let store: FavoritesStore
  private let isDry: Bool
  private var source: Int64?
  private let now: Int64
  private var isOpen = true
  private let seen = SeenRows()
  package private(set) var report = LoadReport()

  init(
    _ store: FavoritesStore, source: String, isDry: Bool, bytes: Int64
  ) throws(FavoritesError) {
    self.store = store
    self.isDry = isDry
    now = store.options.clock().secondsSinceEpoch
    try store.begin(writing: bytes)
    guard !source.isEmpty else { return }
    do throws(SQLiteError) { self.source = try store.sourceID(source) } catch {
      store.rollback()
      isOpen = false
      throw FavoritesError(error, path: store.path)
    }
  }

  deinit { abandon() }

  /// Stores one entity and applies the stars that rules gave it.
  ///
  /// - Throws: `badKey`, `badValue`, which concern this entity alone: the load may go on. After any
  ///   other error the load can only be abandoned.
  @discardableResult
  package func add(
    _ handle: KindHandle, _ record: borrowing EntityRecord, stars: [RuleStar] = []
  ) throws(FavoritesError) -> LoadOutcome {
    return try store.write { () throws(FavoritesError) in
      let stored = try store.upsert(handle, record, source: source, now: now, seen: seen)
      seen.insert(stored.rowid)
      switch stored.outcome {
      case .new: report.new += 1
      case .changed: report.changed += 1
      case .unchanged: report.unchanged += 1
      case .repeated: report.repeated += 1
      }
      var outcome = LoadOutcome(
        entity: stored.outcome, rowid: stored.rowid, isWhole: stored.isWhole, stars: [])
      guard !stars.isEmpty, stored.outcome != .repeated else { return outcome }
      let bytes = unsafe record.bytes.span.bytes
      outcome.stars = try unsafe bytes.extracting(record.key).withUnsafeBytes {
        key throws(FavoritesError) in
        try unsafe star(handle, stored, key: key, stars)
      }
      return outcome
    }
  }

  /// Applies the stars that rules gave an entity that is stored already.
  ///
  /// - Returns: one outcome for each, or none when there is no such entity.
  @discardableResult
  package func star(
    _ handle: KindHandle, key: UnsafeRawBufferPointer, stars: [RuleStar]
  ) throws(FavoritesError) -> [StarOutcome] {
    try store.write { () throws(FavoritesError) in
      let entity = try store.sql { () throws(SQLiteError) in
        try unsafe store.find(handle, key: key)
      }
      guard let entity else { return [] }
      let stored = StoredEntity(rowid: entity, outcome: .unchanged)
      return try unsafe star(handle, stored, key: key, stars)
    }
  }

  /// Takes rows for seen that are known and need not be added: another item of theirs repeats them.
  package func noteSeen(_ rows: [Int64]) {
    for row in rows { seen.insert(row) }
  }

  /// Writes down what is known of the source's items now.
  ///
  /// - Parameter known: how many entities were not added, since their items were known.
  package func keep(_ memory: ItemMemory, known: Int) throws(FavoritesError) {
    report.unchanged += known
    guard let source else { return }
    try store.write { () throws(FavoritesError) in
      try store.sql { () throws(SQLiteError) in try memory.write(source: source, now: now) }
    }
  }

  /// Whether there is an entity of that key.
  package func holds(_ handle: KindHandle, key: String) throws(FavoritesError) -> Bool {
    try store.sql { () throws(SQLiteError) in try store.find(handle, key: key) != nil }
  }

  /// Ends the load. A dry one is taken back, and reports what it would have done.
  package func commit() throws(FavoritesError) -> LoadReport {
    guard isOpen else { throw .brokenTransaction }
    isOpen = false
    if isDry { store.rollback() } else { try store.commit() }
    return report
  }

  /// Takes back everything that was added.
  package func abandon() {
    guard isOpen else { return }
    isOpen = false
    store.rollback()
  }

  private func star(
    _ handle: KindHandle, _ stored: StoredEntity, key: UnsafeRawBufferPointer, _ stars: [RuleStar]
  ) throws(FavoritesError) -> [StarOutcome] {
    var stored = stored
    var outcomes: [StarOutcome] = []
    outcomes.reserveCapacity(stars.count)
    for star in stars {
      let origin = Cause.Origin.rule(name: star.rule, version: star.version)
      let outcome = try store.sql { () throws(SQLiteError) in
        let acting = Acting(
          origin: origin, actor: try store.actorID(ActorName(origin)), line: nil, now: now)
        return try unsafe store.star(
          handle, stored, key: key, StarRequest(evidence: star.evidence, tags: star.tags), acting)
      }
      // The next rule meets a favorite.
      stored.outcome = .unchanged
      outcomes.append(outcome)
      switch outcome {
      case .starred: report.starred += 1
      case .cause: report.causesAdded += 1
      case .already: report.already += 1
      case .refused: report.refused += 1
      }
    }
    return outcomes
  }
}

@available(*, unavailable)
extension LoadBatch: Sendable {}

extension FavoritesStore {
  /// Begins the writing of a feed; it lasts until `commit` or `abandon` of the batch.
  ///
  /// - Parameters:
  ///   - source: the name of the source, kept with the entities that it has first.
  ///   - dry: to try: the same work, taken back at the end.
  ///   - bytes: how much will be added, as far as that is known.
  package func beginLoad(
    source: String, dry: Bool = false, bytes: Int64 = 0
  ) throws(FavoritesError) -> LoadBatch {
    try LoadBatch(self, source: source, isDry: dry, bytes: bytes)
  }
}
