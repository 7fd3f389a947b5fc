import StarlingFavorites
import StarlingLua
import StarlingModel
import Testing

@testable import Starling

@Suite struct TransactionFunctionTests {
  @Test("a transaction gives its function's results, and keeps what it did")
  func results() throws {
    let lua = try ScriptHarness()
    #expect(
      try lua.run(
        """
        return favorites.transaction(function(a, b)
          favorites.insert("news", { link = a })
          return b, nil, 3
        end, "x", "y")
        """) == [.string("y"), .nil, .integer(3)])
    #expect(try lua.store.contains(kind: "news", key: "x"))
  }

  @Test("an error takes all back and is raised again whole")
  func error() throws {
    let lua = try ScriptHarness()
    #expect(
      try lua.run(
        """
        local thrown = { code = 7 }
        local ok, caught = pcall(favorites.transaction, function()
          favorites.insert("news", { link = "x" })
          error(thrown)
        end)
        return ok, caught == thrown, favorites.contains("news", "x")
        """) == [.boolean(false), .boolean(true), .boolean(false)])
    let failure = lua.failure("\nfavorites.transaction(function()\n  error('boom')\nend)")
    #expect(failure == "test.lua:3: boom")
  }

  @Test(
    "an error that ends a coroutine takes back what its transaction did, and that alone",
    arguments: ["error('x')", "coroutine.yield()", "error({})", "nosuch.field = 1"])
  func coroutine(fault: String) throws {
    let lua = try ScriptHarness()
    #expect(
      try lua.run(
        """
        local routine = coroutine.create(function()
          favorites.transaction(function()
            favorites.insert("news", { link = "inner" })
            local nosuch
            \(fault)
          end)
        end)
        local done = coroutine.resume(routine)
        favorites.insert("news", { link = "after" })
        local made = coroutine.wrap(function()
          return favorites.transaction(function(a, b) return b, a end, 1, 2)
        end)
        return done, coroutine.status(routine), favorites.contains("news", "inner"), made()
        """) == [.boolean(false), .string("dead"), .boolean(false), .integer(2), .integer(1)])
    #expect(!lua.store.isInTransaction)
    #expect(try lua.store.contains(kind: "news", key: "after"))
  }

  @Test("an inner level that fails leaves the outer one whole")
  func nested() throws {
    let lua = try ScriptHarness()
    #expect(
      try lua.run(
        """
        favorites.transaction(function()
          favorites.insert("news", { link = "outer" })
          pcall(favorites.transaction, function()
            favorites.insert("news", { link = "inner" })
            error("no")
          end)
          favorites.transaction(function() favorites.insert("news", { link = "second" }) end)
        end)
        return favorites.contains("news", "outer"), favorites.contains("news", "inner"),
          favorites.contains("news", "second")
        """) == [.boolean(true), .boolean(false), .boolean(true)])
  }

  @Test("the traceback is that of the error's place")
  func traceback() throws {
    let lua = try ScriptHarness()
    do throws(LuaError) {
      try lua.run(
        """
        local function deep() error("boom") end
        favorites.transaction(function() deep() end)
        """)
      Issue.record("no error")
    } catch {
      guard case .runtime(let fault) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(fault.traceback.contains("test.lua:1: in "), "\(fault.traceback)")
      #expect(fault.line == 1)
    }
  }

  @Test("errors and stops have the script's line, not one of the host's own code")
  func place() throws {
    let lua = try ScriptHarness(limits: Limits(time: .milliseconds(200)))
    func fault(_ source: String) -> (message: String, line: Int?, chunk: String?) {
      do {
        _ = try lua.run(source)
      } catch {
        let failure = HostError(error, in: lua.session.state)
        return (failure.message, failure.location?.line, failure.location?.file)
      }
      return ("no error", nil, nil)
    }
    let wrong = fault("\nfavorites.transaction(5)")
    #expect(wrong.message == "bad argument #1 to 'transaction' (function expected, got number)")
    #expect(wrong.line == 2)
    let deep = fault("\nlocal function f()\n favorites.transaction(f) end\nf()")
    #expect(deep.message == "transactions lie at most 100 deep in one another")
    #expect(deep.line == 3)
    let stop = fault("\nwhile true do\n favorites.transaction(function() end) end")
    #expect(stop.message == "stopped: its time was over")
    #expect(stop.line == 3)
    #expect(stop.chunk == wrong.chunk)
    #expect(!lua.store.isInTransaction)
  }

  @Test("a stop inside a transaction rolls it back")
  func stopped() throws {
    let lua = try ScriptHarness(limits: Limits(time: .milliseconds(100)))
    let failure = lua.failure(
      "favorites.transaction(function() favorites.insert('news', { link = 'x' }) while true do end end)"
    )
    #expect(failure == "stopped: its time was over")
    #expect(!lua.store.isInTransaction)
    #expect(try !lua.store.contains(kind: "news", key: "x"))
  }

  @Test("os.exit inside a transaction rolls it back")
  func exit() throws {
    let lua = try ScriptHarness()
    #expect(
      try lua.status(
        """
        pcall(favorites.transaction, function()
          favorites.insert('news', { link = 'x' })
          pcall(os.exit, 4)
        end)
        """) == 4)
    #expect(!lua.store.isInTransaction)
    #expect(try !lua.store.contains(kind: "news", key: "x"))
  }

  @Test("no coroutine yields out of a transaction, where it and what others do later could be lost")
  func coroutine() throws {
    let lua = try ScriptHarness()
    let failure = lua.failure(
      """
      local co = coroutine.wrap(function()
        favorites.transaction(function()
          favorites.insert("news", { link = "x" })
          pcall(function() error(select(2, pcall(coroutine.yield)), 0) end)
          coroutine.yield()
        end)
      end)
      local ok, caught = pcall(co)
      favorites.insert("news", { link = "y" })
      error(caught, 0)
      """)
    #expect(failure?.hasSuffix("attempt to yield out of a transaction") == true, "\(failure ?? "")")
    #expect(!lua.store.isInTransaction)
    #expect(try !lua.store.contains(kind: "news", key: "x"))
    #expect(try lua.store.contains(kind: "news", key: "y"))
  }

  @Test("coroutines that begin and rest inside of a transaction are none of its business")
  func inside() throws {
    let lua = try ScriptHarness()
    #expect(
      try lua.run(
        """
        return favorites.transaction(function()
          local next = coroutine.wrap(function()
            for i = 1, 3 do
              favorites.insert("news", { link = "n" .. i })
              coroutine.yield(i)
            end
          end)
          return next() + next(), coroutine.isyieldable()
        end)
        """) == [.integer(3), .boolean(false)])
    #expect(try lua.store.contains(kind: "news", key: "n2"))
    #expect(try !lua.store.contains(kind: "news", key: "n3"))
  }

  @Test("what is no function is a bad argument")
  func misuse() throws {
    #expect(
      try ScriptHarness().failure("favorites.transaction({})")
        == "test.lua:1: bad argument #1 to 'transaction' (function expected, got table)")
  }
}
