/// A simple account of favorites against which the store's undo is checked: what was done, by whom, in
/// sets; the state is what is left when the sets that were taken back are passed over.
struct UndoModel {
  /// What one act came to when it was done.
  enum Effect: Equatable {
    case star(who: String, tags: [String], note: String?)
    case cause(who: String, tags: [String])
    case unstar(refuses: Bool)
    case tag(who: String, [String])
    case untag([String])
    case note(String?)
    case refuse
    case allow
  }

  struct Act: Equatable {
    var set: Int
    var key: String
    var effect: Effect
    var stands = true
  }

  struct State: Equatable {
    var causes: [String] = []
    var tags: [String: Set<String>] = [:]
    var note: String?
    var isRefused = false
  }

  var acts: [Act] = []
  private var sets = 0

  mutating func newSet() -> Int {
    sets += 1
    return sets
  }

  func state(_ key: String) -> State {
    var state = State()
    for act in acts where act.stands && act.key == key { state.apply(act.effect) }
    return state
  }

  /// What an act would come to now; empty when it changes nothing.
  func effects(_ wish: Wish, _ key: String) -> [Effect] {
    let state = state(key)
    let isOne = !state.causes.isEmpty
    switch wish {
    case .star(let who, let tags, let note):
      var effects: [Effect] = []
      if state.isRefused {
        guard who == "hand" else { return [] }
        effects.append(.allow)
      }
      guard isOne else { return effects + [.star(who: who, tags: tags, note: note)] }
      if !state.causes.contains(who) {
        effects.append(.cause(who: who, tags: tags))
      } else if !who.hasPrefix("R") {
        effects += given(tags, who, state)
      }
      if let note, note != state.note { effects.append(.note(note)) }
      return effects
    case .delete(let refuses):
      guard isOne else { return refuses && !state.isRefused ? [.refuse] : [] }
      return [.unstar(refuses: refuses && !state.isRefused)]
    case .tag(let who, let tags): return isOne ? given(tags, who, state) : []
    case .untag(let tags):
      let there = tags.filter { state.tags[$0] != nil }
      return isOne && !there.isEmpty ? [.untag(there)] : []
    case .note(let note): return isOne && note != state.note ? [.note(note)] : []
    case .allow: return state.isRefused ? [.allow] : []
    }
  }

  private func given(_ tags: [String], _ who: String, _ state: State) -> [Effect] {
    let new = tags.filter { !(state.tags[$0]?.contains(who) ?? false) }
    return new.isEmpty ? [] : [.tag(who: who, new)]
  }

  /// What somebody wants.
  enum Wish {
    case star(who: String, tags: [String], note: String?)
    case delete(refuses: Bool)
    case tag(who: String, [String])
    case untag([String])
    case note(String?)
    case allow
  }
}

extension UndoModel.State {
  mutating func apply(_ effect: UndoModel.Effect) {
    switch effect {
    case .star(let who, let tags, let note):
      if causes.isEmpty { (self.tags, self.note) = ([:], nil) }
      if !causes.contains(who) { causes.append(who) }
      for tag in tags { self.tags[tag, default: []].insert(who) }
      if let note { self.note = note }
    case .cause(let who, let tags):
      if !causes.contains(who) { causes.append(who) }
      for tag in tags { self.tags[tag, default: []].insert(who) }
    case .unstar(let refuses):
      (causes, tags, note) = ([], [:], nil)
      if refuses { isRefused = true }
    case .tag(let who, let tags):
      for tag in tags { self.tags[tag, default: []].insert(who) }
    case .untag(let tags): for tag in tags { self.tags[tag] = nil }
    case .note(let note): self.note = note
    case .refuse: isRefused = true
    case .allow: isRefused = false
    }
  }

  /// As the store is asked for it.
  var seen: String {
    guard !causes.isEmpty else { return isRefused ? "refused" : "none" }
    return "\(causes.sorted()) \(tags.keys.sorted()) \(note ?? "-")" + (isRefused ? " refused" : "")
  }
}
