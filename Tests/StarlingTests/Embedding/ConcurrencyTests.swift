import Glibc
import Starling
import Synchronization
import Testing

private struct Note: FavoriteEntity {
  static let kind = "memo"
  static let key = Kind.KeyRule.auto
  static let indexes = ["title"]

  var key: String?
  var title: String
}

/// The documented way to use a host from tasks: an actor owns it.
private actor Library {
  private let host: Host

  /// Asynchronous, so that it runs on the actor and not on the caller's thread.
  init(
    database: String, progress: @escaping @Sendable (StoreStep) -> Void = { _ in }
  ) async throws {
    var configuration = Host.Configuration(database: .file(database))
    configuration.progress = progress
    try configuration.declare([Note.self])
    host = Host(configuration)
    _ = try host.storeWithPlugins()
  }

  func add(_ title: String) throws -> String {
    try host.store().insert(Note(title: title)).key
  }

  func count() throws -> Int { try host.store().count(Note.self) }

  func notes() throws -> StoreUpdates<[Starred<Note>]> { try host.store().updates(of: Note.self) }

  /// Canceling the task that waits for it stops the script.
  func run(_ code: String) async throws -> Int32 {
    try await host.run(cancelable: Script([.code(code)]), io: ScriptIO(write: { _ in true }))
  }
}

/// The other documented way: the main actor owns the store, which was opened elsewhere.
@MainActor private final class Screen {
  let store: FavoritesStore
  var titles: [String] = []

  init(_ store: sending FavoritesStore) {
    self.store = store
  }

  /// Off the main thread, since it is nonisolated and asynchronous.
  nonisolated static func open(
    _ path: String, progress: @escaping @Sendable (StoreStep) -> Void
  ) async throws -> sending FavoritesStore {
    try FavoritesStore(
      .file(path), model: KindModel([Note.self]), options: StoreOptions(progress: progress))
  }

  func show(_ count: Int) async throws {
    for try await notes in try store.updates(
      of: Note.self, order: .field("title", descending: false))
    {
      titles = notes.map(\.value.title)
      if titles.count == count { return }
    }
  }
}

/// What progress told, and whether it ever was on the main thread.
private final class Steps: Sendable {
  private let state = Mutex((steps: [StoreStep](), wasOnMain: false))
  private let main: pthread_t

  init(main: pthread_t) { self.main = main }

  func note(_ step: StoreStep) {
    state.withLock { state in
      state.steps.append(step)
      if pthread_equal(pthread_self(), main) != 0 { state.wasOnMain = true }
    }
  }

  var steps: [StoreStep] { state.withLock { $0.steps } }
  var wasOnMain: Bool { state.withLock { $0.wasOnMain } }
}

@Suite(.timeLimit(.minutes(2))) struct ConcurrencyTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.path + "/c.db" }

  /// A file with some notes and no index on their titles.
  private func oldFile(_ count: Int) throws {
    let kind = Kind(name: "memo", key: .auto, fields: [Field("title", .text)])
    var model = KindModel()
    try model.merge([KindDeclaration(kind)], from: "an older app")
    let store = try FavoritesStore(.file(path), model: model)
    try store.insert(
      (1...count).map { Entity(kind: "memo", key: "", values: ["title": .text("Ünë \($0)")]) })
  }

  @Test("an actor opens and migrates off the main thread, and tells how far it is")
  @MainActor func opening() async throws {
    try oldFile(3000)
    let steps = Steps(main: pthread_self())
    let library = try await Library(database: path) { steps.note($0) }
    #expect(try await library.count() == 3000)
    #expect(!steps.wasOnMain)
    let told = steps.steps
    #expect(told.first == .open && told.last == .ready)
    #expect(told.contains(.kind("memo", number: 1, of: 1)))
    #expect(told.contains(.index(kind: "memo", field: "title")))
    let folds = told.compactMap { step -> Int? in
      if case .fold("memo", "title", let done, 3000) = step { done } else { nil }
    }
    #expect(folds == folds.sorted() && folds.last == 3000 && folds.count > 2)
    // Nothing to do the second time.
    let again = Steps(main: pthread_self())
    _ = try await Library(database: path) { again.note($0) }
    #expect(again.steps == [.open, .ready])
  }

  @Test("the main actor owns a store that was opened off the main thread")
  @MainActor func mainActor() async throws {
    let steps = Steps(main: pthread_self())
    let screen = Screen(try await Screen.open(path) { steps.note($0) })
    #expect(steps.steps.contains(.create) && !steps.wasOnMain)
    let showing = Task { try await screen.show(3) }
    for title in ["b", "c", "a"] {
      try screen.store.insert(Note(title: title))
      await Task.yield()
    }
    try await showing.value
    #expect(screen.titles == ["a", "b", "c"])
  }

  @Test("canceling a task stops its script, whatever it does, and takes back what it left open")
  func cancel() async throws {
    let library = try await Library(database: path)
    let endless = [
      "while true do end",
      "favorites.transaction(function() favorites.insert('memo', { title = 'x' }) while true do end end)",
      "pcall(function() while true do end end) while true do end",
      "return (\"a\"):rep(30):find((\"a?\"):rep(30) .. (\"a\"):rep(30))",
    ]
    for code in endless {
      let running = Task { try await library.run(code) }
      try await Task.sleep(for: .milliseconds(30))
      running.cancel()
      let error = await #expect(throws: HostError.self) { try await running.value }
      #expect(error?.kind == .canceled, "\(code)")
    }
    #expect(try await library.count() == 0)
    // The host goes on.
    #expect(try await library.run("favorites.insert('memo', { title = 'y' }) os.exit(4)") == 4)
    #expect(try await library.count() == 1)
  }

  @Test("a task that was canceled before it began runs nothing")
  func canceledBefore() async throws {
    let library = try await Library(database: path)
    let running = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await library.run("favorites.insert('memo', { title = 'x' }) while true do end")
    }
    let error = await #expect(throws: HostError.self) { try await running.value }
    #expect(error?.kind == .canceled)
    #expect(try await library.count() == 0)
  }

  @Test("a load of a canceled task writes nothing")
  func load() async throws {
    let path = path
    let loading = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      let host = Host(Host.Configuration(database: .file(path)))
      return try host.load(FeedInput(.bytes(Array("[{}]".utf8), name: "f.json")))
    }
    let error = await #expect(throws: HostError.self) { try await loading.value }
    #expect(error?.kind == .canceled)
  }

  @Test(
    "rules of a canceled task are asked no further, and star nothing", arguments: [true, false])
  func rules(isTrial: Bool) async throws {
    try oldFile(2000)
    let path = path
    let file = folder.write(
      "rules.lua",
      Array("rule \"All\" { kind = \"memo\", when = function() return cancel() end, star }".utf8))
    let asked = Asked()
    let cancel = try AppFunction(
      "cancel", in: .rules, returns: [ApiResult(type: .boolean, help: "true")], help: "Cancels."
    ) { _ in
      asked.count.withLock { $0 += 1 }
      withUnsafeCurrentTask { $0?.cancel() }
      return [true]
    }
    let asking = Task {
      var configuration = Host.Configuration(database: .file(path))
      try configuration.add(cancel)
      let host = Host(configuration)
      let rules = try host.rules(file: file)
      if isTrial { _ = try host.tryRules(rules) } else { _ = try host.applyRules(rules) }
    }
    let error = await #expect(throws: HostError.self) { try await asking.value }
    #expect(error?.kind == .canceled)
    #expect((1...256).contains(asked.count.withLock { $0 }))
    let store = try FavoritesStore(.file(path))
    // By hand, all of them, and by nothing else.
    #expect(try store.history(HistoryFilter(limit: 5000)).allSatisfy { $0.action == .star })
  }

  /// How often a function was called.
  private final class Asked: Sendable {
    let count = Mutex(0)
  }

  @Test("a query of a canceled task is stopped")
  func query() async throws {
    let path = path
    let asking = Task {
      let store = try FavoritesStore(.file(path), model: KindModel([Note.self]))
      try store.insert((1...4000).map { try Entity(Note(title: "\($0)")) })
      store.setInterrupt { Task.isCancelled }
      withUnsafeCurrentTask { $0?.cancel() }
      return try store.count(Query(kind: "memo", where: .test(field: "title", .has(["9"]))))
    }
    let error = await #expect(throws: FavoritesError.self) { try await asking.value }
    guard case .stopped = error else { Issue.record("\(String(describing: error))"); return }
  }

  // MARK: Several hosts

  @Test("two hosts in one process do not meet: other kinds, other functions, other limits")
  func twoHosts() async throws {
    let folder = folder.path
    for name in ["one", "two"] {
      self.folder.write(
        "\(name)/\(name).lua",
        Array(
          """
          --- @api 1
          --- @summary Test
          local M = {}
          local count = 0
          M.kinds = { \(name) = { key = "id", fields = { id = "text", place = "integer" } } }
          function M.map(item) count = count + 1 return { id = item.id, place = count } end
          return M
          """.utf8))
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for name in ["one", "two"] {
        group.addTask {
          var configuration = Host.Configuration(
            database: .file("\(folder)/\(name).db"), pluginFolders: ["\(folder)/\(name)"])
          try configuration.add(AppFunction("whoami", help: "Says.") { _ in [.text(name)] })
          let host = Host(configuration)
          let items = (1...200).map { "{\"id\":\"\($0)\"}" }.joined(separator: ",")
          let report = try host.load(
            FeedInput(.bytes(Array("[\(items)]".utf8), name: name)), plugin: name)
          #expect(report.new == 200)
          #expect(host.model.kinds.map(\.name) == [name])
          for _ in 0..<20 {
            try host.run(
              Script([
                .code("assert(whoami() == '\(name)' and entities.count('\(name)') == 200)")
              ]))
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("two hosts on one file see each other's favorites, and lose none of their own")
  func oneFile() async throws {
    let path = path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<2 {
        group.addTask {
          let library = try await Library(database: path)
          for place in 0..<40 { _ = try await library.add("\(number).\(place)") }
          _ = try await library.run(
            "for i = 1, 40 do favorites.insert('memo', { title = '\(number).' .. i }) end")
        }
      }
      try await group.waitForAll()
    }
    let library = try await Library(database: path)
    #expect(try await library.count() == 160)
    var notes = try await library.notes().makeAsyncIterator()
    #expect(try await notes.next()?.count == 160)
  }

  @Test("a host for each request, hundreds of them from tasks at once")
  func requests() async throws {
    let path = path
    _ = try await Library(database: path)
    let answers = try await withThrowingTaskGroup(of: Int32.self) { group in
      for number in 0..<300 {
        group.addTask {
          let host = Host(Host.Configuration(database: .file(path)))
          return try host.run(
            Script([
              .code("favorites.insert('memo', { title = '\(number)' }) os.exit(\(number % 7))")
            ]))
        }
      }
      return try await group.reduce(into: 0) { $0 += Int($1) }
    }
    #expect(answers == (0..<300).reduce(0) { $0 + $1 % 7 })
    let store = try FavoritesStore(.file(path))
    #expect(try store.count(Query(kind: "memo")) == 300)
    #expect(try store.check().isEmpty)
  }
}
