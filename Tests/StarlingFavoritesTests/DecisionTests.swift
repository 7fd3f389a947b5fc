import Glibc
import StarlingModel
import StarlingSQLite
import Testing

@testable import StarlingFavorites

/// Runs every cell of the tables in `Decisions.md`, the reference of who may what.
///
/// `UPDATE_GOLDEN=1 swift test --filter DecisionTests` writes the cells anew; their diff is read.
@Suite struct DecisionTests {
  private static let path =
    #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    + "/Sources/Starling/Starling.docc/Decisions.md"

  @Test("what the reference says of each decision is what the store does")
  func tables() throws {
    let text = try #require(Self.read())
    var lines: [String] = []
    var columns: [String] = []
    var (ran, section) = (0, "")
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      lines.append(String(line))
      if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
      let cells = line.split(separator: "|").map { $0.trimming() }
      guard line.hasPrefix("| "), let first = cells.first else { continue }
      if first == "who" || first == "what" {
        columns = Array(cells.dropFirst())
        continue
      }
      var row = [first]
      for (place, column) in columns.enumerated() {
        let outcome =
          switch section {
          case "Undo": try UndoDecision(what: first, since: column).outcome()
          case "A new key": try KeyDecision(old: first, new: column).outcome()
          default: try Decision(who: first, before: column, section: .init(section)).outcome()
          }
        row.append(outcome)
        ran += 1
        let told = cells.indices.contains(place + 1) ? cells[place + 1] : ""
        if getenv("UPDATE_GOLDEN") == nil {
          #expect(outcome == told, "\(section), \(first), before: \(column)")
        }
      }
      lines[lines.count - 1] = "| " + row.joined(separator: " | ") + " |"
    }
    #expect(ran > 300)
    if getenv("UPDATE_GOLDEN") != nil { Self.write(lines.joined(separator: "\n")) }
  }

  private static func read() -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 18)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  private static func write(_ text: String) {
    guard let file = fopen(path, "w") else { return }
    fputs(text, file)
    fclose(file)
  }
}

extension Substring {
  fileprivate func trimming() -> String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

/// One entity in a store of its own, and what can be done to it.
struct DecisionScene {
  let clock: DecisionClock
  var store: FavoritesStore
  let folder: TemporaryFolder?
  /// Which item; its link is the key that is acted by.
  var number = 1
  var key: String { StoreFixture.link(number) }
  static let newKey = "https://new.example/1"

  /// - Parameter inFile: for what needs a file.
  init(inFile: Bool = false) throws {
    let clock = DecisionClock()
    self.clock = clock
    folder = inFile ? TemporaryFolder() : nil
    store = try FavoritesStore(
      folder.map { .file($0.path + "/a.db") } ?? .memory, model: StoreFixture.model,
      options: StoreOptions(clock: { clock.now }))
  }

  static let rule = Cause.Origin.rule(name: "R", version: "1")
  static let script = Cause.Origin.script(name: "S")

  var item: Entity { StoreFixture.item(number, title: "Item") }

  /// A feed that has the entity, and what rules star it for.
  @discardableResult
  func load(_ stars: [RuleStar] = [], title: String = "Item") throws -> LoadOutcome {
    let news = try store.handle(kind: "news")
    var item = item
    item["title"] = .text(title)
    let batch = try store.beginLoad(source: "feed")
    let outcome = try batch.add(news, try store.record(of: item, news), stars: stars)
    _ = try batch.commit()
    return outcome
  }

  func applyRules(dry: Bool) throws -> [StarOutcome] {
    let news = try store.handle(kind: "news")
    let batch = try store.beginLoad(source: "", dry: dry)
    let star = RuleStar(rule: "R", version: "1", evidence: [], tags: [])
    let outcomes = try Array(key.utf8).withUnsafeBytes {
      try batch.star(news, key: $0, stars: [star])
    }
    _ = try batch.commit()
    return outcomes
  }

  /// Sets up what was before.
  func prepare(_ before: String) throws {
    let isOld = before.hasPrefix("old key, ")
    let state = isOld ? String(before.dropFirst(9)) : before
    switch state {
    case "absent": break
    case "seen": try load()
    case "★ hand": try store.insert(item)
    case "★ rule": try store.insert(item, by: Self.rule)
    case "★ hand, rule":
      try store.insert(item)
      try store.insert(item, by: Self.rule)
    case "★ script": try store.insert(item, by: Self.script)
    case "refused":
      if isOld { try load() }
      try store.delete(kind: "news", key: key)
    case "refused, seen":
      try load()
      try store.delete(kind: "news", key: key)
    default: Issue.record("what is \(before)?")
    }
    if isOld { #expect(try store.rekey(kind: "news", from: key, to: Self.newKey)) }
  }

  /// What the entity is now: by either of its keys the same.
  func state() throws -> String {
    let favorite = try store.get(kind: "news", key: key)
    let isRefused = try store.isRefused(kind: "news", key: key)
    #expect(try store.contains(kind: "news", key: key) == (favorite != nil))
    #expect(try store.check().isEmpty)
    guard let favorite else {
      if isRefused { return "refused" }
      return try store.entity(kind: "news", key: key) == nil ? "absent" : "seen"
    }
    if isRefused { return "★ and refused" }
    var text = "★ " + favorite.causes.map(Self.name).joined(separator: ", ")
    if !favorite.tags.isEmpty { text += " #" + favorite.tags.joined(separator: " #") }
    if let note = favorite.note { text += " “\(note)”" }
    return text
  }

  private static func name(_ cause: Cause) -> String {
    switch cause.origin {
    case .hand: "hand"
    case .script: "script"
    case .import: "import"
    case .rule("R", "1"): "rule"
    case .rule("R", _): "rule, next version"
    case .rule: "other rule"
    }
  }
}

/// A clock that goes on by hand.
final class DecisionClock {
  var now = StoreFixture.noon
}

/// One cell: who acts, and what was before.
struct Decision {
  var who: String
  var before: String

  func outcome() throws -> String {
    var scene = try DecisionScene(inFile: who == "backup and restore")
    try scene.prepare(before)
    let answer = try act(&scene)
    return (answer.isEmpty ? "" : answer + " → ") + (try scene.state())
  }

  private func act(_ scene: inout DecisionScene) throws -> String {
    if let answer = try star(scene) ?? unstar(scene) { return answer }
    switch who {
    case "a feed has it": return "\(try scene.load(title: "changed").entity)"
    case "a feed has it, a rule stars it":
      let star = RuleStar(rule: "R", version: "1", evidence: [], tags: [])
      let outcome = try scene.load([star], title: "changed")
      return "\(outcome.entity), \(outcome.stars.map { "\($0)" }.joined())"
    case "rules apply", "rules try":
      let stars = try scene.applyRules(dry: who == "rules try")
      return stars.first.map { "\($0)" } ?? "none"
    case "tag by hand":
      return Self.yes(try scene.store.tag(kind: "news", key: scene.key, ["t"]))
    case "tag by a script":
      return Self.yes(
        try scene.store.tag(kind: "news", key: scene.key, ["t"], by: DecisionScene.script))
    case "note by a script":
      return Self.yes(
        try scene.store.note(kind: "news", key: scene.key, "n", by: DecisionScene.script))
    case "lift a refusal by hand":
      return Self.yes(try scene.store.allow(kind: "news", key: scene.key))
    case "lift a refusal by a script":
      return Self.yes(
        try scene.store.allow(kind: "news", key: scene.key, by: DecisionScene.script))
    default: return try pass(&scene)
    }
  }

  private func star(_ scene: DecisionScene) throws -> String? {
    let origins: [String: Cause.Origin] = [
      "a rule": DecisionScene.rule, "the rule's next version": .rule(name: "R", version: "2"),
      "another rule": .rule(name: "Q", version: "1"), "an import": .import(file: "F", line: 3),
      "by hand": .hand, "a script": DecisionScene.script,
    ]
    guard section == .star, let origin = origins[who] else { return nil }
    return "\(try scene.store.insert(scene.item, by: origin).outcome)"
  }

  private func unstar(_ scene: DecisionScene) throws -> String? {
    let (store, key) = (scene.store, scene.key)
    switch (section, who) {
    case (.toggle, _):
      let origin: Cause.Origin = who == "by hand" ? .hand : DecisionScene.script
      return try store.toggle(scene.item, by: origin) ? "starred" : "not starred"
    case (.unstar, "by hand"): return Self.yes(try store.delete(kind: "news", key: key))
    case (.unstar, "by hand, no refusal"):
      return Self.yes(try store.delete(kind: "news", key: key, refuse: false))
    case (.unstar, "a script"):
      return Self.yes(try store.delete(kind: "news", key: key, by: DecisionScene.script))
    case (.unstar, "a script, refusing"):
      return Self.yes(
        try store.delete(kind: "news", key: key, by: DecisionScene.script, refuse: true))
    case (.unstar, "an import"):
      return Self.yes(try store.delete(kind: "news", key: key, by: .import(file: "F", line: 1)))
    default: return nil
    }
  }

  private func pass(_ scene: inout DecisionScene) throws -> String {
    switch who {
    case "no feed has it for 91 days":
      scene.clock.now = Timestamp(
        secondsSinceEpoch: scene.clock.now.secondsSinceEpoch + 91 * 86400)
      try scene.store.prune()
    case "its plugin and source are gone":
      try scene.store.connection.execute("UPDATE news SET source = NULL; DELETE FROM sources")
      try scene.store.register(KindModel())
    case "its kind's next version":
      var kind = StoreFixture.news
      kind.fields += [Field("score", .real), Field("place", .text)]
      kind.indexes += ["place", "summary"]
      try scene.store.register(
        KindModel.merging([("next", [KindDeclaration(kind)])]).model)
    case "backup and restore":
      let path = scene.store.path
      try scene.store.backup(to: path + ".copy")
      try scene.store.delete(kind: "news", key: scene.key)
      try scene.store.insert(scene.item, by: .rule(name: "Q", version: "1"))
      try FavoritesStore.restore(from: path + ".copy", to: path)
      scene.store = try FavoritesStore(.file(path))
    default: Issue.record("what does \(who)?")
    }
    return ""
  }

  /// The heading that the row stands under.
  enum Section: String {
    case star = "Star"
    case unstar = "Unstar"
    case toggle = "Toggle"
    case other

    init(_ heading: String) { self = Section(rawValue: heading) ?? .other }
  }

  var section: Section

  private static func yes(_ answer: Bool) -> String { answer ? "yes" : "no" }
}

/// One cell of the table of undo: what is undone, and what happened since.
struct UndoDecision {
  var what: String
  var since: String

  func outcome() throws -> String {
    let scene = try DecisionScene()
    let store = scene.store
    let target = try begin(scene)
    try go(on: scene)
    let before = try scene.state()
    let report: UndoReport
    do throws(FavoritesError) { report = try store.undo(target) } catch {
      return "\(error) → " + (try scene.state())
    }
    let after = try scene.state()
    if let run = report.run {
      // An undo is undone by its run, whatever it was.
      let back = try store.undo(.run(run))
      #expect(back.left.isEmpty, "\(what), \(since): \(back.left)")
      #expect(try scene.state() == before, "\(what), \(since), there and back")
    }
    let reasons = report.left.map(\.reason)
    #expect(!report.undone.isEmpty || !reasons.isEmpty)
    return (reasons.first ?? "undone") + " → " + after
  }

  private func begin(_ scene: DecisionScene) throws -> Undo {
    let (store, key) = (scene.store, scene.key)
    func last() throws -> Undo {
      .change(try #require(try store.history(HistoryFilter(limit: 1)).first?.id))
    }
    switch what {
    case "star by hand": try store.insert(scene.item)
    case "star by a rule": try store.insert(scene.item, by: DecisionScene.rule, tags: ["r"])
    case "a rule's next version":
      try store.insert(scene.item, by: DecisionScene.rule, tags: ["r"])
      try store.insert(scene.item, by: .rule(name: "R", version: "2"), tags: ["q"])
    case "all of a rule":
      try store.insert(scene.item, by: DecisionScene.rule, tags: ["r"])
      return .rule("R")
    case "a rule's cause beside yours":
      try store.insert(scene.item)
      try store.insert(scene.item, by: DecisionScene.rule, tags: ["r"])
      return .rule("R")
    case "a run of a script":
      store.startRun("script")
      try store.insert(scene.item, by: DecisionScene.script, tags: ["s"], note: "s")
      return .run(try #require(store.endRun()))
    case "unstar by hand":
      try store.insert(scene.item, by: DecisionScene.rule, tags: ["r"])
      try store.delete(kind: "news", key: key)
    case "unstar by a script":
      try store.insert(scene.item, by: DecisionScene.rule, tags: ["r"])
      try store.delete(kind: "news", key: key, by: DecisionScene.script)
    case "a refusal": try store.delete(kind: "news", key: key)
    case "a lifted refusal":
      try store.delete(kind: "news", key: key)
      try store.allow(kind: "news", key: key)
    case "a tag":
      try store.insert(scene.item)
      try store.tag(kind: "news", key: key, ["u"])
    case "a note":
      try store.insert(scene.item)
      try store.note(kind: "news", key: key, "n")
    case "a new key":
      try store.insert(scene.item)
      #expect(try store.rekey(kind: "news", from: key, to: DecisionScene.newKey))
    case "undo of a star":
      try store.insert(scene.item, by: DecisionScene.rule, tags: ["r"])
      return .run(try #require(try store.undo(.last).run))
    default: Issue.record("what is \(what)?")
    }
    return try last()
  }

  private func go(on scene: DecisionScene) throws {
    let (store, key) = (scene.store, scene.key)
    switch since {
    case "nothing": break
    case "a feed has it": try scene.load(title: "changed")
    case "tagged by hand": try store.tag(kind: "news", key: key, ["mine"])
    case "noted by hand": try store.note(kind: "news", key: key, "mine")
    case "starred by hand": try store.insert(scene.item)
    case "starred by a rule": try store.insert(scene.item, by: .rule(name: "Q", version: "1"))
    case "unstarred by hand": try store.delete(kind: "news", key: key)
    case "unstarred, starred by hand":
      try store.delete(kind: "news", key: key)
      try store.insert(scene.item)
    case "a new key": try store.rekey(kind: "news", from: key, to: "https://newer.example/1")
    default: Issue.record("what is \(since)?")
    }
  }
}

/// One cell of the table of new keys: what had the old key, and what had the new one.
struct KeyDecision {
  var old: String
  var new: String

  func outcome() throws -> String {
    var scene = try DecisionScene()
    let store = scene.store
    try scene.prepare(old)
    scene.number = 2
    try scene.prepare(new)
    let before = try DecisionScene(scene, number: 1).state()
    store.startRun("rekey")
    let answer = try store.rekey(
      kind: "news", from: StoreFixture.link(1), to: StoreFixture.link(2))
    let run = store.endRun()
    let after = try scene.state()
    if answer {
      #expect(
        try DecisionScene(scene, number: 1).state() == after, "\(old), \(new): by the old key")
      let report = try store.undo(.run(try #require(run)))
      // The new key goes on standing for the entity, unless another has it; a refusal stays with
      // the thing that it came to; what a favorite by hand decided is named and left.
      if report.left.isEmpty, !new.hasPrefix("refused") {
        #expect(
          try DecisionScene(scene, number: 1).state() == before, "\(old), \(new), there and back")
      }
    }
    return (answer ? "" : "no → ") + after
  }
}

extension DecisionScene {
  /// Another item of the same store.
  init(_ other: DecisionScene, number: Int) {
    self = other
    self.number = number
  }
}
