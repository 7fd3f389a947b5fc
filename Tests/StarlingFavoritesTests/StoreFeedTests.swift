import Glibc
import StarlingModel
import Testing

@testable import StarlingFavorites

/// Sequences of changes and of answers: each change once and in order, each answer that of the file.
@Suite(.timeLimit(.minutes(2))) struct StoreFeedTests {
  /// A file of its own, removed with the object.
  private final class File: Sendable {
    let path: String

    init(_ name: String = #function) {
      path = "/tmp/starling-feed-\(getpid())-\(name.prefix { $0 != "(" }).db"
      remove()
    }

    deinit { remove() }

    private func remove() {
      for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
    }

    func open() throws(FavoritesError) -> FavoritesStore {
      try FavoritesStore(.file(path), model: StoreFixture.model)
    }
  }

  /// Reads the first changes of a sequence in a task of its own.
  private func first(
    _ count: Int, of changes: StoreChanges, pause: Duration = .zero
  ) -> Task<[Change], any Error> {
    Task {
      var found: [Change] = []
      for try await change in changes {
        found.append(change)
        if pause > .zero { try await Task.sleep(for: pause) }
        if found.count == count { break }
      }
      return found
    }
  }

  @Test("own changes come once, in order, after their commit, of one kind or of all")
  func own() async throws {
    let file = File()
    let store = try file.open()
    try store.insert(StoreFixture.item(0))
    let all = first(300, of: try store.changes(pollInterval: .seconds(60)))
    let people = first(2, of: try store.changes(of: "person", pollInterval: .seconds(60)))
    for number in 1...298 {
      try store.toggle(StoreFixture.item(number))
      // Gives the consumers a chance to be in every place of their loop.
      if number % 50 == 0 { try await Task.sleep(for: .milliseconds(5)) }
    }
    try? store.transaction { () throws(FavoritesError) in
      try store.insert(StoreFixture.item(999))
      throw FavoritesError.stopped
    }
    for name in ["Ada", "Bo"] {
      try store.insert(Entity(kind: "person", key: "", values: ["name": .text(name)]))
    }
    let changes = try await all.value
    #expect(changes.map(\.id) == Array(2...301))
    #expect(changes.prefix(298).map(\.key) == (1...298).map(StoreFixture.link))
    #expect(try await people.value.map(\.kind) == ["person", "person"])
  }

  @Test("a slow consumer loses nothing, and the sequence holds one page at most")
  func slow() async throws {
    let file = File()
    let store = try file.open()
    let changes = try store.changes()
    let reading = first(200, of: changes, pause: .microseconds(200))
    for number in 1...200 { try store.insert(StoreFixture.item(number)) }
    #expect(try await reading.value.map(\.id) == Array(1...200))
    // Each iteration begins at the same place; another may begin where one ended.
    #expect(try await first(3, of: changes).value.map(\.id) == [1, 2, 3])
    #expect(try await first(2, of: store.changes(after: 198)).value.map(\.id) == [199, 200])
  }

  @Test("canceling the task ends a sequence at once, also one that waits")
  func cancel() async throws {
    let file = File()
    let store = try file.open()
    let changes = try store.changes(pollInterval: .seconds(600))
    let updates = try store.updates(of: Query(kind: "news"), pollInterval: .seconds(600))
    let reading = Task {
      for try await _ in changes {}
      return "ended"
    }
    let watching = Task {
      for try await _ in updates {}
      return "ended"
    }
    try await Task.sleep(for: .milliseconds(50))
    reading.cancel()
    watching.cancel()
    #expect(try await reading.value == "ended")
    #expect(try await watching.value == "ended")
    let neverBegun = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await changes.first { _ in true } == nil
    }
    #expect(try await neverBegun.value)
  }

  @Test("a query's answer comes first, then whenever it is another, and not when it is not")
  func query() async throws {
    let file = File()
    let store = try file.open()
    try store.insert(StoreFixture.item(1))
    let query = Query(
      kind: "news", where: .test(field: "title", .has(["swift"])),
      order: .field("published", descending: false))
    var answers = try store.updates(of: query, pollInterval: .milliseconds(5)).makeAsyncIterator()
    #expect(try await answers.next()?.count == 0)
    try store.insert(StoreFixture.item(2, title: "Not this one"))
    try store.insert(StoreFixture.item(3, title: "Swift 6"))
    #expect(try await answers.next()?.map(\.entity.key) == [StoreFixture.link(3)])
    // What a feed brings changes an answer too, though no favorite came or went.
    let batch = try store.beginLoad(source: "feed")
    let news = try store.handle(kind: "news")
    _ = try batch.add(news, try store.record(of: StoreFixture.item(3, title: "Swift 7"), news))
    _ = try batch.commit()
    #expect(try await answers.next()?.first?.entity["title"] == "Swift 7")
  }

  @Test("a database in memory has both")
  func memory() async throws {
    let store = try StoreFixture.store()
    try store.insert(StoreFixture.item(1))
    let changes = first(3, of: try store.changes(of: "news"))
    var button = try store.updates(of: "news", key: StoreFixture.link(2)).makeAsyncIterator()
    #expect(try await button.next() == false)
    try store.insert(Entity(kind: "person", key: ""))
    for number in 2...4 { try store.insert(StoreFixture.item(number)) }
    #expect(try await button.next() == true)
    #expect(try await changes.value.map(\.key) == (2...4).map(StoreFixture.link))
    #expect(try await first(5, of: store.changes(after: 0)).value.count == 5)
    try store.delete(kind: "news", key: StoreFixture.link(2))
    #expect(try await button.next() == false)
  }

  @Test("an unknown kind or field is said when the sequence is asked for")
  func unknown() throws {
    let store = try StoreFixture.store()
    #expect(throws: FavoritesError.self) { try store.changes(of: "nwes") }
    #expect(throws: FavoritesError.self) { try store.updates(of: Query(kind: "nwes")) }
    #expect(throws: FavoritesError.self) {
      try store.updates(of: Query(kind: "news", order: .field("titel", descending: true)))
    }
    #expect(throws: FavoritesError.self) { try store.updates(of: "nwes", key: "x") }
  }

  // MARK: Two processes

  private static func path(of process: pid_t) -> String { "/tmp/starling-feeds-\(process).db" }
  private static let keys = (1...12).map(StoreFixture.link)

  /// Toggles at random for some time.
  private static func toggle(path: String, seed: UInt64) {
    guard let store = try? FavoritesStore(.file(path), model: StoreFixture.model) else { exit(1) }
    var random = SplitMix(state: seed)
    for _ in 0..<150 {
      guard (try? store.toggle(StoreFixture.item(Int.random(in: 1...12, using: &random)))) != nil
      else { exit(1) }
      usleep(UInt32.random(in: 0..<4000, using: &random))
    }
    exit(0)
  }

  /// What buttons showed, each button's states in their order.
  private actor Buttons {
    private(set) var shown: [KeySet] = []
    func show(_ keys: KeySet) { shown.append(keys) }
  }

  @Test("two processes toggle at random: each change comes once, and the buttons end up right")
  func twoProcesses() async throws {
    let path = Self.path(of: getpid())
    defer { for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) } }
    let store = try FavoritesStore(.file(path), model: StoreFixture.model)
    // 150 toggles in this process, 150 in the other; a toggle may be one change or two.
    let changes = try store.changes(pollInterval: .milliseconds(10))
    let states = try store.updates(of: "news", keys: Self.keys, pollInterval: .milliseconds(10))
    let buttons = Buttons()
    let showing = Task { for try await keys in states { await buttons.show(keys) } }
    let collecting = Task {
      var seen: [Change] = []
      for try await change in changes { seen.append(change) }
      return seen
    }
    let other = Task {
      await #expect(processExitsWith: .success) {
        StoreFeedTests.toggle(path: StoreFeedTests.path(of: getppid()), seed: 7)
      }
    }
    var random = SplitMix(state: 8)
    for _ in 0..<150 {
      try store.toggle(StoreFixture.item(Int.random(in: 1...12, using: &random)))
      try await Task.sleep(for: .microseconds(Int.random(in: 0..<4000, using: &random)))
    }
    _ = await other.value
    let history = try store.changes(since: 0)
    #expect(history.count >= 300)
    let right = try store.containing(kind: "news", keys: Self.keys)
    // Some poll intervals after the last commit everything must have come.
    var waits = 0
    while await buttons.shown.last != right, waits < 100 {
      try await Task.sleep(for: .milliseconds(20))
      waits += 1
    }
    try await Task.sleep(for: .milliseconds(100))
    showing.cancel()
    collecting.cancel()
    try await showing.value
    #expect(try await collecting.value.map(\.id) == history.map(\.id))
    #expect(await buttons.shown.last == right)
    // No state was shown that never was: replay the history and look for each.
    var real: Set<KeySet> = [KeySet()]
    var present: Set<String> = []
    for change in history {
      if change.action == .star { present.insert(change.key) }
      if change.action == .unstar { present.remove(change.key) }
      real.insert(KeySet(present))
    }
    for shown in await buttons.shown { #expect(real.contains(shown)) }
  }
}
