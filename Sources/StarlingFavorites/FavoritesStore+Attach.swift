public import StarlingModel
import StarlingSQLite

extension FavoritesStore {
  func insertTag(_ entity: Int64, _ tag: String) throws(SQLiteError) {
    let insert = try statement(.insertTag)
    insert.bind(1, entity)
    insert.bind(2, tag)
    try insert.run()
  }

  /// Adds the tags that are not there yet, and writes those down; also those that others gave, which
  /// belong to this one as well from now on.
  func addTags(
    _ handle: KindHandle, _ entity: Int64, _ tags: [String], _ acting: Acting
  ) throws(SQLiteError) {
    var given = try addedTags(entity, tags)
    if !given.shared.isEmpty {
      let (giver, givers) = (Giver(try actor(acting.actor)), try givers(ofTagsOf: entity))
      given.shared.removeAll { givers[$0]?.contains(giver) ?? false }
    }
    guard !given.new.isEmpty || !given.shared.isEmpty else { return }
    try record(
      .tag, handle, entity: entity, acting,
      detail: ChangeDetail.attached(tags: given.new, also: given.shared))
  }

  /// Adds tags, and tells those that were not there from those that were.
  func addedTags(_ entity: Int64, _ tags: [String]) throws(SQLiteError) -> GivenTags {
    var given = GivenTags()
    for tag in tags {
      try insertTag(entity, tag)
      if connection.changes > 0 { given.new.append(tag) } else { given.shared.append(tag) }
    }
    return given
  }

  func removeTags(
    _ handle: KindHandle, _ entity: Int64, _ tags: [String], _ acting: Acting
  ) throws(SQLiteError) {
    var removed: [String] = []
    let delete = try statement(.deleteTag)
    for tag in tags {
      delete.bind(1, entity)
      delete.bind(2, tag)
      try delete.run()
      if connection.changes > 0 { removed.append(tag) }
    }
    guard !removed.isEmpty else { return }
    try record(
      .untag, handle, entity: entity, acting, detail: ChangeDetail.attached(tags: removed))
  }

  /// The tags that favorites have, sorted; the first so many.
  package func tagNames(limit: Int) throws(FavoritesError) -> [String] {
    try sql { () throws(SQLiteError) in
      try connection.texts("SELECT DISTINCT tag FROM tags ORDER BY tag LIMIT \(limit)")
    }
  }

  func tags(of entity: Int64) throws(SQLiteError) -> [String] {
    let list = try statement(.tagsOf)
    list.bind(1, entity)
    defer { list.reset() }
    return try texts(list)
  }

  func note(of entity: Int64) throws(SQLiteError) -> String? {
    let state = try statement(.favoriteState)
    state.bind(1, entity)
    defer { state.reset() }
    return try state.step() ? state.string(1) : nil
  }

  /// Sets or, with nil, takes away the note, and writes down what was there.
  func setNote(
    _ handle: KindHandle, _ entity: Int64, _ note: String?, _ acting: Acting
  ) throws(SQLiteError) {
    let before = try self.note(of: entity)
    guard before != note else { return }
    let set = try statement(.setNote)
    set.bind(1, entity)
    set.bind(2, note)
    try set.run()
    try record(
      .note, handle, entity: entity, acting, detail: ChangeDetail.note(before: before, after: note))
  }

  /// Adds tags to a favorite.
  ///
  /// - Returns: false when it is no favorite; then nothing is changed.
  /// - Throws: `badValue` for a tag of more than 256 bytes, and for more than 100 tags.
  @discardableResult
  public func tag(
    kind: String, key: String, _ tags: [String], by origin: Cause.Origin? = nil
  ) throws(FavoritesError) -> Bool {
    try checkAttached(kind, tags: tags)
    return try attach(kind, key, origin) { handle, entity, acting throws(SQLiteError) in
      try addTags(handle, entity, tags, acting)
    }
  }

  /// Takes tags off a favorite; those that it does not have are passed over.
  ///
  /// - Returns: false when it is no favorite.
  @discardableResult
  public func untag(
    kind: String, key: String, _ tags: [String], by origin: Cause.Origin? = nil
  ) throws(FavoritesError) -> Bool {
    try attach(kind, key, origin) { handle, entity, acting throws(SQLiteError) in
      try removeTags(handle, entity, tags, acting)
    }
  }

  /// Sets the note of a favorite; nil or an empty text takes it away.
  ///
  /// - Returns: false when it is no favorite.
  /// - Throws: `badValue` for a note of more than 64 KB.
  @discardableResult
  public func note(
    kind: String, key: String, _ text: String?, by origin: Cause.Origin? = nil
  ) throws(FavoritesError) -> Bool {
    let text = text?.isEmpty == true ? nil : text
    try checkAttached(kind, note: text)
    return try attach(kind, key, origin) { handle, entity, acting throws(SQLiteError) in
      try setNote(handle, entity, text, acting)
    }
  }

  /// - Throws: `badValue` for tags or a note that are too long to be kept.
  func checkAttached(
    _ kind: String, tags: [String] = [], note: String? = nil
  ) throws(FavoritesError) {
    if let reason = Longest.fault(ofTags: tags) {
      throw .badValue(kind: kind, field: "tags", reason: reason)
    }
    if let reason = Longest.fault(ofNote: note) {
      throw .badValue(kind: kind, field: "note", reason: reason)
    }
  }

  private func attach(
    _ kind: String, _ key: String, _ origin: Cause.Origin?,
    _ body: (KindHandle, Int64, Acting) throws(SQLiteError) -> Void
  ) throws(FavoritesError) -> Bool {
    let handle = try handle(kind: kind)
    return try write { () throws(FavoritesError) in
      let acting = try acting(origin)
      return try sql { () throws(SQLiteError) in
        guard let entity = try find(handle, key: key), try isFavorite(entity) else { return false }
        try body(handle, entity, acting)
        return true
      }
    }
  }
}
