import Glibc
import StarlingModel
import Testing

@testable import StarlingFavorites

/// Random acts by hand, scripts and rules, and undos of changes, runs, rules and undos, against
/// `UndoModel`.
@Suite struct UndoFuzzTests {
  /// Each has found something once.
  private static let kept: [UInt64] = [6, 101, 202, 205, 215, 300]

  /// `STARLING_FUZZ_SEED` and, for more than that one, `STARLING_FUZZ_ROUNDS`.
  private static let seeds: [UInt64] =
    number("STARLING_FUZZ_SEED").map { Array($0..<$0 + (number("STARLING_FUZZ_ROUNDS") ?? 1)) }
    ?? kept

  private static func number(_ name: String) -> UInt64? {
    getenv(name).flatMap { UInt64(String(cString: $0)) }
  }

  @Test("after any acts and undos the store is what the model says")
  func acts() throws {
    for seed in Self.seeds {
      var world = try UndoWorld(seed: seed)
      for step in 0..<500 {
        try world.step()
        if let fault = world.fault {
          Issue.record("seed \(seed), step \(step): \(fault)")
          return
        }
      }
      #expect(world.undone > 50, "seed \(seed)")
    }
  }
}

private struct UndoWorld {
  let store: FavoritesStore
  private var model = UndoModel()
  private var random: SplitMix
  /// The runs with the sets of the model that they are.
  private var runs: [(run: Int64, set: Int)] = []
  /// Whether an undo has changed something since the last run.
  private var hasChanged = false
  private(set) var fault: String?
  private(set) var undone = 0
  private static let keys = ["a", "b"].flatMap { site in (0..<3).map { "\(site)/\($0)" } }
  private static let givers: [String: Cause.Origin] = [
    "hand": .hand, "S": .script(name: "S"), "T": .script(name: "T"),
    "R1": .rule(name: "R1", version: "1"), "R2": .rule(name: "R2", version: "1"),
  ]

  init(seed: UInt64) throws {
    store = try StoreFixture.ticking()
    random = SplitMix(state: seed)
  }

  private mutating func number(_ limit: UInt64) -> Int { Int(random.next() % limit) }

  private mutating func some<Element>(_ list: [Element]) -> Element {
    list[number(UInt64(list.count))]
  }

  private mutating func tags() -> [String] {
    ["x", "y", "z"].filter { _ in number(3) == 0 }
  }

  private mutating func giver() -> String { some(["hand", "S", "T", "R1", "R2"]) }

  private mutating func wish() -> UndoModel.Wish {
    switch number(12) {
    case 0...4: .star(who: giver(), tags: tags(), note: number(5) == 0 ? "n\(number(3))" : nil)
    case 5, 6: .delete(refuses: number(2) == 0)
    case 7, 8: .tag(who: some(["hand", "S"]), tags())
    case 9: .untag(tags())
    case 10: .note(number(3) == 0 ? nil : "n\(number(3))")
    default: .allow
    }
  }

  mutating func step() throws {
    switch number(10) {
    case 0...5: try act()
    case 6, 7: try undoRun()
    case 8: try undoRule()
    default: number(3) == 0 ? try rekey() : try undoChange()
    }
  }

  private mutating func act() throws {
    let set = model.newSet()
    store.startRun("run \(set)")
    for _ in 0...number(4) {
      let (key, wish) = (some(Self.keys), wish())
      for effect in model.effects(wish, key) {
        model.acts.append(UndoModel.Act(set: set, key: key, effect: effect))
      }
      try perform(wish, key)
    }
    if let run = store.endRun() {
      runs.append((run, set))
      hasChanged = false
    }
    try compare("after acts")
  }

  private func perform(_ wish: UndoModel.Wish, _ key: String) throws {
    let parts = key.split(separator: "/").map { String($0) }
    switch wish {
    case .star(let who, let tags, let note):
      let entity = Entity(
        kind: "car_type", key: "", values: ["site": .text(parts[0]), "uid": .text(parts[1])])
      try store.insert(entity, by: Self.givers[who], tags: tags, note: note)
    case .delete(let refuses):
      try store.delete(kind: "car_type", key: key, by: .script(name: "S"), refuse: refuses)
    case .tag(let who, let tags):
      try store.tag(kind: "car_type", key: key, tags, by: Self.givers[who])
    case .untag(let tags): try store.untag(kind: "car_type", key: key, tags)
    case .note(let note): try store.note(kind: "car_type", key: key, note)
    case .allow: try store.allow(kind: "car_type", key: key)
    }
  }

  private func seen(_ key: String) throws -> String {
    var state = UndoModel.State()
    state.isRefused = try store.isRefused(kind: "car_type", key: key)
    if let favorite = try store.get(kind: "car_type", key: key) {
      state.causes = favorite.causes.map { cause in
        switch cause.origin {
        case .hand: "hand"
        case .script(let name): name
        case .rule(let name, _): name
        case .import: "import"
        }
      }
      for tag in favorite.tags { state.tags[tag] = [] }
      state.note = favorite.note
    }
    return state.seen
  }

  private mutating func compare(_ when: String) throws {
    for key in Self.keys where fault == nil {
      let (seen, told) = (try seen(key), model.state(key).seen)
      if seen != told { fault = "\(when): \(key) is \(seen), not \(told)\n\(log(key))" }
    }
    let faults = try store.check()
    if fault == nil, !faults.isEmpty { fault = "\(when): \(faults)" }
  }

  private func log(_ key: String) -> String {
    let changes = try? store.history(HistoryFilter(kind: "car_type", key: key, limit: 30))
    let lines = (changes ?? []).map { change in
      "\(change.id) \(change.action) \(change.by) \(change.tags) run \(change.run ?? 0)"
        + (change.isUndone ? " undone" : "")
    }
    return lines.joined(separator: "\n")
  }

  /// All of the store, to the second.
  private func whole() throws -> [String] {
    try store.entities(Query(kind: "car_type", scope: .everything)).map { entity in
      let favorite = try store.get(kind: "car_type", key: entity.key)
      return "\(entity.key) \(favorite.map { "\($0.starredAt) \($0.causes)" } ?? "") "
        + "\(favorite?.tags ?? []) \(favorite?.note ?? "")"
    } + (try store.refusals().map(\.key))
  }

  /// Undoes, and, where something was left or now and then, that too: all is as it was.
  ///
  /// - Returns: whether the undo stands.
  private mutating func undo(_ what: Undo, keeps: Bool) throws -> Bool {
    let before = try whole()
    let report: UndoReport
    do throws(FavoritesError) { report = try store.undo(what) } catch {
      guard case .notFound = error else { throw error }
      return false
    }
    undone += 1
    let again = number(3)
    if keeps, report.left.isEmpty, again > 0 {
      hasChanged = true
      return true
    }
    guard report.run != nil else {
      if try whole() != before { fault = "\(what) changed something and has no run" }
      if report.left.isEmpty { fault = "\(what) was undone and has no run" }
      return false
    }
    let back = try store.undo(.last)
    let after = try whole()
    if !back.left.isEmpty || after != before {
      fault =
        "\(what), there and back: left \(back.left.map(\.reason))\n"
        + "\(before.filter { !after.contains($0) })\n\(after.filter { !before.contains($0) })"
    }
    guard keeps, report.left.isEmpty, again == 0 else { return false }
    _ = try store.undo(.last)
    hasChanged = true
    return true
  }

  private mutating func undoRun() throws {
    guard !runs.isEmpty else { return }
    let place = number(2) == 0 ? runs.count - 1 : number(UInt64(runs.count))
    let (run, set) = runs[place]
    let isLast = place == runs.count - 1 && !hasChanged
    let stands = model.acts.contains { $0.set == set && $0.stands }
    let done = try undo(.run(run), keeps: true)
    if done {
      take { $0.set == set }
    } else if isLast && stands && fault == nil {
      fault = "the last run, \(run), was left"
    }
    try compare("after the undo of run \(run)")
  }

  private mutating func take(_ isTaken: (UndoModel.Act) -> Bool) {
    for place in model.acts.indices where isTaken(model.acts[place]) {
      model.acts[place].stands = false
    }
  }

  private mutating func undoRule() throws {
    let rule = some(["R1", "R2"])
    guard try undo(.rule(rule), keeps: true) else { return try compare("after \(rule)") }
    for key in Self.keys where model.state(key).causes.contains(rule) {
      let begin =
        model.acts.lastIndex { act in
          guard act.stands, act.key == key, case .unstar = act.effect else { return false }
          return true
        } ?? 0
      for place in begin..<model.acts.count where model.acts[place].key == key {
        switch model.acts[place].effect {
        case .star(rule, _, _), .cause(rule, _): model.acts[place].stands = false
        default: break
        }
      }
    }
    try compare("after the undo of \(rule)")
  }

  private mutating func undoChange() throws {
    let changes = try store.history(HistoryFilter(limit: 40))
    guard !changes.isEmpty else { return }
    _ = try undo(.change(some(changes).id), keeps: false)
    try compare("after the undo of a change and of that")
  }

  /// The kind gets another key, by which entities become one, and that is taken back.
  private mutating func rekey() throws {
    let before = try whole()
    let report = try store.rekey(kind: "car_type", fields: ["uid"], apply: true)
    guard let run = report.run else { return }
    for _ in 0..<(1 + number(2)) {
      let undo = try store.undo(.run(run))
      let after = try whole()
      if !undo.left.isEmpty || after != before {
        fault =
          "rekey: left \(undo.left.map(\.reason))\n"
          + "\(before.filter { !after.contains($0) })\n\(after.filter { !before.contains($0) })"
        return
      }
      if number(2) == 0 { return }
      _ = try store.undo(.last)
    }
    _ = try store.undo(.last)
    try compare("after a new key and back")
  }
}
