import StarlingLua
import StarlingTestSupport
import Testing

@Suite struct LuaStateTests {
  @Test("a chunk takes arguments and gives several results")
  func resultsOfACall() throws {
    let state = try LuaState(.script)
    let chunk = try state.load("local a, b = ...; return a + b, 'x', nil, true", name: "t")
    try state.call(
      chunk,
      arguments: {
        $0.push(Int64(2)); $0.push(40.5)
      },
      results: { results throws(LuaError) in
        #expect(results.count == 4)
        #expect(results[1].number == 42.5)
        #expect(try results[2].string() == "x")
        #expect(results[3].type == .nil)
        #expect(results[4].boolean == true)
        #expect(results[5].type == .none)
      })
  }

  @Test("a host function reads its arguments and raises an error with the caller's position")
  func hostFunction() throws {
    let state = try LuaState(.script)
    state.register("favorites.insert") { call, results throws(LuaError) in
      guard let n = call[2].integer else { throw call.argumentError(2, expected: "number") }
      try results.table(fields: 1, elements: 1) { table throws(LuaError) in
        try table.set(named: "kind") { w throws(LuaError) in w.push(try call[1].string()) }
        table.append(n)
      }
    }
    let good = try state.load(
      "local t = favorites.insert('news', 7); return t.kind, t[1]", name: "a")
    try state.call(good) { results throws(LuaError) in
      #expect(try results[1].string() == "news")
      #expect(results[2].integer == 7)
    }
    let bad = try state.load("\nfavorites.insert('news', {})", name: "b.lua")
    let error = #expect(throws: LuaError.self) { try state.call(bad) }
    #expect(
      error?.description == "b.lua:2: bad argument #2 to 'insert' (number expected, got table)")
  }

  @Test(
    "an endless loop ends in time, whatever catches errors",
    arguments: [
      "while true do end",
      "while true do pcall(function() while true do end end) end",
      "xpcall(function() error('x') end, function() while true do end end) while true do end",
      "local t <close> = setmetatable({}, {__close = function() while true do end end})",
      "coroutine.wrap(function() coroutine.wrap(function() while true do end end)() end)()",
    ])
  func endless(source: String) throws {
    let state = try LuaState(.script)
    let chunk = try state.load(source, name: "loop")
    let time = ProcessorTime.spent {
      let error = #expect(throws: LuaError.self) {
        try state.call(chunk, budget: .milliseconds(50))
      }
      guard case .interrupted(.time) = error else {
        Issue.record("\(error as Any)")
        return
      }
    }
    #expect(time < .milliseconds(100))
  }
}
