import StarlingModel
import Testing

@testable import StarlingFavorites

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

extension DecisionScene {
  /// Another item of the same store.
  init(_ other: DecisionScene, number: Int) {
    self = other
    self.number = number
  }
}
