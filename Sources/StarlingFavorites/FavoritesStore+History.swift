import StarlingModel
import StarlingSQLite

/// The run that changes belong to at present.
struct RunState {
  /// Nil when changes belong to no run.
  var title: String?
  /// The row of `runs`, written with the first change.
  var id: Int64?
}

/// Who acts, when, and as the file has it.
struct Acting {
  var origin: Cause.Origin
  var actor: Int64
  var line: Int64?
  var now: Int64

  var isByHand: Bool { origin == .hand }
}

extension FavoritesStore {
  /// Begins a run: the changes until `endRun` belong together and can be undone together. A row for
  /// it is written with the first change.
  ///
  /// - Parameter title: what people read in the history, such as `load news.xml`.
  public func startRun(_ title: String) {
    run = RunState(title: title)
  }

  /// Ends the run.
  ///
  /// - Returns: its number, or nil when nothing was changed.
  @discardableResult
  public func endRun() -> Int64? {
    let id = run.id
    run = RunState()
    return id
  }

  func acting(_ origin: Cause.Origin?) throws(FavoritesError) -> Acting {
    let origin = origin ?? actor ?? options.who
    let actor = try sql { () throws(SQLiteError) in try actorID(ActorName(origin)) }
    return Acting(
      origin: origin, actor: actor, line: origin.line, now: options.clock().secondsSinceEpoch)
  }

  func actorID(_ name: ActorName) throws(SQLiteError) -> Int64 {
    if let id = caches.actorIDs[name] { return id }
    var id: Int64?
    for query in [StoreStatement.findActor, .insertActor] where id == nil {
      let statement = try statement(query)
      statement.bind(1, name.origin)
      statement.bind(2, name.name)
      statement.bind(3, name.version)
      if try statement.step() { id = statement.integer(0) }
      statement.reset()
      // With RETURNING the insert would make the search index write out what it has so far.
      if query == .insertActor { id = connection.lastInsertedRow }
    }
    caches.actorIDs[name] = id
    return id ?? 0
  }

  func actor(_ id: Int64) throws(SQLiteError) -> ActorName {
    if let name = caches.actors[id] { return name }
    let find = try statement(.actor)
    find.bind(1, id)
    defer { find.reset() }
    guard try find.step() else { return ActorName(.hand) }
    let name = ActorName(
      origin: find.string(0) ?? "", name: find.string(1) ?? "", version: find.string(2) ?? "")
    caches.actors[id] = name
    return name
  }

  /// Writes one change down.
  ///
  /// - Parameter key: only where the entity was never seen.
  /// - Returns: the change's number.
  @discardableResult
  func record(
    _ action: Change.Action, _ handle: KindHandle, entity: Int64?, key: String? = nil,
    _ acting: Acting, detail: String? = nil
  ) throws(SQLiteError) -> Int64 {
    try noteWriting(detail?.utf8.count ?? 0)
    let run = try runID(acting.now)
    let insert = try statement(.insertHistory)
    insert.bind(1, acting.now)
    insert.bind(2, action.rawValue)
    insert.bind(3, handle.id)
    insert.bind(4, entity)
    insert.bind(5, key)
    insert.bind(6, acting.actor)
    insert.bind(7, acting.line)
    insert.bind(8, run)
    insert.bind(9, detail)
    try insert.run()
    return connection.lastInsertedRow
  }

  func runID(_ now: Int64) throws(SQLiteError) -> Int64? {
    guard let title = run.title else { return nil }
    if let id = run.id { return id }
    let insert = try statement(.insertRun)
    insert.bind(1, now)
    insert.bind(2, title)
    try insert.run()
    run.id = connection.lastInsertedRow
    return run.id
  }
}
