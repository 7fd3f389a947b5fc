public import StarlingModel

extension FavoritesStore {
  /// Registers the kinds of Swift types with the file; see `register(_:)`.
  public func register(_ types: [any FavoriteEntity.Type]) throws(FavoritesError) {
    try register(try KindModel(types))
  }

  /// Gives the kind of a type the key that the type has today, where the file has another one; see
  /// `rekey(kind:fields:apply:by:)`. Fields that the file lacks are added first.
  ///
  /// A store that is opened with the type refuses its other key: open it without, change the key, and
  /// register the type then.
  /// - Parameter apply: false for a preview, which changes nothing.
  /// - Returns: what came of it; nil when the file has no such kind, or its key is the type's.
  /// - Throws: `badKey` for a type whose key is `auto`; `kindConflict` for a field of another type.
  @discardableResult
  public func rekey(
    _ type: any FavoriteEntity.Type, apply: Bool, by origin: Cause.Origin? = nil
  ) throws(FavoritesError) -> RekeyReport? {
    var declaration = try type.declaration
    guard let known = model[type.kind], let key = declaration.key, key != known.key else {
      return nil
    }
    guard case .fields(let fields) = key else {
      throw .badKey(kind: type.kind, reason: "a key that is made of fields cannot become \"auto\"")
    }
    declaration.key = nil
    try begin()
    do throws(FavoritesError) {
      if let conflict = try register([("\(type)", [declaration])]).first {
        throw .kindConflict(conflict)
      }
      let report = try rekey(kind: type.kind, fields: fields, apply: apply, by: origin)
      if apply { try commit() } else { rollback() }
      return report
    } catch {
      if isInTransaction { rollback() }
      throw error
    }
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

  /// Makes each value a favorite, all in one transaction.
  ///
  /// - Returns: what became of each, in their order.
  @discardableResult
  public func insert(
    _ values: [some FavoriteEntity], by origin: Cause.Origin? = nil, tags: [String] = []
  ) throws(FavoritesError) -> [Inserted] {
    var entities: [Entity] = []
    entities.reserveCapacity(values.count)
    for value in values { entities.append(try Entity(value)) }
    return try insert(entities, by: origin, tags: tags)
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

  /// Takes the favorites of these values away, all in one transaction.
  ///
  /// - Returns: how many were favorites.
  @discardableResult
  public func delete(
    _ values: [some FavoriteEntity], by origin: Cause.Origin? = nil, refuse: Bool? = nil
  ) throws(FavoritesError) -> Int {
    try transaction { () throws(FavoritesError) in
      var count = 0
      for value in values where try delete(value, by: origin, refuse: refuse) { count += 1 }
      return count
    }
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
  ///
  /// - Parameter skipping: told of each favorite that is no value of the type, and why; the others are
  ///   the result. Without it the first such favorite is thrown.
  /// - Throws: `unfit`, what the query's `fetch` throws.
  public func fetch<Subject: FavoriteEntity>(
    _ type: Subject.Type, where condition: Condition = .all([]), order: Query.Order? = nil,
    limit: Int? = nil, tag: String? = nil, text: String? = nil,
    skipping: ((_ favorite: Favorite, _ reason: FavoritesError) -> Void)? = nil
  ) throws(FavoritesError) -> [Starred<Subject>] {
    let query = Query(
      kind: type.kind, where: condition, order: order, limit: limit, tag: tag, text: text)
    return try page(type, query, skipping: skipping).rows
  }

  /// The favorites that a query asks for, and where the next page begins. The type says the kind.
  ///
  /// - Parameter skipping: as with `fetch`; the page then has fewer rows than its limit.
  public func page<Subject: FavoriteEntity>(
    _ type: Subject.Type, _ query: Query,
    skipping: ((_ favorite: Favorite, _ reason: FavoritesError) -> Void)? = nil
  ) throws(FavoritesError) -> Page<Starred<Subject>> {
    var query = query
    query.kind = type.kind
    let page = try page(query)
    return Page(rows: try page.rows.starred(skipping: skipping), next: page.next)
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

extension [Favorite] {
  /// The values of a type.
  ///
  /// - Parameter skipping: told of those that are none; without it the first one is thrown.
  func starred<Subject>(
    skipping: ((Favorite, FavoritesError) -> Void)?
  ) throws(FavoritesError) -> [Starred<Subject>] {
    var rows: [Starred<Subject>] = []
    rows.reserveCapacity(count)
    for favorite in self {
      do throws(FavoritesError) {
        rows.append(try Starred(favorite))
      } catch {
        guard let skipping, case .unfit = error else { throw error }
        skipping(favorite, error)
      }
    }
    return rows
  }
}
