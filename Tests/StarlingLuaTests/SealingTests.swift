import LuaFuzz
import StarlingLua
import StarlingModel
import Testing

/// What code reads and cannot change.
@Suite struct SealingTests {
  private func sealed(_ configuration: LuaConfiguration = .plugin) throws -> LuaState {
    let state = try LuaState(configuration)
    state.register("shop.cart.add") { _, results in results.push("added") }
    state.register("shop.name") { _, results in results.push("corner") }
    try state.sealLibrary()
    return state
  }

  @Test("the library works when it is sealed")
  func works() throws {
    let state = try sealed()
    #expect(
      state.run(
        """
        assert(_G._G == _G and _G.string == string)
        assert(("a"):rep(3) == "aaa" and string.rep == ("").rep)
        assert(table.concat({ 1, 2 }, ",") == "1,2" and math.pi > 3 and #utf8.char(955) == 2)
        assert(string.nothing == nil)
        assert(coroutine.wrap(function() return 1 end)() == 1)
        local count = 0
        for _ in pairs(math) do count = count + 1 end
        assert(count == 27, count)
        return shop.cart.add() .. shop.name()
        """) == "addedcorner")
    #expect(state.run("return tostrin(1)").contains("did you mean 'tostring'?"))
  }

  @Test(
    "what is new is refused where it is tried",
    arguments: [
      ("text = 1", "no global can be defined here (write 'local'): 'text'"),
      ("_G[1] = 1", "no global can be defined here (write 'local'): '1'"),
      ("rawset(_G, 'text', 1)", "'text' cannot be set: other calls would see it"),
      ("rawset(_G, 'string', 1)", "'string' cannot be set: other calls would see it"),
      ("string.trim = print", "'string.trim' cannot be set: other calls would see it"),
      ("rawset(string, 'rep', 1)", "'string.rep' cannot be set: other calls would see it"),
      ("shop.cart.del = 1", "'shop.cart.del' cannot be set: other calls would see it"),
      ("table.insert(math, 1)", "'math.[...]' cannot be set: other calls would see it"),
      ("setmetatable(string, {})", "cannot change a protected metatable"),
      ("setmetatable(_G, nil)", "cannot change a protected metatable"),
    ])
  func refused(code: String, message: String) throws {
    let state = try sealed()
    let code = code.replacing("print", with: "type")
    #expect(state.run("\n" + code).hasPrefix("case:2: " + message))
    #expect(state.run("return ('x'):rep(2) .. shop.cart.add()") == "xxadded")
  }

  @Test(
    "what is there is put back when the call ends, and the call has failed",
    arguments: [
      ("string.rep = type", "string.rep"), ("string = nil", "string"), ("_G.type = 1", "type"),
      ("shop.cart.add = 5", "shop.cart.add"), ("shop.cart = {}", "shop.cart"),
      ("math.pi = 3", "math.pi"), ("table.concat = nil collectgarbage()", "table.concat"),
      ("for k in pairs(string) do string[k] = 1 end", "string."),
      ("local t = { string } t[1].rep = 1", "string.rep"),
      ("coroutine.wrap(function() math.floor = 1 end)()", "math.floor"),
    ])
  func putBack(code: String, name: String) throws {
    let state = try sealed()
    let message = state.run("\n" + code + "\nreturn 'done'")
    #expect(message.hasPrefix("`" + name), "\(message)")
    #expect(message.contains("was set, and other calls would see it"))
    #expect(
      state.run(
        """
        collectgarbage()
        assert(table.concat({ 1, 2 }) == "12" and math.pi > 3.1 and math.floor(1.5) == 1)
        assert(type("") == "string" and ("x"):rep(2) == "xx")
        return shop.cart.add()
        """) == "added")
  }

  /// Keeps copies of all tables and compares them with what they are.
  private static let checker = """
    local next, rawget, tostring, type = next, rawget, tostring, type
    local tables, seen = {}, {}
    local function note(t)
      if seen[t] then return end
      seen[t] = true
      local copy = {}
      for k, v in next, t do copy[k] = v end
      tables[#tables + 1] = { t, copy }
      for _, v in next, copy do if type(v) == "table" then note(v) end end
    end
    note(_G)
    return function()
      for i = 1, #tables do
        local t, copy = tables[i][1], tables[i][2]
        for k, v in next, copy do if rawget(t, k) ~= v then return "lost " .. tostring(k) end end
        for k in next, t do if copy[k] == nil then return "new " .. tostring(k) end end
      end
      return "whole"
    end
    """

  private static func statement(_ random: inout SeededGenerator) -> String {
    let tables = ["_G", "string", "table", "math", "utf8", "coroutine", "shop", "shop.cart"]
    let keys = [
      "rep", "concat", "pi", "char", "wrap", "cart", "add", "name", "type", "string", "_G", "pcall",
      "new", "x",
    ]
    let values = ["nil", "1", "{}", "_G", "'x'", "function() end", "false"]
    let table = tables.randomElement(using: &random) ?? ""
    let key = keys.randomElement(using: &random) ?? ""
    let value = values.randomElement(using: &random) ?? ""
    let forms = [
      "\(table).\(key) = \(value)", "rawset(\(table), '\(key)', \(value))",
      "setmetatable(\(table), { __index = \(value) })", "table.insert(\(table), \(value))",
      "collectgarbage()", "error(\(value))",
      "local t = {} for i = 1, 500 do t[i] = { i .. '' } end",
      "coroutine.wrap(function() \(table).\(key) = \(value) end)()",
      "for k in next, \(table) do \(table)[k] = \(value) end",
      "for k, v in next, \(table) do \(table)[k] = v end", "kept = \(table)",
    ]
    return forms.randomElement(using: &random) ?? ""
  }

  @Test("whatever code does, and whatever fails, the next call finds all as it was")
  func anything() throws {
    for library in [LuaConfiguration.plugin, .rules] {
      let state = try sealed(library)
      let check = try state.call(try state.load(Self.checker, name: "check")) {
        results throws(LuaError) in state.keepFunction(results[1])
      }
      let checker = try #require(check)
      for seed in UInt64(1)...400 {
        var random = SeededGenerator(seed: seed)
        let lines = (0..<Int.random(in: 1...5, using: &random)).map { _ in
          let statement = Self.statement(&random)
          return Bool.random(using: &random)
            ? statement : "pcall(function() \(statement) end)"
        }
        if seed % 3 == 0 { state.failAllocation(Int.random(in: 1...40, using: &random)) }
        _ = state.run("local kept\n" + lines.joined(separator: "\n"))
        state.failAllocation(nil)
        let found = try state.call(checker) { results throws(LuaError) in
          results[1].text(atMost: 100) ?? ""
        }
        #expect(found == "whole", "seed \(seed): \(lines)")
      }
    }
  }

  @Test("an error of the call's own is what is told, and what it set is put back all the same")
  func errorStays() throws {
    let state = try sealed()
    #expect(state.run("string.rep = 1 error('mine', 0)") == "mine")
    #expect(state.run("return ('x'):rep(2)") == "xx")
  }

  @Test("a call that puts it back itself has changed nothing")
  func harmless() throws {
    let state = try sealed()
    #expect(
      state.run("local rep = string.rep string.rep = 1 string.rep = rep return 'ok'") == "ok")
  }

  @Test("the line is found by making the call once more")
  func line() throws {
    let state = try sealed()
    let chunk = try state.load(
      """
      local function change()
        math.pi = 3
      end
      if true then
        change()
      end
      """, name: "case")
    do {
      try state.call(chunk)
      Issue.record("no error")
    } catch {
      guard case .overwritten("math.pi", let place) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(place?.description == "case:2")
    }
  }

  @Test("the line costs no time beyond the call's own")
  func time() throws {
    var configuration = LuaConfiguration.plugin
    configuration.timeLimit = .milliseconds(200)
    let state = try LuaState(configuration)
    try state.sealLibrary()
    let chunk = try state.load(
      "local n = 0 while n < 300000 do n = n + 1 end math.pi = 3", name: "case")
    let start = ContinuousClock.now
    #expect(throws: (any Error).self) { try state.call(chunk) }
    #expect(ContinuousClock.now - start < .milliseconds(900))
  }

  @Test("rules keep globals of their own, and the library stays as it is")
  func ownGlobals() throws {
    let state = try sealed(.rules)
    #expect(
      state.run("count = 1 function bump() count = count + 1 return count end return ''") == "")
    #expect(state.run("return tostring(bump() + bump() + _G.count)") == "8")
    #expect(state.run("return cuont").contains("did you mean 'count'?"))
    #expect(state.run("return tostrin").contains("did you mean 'tostring'?"))
    #expect(state.run("local function f() other = 1 end f()").contains("'other'"))
    #expect(state.run("tostring = 1 return 'done'").hasPrefix("`tostring` was set"))
    #expect(state.run("return tostring(count)") == "3")
    var names: [String] = []
    try state.forEachUserGlobal { key, _ throws(LuaError) in names.append(try key.string()) }
    #expect(names.sorted() == ["bump", "count"])
  }

  @Test("a table that the host lends to several calls stays as it is, with the tables in it")
  func lent() throws {
    let state = try sealed()
    let table = try state.makeTable { table throws(LuaError) in
      try table.set(named: "title") { $0.push("News") }
      try table.set(named: "options") { writer throws(LuaError) in
        try writer.table { inner throws(LuaError) in
          try inner.set(named: "deep") { $0.push(true) }
        }
      }
    }
    let feed = try state.seal(table, as: "feed")
    func call(_ code: String) throws -> String {
      let chunk = try state.load("local feed = ... " + code, name: "case")
      do {
        return try state.call(chunk, arguments: { $0.push(feed) }) { results throws(LuaError) in
          results[1].text(atMost: 400) ?? "(no text)"
        }
      } catch {
        return "\(error)"
      }
    }
    #expect(try call("return feed.title .. tostring(feed.options.deep)") == "Newstrue")
    #expect(
      try call("feed.poison = 1") == "case:1: 'feed.poison' cannot be set: other calls would see it"
    )
    #expect(try call("feed.options.x = 1").contains("'feed.options.x' cannot be set"))
    #expect(
      try call("rawset(feed.options, 'deep', 1)").contains("'feed.options.deep' cannot be set"))
    #expect(try call("feed.title = 'P' return ''").hasPrefix("`feed.title` was set"))
    #expect(
      try call("feed.options.deep = false return ''").hasPrefix("`feed.options.deep` was set"))
    #expect(try call("return feed.title .. tostring(feed.options.deep)") == "Newstrue")
    // The next one takes its place.
    _ = try state.seal(try state.makeTable { _ in }, as: "feed")
    #expect(try call("string.rep = 1").hasPrefix("`string.rep` was set"))
  }

  @Test("the mark of an empty array is no table that calls share")
  func arrayMark() throws {
    let state = try LuaState(.plugin)
    state.register("empty") { _, results throws(LuaError) in try results.array(count: 0) { _ in } }
    try state.sealLibrary()
    #expect(state.run("return tostring(getmetatable(empty()))") == "nil")
  }
}
