public import StarlingModel
import StarlingSQLite

extension FavoritesStore {
  /// Whether a key is that of a favorite. An error is thrown, never taken for "no".
  public func contains(kind: String, key: String) throws(FavoritesError) -> Bool {
    let handle = try handle(kind: kind)
    return unsafe try FavoritesStore.withBytes(of: key) { key throws(FavoritesError) in
      try unsafe contains(handle, key: key)
    }
  }

  /// Whether an entity is a favorite, by its key or the fields that make it.
  public func contains(_ entity: Entity) throws(FavoritesError) -> Bool {
    let handle = try handle(kind: entity.kind)
    let record = try record(of: entity, handle)
    let bytes = unsafe record.bytes.span.bytes
    return try unsafe bytes.extracting(record.key).withUnsafeBytes { key throws(FavoritesError) in
      try unsafe contains(handle, key: key)
    }
  }

  /// Whether there is a favorite of any kind with this URL: as the only field of its key, or in a
  /// field `url`.
  public func contains(url: String) throws(FavoritesError) -> Bool {
    for handle in handles {
      if case .fields(let names) = handle.kind.key, names.count == 1,
        let field = handle.kind.index(of: names[0]), handle.kind.fields[field].type == .url,
        try contains(kind: handle.kind.name, key: url)
      {
        return true
      }
      guard KindTable.urlField(of: handle.kind) != nil else { continue }
      let found = try sql { () throws(SQLiteError) in
        let find = try handle.statement(.containsURL, on: connection)
        find.bind(1, url)
        defer { find.reset() }
        return try find.step()
      }
      if found { return true }
    }
    return false
  }

  /// Which of these keys are those of favorites, in one look at one state of the file.
  public func containing(
    kind: String, keys: [String]
  ) throws(FavoritesError) -> KeySet {
    let handle = try handle(kind: kind)
    return try reading { () throws(FavoritesError) in
      var found = KeySet()
      var bytes: [UInt8] = []
      var first = 0
      while first < keys.count {
        let places = first..<min(first + KeyPage.size, keys.count)
        let answer = try contains(handle, keys[places], &bytes)
        for place in places where answer & 1 << UInt64(place - first) != 0 {
          found.insert(keys[place])
        }
        first = places.upperBound
      }
      return found
    }
  }

  /// Looks a page of keys up.
  ///
  /// - Parameter bytes: for the keys, kept for its storage.
  private func contains(
    _ handle: KindHandle, _ keys: ArraySlice<String>, _ bytes: inout [UInt8]
  ) throws(FavoritesError) -> UInt64 {
    bytes.removeAll(keepingCapacity: true)
    var ends: [Int] = []
    for key in keys {
      bytes.append(contentsOf: key.utf8)
      ends.append(bytes.count)
    }
    return try unsafe bytes.span.bytes.withUnsafeBytes { bytes throws(FavoritesError) in
      var page = KeyPage()
      var start = 0
      for end in ends {
        unsafe page.append(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        start = end
      }
      return try containing(handle, page)
    }
  }

  /// Whether the bytes are the key of a favorite; makes no String.
  package func contains(
    _ handle: KindHandle, key: UnsafeRawBufferPointer
  ) throws(FavoritesError) -> Bool {
    if let keys = try heldKeys(handle, for: 1) { return unsafe keys.contains(key) }
    do throws(SQLiteError) {
      let find = try handle.statement(.contains, on: connection)
      unsafe find.bindStatic(1, key)
      if try find.step() {
        find.reset()
        return true
      }
    } catch {
      throw FavoritesError(error, path: path)
    }
    guard handle.mayHaveAliases != false || connection.dataVersion != knownDataVersion else {
      return false
    }
    return try unsafe containsAlias(handle, key: key)
  }

  private func containsAlias(
    _ handle: KindHandle, key: UnsafeRawBufferPointer
  ) throws(FavoritesError) -> Bool {
    try noticeOthers()
    return try sql { () throws(SQLiteError) in
      guard let target = try unsafe aliasTarget(handle, key: key) else { return false }
      let find = try handle.statement(.contains, on: connection)
      return try unsafe target.span.bytes.withUnsafeBytes { key throws(SQLiteError) in
        unsafe find.bindStatic(1, key)
        defer { find.reset() }
        return try find.step()
      }
    }
  }

  /// Which keys of a page are those of favorites: bit 0 stands for the first.
  package func containing(
    _ handle: KindHandle, _ page: KeyPage
  ) throws(FavoritesError) -> UInt64 {
    var found: UInt64 = 0
    if let keys = try heldKeys(handle, for: page.count) {
      for place in 0..<page.count where unsafe keys.contains(page[place]) {
        found |= 1 << UInt64(place)
      }
      return found
    }
    // A statement for many keys costs as much as one for a few does that many times.
    if page.count < 4 {
      for place in 0..<page.count where try unsafe contains(handle, key: page[place]) {
        found |= 1 << UInt64(place)
      }
      return found
    }
    do throws(SQLiteError) {
      let find = try handle.statement(.containsPage, on: connection)
      for place in 0..<page.count { unsafe find.bindStatic(Int32(place + 1), page[place]) }
      for place in page.count..<KeyPage.size { find.bindNull(Int32(place + 1)) }
      while try find.step() { found |= 1 << UInt64(truncatingIfNeeded: find.integer(0)) }
    } catch {
      throw FavoritesError(error, path: path)
    }
    for place in 0..<page.count where found & 1 << UInt64(place) == 0 {
      guard handle.mayHaveAliases != false || connection.dataVersion != knownDataVersion else {
        break
      }
      if try unsafe containsAlias(handle, key: page[place]) { found |= 1 << UInt64(place) }
    }
    return found
  }

  /// The rowid of an entity by its key or an old one.
  func find(
    _ handle: KindHandle, key: UnsafeRawBufferPointer
  ) throws(SQLiteError) -> Int64? {
    let find = try handle.statement(.rowid, on: connection)
    unsafe find.bindStatic(1, key)
    if try find.step() {
      let rowid = find.integer(0)
      find.reset()
      return rowid
    }
    guard let target = try unsafe aliasTarget(handle, key: key) else { return nil }
    return try unsafe target.span.bytes.withUnsafeBytes { key throws(SQLiteError) in
      unsafe find.bindStatic(1, key)
      defer { find.reset() }
      return try find.step() ? find.integer(0) : nil
    }
  }

  func find(_ handle: KindHandle, key: String) throws(SQLiteError) -> Int64? {
    try unsafe Array(key.utf8).span.bytes.withUnsafeBytes { key throws(SQLiteError) in
      try unsafe find(handle, key: key)
    }
  }

  /// Runs look-ups in one read transaction, or in the one that is open.
  func reading<Result>(
    _ body: () throws(FavoritesError) -> Result
  ) throws(FavoritesError) -> Result {
    let wasReading = isReading
    try beginReading()
    defer { if !wasReading { endReading() } }
    return try body()
  }
}
