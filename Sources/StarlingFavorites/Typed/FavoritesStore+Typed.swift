public import StarlingModel

extension FavoritesStore {
  /// Registers the kinds of Swift types with the file; see `register(_:)`.
  public func register(_ types: [any FavoriteEntity.Type]) throws(FavoritesError) {
    try register(try KindModel(types))
  }

  // MARK: Change

  /// Makes a value a favorite; see `insert(_:by:evidence:tags:note:)` of an entity.
  ///
  /// - Returns: what came of it, and the key, which for an `auto` kind the store made.
  @discardableResult
  public func insert(
    _ value: some FavoriteEntity, by origin: Cause.Origin? = nil, tags: [String] = [],
    note: String? = nil
  ) throws(FavoritesError) -> Inserted {
    try insert(try Entity(value), by: origin, tags: tags, note: note)
  }

  /// Takes a favorite away, with all its causes; by hand it is also a refusal.
  ///
  /// - Returns: whether it was one.
  @discardableResult
  public func delete(
    _ value: some FavoriteEntity, by origin: Cause.Origin? = nil, refuse: Bool? = nil
  ) throws(FavoritesError) -> Bool {
    let entity = try Entity(value)
    return try delete(kind: entity.kind, key: try key(of: entity), by: origin, refuse: refuse)
  }

  /// Makes a value a favorite when it is none, and takes it away when it is one.
  ///
  /// - Returns: whether it is one now.
  /// - Throws: `badKey` for a value of an `auto` kind that has no key yet: `insert` it first.
  @discardableResult
  public func toggle(
    _ value: some FavoriteEntity, by origin: Cause.Origin? = nil
  ) throws(FavoritesError) -> Bool {
    var entity = try Entity(value)
    entity.key = try key(of: entity)
    return try toggle(entity, by: origin)
  }

  // MARK: Look

  /// The key of a value.
  ///
  /// - Throws: `badKey` for one that has none: of an `auto` kind and not stored yet, or without any
  ///   of the fields that make the key.
  public func key(of value: some FavoriteEntity) throws(FavoritesError) -> String {
    try key(of: try Entity(value))
  }

  /// Whether a value is a favorite. A value of an `auto` kind that is not stored yet is none.
  public func contains(_ value: some FavoriteEntity) throws(FavoritesError) -> Bool {
    let entity = try Entity(value)
    if entity.key.isEmpty, try handle(kind: entity.kind).kind.key == .auto { return false }
    return try contains(entity)
  }

  /// For each value whether it is a favorite, in one look at one state of the file: for the cells
  /// that a list shows.
  public func containing(_ values: [some FavoriteEntity]) throws(FavoritesError) -> [Bool] {
    try reading { () throws(FavoritesError) in
      var answers: [Bool] = []
      answers.reserveCapacity(values.count)
      for value in values { answers.append(try contains(value)) }
      return answers
    }
  }

  /// The favorite of a key; nil when it is none.
  public func get<Subject: FavoriteEntity>(
    _ type: Subject.Type, key: String
  ) throws(FavoritesError) -> Starred<Subject>? {
    guard let favorite = try get(kind: type.kind, key: key) else { return nil }
    return try Starred(favorite)
  }

  /// The entity of a key, starred or not; nil when it was never seen.
  public func entity<Subject: FavoriteEntity>(
    _ type: Subject.Type, key: String
  ) throws(FavoritesError) -> Subject? {
    try entity(kind: type.kind, key: key)?.decode(type)
  }

  /// The favorites of a type; the parameters are those of `Query`.
  public func fetch<Subject: FavoriteEntity>(
    _ type: Subject.Type, where condition: Condition = .all([]), order: Query.Order? = nil,
    limit: Int? = nil, tag: String? = nil, text: String? = nil
  ) throws(FavoritesError) -> [Starred<Subject>] {
    let query = Query(
      kind: type.kind, where: condition, order: order, limit: limit, tag: tag, text: text)
    return try page(type, query).rows
  }

  /// The favorites that a query asks for, and where the next page begins. The type says the kind.
  public func page<Subject: FavoriteEntity>(
    _ type: Subject.Type, _ query: Query
  ) throws(FavoritesError) -> Page<Starred<Subject>> {
    var query = query
    query.kind = type.kind
    let page = try page(query)
    var rows: [Starred<Subject>] = []
    rows.reserveCapacity(page.rows.count)
    for favorite in page.rows { rows.append(try Starred(favorite)) }
    return Page(rows: rows, next: page.next)
  }

  /// How many favorites of a type there are.
  public func count(
    _ type: (some FavoriteEntity).Type, where condition: Condition = .all([])
  ) throws(FavoritesError) -> Int {
    try count(Query(kind: type.kind, where: condition))
  }

  private func key(of entity: Entity) throws(FavoritesError) -> String {
    if !entity.key.isEmpty { return entity.key }
    let kind = try handle(kind: entity.kind).kind
    if let key = EntityKey.key(of: entity, kind: kind) { return key }
    throw .badKey(
      kind: kind.name,
      reason: kind.key == .auto
        ? "the value has no key yet; insert it first"
        : "the value has none of the fields that make its key: \(kind.key)")
  }
}
