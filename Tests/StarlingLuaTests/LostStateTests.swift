import StarlingLua
import Testing

/// C code of Lua that runs on past the deadline, where no hook fires.
@Suite struct LostStateTests {
  /// Each runs for 100 ms and more inside one step of the virtual machine.
  static let longSteps = [
    "local a, b = ('\\0'):rep(16e6), ('\\0'):rep(16e6) while true do local _ = a < b end",
    "local t = {} for i = 1, 1e9 do t[i * 7.5] = true end",
    """
    local t = {}
    for i = 1, 500000 do t[i] = {} end
    for i = #t, 2, -1 do local j = math.random(i) t[i], t[j] = t[j], t[i] end
    while true do collectgarbage() t[1] = {} end
    """,
  ]

  @Test("a step that no hook can end is left; the next state works", arguments: longSteps)
  func longStep(source: String) throws {
    for _ in 0..<3 {
      let state = try LuaState(.script)
      let chunk = try state.load(source, name: "c")
      try expectStop(source) { () throws(LuaError) in
        try state.call(chunk, budget: .milliseconds(60))
      }
      let answer = state.run("return 'still'")
      #expect(answer == (state.isLost ? "this Lua state was lost when it was stopped" : "still"))
    }
  }

  /// A state with two strings whose comparison takes 100 ms.
  private func makeState() throws -> LuaState {
    let state = try LuaState(.script)
    _ = state.run("a, b = ('\\0'):rep(16e6), ('\\0'):rep(16e6) return ''")
    return state
  }

  @Test("a host function between two calls of Lua is unwound as ever when the inner one is lost")
  func nested() throws {
    let counter = LiveObject.Counter()
    for _ in 0..<20 {
      let state = try makeState()
      state.register("call") { call, results throws(LuaError) in
        let object = LiveObject(counter)
        defer { withExtendedLifetime(object) {} }
        guard let function = call.state.keepFunction(call[1]) else { return }
        try call.state.call(function)
        results.push("not reached")
      }
      let chunk = try state.load(
        "pcall(call, function() pcall(call, function() while true do local _ = a < b end end) end)",
        name: "c")
      try expectStop("nested") { () throws(LuaError) in
        try state.call(chunk, budget: .milliseconds(60))
      }
      #expect(counter.live == 0)
      if state.isLost { return }
    }
    Issue.record("never lost")
  }

  @Test("references of a lost state are harmless")
  func references() throws {
    for _ in 0..<20 {
      let state = try makeState()
      let chunk = try state.load("while true do local _ = a < b end", name: "c")
      let other = try state.load("return 1", name: "d")
      _ = try? state.call(chunk, budget: .milliseconds(60))
      guard state.isLost else { continue }
      #expect(throws: LuaError.self) { try state.call(other) }
      #expect(throws: LuaError.self) { try state.load("return 1", name: "e") }
      #expect(throws: LuaError.self) { try state.call(chunk) { $0.push("argument") } }
      return
    }
  }
}
