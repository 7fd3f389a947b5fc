public import StarlingModel
import StarlingSQLite

/// What `insert` did.
public enum InsertOutcome: Sendable {
  /// It was no favorite and is one now.
  case starred
  /// It was a favorite already; a cause, tags or a note may have been added.
  case already
  /// The user said no to it, and whoever acts may not override that; nothing was changed.
  case refused
}

/// What `insert` did, and the key of the entity.
public struct Inserted: Hashable, Sendable {
  public var outcome: InsertOutcome
  /// The key as the file has it; for an `auto` kind the one that the store made.
  public var key: String
}

extension FavoritesStore {
  /// Makes an entity a favorite. Its values are taken over first, as from a feed.
  ///
  /// - Parameters:
  ///   - entity: with its key, or the fields that make it; one that is stored already may be given
  ///     by its key alone. A key that is given is taken as it is, and not compared with the fields:
  ///     leave it empty where the fields say what the thing is.
  ///   - origin: who acts; by hand it lifts a refusal, anybody else is refused by one.
  ///   - evidence: what a rule saw; none by hand.
  ///   - tags: added to the tags it has. A rule's tags are added with its cause only.
  ///   - note: replaces the note when given.
  /// - Returns: what came of it, and the key, which for an `auto` kind the store made.
  /// - Throws: `badKey` and `badValue` before anything is changed; a key has at most 8 KB, a note
  ///   64 KB, a tag 256 bytes.
  @discardableResult
  public func insert(
    _ entity: Entity, by origin: Cause.Origin? = nil, evidence: [Evidence] = [],
    tags: [String] = [], note: String? = nil
  ) throws(FavoritesError) -> Inserted {
    let handle = try handle(kind: entity.kind)
    let record = try record(of: entity, handle)
    let request = StarRequest(evidence: evidence, tags: tags, note: note)
    let given = record.string(record.key)
    return try write { () throws(FavoritesError) in
      let (stored, outcome) = try insertStored(handle, record, request, by: origin)
      guard let stored else { return Inserted(outcome: outcome, key: given) }
      let key = try sql { () throws(SQLiteError) in try keyOf(stored.rowid, handle) }
      return Inserted(outcome: outcome, key: key ?? given)
    }
  }

  /// Makes each entity a favorite, all in one transaction.
  ///
  /// - Returns: what became of each, in their order.
  @discardableResult
  public func insert(
    _ entities: [Entity], by origin: Cause.Origin? = nil, tags: [String] = []
  ) throws(FavoritesError) -> [Inserted] {
    try transaction { () throws(FavoritesError) in
      var outcomes: [Inserted] = []
      for entity in entities { outcomes.append(try insert(entity, by: origin, tags: tags)) }
      return outcomes
    }
  }

  package func insert(
    _ handle: KindHandle, _ record: borrowing EntityRecord, by origin: Cause.Origin? = nil,
    tags: [String] = [], note: String? = nil
  ) throws(FavoritesError) -> InsertOutcome {
    let request = StarRequest(tags: tags, note: note)
    return try write { () throws(FavoritesError) in
      try insertStored(handle, record, request, by: origin).outcome
    }
  }

  /// Inserts, within a write.
  func insertStored(
    _ handle: KindHandle, _ record: borrowing EntityRecord, _ request: StarRequest,
    by origin: Cause.Origin?
  ) throws(FavoritesError) -> (stored: StoredEntity?, outcome: InsertOutcome) {
    let acting = try acting(origin)
    let (stored, outcome) = try star(handle, record, request, acting, source: nil)
    switch outcome {
    case .starred: return (stored, .starred)
    case .cause, .already: return (stored, .already)
    case .refused: return (nil, .refused)
    }
  }

  /// Stores an entity and makes it a favorite.
  ///
  /// One that is refused is not stored either: nothing is changed.
  func star(
    _ handle: KindHandle, _ record: borrowing EntityRecord, _ request: StarRequest,
    _ acting: Acting, source: Int64?
  ) throws(FavoritesError) -> (stored: StoredEntity?, outcome: StarOutcome) {
    try checkAttached(handle.kind.name, tags: request.tags, note: request.note)
    let bytes = unsafe record.bytes.span.bytes
    let key = record.key
    if !acting.isByHand {
      let refused = try unsafe bytes.extracting(key).withUnsafeBytes { key throws(FavoritesError) in
        try sql { () throws(SQLiteError) in try unsafe isRefused(handle, key: key) }
      }
      if refused { return (nil, .refused) }
    }
    let stored = try upsert(handle, record, source: source, now: acting.now)
    let outcome = try unsafe bytes.extracting(key).withUnsafeBytes { key throws(FavoritesError) in
      try sql { () throws(SQLiteError) in
        try unsafe star(handle, stored, key: key, request, acting)
      }
    }
    return (stored, outcome)
  }

  /// Takes a favorite away, with all its causes.
  ///
  /// By hand it is also a refusal, even where it was no favorite; `refuse` says otherwise, or the same
  /// for others.
  /// - Returns: whether it was one.
  @discardableResult
  public func delete(
    kind: String, key: String, by origin: Cause.Origin? = nil, refuse: Bool? = nil
  ) throws(FavoritesError) -> Bool {
    let handle = try handle(kind: kind)
    return unsafe try FavoritesStore.withBytes(of: key) { key throws(FavoritesError) in
      try unsafe delete(handle, key: key, by: origin, refuse: refuse)
    }
  }

  /// Takes the favorites of these keys away, all in one transaction.
  ///
  /// - Returns: how many were favorites.
  @discardableResult
  public func delete(
    kind: String, keys: [String], by origin: Cause.Origin? = nil, refuse: Bool? = nil
  ) throws(FavoritesError) -> Int {
    try transaction { () throws(FavoritesError) in
      var count = 0
      for key in keys where try delete(kind: kind, key: key, by: origin, refuse: refuse) {
        count += 1
      }
      return count
    }
  }

  package func delete(
    _ handle: KindHandle, key: UnsafeRawBufferPointer, by origin: Cause.Origin? = nil,
    refuse: Bool? = nil
  ) throws(FavoritesError) -> Bool {
    guard unsafe !key.isEmpty else {
      throw .badKey(kind: handle.kind.name, reason: "the key is empty")
    }
    return try write { () throws(FavoritesError) in
      let acting = try acting(origin)
      let refuses = refuse ?? acting.isByHand
      if refuses, let reason = Longest.faultOfKey(key.count),
        try sql({ () throws(SQLiteError) in try unsafe find(handle, key: key) }) == nil
      {
        throw .badKey(kind: handle.kind.name, reason: reason)
      }
      return try sql { () throws(SQLiteError) in
        try unsafe delete(handle, key: key, refuses: refuses, acting)
      }
    }
  }

  private func delete(
    _ handle: KindHandle, key: UnsafeRawBufferPointer, refuses: Bool, _ acting: Acting
  ) throws(SQLiteError) -> Bool {
    let entity = try unsafe find(handle, key: key)
    var isNewRefusal = false
    if refuses {
      if let target = try unsafe aliasTarget(handle, key: key) {
        isNewRefusal = try unsafe target.span.bytes.withUnsafeBytes { key throws(SQLiteError) in
          try unsafe addRefusal(handle, key: key, now: acting.now)
        }
      } else {
        isNewRefusal = try unsafe addRefusal(handle, key: key, now: acting.now)
      }
    }
    if let entity, try isFavorite(entity) {
      try unstar(entity, refuses: isNewRefusal, acting)
      return true
    }
    if isNewRefusal {
      let name = unsafe String(decoding: key, as: UTF8.self)
      try record(.refuse, handle, entity: entity, key: entity == nil ? name : nil, acting)
    }
    return false
  }

  /// Makes an entity a favorite when it is none, and takes it away when it is one.
  ///
  /// - Returns: whether it is one now. Over a refusal that whoever acts may not lift it stays none.
  @discardableResult
  public func toggle(
    _ entity: Entity, by origin: Cause.Origin? = nil
  ) throws(FavoritesError) -> Bool {
    let handle = try handle(kind: entity.kind)
    return try toggle(handle, try record(of: entity, handle), by: origin)
  }

  package func toggle(
    _ handle: KindHandle, _ record: borrowing EntityRecord, by origin: Cause.Origin? = nil
  ) throws(FavoritesError) -> Bool {
    try write { () throws(FavoritesError) in
      let acting = try acting(origin)
      let bytes = unsafe record.bytes.span.bytes
      let wasOne = try unsafe bytes.extracting(record.key).withUnsafeBytes {
        key throws(FavoritesError) in
        try sql { () throws(SQLiteError) in
          guard let entity = try unsafe find(handle, key: key), try isFavorite(entity) else {
            return false
          }
          return try unsafe delete(handle, key: key, refuses: acting.isByHand, acting)
        }
      }
      if wasOne { return false }
      return try star(handle, record, StarRequest(), acting, source: nil).outcome != .refused
    }
  }

  /// An entity as a record of its kind, with its key made when it lacks one.
  ///
  /// - Throws: `unknownField`, `badKey`.
  package func record(
    of entity: Entity, _ handle: KindHandle
  ) throws(FavoritesError) -> EntityRecord {
    for name in entity.values.keys where handle.kind.index(of: name) == nil {
      throw .unknownField(
        kind: entity.kind, field: name,
        nearest: Spelling.nearest(to: name, among: handle.kind.fields.map(\.name)))
    }
    var record = EntityRecord()
    record.fill(from: entity, kind: handle.kind)
    if record.key.isEmpty, handle.kind.key != .auto,
      !EntityKey.setKey(of: &record, kind: handle.kind)
    {
      throw .badKey(
        kind: entity.kind,
        reason: "the entity has none of the fields that make its key: \(handle.kind.key)")
    }
    return record
  }

  /// Lends the UTF-8 of a text without copying it.
  static func withBytes<Result>(
    of text: String, _ body: (UnsafeRawBufferPointer) throws(FavoritesError) -> Result
  ) throws(FavoritesError) -> Result {
    var text = text
    text.makeContiguousUTF8()
    return try unsafe text.utf8Span.span.bytes.withUnsafeBytes { bytes throws(FavoritesError) in
      try unsafe body(bytes)
    }
  }
}
