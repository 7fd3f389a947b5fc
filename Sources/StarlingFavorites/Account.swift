import StarlingModel

/// Who gives a cause or a tag: a rule is one at all versions of its text.
struct Giver: Hashable {
  var origin: String
  var name: String

  init(_ actor: ActorName) {
    origin = actor.origin
    name = actor.name
  }

  /// As a reason names it: `you`, `rule "R"`.
  var phrase: String {
    switch origin {
    case "rule": "rule \"\(name)\""
    case "script": "script \"\(name)\""
    case "import": "the import of \(name)"
    default: "you"
    }
  }
}

/// What the history says of one thing: whether and why it is a favorite, its tags and who gave each,
/// its note, and whether it is refused.
///
/// An account is kept by going through the changes that count, oldest first. Taking changes back is
/// to keep it again without them.
struct Account {
  var causes: [Giver: StoredCause] = [:]
  /// A tag belongs to all who gave it, and goes with the last of them.
  var tags: [String: Set<Giver>] = [:]
  var note: String?
  var isRefused = false
  /// The change that made it a favorite.
  var star: Int64?

  var isFavorite: Bool { !causes.isEmpty }
  var visibleTags: Set<String> { isFavorite ? Set(tags.keys) : [] }
  var visibleNote: String? { isFavorite ? note : nil }

  init() {}

  /// - Parameter entries: oldest first, those that count only.
  init(_ entries: some Sequence<AccountEntry>) {
    for entry in entries { enter(entry) }
  }

  mutating func enter(_ entry: AccountEntry) {
    let row = entry.row
    switch row.action {
    case .star: enterStar(entry)
    case .cause: give(entry)
    case .unstar:
      clear()
      if entry.refuses { isRefused = true }
    case .uncause:
      guard let cause = entry.causeWho else { return }
      if let restored = entry.restored {
        causes[Giver(cause)] = nil
        causes[Giver(restored.who)] = restored.cause
      } else {
        drop(Giver(cause))
      }
    case .tag: for tag in entry.tags { tags[tag, default: []].insert(entry.giver) }
    case .untag: for tag in entry.tags { tags[tag] = nil }
    case .note: note = entry.note
    case .refuse: isRefused = true
    case .allow: isRefused = false
    case .rekey, .undo, nil: break
    }
  }

  /// Takes a giver's cause away, and the tags that nobody else gave.
  mutating func drop(_ giver: Giver) {
    causes[giver] = nil
    for (tag, givers) in tags where givers.contains(giver) {
      tags[tag] = givers.count == 1 ? nil : givers.subtracting([giver])
    }
  }

  private mutating func clear() {
    causes = [:]
    tags = [:]
    note = nil
    star = nil
  }

  private mutating func enterStar(_ entry: AccountEntry) {
    if !isFavorite { clear() }
    if star == nil { star = entry.row.id }
    guard let snapshot = entry.snapshot else { return give(entry) }
    for cause in snapshot.causes { causes[Giver(cause.who)] = cause.cause }
    // Who gave which is not written there: they belong to all.
    let givers = Set(snapshot.causes.map { Giver($0.who) })
    for tag in snapshot.tags { tags[tag, default: []].formUnion(givers) }
    if let note = snapshot.note { self.note = note }
  }

  private mutating func give(_ entry: AccountEntry) {
    let last = causes.values.lazy.compactMap(\.number).max() ?? 0
    causes[entry.giver] = StoredCause(
      number: causes[entry.giver]?.number ?? last + 1, actor: entry.row.actor,
      line: entry.row.line, evidence: nil, at: entry.row.at)
    for tag in entry.tags { tags[tag, default: []].insert(entry.giver) }
    if let note = entry.note { self.note = note }
  }
}

/// One change as accounts are kept of it.
struct AccountEntry {
  var row: HistoryRow
  var who: ActorName
  /// It took others back, and cancels out with them.
  var isUndo: Bool
  /// The change that it is a part of, where an undo made several of one thing.
  var part: Int64?
  /// The changes that it brought back, where it took an undo back: taking it back takes these.
  var back: [Int64] = []
  /// Those that it gave or took, also such as were there already.
  var tags: [String] = []
  /// The note that it left.
  var note: String?
  var refuses = false
  /// The cause that it took away or took the place of, and whose it was.
  var cause: StoredCause?
  var causeWho: ActorName?
  var restored: (who: ActorName, cause: StoredCause)?
  /// What a favorite was that came back or went over as a whole.
  var snapshot: FavoriteSnapshot?

  var giver: Giver { Giver(who) }
  /// Whether it is no undo, nor what one made.
  var isOriginal: Bool { !isUndo && part == nil && back.isEmpty }
  /// Whether it stands: it was not taken back, and is no undo.
  var counts: Bool { row.undoneBy == nil && isOriginal }
}

/// A favorite as the change that took it away has it.
struct FavoriteSnapshot {
  var starredAt: Int64
  var note: String?
  var tags: [String]
  var causes: [(who: ActorName, cause: StoredCause)]
}
