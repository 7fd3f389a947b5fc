import StarlingModel
import Testing

@testable import StarlingFavorites

/// Every combination of who acts, what is asked and what was before, with what comes of it. This
/// table is the definition; the reference shows it.
@Suite struct WhoMayWhatTests {
  enum Who: String, CaseIterable {
    case hand, rule, script, `import`

    var origin: Cause.Origin {
      switch self {
      case .hand: .hand
      case .rule: .rule(name: "R", version: "1")
      case .script: .script(name: "S")
      case .import: .import(file: "F", line: 3)
      }
    }
  }

  enum Before: String, CaseIterable {
    case nothing, seen, starredByHand, starredByRule, refused
  }

  enum Verb: String, CaseIterable {
    case insert, delete, deleteAndRefuse, deleteAndNotRefuse, toggle
  }

  /// What comes of it: the call's answer, whether it is a favorite, whether it is refused, and the
  /// number of causes.
  struct After: Equatable, CustomStringConvertible {
    var answer: String
    var isFavorite: Bool
    var isRefused: Bool
    var causes: Int

    var description: String { "\(answer) favorite:\(isFavorite) refused:\(isRefused) \(causes)" }
  }

  static func expected(_ who: Who, _ verb: Verb, _ before: Before) -> After {
    let wasFavorite = before == .starredByHand || before == .starredByRule
    let isOwnCause =
      (who == .hand && before == .starredByHand) || (who == .rule && before == .starredByRule)
    switch verb {
    case .insert:
      if wasFavorite {
        // A favorite is a set of causes: another one's star is added, one's own adds nothing.
        return After(
          answer: "already", isFavorite: true, isRefused: false, causes: isOwnCause ? 1 : 2)
      }
      if before == .refused, who != .hand {
        return After(answer: "refused", isFavorite: false, isRefused: true, causes: 0)
      }
      return After(answer: "starred", isFavorite: true, isRefused: false, causes: 1)
    case .delete, .deleteAndRefuse, .deleteAndNotRefuse:
      let refuses = verb == .deleteAndRefuse || (verb == .delete && who == .hand)
      return After(
        answer: "\(wasFavorite)", isFavorite: false, isRefused: refuses || before == .refused,
        causes: 0)
    case .toggle:
      if wasFavorite {
        return After(answer: "false", isFavorite: false, isRefused: who == .hand, causes: 0)
      }
      if before == .refused, who != .hand {
        return After(answer: "false", isFavorite: false, isRefused: true, causes: 0)
      }
      return After(answer: "true", isFavorite: true, isRefused: false, causes: 1)
    }
  }

  static let combinations: [(Who, Verb, Before)] = Who.allCases.flatMap { who in
    Verb.allCases.flatMap { verb in Before.allCases.map { (who, verb, $0) } }
  }

  @Test("who acts, what is asked and what was before decide", arguments: combinations)
  func table(_ combination: (Who, Verb, Before)) throws {
    let (who, verb, before) = combination
    let store = try StoreFixture.store()
    let item = StoreFixture.item(1)
    let key = StoreFixture.link(1)
    switch before {
    case .nothing: break
    case .seen:
      let batch = try store.beginLoad(source: "feed")
      try batch.add(
        try store.handle(kind: "news"), try store.record(of: item, store.handle(kind: "news")))
      _ = try batch.commit()
    case .starredByHand: try store.insert(item, by: .hand)
    case .starredByRule: try store.insert(item, by: .rule(name: "R", version: "1"))
    case .refused: try store.delete(kind: "news", key: key, by: .hand)
    }
    let answer: String
    switch verb {
    case .insert: answer = "\(try store.insert(item, by: who.origin).outcome)"
    case .delete: answer = "\(try store.delete(kind: "news", key: key, by: who.origin))"
    case .deleteAndRefuse:
      answer = "\(try store.delete(kind: "news", key: key, by: who.origin, refuse: true))"
    case .deleteAndNotRefuse:
      answer = "\(try store.delete(kind: "news", key: key, by: who.origin, refuse: false))"
    case .toggle: answer = "\(try store.toggle(item, by: who.origin))"
    }
    let after = After(
      answer: answer, isFavorite: try store.contains(kind: "news", key: key),
      isRefused: try store.isRefused(kind: "news", key: key),
      causes: try store.causes(kind: "news", key: key).count)
    #expect(after == Self.expected(who, verb, before))
    #expect(try store.check().isEmpty)
  }

  @Test("a rule's newer version takes over its cause, its tags come once")
  func newerVersion() throws {
    let store = try StoreFixture.store()
    let key = StoreFixture.link(1)
    let seen = [Evidence(field: "title", value: "Item 1", condition: "has \"Item\"")]
    for version in ["1", "1", "2", "2"] {
      try store.insert(
        StoreFixture.item(1), by: .rule(name: "R", version: version), evidence: seen, tags: ["t"])
      if version == "1" { try store.untag(kind: "news", key: key, ["t"]) }
    }
    let causes = try store.causes(kind: "news", key: key)
    #expect(causes.map(\.origin) == [.rule(name: "R", version: "2")])
    #expect(causes.first?.evidence == seen)
    #expect(try store.get(kind: "news", key: key)?.tags == ["t"], "a new version's tags come")
    try store.untag(kind: "news", key: key, ["t"])
    try store.insert(StoreFixture.item(1), by: .rule(name: "R", version: "2"), tags: ["t"])
    #expect(try store.get(kind: "news", key: key)?.tags == [], "one taken off stays off")
  }

  @Test("lifting a refusal makes no favorite and lets rules do it again")
  func allowing() throws {
    let store = try StoreFixture.store()
    let key = StoreFixture.link(1)
    try store.delete(kind: "news", key: key)
    #expect(try store.refusals().map(\.key) == [key])
    #expect(try store.allow(kind: "news", key: key))
    #expect(try !store.allow(kind: "news", key: key))
    #expect(try !store.contains(kind: "news", key: key))
    #expect(try store.insert(StoreFixture.item(1), by: .script(name: "S")).outcome == .starred)
  }

  @Test("a refusal follows the entity to its new key, and holds under the old one")
  func refusalAndAlias() throws {
    let store = try StoreFixture.store()
    try store.insert(StoreFixture.item(1))
    try store.delete(kind: "news", key: StoreFixture.link(1))
    #expect(try store.rekey(kind: "news", from: StoreFixture.link(1), to: "https://new/1"))
    for key in [StoreFixture.link(1), "https://new/1"] {
      let again = Entity(kind: "news", key: key, values: ["title": "again"])
      #expect(try store.insert(again, by: .rule(name: "R", version: "1")).outcome == .refused)
      #expect(try store.isRefused(kind: "news", key: key))
    }
    try store.insert(Entity(kind: "news", key: StoreFixture.link(1)))
    #expect(try store.contains(kind: "news", key: "https://new/1"))
    #expect(try store.contains(kind: "news", key: StoreFixture.link(1)))
    #expect(try store.get(kind: "news", key: StoreFixture.link(1))?.entity.key == "https://new/1")
    #expect(try store.count(Query(kind: "news", scope: .everything)) == 1)
    let members = try store.members(try store.handle(kind: "news"))
    #expect(members.count == 1)
    for key in [StoreFixture.link(1), "https://new/1"] {
      #expect(Array(key.utf8).withUnsafeBytes { members.contains($0) })
    }
  }
}
