import StarlingModel
import StarlingSQLite
import Testing

@testable import StarlingFavorites

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
