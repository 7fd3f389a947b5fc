import StarlingModel

/// What taking a set of changes back means for one thing.
///
/// The thing gets the state that it had before the set, as if the set had never been. What a change
/// outside of the set that stands has touched since is left, with who did that. A set's own later
/// changes are no changes since, nor are a change and the undo that took it back.
struct UndoPlan {
  /// All changes of the thing since it began, or was last unstarred before the set.
  let entries: [AccountEntry]
  /// The set's changes that are taken back.
  private(set) var taken: Set<Int64>
  /// Whose cause goes in any case, where a rule is undone.
  private let dropping: Giver?
  /// Why changes were left, by their number.
  private(set) var left: [Int64: String] = [:]
  private(set) var before = Account()
  private(set) var after = Account()
  /// Those that an undo of the set brings back, by its number.
  private let returning: [Int64: [AccountEntry]]
  /// Those that stand and are not taken back, oldest first.
  private var outside: [AccountEntry]
  /// Changes that lifted a refusal which had come over from another key.
  private var lifting: Set<Int64> = []

  init(_ entries: [AccountEntry], taking set: Set<Int64>, dropping: Giver? = nil) {
    self.entries = entries
    self.dropping = dropping
    // What an undo made of one thing is taken back as a whole.
    let wholes = set.union(entries.filter { set.contains($0.row.id) }.compactMap(\.part))
    let parts = entries.filter { wholes.contains($0.row.id) }.flatMap(\.back)
    let whole = wholes.union(parts)
    let taken = Set(
      entries.lazy.filter { entry in
        entry.row.undoneBy == nil
          && (whole.contains(entry.row.id) || entry.part.map { whole.contains($0) } ?? false)
      }.map(\.row.id)
    ).union(set)
    self.taken = taken
    let again = Set(entries.lazy.filter { !$0.back.isEmpty }.map(\.row.id))
    returning = Dictionary(
      grouping: entries.filter { entry in
        // An undo that was taken back by one of these does not come back: what it had undone is
        // taken back anew.
        entry.row.undoneBy.map { taken.contains($0) && !again.contains($0) } ?? false
      }, by: { $0.row.undoneBy ?? 0 })
    outside = entries.filter { $0.counts && !taken.contains($0.row.id) }
    lifting = Set(
      entries.indices.lazy.filter { UndoPlan.liftsStrange($0, of: entries) }
        .map { entries[$0].row.id })
    before = kept { $0.counts }
    leaveTouched()
    after = outcome()
    leaveLost()
  }

  /// The changes of this thing that are taken back, newest first.
  var undone: [AccountEntry] { entries.reversed().filter { taken.contains($0.row.id) } }

  /// Leaves all of it.
  mutating func leaveAll(_ reason: String) {
    for entry in entries where taken.contains(entry.row.id) { leave(entry, reason) }
    after = before
  }

  private mutating func leave(_ entry: AccountEntry, _ reason: String) {
    taken.remove(entry.row.id)
    left[entry.row.id] = reason
    guard entry.counts else { return }
    let place = outside.firstIndex { $0.row.id > entry.row.id } ?? outside.endIndex
    outside.insert(entry, at: place)
  }

  private func isOutside(_ entry: AccountEntry) -> Bool {
    entry.counts && !taken.contains(entry.row.id)
  }

  private func comesBack(_ entry: AccountEntry) -> Bool {
    guard let undo = entry.row.undoneBy, taken.contains(undo) else { return false }
    return returning[undo] != nil
  }

  private func outcome() -> Account {
    // What an undo made says nothing of its own: what it brought back returns with it.
    var account = kept { $0.isOriginal && (comesBack($0) || isOutside($0)) }
    if let dropping { account.drop(dropping) }
    return account
  }

  private func kept(_ isEntered: (AccountEntry) -> Bool) -> Account {
    var account = Account()
    for entry in entries {
      if lifting.contains(entry.row.id) { account.isRefused = true }
      if isEntered(entry) { account.enter(entry) }
    }
    return account
  }

  /// Whether a change lifted a refusal that none of the changes before it, as they stood then, had
  /// made: it had come over from another key. What was undone with a key is not of this thing.
  private static func liftsStrange(_ place: Int, of entries: [AccountEntry]) -> Bool {
    let allow = entries[place].row
    guard allow.action == .allow, entries[place].isOriginal,
      allow.undoneBy.map({ undo in entries.contains { $0.row.id == undo } }) ?? true
    else { return false }
    let last = entries[..<place].last { entry in
      entry.isOriginal && entry.row.undoneBy.map { $0 > allow.id } ?? true
        && (entry.saysNo || entry.row.action == .allow)
    }
    return !(last?.saysNo ?? false)
  }

  /// Leaves what was touched since, newest first: what is left may be what touched an older one.
  private mutating func leaveTouched() {
    for entry in entries.reversed() where taken.contains(entry.row.id) {
      let reason = entry.isUndo ? blockedUndo(entry) : blocked(entry, since: entry.row.id)
      if let reason { leave(entry, reason) }
    }
  }

  /// Why what an undo took back cannot come back.
  private func blockedUndo(_ undo: AccountEntry) -> String? {
    for entry in returning[undo.row.id] ?? [] {
      if let reason = blocked(entry, since: undo.row.id, returns: true) { return reason }
    }
    return nil
  }

  /// Why a change cannot be taken back, or brought back.
  private func blocked(
    _ entry: AccountEntry, since: Int64, returns: Bool = false
  ) -> String? {
    guard let last = outside.last, last.row.id > since else { return nil }
    let later = outside.filter { $0.row.id > since }
    let cause =
      switch entry.row.action {
      case .star, .cause, .uncause:
        later.last { $0.endsOrBegins || $0.touchesCause(of: entry) || (returns && $0.saysNo) }
      case .unstar: later.last { $0.row.action == .star || $0.saysNo || $0.row.action == .unstar }
      case .tag, .untag: tagBlock(entry, later)
      case .note: later.last { $0.endsOrBegins || $0.row.action == .note }
      case .refuse: later.last { $0.row.action == .allow || $0.row.action == .star }
      case .allow:
        later.last { $0.saysNo || ($0.row.action == .star && before.isFavorite) }
      case .rekey, .undo, nil: nil as AccountEntry?
      }
    guard let cause else { return nil }
    return left[cause.row.id] ?? cause.reason
  }

  /// Tags go one by one: the change is left when none of its own is as it left it.
  private func tagBlock(_ entry: AccountEntry, _ later: [AccountEntry]) -> AccountEntry? {
    if let other = later.last(where: { $0.endsOrBegins }) { return other }
    var remaining = Set(entry.tags)
    var last: AccountEntry?
    for other in later where !remaining.isDisjoint(with: other.tags) {
      // Another who gives the same tag keeps it, and is in nobody's way.
      if entry.row.action == .tag, other.row.action != .untag { continue }
      remaining.subtract(other.tags)
      last = other
    }
    return remaining.isEmpty ? last : nil
  }

  /// Leaves a favorite that would go with what others attached to it since, and one that would be
  /// refused too.
  private mutating func leaveLost() {
    let begin =
      entries.last { entry in
        entry.row.action == .unstar && (comesBack(entry) || isOutside(entry))
      }?.row.id ?? 0
    if before.isFavorite, !after.isFavorite,
      let other = entries.last(where: { entry in
        entry.row.id > begin && isOutside(entry)
          && [.tag, .untag, .note].contains(entry.row.action)
      })
    {
      return leaveAll(left[other.row.id] ?? other.reason)
    }
    if after.isFavorite, after.isRefused {
      let other = entries.last {
        isOutside($0) && ($0.saysNo || $0.row.action == .star || $0.row.action == .cause)
      }
      leaveAll(other?.reason ?? "it cannot be a favorite and refused")
    }
  }
}

extension AccountEntry {
  /// Whether it made it a favorite or took all of it away.
  fileprivate var endsOrBegins: Bool { row.action == .star || row.action == .unstar }
  fileprivate var saysNo: Bool { row.action == .refuse || (row.action == .unstar && refuses) }

  fileprivate func touchesCause(of other: AccountEntry) -> Bool {
    let theirs = other.row.action == .uncause ? other.causeWho.map { Giver($0) } : other.giver
    switch row.action {
    case .cause: return giver == theirs
    case .uncause: return causeWho.map { Giver($0) } == theirs
    default: return false
    }
  }

  /// What it did, as a reason to leave what was before.
  fileprivate var reason: String {
    let what =
      switch row.action {
      case .star: "starred it"
      case .unstar: "unstarred it"
      case .cause, .uncause: "changed its causes"
      case .tag, .untag: "changed its tags"
      case .note: note == nil ? "took its note away" : "wrote a note"
      case .refuse: "refused it"
      case .allow: "lifted its refusal"
      case .rekey, .undo, nil: "changed its key"
      }
    return "\(giver.phrase) \(what) since"
  }
}
