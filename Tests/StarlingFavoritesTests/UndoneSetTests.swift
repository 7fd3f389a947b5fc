import StarlingModel
import Testing

@testable import StarlingFavorites

/// Taking a set of changes back gives each thing the state that it had before, as if the set had never
/// been; what others changed since is named and left.
@Suite struct UndoneSetTests {
  private let store: FavoritesStore
  private let key = StoreFixture.link(1)
  private static let one = Cause.Origin.rule(name: "One", version: "1")
  private static let two = Cause.Origin.rule(name: "Two", version: "1")
  private static let script = Cause.Origin.script(name: "s")

  init() throws {
    store = try StoreFixture.ticking()
  }

  /// The favorite as people see it.
  private func state(_ number: Int = 1) throws -> String {
    let key = StoreFixture.link(number)
    #expect(try store.check().isEmpty)
    let refused = try store.isRefused(kind: "news", key: key)
    guard let favorite = try store.get(kind: "news", key: key) else {
      return refused ? "refused" : "none"
    }
    return (refused ? "refused! " : "")
      + favorite.causes.map { Giver(ActorName($0.origin)).phrase }.joined(separator: ", ")
      + favorite.tags.map { " #\($0)" }.joined() + (favorite.note.map { " “\($0)”" } ?? "")
  }

  @discardableResult
  private func run(_ title: String, _ body: () throws -> Void) throws -> Int64 {
    store.startRun(title)
    try body()
    return try #require(store.endRun())
  }

  private func star(_ who: Cause.Origin, _ tags: [String] = [], note: String? = nil) throws {
    try store.insert(StoreFixture.item(1), by: who, tags: tags, note: note)
  }

  @Test("a run's later causes, tags and notes go with it", arguments: [["two"], ["two", "auto"]])
  func ownLater(tags: [String]) throws {
    let load = try run("load") {
      try star(Self.one, ["auto"])
      try star(Self.two, tags)
      try store.note(kind: "news", key: key, "n", by: Self.script)
    }
    let before = try state()
    let report = try store.undo(.run(load))
    #expect(report.left.isEmpty)
    #expect(try state() == "none")
    _ = try store.undo(.last)
    #expect(try state() == before)
  }

  @Test("there and back any number of times", arguments: [[], ["auto", "two"]])
  func thereAndBack(tags: [String]) throws {
    let load = try run("load") {
      try star(Self.one, tags)
      try store.note(kind: "news", key: key, "n", by: Self.script)
    }
    let before = try state()
    for _ in 0..<4 {
      #expect(try store.undo(.last).left.isEmpty)
      #expect(try state() == "none")
      #expect(try store.undo(.last).left.isEmpty)
      #expect(try state() == before)
    }
    #expect(try store.undo(.run(load)).left.isEmpty)
    #expect(try state() == "none")
  }

  @Test("a run that came to nothing is undone and done again like any other, one for one")
  func nothingChanged() throws {
    try star(.hand, ["mine"])
    let script = try run("run") {
      try store.tag(kind: "news", key: key, ["x"], by: Self.script)
      try store.untag(kind: "news", key: key, ["x"], by: Self.script)
    }
    for _ in 0..<3 {
      let undo = try store.undo(.last)
      #expect(undo.left.isEmpty)
      #expect(throws: FavoritesError.self) { try store.undo(.run(script)) }
      let made = try store.history(HistoryFilter(run: undo.run))
      #expect(made.map(\.action) == [.undo])
      #expect(try store.undo(.last).left.isEmpty)
      #expect(try state() == "you #mine")
    }
    #expect(try store.undo(.run(script)).undone.count == 2)
  }

  @Test("the lift of a refusal is undone and done again, however often there was one")
  func liftedAgain() throws {
    try star(.hand)
    try store.delete(kind: "news", key: key)
    try store.allow(kind: "news", key: key)
    _ = try store.undo(.last)
    try run("again") { try store.allow(kind: "news", key: key) }
    try run("script") {
      try star(Self.script)
      try store.delete(kind: "news", key: key, by: Self.script, refuse: false)
    }
    for _ in 0..<2 {
      let lift = try #require(store.history().last { $0.action == .allow && !$0.isUndone })
      let undo = try store.undo(.change(lift.id))
      #expect(undo.left.isEmpty)
      #expect(try state() == "refused")
      _ = try store.undo(.run(try #require(undo.run)))
      #expect(try state() == "none")
    }
  }

  @Test("rules are undone in any order, and runs newest first", arguments: [true, false])
  func anyOrder(isFirst: Bool) throws {
    try run("load") { try star(Self.one, ["auto"]) }
    try run("load") { try star(Self.two, ["two", "auto"]) }
    let names = isFirst ? ["One", "Two"] : ["Two", "One"]
    #expect(try store.undo(.rule(names[0])).left.isEmpty)
    #expect(
      try state() == (isFirst ? "rule \"Two\" #auto #two" : "rule \"One\" #auto"))
    #expect(try store.undo(.rule(names[1])).left.isEmpty)
    #expect(try state() == "none")
  }

  @Test("two runs newest first leave nothing, also where they gave the same tag")
  func newestFirst() throws {
    let first = try run("load") { try star(Self.one, ["auto"]) }
    let second = try run("load") { try star(Self.two, ["auto", "two"]) }
    #expect(try store.undo(.run(second)).left.isEmpty)
    #expect(try state() == "rule \"One\" #auto")
    #expect(try store.undo(.run(first)).left.isEmpty)
    #expect(try state() == "none")
  }

  @Test("a tag belongs to all who gave it, also to a hand that gave it again")
  func shared() throws {
    try star(Self.one, ["auto"])
    try star(.hand)
    try store.tag(kind: "news", key: key, ["auto"])
    try store.tag(kind: "news", key: key, ["auto"])
    #expect(try store.history().count == 3)
    _ = try store.undo(.rule("One"))
    #expect(try state() == "you #auto")
    _ = try store.undo(.last)
    #expect(try state() == "rule \"One\", you #auto")
    try store.untag(kind: "news", key: key, ["auto"])
    _ = try store.undo(.rule("One"))
    #expect(try state() == "you")
  }

  @Test("starred, unstarred and starred again in one run is none before it, and back")
  func again() throws {
    let script = try run("script") {
      try star(Self.script, ["t1"])
      try store.delete(kind: "news", key: key, by: Self.script)
      try star(Self.script)
    }
    #expect(try store.undo(.run(script)).left.isEmpty)
    #expect(try state() == "none")
    _ = try store.undo(.last)
    #expect(try state() == "script \"s\"")
    _ = try store.undo(.run(script))
    #expect(try state() == "none")
  }

  @Test("starring over a refusal, and a note with a tag, are one step")
  func oneStep() throws {
    try star(.hand)
    try store.delete(kind: "news", key: key)
    try star(.hand)
    _ = try store.undo(.last)
    #expect(try state() == "refused")
    _ = try store.undo(.last)
    try star(.hand, ["w"], note: "x")
    #expect(try state() == "you #w “x”")
    _ = try store.undo(.last)
    #expect(try state() == "you")
  }

  @Test("an undo of an undo invents no refusal")
  func lifted() throws {
    let first = try run("star") { try star(.hand) }
    try store.delete(kind: "news", key: key)
    try store.allow(kind: "news", key: key)
    _ = try store.undo(.change(2))
    #expect(try state() == "you")
    _ = try store.undo(.run(first))
    #expect(try state() == "none")
  }

  @Test("who changed it since is named as who it was")
  func named() throws {
    let cases: [(Cause.Origin, String)] = [
      (.hand, "you"), (Self.script, "script \"s\""),
      (.import(file: "f.csv", line: 1), "the import of f.csv"),
    ]
    for (number, (who, name)) in cases.enumerated() {
      let item = StoreFixture.item(10 + number)
      let key = StoreFixture.link(10 + number)
      let load = try run("load") { try store.insert(item, by: Self.one, tags: ["a"]) }
      try store.tag(kind: "news", key: key, ["b"], by: who)
      let report = try store.undo(.run(load))
      #expect(report.left.map(\.reason) == ["\(name) changed its tags since"])
      #expect(try state(10 + number) == "rule \"One\" #a #b")
    }
  }

  @Test("a change and the undo that took it back are no changes since")
  func pairs() throws {
    let load = try run("load") { try star(Self.one) }
    for _ in 0..<3 {
      try store.tag(kind: "news", key: key, ["b"])
      _ = try store.undo(.last)
      try store.note(kind: "news", key: key, "n")
      _ = try store.undo(.last)
      try store.delete(kind: "news", key: key)
      _ = try store.undo(.last)
    }
    #expect(try store.undo(.run(load)).left.isEmpty)
    #expect(try state() == "none")
  }

  @Test("one change of an undo that made several takes all of that thing back")
  func part() throws {
    try star(.hand)
    try star(Self.one, ["a"])
    try store.note(kind: "news", key: key, "n")
    let undo = try store.undo(.rule("One"))
    #expect(try state() == "you “n”")
    let last = try #require(try store.history(HistoryFilter(run: undo.run)).first)
    #expect(last.action == .untag)
    _ = try store.undo(.change(last.id))
    #expect(try state() == "you, rule \"One\" #a “n”")
    _ = try store.undo(.last)
    #expect(try state() == "you “n”")
  }

  @Test("a kind's new key is undone at once to what was, whoever starred, and there and back")
  func rekey() throws {
    var generator = SplitMix(state: 7)
    for site in ["a", "b"] {
      for id in 0..<60 {
        let post = Entity(
          kind: "car_type", key: "", values: ["site": .text(site), "uid": .text("\(id)")])
        let who: Cause.Origin = [.hand, Self.script, Self.one, Self.two][
          Int(generator.next() % 4)]
        let key = "\(site)/\(id)"
        if generator.next() % 2 == 0 { try store.insert(post, by: who, tags: ["t\(id % 3)"]) }
        if generator.next() % 3 == 0 {
          try store.delete(kind: "car_type", key: key, by: Self.script, refuse: true)
        }
      }
    }
    func all() throws -> [String] {
      #expect(try store.check().isEmpty)
      return try store.entities(Query(kind: "car_type", scope: .everything)).map { entity in
        let favorite = try store.get(kind: "car_type", key: entity.key)
        let starredAt = favorite.map { "\($0.starredAt)" } ?? ""
        return "\(entity.key) \(starredAt) \(favorite?.tags ?? []) \(favorite?.causes ?? [])"
      }.sorted() + (try store.refusals().map { "\($0)" })
    }
    let before = try all()
    let run = try #require(
      try store.rekey(kind: "car_type", fields: ["uid"], apply: true).run)
    let after = try all()
    #expect(after.count < before.count)
    for round in 0..<3 {
      let back = try store.undo(round == 0 ? .run(run) : .last)
      #expect(back.left.isEmpty, "\(back.left.prefix(3))")
      #expect(try all() == before)
      let again = try store.undo(.last)
      #expect(again.left.isEmpty, "\(again.left.prefix(3))")
      #expect(try all().map { $0.filter { $0 != " " } }.count == after.count)
    }
  }
}
