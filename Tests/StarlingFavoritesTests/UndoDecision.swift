import StarlingModel
import Testing

@testable import StarlingFavorites

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
