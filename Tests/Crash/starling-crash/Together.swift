import Glibc
import StarlingFavorites
import StarlingModel

/// Several processes at work on one file at the same time, each of which stops at the first thing
/// that is not as it must be: an error, a torn view, a change that is missed or comes twice.
enum Together {
  struct Failure: Error {
    var what: String
  }

  static let roles = ["load", "toggle", "toggle", "read", "observe", "observe", "backup", "grow"]
  static let batch = 60

  private static func open(_ path: String, _ role: String) throws -> FavoritesStore {
    let store = try FavoritesStore(
      .file(path), model: Work.model(grown: 0),
      options: StoreOptions(who: role == "toggle" ? .hand : .script(name: role)))
    return store
  }

  /// Runs one role until the time is over, and gives how often it did its work.
  static func run(_ role: String, path: String, until end: Int) throws -> Int {
    let store = try open(path, role)
    var rounds = 0
    // Observers go on until all changes are there to be heard of.
    var heard: [Int64] = []
    if role == "observe" {
      var first: Int64 = 0
      // Within a transaction, so that nobody writes between the two.
      try store.transaction { () throws(FavoritesError) in
        _ = try store.observe { heard.append($0.id) }
        first = try store.history(HistoryFilter(limit: 1)).first?.id ?? 0
      }
      while time(nil) < end + 1 {
        try store.poll()
        usleep(2_000)
      }
      let all = try changes(store, after: first)
      guard heard == all else {
        throw Failure(what: "heard \(heard.count) changes of \(all.count), or in another order")
      }
      return heard.count
    }
    while time(nil) < end {
      try work(role, store, rounds, path)
      rounds += 1
    }
    return rounds
  }

  private static func work(
    _ role: String, _ store: FavoritesStore, _ round: Int, _ path: String
  ) throws {
    switch role {
    case "load": try load(store, round)
    case "toggle":
      _ = try store.toggle(Work.item(Int.random(in: 0..<50)))
      if round % 5 == 0 {
        do { _ = try store.undo(.last) } catch {
          guard case .notFound = error else { throw error }
        }
      }
      usleep(500)
    case "read": try read(store)
    case "backup":
      let copy = "\(path).copy-\(getpid())"
      defer { Driver.remove(copy) }
      try store.backup(to: copy)
      let other = try FavoritesStore(.file(copy))
      try read(other)
      let problems = try other.check()
      if let problem = problems.first { throw Failure(what: "a copy: \(problem.what)") }
      usleep(50_000)
    default:
      try store.register(Work.model(grown: min(40, round)))
      usleep(100_000)
    }
  }

  /// All items of a load have the same title.
  private static func load(_ store: FavoritesStore, _ round: Int) throws {
    let news = try store.handle(kind: "news")
    let load = try store.beginLoad(source: "feed")
    for number in 0..<batch {
      var item = Work.item(1000 + number)
      item["title"] = .text("load \(round)")
      let star = RuleStar(rule: "R", version: "\(round)", evidence: [], tags: [])
      try load.add(
        news, try store.record(of: item, news), stars: number == round % batch ? [star] : [])
    }
    _ = try load.commit()
    usleep(1_000)
  }

  /// Looks at one state of the file: one title for all items of the load.
  private static func read(_ store: FavoritesStore) throws {
    var titles: Set<Value> = []
    var count = 0
    let query = Query(
      kind: "news", scope: .everything,
      where: .test(field: "title", .has(["load"])), limit: 1000)
    for entity in try store.entities(query) {
      titles.insert(entity["title"] ?? .text(""))
      count += 1
    }
    guard titles.count <= 1, count == 0 || count == batch else {
      throw Failure(what: "a torn view: \(count) items of \(titles.count) loads")
    }
    for favorite in try store.fetch(Query(kind: "news", limit: 20)) {
      guard !favorite.causes.isEmpty else { throw Failure(what: "a favorite without a cause") }
    }
  }

  private static func changes(_ store: FavoritesStore, after id: Int64) throws -> [Int64] {
    var all: [Int64] = []
    while case let more = try store.changes(since: all.last ?? id), !more.isEmpty {
      all += more.map(\.id)
    }
    return all
  }

  /// Starts a process for each role and waits for all.
  static func drive(seconds: Int) throws -> Int32 {
    var template = Array("/tmp/starling-together-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return 1 }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { Driver.removeFolder(folder) }
    let path = folder + "/a.db"
    let end = time(nil) + seconds
    // All open the file at once, also while it is not there yet.
    let children = roles.compactMap { Child(["role", $0, path, "\(end)"]) }
    var status: Int32 = children.count == roles.count ? 0 : 1
    for (child, role) in zip(children, roles) {
      let said = child.wait()
      if said.last?.hasPrefix("done") != true { status = 1 }
      say("\(role): \(said.last ?? "ended by itself")")
    }
    let store = try FavoritesStore(.file(path))
    for problem in try store.check() {
      say("afterwards: \(problem.what)")
      status = 1
    }
    return status
  }
}
