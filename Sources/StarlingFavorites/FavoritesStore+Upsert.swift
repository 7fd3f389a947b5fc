import StarlingModel
import StarlingSQLite

/// What became of an entity that was given to the store.
package enum EntityOutcome: Sendable {
  case new
  case changed
  case unchanged
  /// The same load has written it before: that stays, and only what it lacked was filled in.
  case repeated
}

/// An entity in the file.
struct StoredEntity {
  var rowid: Int64
  var outcome: EntityOutcome
  /// Whether the row has exactly the values that the record had.
  var isWhole = false
}

extension FavoritesStore {
  /// The time in which seeing an entity again is not written down: retention counts in days.
  static let seenResolutionSeconds: Int64 = 86400

  /// Inserts an entity, or takes over the values that are new. A value that the record lacks erases
  /// nothing: another source of the same entity may have it.
  ///
  /// - Parameter seen: the rows of this load; what they have stays.
  /// - Throws: `badKey`, `badValue` before anything is written.
  func upsert(
    _ handle: KindHandle, _ record: borrowing EntityRecord, source: Int64?, now: Int64,
    seen: SeenRows? = nil
  ) throws(FavoritesError) -> StoredEntity {
    guard !record.key.isEmpty || handle.kind.key == .auto else {
      throw .badKey(kind: handle.kind.name, reason: "the entity has no key")
    }
    if let reason = Longest.faultOfKey(record.key.count) {
      throw .badKey(kind: handle.kind.name, reason: reason)
    }
    guard record.slots.count >= handle.layout.count else {
      // The record was made before another process added a field to the kind.
      var wider = copy record
      wider.widen(fieldCount: handle.layout.count)
      return try upsert(handle, wider, source: source, now: now, seen: seen)
    }
    var scratch = Scratch()
    swap(&scratch, &self.scratch)
    defer { swap(&scratch, &self.scratch) }
    try scratch.prepare(record, for: handle)
    let bytes = unsafe record.bytes.span.bytes
    return try unsafe bytes.withUnsafeBytes { bytes throws(FavoritesError) in
      try unsafe scratch.bytes.span.bytes.withUnsafeBytes { made throws(FavoritesError) in
        let binder = unsafe RecordBinder(bytes: bytes, scratchBytes: made)
        let key = unsafe binder.text(record.key)
        do throws(SQLiteError) {
          try noteWriting(bytes.count)
          return try unsafe upsert(
            handle, record, key: key, binder, scratch, source: source, now: now, seen: seen)
        } catch {
          throw FavoritesError(error, path: path)
        }
      }
    }
  }

  private func upsert(
    _ handle: KindHandle, _ record: borrowing EntityRecord, key: UnsafeRawBufferPointer,
    _ binder: RecordBinder, _ scratch: borrowing Scratch, source: Int64?, now: Int64,
    seen: SeenRows?
  ) throws(SQLiteError) -> StoredEntity {
    if unsafe !key.isEmpty {
      if let found = try unsafe update(
        handle, record, key: key, binder, scratch, now: now, seen: seen)
      {
        return found
      }
      var newer = try unsafe aliasTarget(handle, key: key)
      if newer == nil {
        switch try unsafe moveScheme(handle, key: key, now: now) {
        case .taken: newer = unsafe Array(key)
        case .kept(let other): newer = other
        case nil: break
        }
      }
      if let newer {
        return try unsafe newer.span.bytes.withUnsafeBytes { newer throws(SQLiteError) in
          let isNewer = unsafe !newer.elementsEqual(key)
          if let found = try unsafe update(
            handle, record, key: newer, binder, scratch, now: now, seen: seen, keepsKey: isNewer)
          {
            return found
          }
          return try unsafe insert(
            handle, record, key: newer, binder, scratch, source: source, now: now)
        }
      }
    }
    return try unsafe insert(handle, record, key: key, binder, scratch, source: source, now: now)
  }

  /// Updates the entity of a key where it differs; nil when there is none.
  ///
  /// - Parameter keepsKey: whether the record has an older key, which the entity's stays instead of.
  private func update(
    _ handle: KindHandle, _ record: borrowing EntityRecord, key: UnsafeRawBufferPointer,
    _ binder: RecordBinder, _ scratch: borrowing Scratch, now: Int64, seen: SeenRows?,
    keepsKey: Bool = false
  ) throws(SQLiteError) -> StoredEntity? {
    let find = try handle.statement(.find, on: connection)
    unsafe find.bindStatic(1, key)
    guard try find.step() else { return nil }
    let rowid = find.integer(0)
    let lastSeen = find.integer(1)
    let isRepeated = seen?.contains(rowid) ?? false
    var changed: [Int] = []
    let layout = handle.layout
    for field in 0..<layout.count
    where unsafe binder.differs(
      record, field, scratch, from: find, at: layout[field].offset + 2, layout[field].type)
    {
      if isRepeated, !find.isNull(layout[field].offset + 2) { continue }
      if keepsKey, field == handle.singleKeyField { continue }
      changed.append(field)
    }
    // What a row of this load or of a newer key keeps is not what the record has.
    let isWhole = !isRepeated && !keepsKey && isWhole(record, from: find, layout)
    var changesWords = changed.contains { layout[$0].searchColumn != nil }
    if changesWords {
      changesWords = unsafe prepareWords(
        from: find, firstColumn: 2, to: record, changed: changed, handle, binder)
    }
    find.reset()
    guard !changed.isEmpty else {
      if now - lastSeen >= FavoritesStore.seenResolutionSeconds {
        let touch = try handle.statement(.touch, on: connection)
        touch.bind(1, rowid)
        touch.bind(2, now)
        try touch.run()
      }
      return StoredEntity(
        rowid: rowid, outcome: isRepeated ? .repeated : .unchanged, isWhole: isWhole)
    }
    let statement = try handle.update(of: changed, on: connection)
    statement.bind(1, rowid)
    statement.bind(2, now)
    var index: Int32 = 3
    for field in changed {
      unsafe binder.bind(record, field, layout[field].type, scratch, to: statement, at: index)
      index += layout[field].columnCount
      if layout[field].isFolded {
        unsafe binder.bindFolded(scratch.folded(field), to: statement, at: index)
        index += 1
      }
    }
    try statement.run()
    if changesWords { try replaceWords(rowid) }
    return StoredEntity(
      rowid: rowid, outcome: isRepeated ? .repeated : .changed, isWhole: isWhole)
  }

  /// Whether the row lacks all that the record lacks.
  private func isWhole(
    _ record: borrowing EntityRecord, from row: Statement, _ layout: [FieldLayout]
  ) -> Bool {
    for field in 0..<layout.count {
      if case .absent = record.slots[field], !row.isNull(2 + layout[field].offset) { return false }
    }
    return true
  }

  private func insert(
    _ handle: KindHandle, _ record: borrowing EntityRecord, key: UnsafeRawBufferPointer,
    _ binder: RecordBinder, _ scratch: borrowing Scratch, source: Int64?, now: Int64
  ) throws(SQLiteError) -> StoredEntity {
    let rowid = try nextEntity()
    let statement = try handle.statement(.insert, on: connection)
    statement.bind(1, rowid)
    if unsafe key.isEmpty {
      statement.bind(2, String(rowid))
    } else {
      unsafe statement.bindStatic(2, key)
      if let scheme = unsafe ItemIdentity.scheme(key), handle.schemes[scheme] != true {
        handle.schemes[scheme] = true
      }
    }
    statement.bind(3, source)
    statement.bind(4, now)
    statement.bind(5, now)
    let layout = handle.layout
    for field in 0..<layout.count {
      unsafe binder.bind(
        record, field, layout[field].type, scratch, to: statement, at: 6 + layout[field].offset)
    }
    var index = 6 + handle.columnCount
    for field in 0..<layout.count where layout[field].isFolded {
      unsafe binder.bindFolded(scratch.folded(field), to: statement, at: index)
      index += 1
    }
    try statement.run()
    try unsafe addWords(of: record, handle, binder, rowid: rowid)
    return StoredEntity(rowid: rowid, outcome: .new, isWhole: true)
  }

  /// The key that an old one stands for today, or nil.
  func aliasTarget(
    _ handle: KindHandle, key: UnsafeRawBufferPointer
  ) throws(SQLiteError) -> [UInt8]? {
    if handle.mayHaveAliases == nil {
      let any = try statement(.kindHasAliases)
      any.bind(1, handle.id)
      handle.mayHaveAliases = try any.step()
      any.reset()
    }
    guard handle.mayHaveAliases == true else { return nil }
    let find = try statement(.aliasTarget)
    find.bind(1, handle.id)
    unsafe find.bindStatic(2, key)
    defer { find.reset() }
    guard try find.step(), let target = unsafe find.bytes(0) else { return nil }
    return unsafe Array(target)
  }

  /// The number of a source, which is written down when it is new.
  func sourceID(_ name: String) throws(SQLiteError) -> Int64 {
    if let id = caches.sourceIDs[name] { return id }
    let find = try statement(.findSource)
    find.bind(1, name)
    var id: Int64?
    if try find.step() { id = find.integer(0) }
    find.reset()
    if id == nil {
      let insert = try statement(.insertSource)
      insert.bind(1, name)
      try insert.run()
      id = connection.lastInsertedRow
    }
    caches.sourceIDs[name] = id
    return id ?? 0
  }

  /// The name of a source by its number.
  func sourceName(_ id: Int64) -> String? {
    if let name = caches.sources[id] { return name }
    guard let find = try? statement(.source) else { return nil }
    find.bind(1, id)
    defer { find.reset() }
    guard (try? find.step()) == true else { return nil }
    let name = find.string(0)
    caches.sources[id] = name
    return name
  }
}
