import Glibc
import StarlingFavorites
import StarlingModel
import Testing

@testable import Starling

@Suite struct ConsoleSessionTests {
  private func text(_ text: String) -> ConsoleValue { .text(ConsoleValue.Text(text)) }

  // MARK: Results

  @Test("results are kept as _ and _1, _2, ...")
  func results() throws {
    let console = try ConsoleHarness()
    #expect(try console.run("return 1, 'two'").map(\.name) == ["_1", "_2"])
    #expect(try console.value("_") == .integer(1))
    #expect(try console.value("_1 + 40") == .integer(41))
    // Nothing and nil are no results to keep.
    #expect(try console.run("x = 1").isEmpty)
    #expect(try console.run("return nil").map(\.name) == [nil])
    #expect(try console.value("_") == .integer(41))
  }

  @Test("of several values the first is the last result: a page of rows, not its cursor")
  func severalResults() throws {
    let console = try ConsoleHarness()
    #expect(try console.run("return nil, 'a', 'b'").map(\.name) == [nil, "_1", "_2"])
    #expect(try console.value("_") == text("a"))
    try console.run("for i = 1, 3 do favorites.insert('person', { name = 'x' .. i }) end")
    try console.run("return favorites.fetch('person', { limit = 2 })")
    #expect(try console.value("#_") == .integer(2))
  }

  @Test("a misspelt name in a table of functions is an error with the nearest, as in a script")
  func misspelt() throws {
    let console = try ConsoleHarness()
    let failure = try #require(console.failure("return favorites.fech"))
    #expect(failure.contains("'favorites' has no 'fech'; did you mean 'fetch'?"))
  }

  @Test("old results are let go")
  func oldResults() throws {
    let console = try ConsoleHarness()
    for number in 1...150 { try console.run("return \(number)") }
    #expect(try console.value("_51") == .integer(51))
    #expect(console.failure("return _49") != nil)
  }

  @Test("tables are read raw: what their metatables say is not asked")
  func lyingTables() throws {
    let console = try ConsoleHarness()
    let value = try console.value(
      """
      setmetatable({ b = 2, a = 1, 7 }, {
        __index = function() error("index") end, __pairs = function() while true do end end,
        __len = function() return 1 << 60 end, __tostring = function() error("tostring") end,
        __name = "\\27[2J",
        __metatable = setmetatable({}, { __index = error }),
      })
      """)
    let fields = [("a", 1), ("b", 2)].map { ConsoleValue.Field(text($0), .integer($1)) }
    #expect(value == .table(ConsoleValue.Table(elements: [.integer(7)], fields: fields)))
  }

  @Test("a cycle ends, and so does depth without one")
  func cycles() throws {
    let console = try ConsoleHarness()
    let value = try console.value("(function() local t = {} t.t = t t.u = { t } return t end)()")
    let cycle = ConsoleValue.Field(text("t"), .cycle)
    let inner = ConsoleValue.Table(elements: [.cycle])
    #expect(
      value == .table(ConsoleValue.Table(fields: [cycle, .init(text("u"), .table(inner))])))
    var deep = try console.value(
      "(function() local t = {} for i = 1, 1000 do t = { t } end return t end)()")
    var depth = 0
    while let next = deep?.table?.elements.first {
      deep = next
      depth += 1
    }
    #expect(deep == .deeper)
    #expect(depth == 6)
  }

  @Test("a million rows, and a million names, are cut at once")
  func huge() throws {
    let console = try ConsoleHarness()
    let rows = try console.value(
      "(function() local t = {} for i = 1, 1e6 do t[i] = i end return t end)()")
    #expect(rows?.table?.elements.count == 200)
    #expect(rows?.table?.hiddenElements == 999_800)
    let names = try console.value(
      "(function() local t = {} for i = 1, 1e6 do t['k' .. i] = i end return t end)()")
    #expect(names?.table?.fields.count == 200)
    #expect(names?.table?.hiddenFields == 999_800)
    // The first in order, whatever the order in the table.
    #expect(names?.table?.fields.prefix(3).compactMap(\.key.text) == ["k1", "k10", "k100"])
    let long = try console.value("('电'):rep(1e6)")
    guard case .text(let cut) = long else {
      Issue.record("no text")
      return
    }
    #expect(cut.hiddenBytes == 3_000_000 - cut.text.utf8.count)
    #expect(!cut.text.unicodeScalars.contains("\u{FFFD}"))
  }

  @Test("keys are sorted: names, numbers, then the rest")
  func keys() throws {
    let console = try ConsoleHarness()
    let value = try console.value("{ z = 1, [0] = 2, [-5] = 3, a = 4, [true] = 5, [2.5] = 6, 'x' }")
    let keys = value?.table?.fields.map(\.key) ?? []
    #expect(keys.prefix(4) == [text("a"), text("z"), .integer(-5), .integer(0)])
    #expect(Set(keys.dropFirst(4)) == [.boolean(true), .number("2.5")])
  }

  // MARK: Stops and errors

  @Test("an error of any kind is said, and the session goes on")
  func errors() throws {
    let console = try ConsoleHarness()
    #expect(console.failure("error('boom')") == "console:1: boom")
    for raised in ["nil", "{}", "setmetatable({}, { __tostring = function() error(1) end })", "1"] {
      #expect(console.failure("error(\(raised))") != nil)
    }
    #expect(console.failure("local t = {} t = t.x.y") != nil)
    #expect(console.failure("coroutine.wrap(function() error('in') end)()") != nil)
    #expect(console.failure("setmetatable({}, { __close = 1 })()") != nil)
    #expect(try console.value("1") == .integer(1))
  }

  @Test("a stop from elsewhere ends a chunk in C too, and the next one runs")
  func interrupt() throws {
    let console = try ConsoleHarness()
    let chunks = [
      "while true do end", "('a'):rep(30):find(('a?'):rep(30) .. ('a'):rep(30))",
      "pcall(function() while true do end end)",
      "coroutine.wrap(function() while true do end end)()",
      "table.move({}, 1, 1 << 40, 2)",
    ]
    for chunk in chunks {
      let stop = console.stop
      let thread = TestThreads.after(milliseconds: 100) { stop.stop() }
      let error = #expect(throws: HostError.self) { try console.run(chunk) }
      #expect(error?.kind == .canceled, "\(chunk)")
      thread.join()
      #expect(try console.value("1") == .integer(1))
    }
  }

  @Test("a stop that comes before a chunk has begun is meant for it, and for it alone")
  func earlyInterrupt() throws {
    let console = try ConsoleHarness()
    console.stop.stop()
    #expect(console.session.parse("while true do end") == .complete)
    let error = #expect(throws: HostError.self) { try console.run("while true do end") }
    #expect(error?.kind == .canceled)
    #expect(try console.value("1") == .integer(1))
  }

  @Test("each chunk has its own time and memory")
  func budgets() throws {
    let limits = Limits(time: .seconds(1), memoryBytes: 16 << 20)
    let console = try ConsoleHarness(limits: limits)
    for _ in 0..<2 {
      let late = #expect(throws: HostError.self) { try console.run("while true do end") }
      #expect(late?.kind == .time)
    }
    #expect(try console.value("1 + 1") == .integer(2))
    // A slow machine may need long to fill the memory.
    let small = try ConsoleHarness(limits: Limits(time: .seconds(600), memoryBytes: 16 << 20))
    let large = #expect(throws: HostError.self) {
      try small.run("local t = {} for i = 1, 1e9 do t[i] = i end")
    }
    #expect(large?.kind == .memory)
    #expect(try small.value("1 + 1") == .integer(2))
  }

  @Test("a failed chunk, and one that leaves a coroutine in a transaction, leave none open")
  func transactions() throws {
    let console = try ConsoleHarness()
    let store = try console.host.store()
    let insert = "favorites.insert('person', { name = 'a' })"
    #expect(
      console.failure("favorites.transaction(function() \(insert) error('no') end)") != nil)
    #expect(!store.isInTransaction)
    try console.run(
      """
      co = coroutine.create(function()
        favorites.transaction(function() \(insert) coroutine.yield() end)
      end)
      coroutine.resume(co)
      """)
    #expect(!store.isInTransaction)
    #expect(try store.count(Query(kind: "person")) == 0)
    // The coroutine ended with an error where it would have yielded.
    _ = console.failure("coroutine.resume(co)")
    try console.run(insert)
    #expect(try store.count(Query(kind: "person")) == 1)
  }

  @Test("os.exit ends the session with its status")
  func exit() throws {
    let console = try ConsoleHarness()
    #expect(try console.session.run("os.exit(7)", name: "console") { _ in } == 7)
  }

  // MARK: The store

  @Test("what is changed is by hand, each chunk is a run, and undo takes the last one back")
  func byHand() throws {
    let console = try ConsoleHarness()
    let insert = "favorites.insert('news', { link = 'https://e.org/%', title = 't' })"
    for number in ["1", "2"] { try console.run(insert.replacing("%", with: number)) }
    let store = try console.host.store()
    #expect(try console.value("favorites.why('news', 'https://e.org/1')[1].by") == text("hand"))
    _ = try store.undo(.last, by: .hand)
    #expect(try store.contains(kind: "news", key: "https://e.org/1"))
    #expect(!(try store.contains(kind: "news", key: "https://e.org/2")))
    // What a person deletes is refused.
    try console.run("favorites.delete('news', 'https://e.org/1')")
    #expect(try store.isRefused(kind: "news", key: "https://e.org/1"))
  }

  @Test("a listener that fails, hangs or exits never ends the session")
  func listeners() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/x.db"
    let limits = Limits(time: .seconds(1), memoryBytes: 64 << 20)
    let console = try ConsoleHarness(database: .file(path), limits: limits)
    try console.run(
      """
      seen = {}
      favorites.on("insert", function(change) seen[#seen + 1] = change.key end)
      favorites.on("insert", function() error("boom") end)
      favorites.on("insert", function() error({}) end)
      favorites.on("insert", function() while true do end end)
      favorites.on("insert", function() os.exit(3) end)
      favorites.on("insert", function() favorites.transaction(function()
        favorites.insert("person", { name = "x" }) error("inside") end) end)
      """)
    let other = try FavoritesStore(.file(path))
    _ = try other.insert(
      Entity(kind: "news", key: "", values: ["link": "https://e.org/9", "title": "t"]))
    console.session.poll()
    #expect(try console.value("seen[1]") == text("https://e.org/9"))
    #expect(console.log.contains { $0.message.contains("boom") })
    #expect(try !console.host.store().isInTransaction)
    #expect(try console.session.run("return 1", name: "console") { _ in } == nil)
    // Own changes too: one that hangs uses up the time of the chunk, and that is all.
    _ = console.failure("favorites.insert('news', { link = 'https://e.org/8', title = 't' })")
    #expect(try console.value("1") == .integer(1))
  }

  @Test("what the host gives Lua to hold says what it is")
  func objects() throws {
    let console = try ConsoleHarness()
    #expect(
      try console.value("favorites.on('insert', function() end)")
        == .opaque("function that ends the listening"))
    #expect(try console.value("favorites.members('news')") == .opaque("set of keys"))
  }

  @Test("the last query is known, with its condition")
  func lastQuery() throws {
    let console = try ConsoleHarness()
    #expect(console.session.lastQuery == nil)
    try console.run("return favorites.count('news', { where = { title = has 'EV' } })")
    let query = try #require(console.session.lastQuery)
    let draft = try RuleDraft(name: "EV \"x\"", query: query)
    #expect(draft.text == #"rule "EV \"x\"" { kind = "news", title = has "EV", star }"#)
    #expect(draft.leftOut.isEmpty)
  }

  // MARK: Help

  @Test(
    "help knows functions, kinds, fields, words, tables and Lua's own",
    arguments: [
      ("favorites.insert", "favorites.insert(kind, [entity], [options])"),
      ("news", "news: a kind; its key is link"), ("news.title", "news.title: a field, text"),
      ("below", "below(value)"), ("missing", "missing: starling.Word"),
      ("favorites", "favorites.contains(kind, [key])"), ("Query", "starling.Query: What to fetch."),
      ("string.rep", "string.rep is a function of Lua itself: see the Lua 5.4 manual, §6"),
      (
        "favorites.instert",
        "there is no help for favorites.instert; did you mean favorites.insert?"
      ),
    ])
  func help(topic: String, first: String) throws {
    let console = try ConsoleHarness()
    let text = console.session.help(topic: topic)
    #expect(text.split(separator: "\n").first.map(String.init) == first)
  }

  @Test("help takes a function, a word, a table or a text, by what they are")
  func helpOfValues() throws {
    let console = try ConsoleHarness()
    try console.run("local f = favorites.get help(f)")
    #expect(console.output.hasPrefix("favorites.get(kind, [key])"))
    try console.run("help(missing) help(favorites) help('news') help() help(function() end)")
    for text in ["missing: ", "favorites.contains(", "news: a kind", "introduction"] {
      #expect(console.output.contains(text))
    }
    try console.run("help(setmetatable({}, { __index = error, __name = {} })) help(42)")
  }
}

/// A thread that does something a little later.
enum TestThreads {
  final class Handle {
    fileprivate var thread = pthread_t()
    func join() { pthread_join(thread, nil) }
  }

  private final class Work {
    let milliseconds: UInt32
    let body: @Sendable () -> Void

    init(_ milliseconds: UInt32, _ body: @escaping @Sendable () -> Void) {
      self.milliseconds = milliseconds
      self.body = body
    }
  }

  static func after(milliseconds: UInt32, _ body: @escaping @Sendable () -> Void) -> Handle {
    let handle = Handle()
    let work = Unmanaged.passRetained(Work(milliseconds, body)).toOpaque()
    pthread_create(
      &handle.thread, nil,
      { context in
        guard let context else { return nil }
        let work = Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
        usleep(work.milliseconds * 1_000)
        work.body()
        return nil
      }, work)
    return handle
  }
}
