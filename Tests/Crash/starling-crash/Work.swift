import Glibc
import StarlingFavorites
import StarlingModel

/// The work that is interrupted: steps 0, 1, 2, ..., each one change of the store or none, and each
/// determined by the seed, its number and what the steps before it left. So whoever does the same
/// steps has the same database.
final class Work {
  private let path: String
  private let seed: UInt64
  private var step = 0
  private(set) var store: FavoritesStore

  init(path: String, seed: UInt64, from step: Int) throws(FavoritesError) {
    self.path = path
    self.seed = seed
    self.step = step
    // Replaced at once: the options' clock needs `self`.
    store = try FavoritesStore(.memory)
    try reopen()
    if store.kinds.isEmpty { try store.register(Work.model(grown: 0)) }
  }

  private func reopen() throws(FavoritesError) {
    let options = StoreOptions(
      clock: { [unowned self] in
        Timestamp(secondsSinceEpoch: 1_800_000_000 + Int64(self.step) * 3600)
      }, keepSeconds: 60 * 3600)
    store = try FavoritesStore(.file(path), options: options)
  }

  /// The folder's path for the backup of a step.
  static func backup(_ path: String, _ step: Int) -> String { "\(path).backup-\(step)" }

  /// - Returns: whether this step was a backup.
  @discardableResult
  func perform(_ step: Int) throws(FavoritesError) -> Bool {
    self.step = step
    var random = Seeded(seed, step: step)
    let number = Int.random(in: 0..<Work.pool, using: &random)
    let key = Work.link(number)
    do throws(FavoritesError) {
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<22: try load(first: number, step)
      case 22..<38: _ = try store.toggle(Work.item(number), by: .hand)
      case 38..<44: _ = try store.toggle(Work.item(number), by: .script(name: "s.lua"))
      case 44..<50: try several(number, step)
      case 50..<54: _ = try store.tag(kind: "news", key: key, ["a", "t\(step % 5)"])
      case 54..<57: _ = try store.untag(kind: "news", key: key, ["t"])
      case 57..<60: _ = try store.note(kind: "news", key: key, "note of \(step)")
      case 60..<64: _ = try store.delete(kind: "news", key: key, by: .hand)
      case 64..<66: _ = try store.allow(kind: "news", key: key)
      case 66..<74: _ = try store.undo(.last)
      case 74..<77: _ = try store.undo(.run(Int64(max(1, step / 4 - step % 7))))
      case 77..<79: _ = try store.undo(.rule("R\(step % 3)"))
      case 79..<85: try store.register(Work.model(grown: min(24, step / 12)))
      case 85..<88: _ = try store.rekey(kind: "news", from: key, to: key + "/\(step % 4)")
      case 88..<91: _ = try store.prune()
      case 91..<92: try store.mend()
      case 92..<95: try reopen()
      default:
        // A kill may have come after one was made and before that was said.
        unlink(Work.backup(path, step))
        try store.backup(to: Work.backup(path, step))
        return true
      }
    } catch {
      // An undo may find nothing to take back; anything else is a failure.
      guard case .notFound = error else { throw error }
    }
    return false
  }

  private func load(first: Int, _ step: Int) throws(FavoritesError) {
    let news = try store.handle(kind: "news")
    store.startRun("load \(step)")
    defer { store.endRun() }
    let batch = try store.beginLoad(source: "feed \(step % 4)")
    for place in 0..<Work.feed {
      let number = (first + place) % Work.pool
      let star = RuleStar(
        rule: "R\(number % 3)", version: "\(step / 50)",
        evidence: [Evidence(field: "title", value: "t", condition: "has \"t\"")], tags: ["t"])
      var item = Work.item(number)
      item["title"] = .text("电动汽车 \(number) of \(step % 3)")
      try batch.add(news, try store.record(of: item, news), stars: number % 4 == 0 ? [star] : [])
    }
    _ = try batch.commit()
  }

  /// Several changes in one transaction, with a level in it that is taken back.
  private func several(_ number: Int, _ step: Int) throws(FavoritesError) {
    store.startRun("script \(step)")
    defer { store.endRun() }
    try store.transaction { () throws(FavoritesError) in
      for place in 0..<5 {
        try store.insert(
          Work.item((number + place) % Work.pool), by: .script(name: "s.lua"), tags: ["s"])
      }
      do throws(FavoritesError) {
        try store.transaction { () throws(FavoritesError) in
          try store.insert(Work.item(Work.pool + step))
          throw .notFound("reason to take it back")
        }
      } catch {
        guard case .notFound = error else { throw error }
      }
      try store.insert(Entity(kind: "thought", key: "", values: ["text": .text("\(step)")]))
    }
  }

  /// Items that feeds speak of.
  static let pool = 240
  /// Items of one feed; they are there all or none.
  static let feed = 30

  static func link(_ number: Int) -> String { "https://e.example/\(number)" }

  static func item(_ number: Int) -> Entity {
    Entity(
      kind: "news", key: "",
      values: ["link": .text(link(number)), "title": .text("Item \(number)")])
  }

  /// The kinds, which get a field, an index or a kind more from time to time.
  static func model(grown: Int) -> KindModel {
    var fields = [Field("link", .url), Field("title", .text), Field("summary", .text)]
    var indexes = ["title"]
    for number in 0..<grown / 2 {
      let name = "more_\(number)"
      fields.append(Field(name, number % 2 == 0 ? .text : .money))
      indexes.append(name)
    }
    var kinds = [
      KindDeclaration("news", key: .fields(["link"]), fields: fields, indexes: indexes),
      KindDeclaration("thought", key: .auto, fields: [Field("text", .text)]),
    ]
    for number in 0..<grown / 4 {
      kinds.append(
        KindDeclaration(
          "kind_\(number)", key: .fields(["id"]), fields: [Field("id", .text)], indexes: ["id"]))
    }
    return KindModel.merging([("crash", kinds)]).model
  }
}
