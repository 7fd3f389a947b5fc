import StarlingModel
import Testing

@testable import Starling

/// What a console shows and keeps has bounds, and its state outlives every ordinary stop.
@Suite struct ConsoleLimitTests {
  private static let small = Limits(time: .seconds(60), memoryBytes: 16 << 20)

  @Test("of a great many values the first are shown and kept, and how many there are more is said")
  func manyValues() throws {
    let console = try ConsoleHarness()
    let results = try console.run("return table.unpack({ 1, 2 }, 1, 900000)")
    #expect(results.count == ConsoleSession.shownValues + 1)
    #expect(results.last?.value == .more(900_000 - ConsoleSession.shownValues))
    #expect(results.compactMap(\.name) == ["_1", "_2"])
    let next = try console.run("return ('x'):rep(500000):byte(1, -1)")
    #expect(next.compactMap(\.name).count == ConsoleSession.shownValues)
    #expect(try console.run("return 'next'").first?.name == "_103")
  }

  @Test("reading values takes of the chunk's time")
  func time() throws {
    let console = try ConsoleHarness(
      limits: Limits(time: .milliseconds(300), memoryBytes: 1 << 30))
    // Each is gone through for its names.
    let chunk = """
      local t = {} for i = 1, 2e5 do t['k' .. i] = i end
      local all = {} for i = 1, 100 do all[i] = t end
      return table.unpack(all)
      """
    #expect(console.failure(chunk)?.contains("its time was over") == true)
    #expect(try console.value("1") == .integer(1))
  }

  @Test("all texts together are shown by so many bytes")
  func texts() throws {
    let console = try ConsoleHarness()
    let value = try console.value(
      "(function() local t = {} for i = 1, 150 do t[i] = {} "
        + "for j = 1, 150 do t[i][j] = ('x'):rep(4000) .. i .. j end end return t end)()")
    var bytes = 0
    for row in value?.table?.elements ?? [] {
      for case .text(let text) in row.table?.elements ?? [] { bytes += text.text.utf8.count }
    }
    #expect(bytes > 1 << 20 && bytes < 4 << 20)
  }

  @Test("floats are as Lua writes them, in tables as well")
  func floats() throws {
    let console = try ConsoleHarness()
    #expect(try console.value("2^53") == .number("9.007199254741e+15"))
    let field = try console.value("{ x = 1e15, y = 0/0 ~= 0 }")?.table
    #expect(field?["x"] == .number("1e+15"))
  }

  @Test("results that fill the memory are let go, the oldest first, and that is said")
  func results() throws {
    let console = try ConsoleHarness(limits: Self.small)
    let chunk = "return ('x'):rep(3000000)"
    var failures = 0
    for _ in 1...12 where console.failure(chunk) != nil {
      failures += 1
      let notices = console.session.takeNotices()
      #expect(notices.count == 1 && notices.first?.hasPrefix("the results _") == true, "\(notices)")
      // It needs but be asked again.
      #expect(try console.run(chunk).count == 1)
    }
    #expect(failures > 0)
    #expect(try console.value("rawget(_G, '_1')") == .nil)
    #expect(try console.value("#_") == .integer(3_000_000))
  }

  @Test("beyond so many results the oldest is let go, which is said once")
  func count() throws {
    let console = try ConsoleHarness()
    for number in 1...100 { try console.run("return \(number)") }
    #expect(console.session.takeNotices() == [])
    try console.run("return 101")
    #expect(console.session.takeNotices() == ["the last 100 results are kept; _1 was let go"])
    try console.run("return 102")
    #expect(console.session.takeNotices() == [])
    #expect(try console.value("_3") == .integer(3))
  }

  @Test("what deep recursions leave behind is no reason to begin anew")
  func recursion() throws {
    let console = try ConsoleHarness(
      limits: Limits(time: .milliseconds(300), memoryBytes: 32 << 20))
    try console.run("zz = 5")
    for _ in 1...6 {
      let failure = console.failure(
        "local function f(n) return 1 + f(n + 1) end while true do pcall(f, 1) end")
      #expect(failure?.contains("its time was over") == true, "\(failure ?? "nil")")
      #expect(console.session.takeNotices() == [])
      #expect(try console.value("zz") == .integer(5))
    }
  }

  @Test("a question in SQL has the time and the memory of a chunk")
  func sql() throws {
    let console = try ConsoleHarness(
      limits: Limits(time: .milliseconds(200), memoryBytes: 32 << 20))
    func failure(_ sql: String) -> HostError? {
      do throws(HostError) {
        try console.session.ask(sql: sql, columns: { _ in }, row: { _ in true })
        return nil
      } catch {
        return error
      }
    }
    let endless = "with recursive c(x) as (select 1 union all select x + 1 from c)"
    #expect(failure("\(endless) select count(*) from c")?.kind == .time)
    #expect(failure("\(endless) select x from c")?.kind == .time)
    #expect(
      failure("select length(replace(hex(zeroblob(100000000)), '00', 'abc'))")?.kind == .memory)
    #expect(failure("\(endless) select group_concat(x || hex(randomblob(500000))) from c") != nil)
    #expect(failure("\(endless) select * from c order by x")?.kind != nil)
    #expect(failure("select 1") == nil)
    #expect(try console.value("favorites.count('news')") == .integer(0))
  }
}
