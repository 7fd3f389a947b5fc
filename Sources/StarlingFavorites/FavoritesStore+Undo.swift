public import StarlingModel
import StarlingSQLite

extension FavoritesStore {
  /// Takes a set of changes back in one transaction: each thing that they touched gets the state that
  /// it had before them, as if they had never been (`UndoPlan`). What others have touched since is
  /// left, and named with who did.
  ///
  /// An undo is a run of its own, which can be undone.
  /// - Throws: `notFound` when there is no such change, run or rule, or nothing of it is left.
  public func undo(
    _ what: Undo, by origin: Cause.Origin? = nil
  ) throws(FavoritesError) -> UndoReport {
    let outer = run
    defer { run = outer }
    return try transaction(writing: rekeyedBytes(of: what)) { () throws(FavoritesError) in
      let acting = try acting(origin)
      var work = UndoWork(acting)
      try sql { () throws(SQLiteError) in try collect(what, &work) }
      guard !work.rows.isEmpty || !work.favorites.isEmpty else {
        throw .notFound(what.missing + (try hint(what)))
      }
      try findStrays(&work)
      run = RunState(title: what.title)
      try sql { () throws(SQLiteError) in
        try undoKeys(&work)
        try undoAccounts(&work)
        try mergeAgain(&work)
        if let (handle, change) = work.keyRule {
          try settleRefusals(handle, change, undoes: true, acting)
        }
        for row in work.moved { try mark(row, undoneBy: row.id, bringsBack: false) }
      }
      work.report.undone.sort { $0.id > $1.id }
      work.report.left.sort { $0.change.id > $1.change.id }
      work.report.run = run.id
      try loadKinds()
      return work.report
    }
  }

  /// About what is written at once where a kind's key is taken back: each entity gets its old one.
  private func rekeyedBytes(of what: Undo) throws(FavoritesError) -> Int64 {
    try sql { () throws(SQLiteError) in
      let row: HistoryRow? =
        switch what {
        case .change(let id): try historyRows(.historyRow, id).first
        case .run(let run): try historyRows(.keyRuleOfRun, run).first
        case .last:
          try historyRows(.lastUndoable).first?.run.flatMap { run throws(SQLiteError) in
            try historyRows(.keyRuleOfRun, run).first
          }
        case .rule: nil
        }
      guard let row, row.isKeyRule, let handle = handles.first(where: { $0.id == row.kind })
      else { return 0 }
      return try mostEntities(handle) * FavoritesStore.rekeyedBytes
    }
  }

  /// Whether a run has a change that was not taken back.
  package func canUndo(run: Int64) throws(FavoritesError) -> Bool {
    try sql { () throws(SQLiteError) in try !historyRows(.undoableOfRun, run).isEmpty }
  }

  /// The changes that are meant, newest first.
  private func collect(_ what: Undo, _ work: inout UndoWork) throws(SQLiteError) {
    switch what {
    case .change(let id):
      work.rows = try historyRows(.historyRow, id).filter { $0.undoneBy == nil }
      // A kind has one key at a time: what came with it goes with it.
      if let row = work.rows.first, row.isKeyRule, let run = row.run {
        work.rows = try rows(ofRun: run)
      }
    case .run(let run): work.rows = try rows(ofRun: run)
    case .last:
      guard let last = try historyRows(.lastUndoable).first else { return }
      work.rows = try last.run.map { run throws(SQLiteError) in try rows(ofRun: run) } ?? [last]
    case .rule(let name):
      let actors = try statement(.actorVersions)
      actors.bind(1, "rule")
      actors.bind(2, name)
      var versions: [Int64] = []
      while try actors.step() { versions.append(actors.integer(0)) }
      actors.reset()
      work.rule = Giver(ActorName(origin: "rule", name: name, version: ""))
      for version in versions {
        let list = try statement(.favoritesOfActor)
        list.bind(1, version)
        while try list.step() { work.favorites.append(list.integer(0)) }
        list.reset()
      }
    }
  }

  /// Newest first, but that of a kind's key before all others: it is what they were made for.
  private func rows(ofRun run: Int64) throws(SQLiteError) -> [HistoryRow] {
    let rows = try historyRows(.undoableOfRun, run)
    return rows.filter { $0.isKeyRule } + rows.filter { !$0.isKeyRule }
  }

  /// Notes what took a change back. What that one had undone is in force again.
  func mark(
    _ row: HistoryRow, undoneBy inverse: Int64, bringsBack: Bool = true
  ) throws(SQLiteError) {
    if bringsBack {
      let unmark = try statement(.unmarkUndone)
      unmark.bind(1, row.id)
      try unmark.run()
    }
    let mark = try statement(.markUndone)
    mark.bind(1, row.id)
    mark.bind(2, inverse)
    try mark.run()
  }
}

/// What one undo is about and has done so far.
struct UndoWork {
  let acting: Acting
  /// The changes to be taken back, newest first.
  var rows: [HistoryRow] = []
  /// The rule that is undone, and the favorites that have its cause.
  var rule: Giver?
  var favorites: [Int64] = []
  var report = UndoReport()
  /// The change of a kind's key that this undo made.
  var keyRule: (handle: KindHandle, change: Int64)?
  /// Entities that came under the key of a kind that is taken back, with their keys by the one before.
  var strays: [Stray] = []
  /// Changes of keys that part of the undo has to wait for: entities that become one again.
  var mergers: [HistoryRow] = []
  /// Why everything of an entity is left.
  var barred: [Int64: String] = [:]
  /// Refusals that went over to another key with their thing, and back with it.
  var moved: [HistoryRow] = []

  init(_ acting: Acting) { self.acting = acting }

  struct Stray {
    var entity: Int64
    var old: String
    var new: String
  }
}

extension FavoritesStore {
  /// The nearest name of a rule that chose something, for one that did not.
  private func hint(_ what: Undo) throws(FavoritesError) -> String {
    guard case .rule(let name) = what else { return "" }
    let names = try sql { () throws(SQLiteError) in
      try connection.texts(
        """
        SELECT DISTINCT name FROM actors
        WHERE origin = 'rule' AND EXISTS (SELECT 1 FROM causes WHERE actor = id) ORDER BY name
        """)
    }
    let nearest = Spelling.nearest(to: name, among: names.filter { $0 != name })
    return nearest.map { "; did you mean \"\($0)\"?" } ?? ""
  }
}

extension Undo {
  var title: String {
    switch self {
    case .change(let id): "undo \(id)"
    case .run(let run): "undo --run \(run)"
    case .rule(let name): "undo --rule \(name)"
    case .last: "undo"
    }
  }

  var missing: String {
    switch self {
    case .change(let id): "change \(id) that could be undone"
    case .run(let run): "change of run \(run) that could be undone"
    case .rule(let name): "favorite that rule \"\(name)\" chose"
    case .last: "change to undo"
    }
  }
}
