import StarlingLua
import Testing

/// No Lua error unwinds a Swift frame: counted by live objects.
@Suite struct UnwindingTests {
  private let counter = LiveObject.Counter()

  /// `work(n)` holds an object while it reads, builds, calls back and raises.
  private func makeState(_ configuration: LuaConfiguration = .script) throws -> LuaState {
    let state = try LuaState(configuration)
    let counter = counter
    let key = state.key("key")
    state.register("raise") { call, _ throws(LuaError) in
      let object = LiveObject(counter)
      defer { withExtendedLifetime(object) {} }
      throw .message("raised")
    }
    state.register("build") { call, results throws(LuaError) in
      let object = LiveObject(counter)
      defer { withExtendedLifetime(object) {} }
      try results.table(fields: 2, elements: 50) { table throws(LuaError) in
        let inner = LiveObject(counter)
        defer { withExtendedLifetime(inner) {} }
        table.set(key, String(repeating: "x", count: 2000))
        for index in 0..<50 {
          try table.append { element throws(LuaError) in
            try element.table(fields: 1) { $0.set(key, "element \(index)") }
          }
        }
      }
    }
    state.register("call") { call, results throws(LuaError) in
      let object = LiveObject(counter)
      defer { withExtendedLifetime(object) {} }
      guard let function = call.state.keepFunction(call[1]) else {
        throw call.argumentError(1, expected: "function")
      }
      try call.state.call(function, arguments: { $0.push("from the host") }) {
        let inner = LiveObject(counter)
        defer { withExtendedLifetime(inner) {} }
        if let bytes = unsafe $0[1].bytes { unsafe results.push(bytes) }
      }
    }
    return state
  }

  @Test("ten thousand errors out of host functions leave no object behind")
  func errors() throws {
    let state = try makeState()
    let text = state.run(
      """
      local count = 0
      for i = 1, 2500 do
        if not pcall(raise) then count = count + 1 end
        if not pcall(call, raise) then count = count + 1 end
        if not pcall(call, function() call(function() raise() end) end) then count = count + 1 end
        if not pcall(call, error) then count = count + 1 end
      end
      return tostring(count)
      """)
    #expect(text == "10000")
    #expect(counter.made >= 10_000)
    #expect(counter.live == 0)
  }

  @Test("the n-th allocation fails in scripts and callbacks: nothing leaks, nothing breaks")
  func failingAllocations() throws {
    let state = try makeState()
    let chunk = try state.load(
      """
      local parts = {}
      for i = 1, 3 do
        parts[#parts + 1] = tostring(i) .. (build().key):sub(1, 3)
        parts[#parts + 1] = call(function(t) return t .. i end)
        pcall(raise)
        local co = coroutine.wrap(function() return build() end)
        parts[#parts + 1] = co()[2].key
        parts[#parts + 1] = ('a b'):gsub('%w', function(c) return c:rep(3) end)
        parts[#parts + 1] = string.format('%5d %s', i, {} ~= nil)
      end
      return table.concat(parts, ',')
      """, name: "allocations")
    var failures = 0
    for n in 1... {
      state.failAllocation(n)
      var text: String?
      do throws(LuaError) {
        text = try state.call(chunk) { r throws(LuaError) in try r[1].string() }
      } catch {
        guard case .outOfMemory = error else {
          Issue.record("allocation \(n): \(error)")
          return
        }
        failures += 1
      }
      state.failAllocation(nil)
      #expect(counter.live == 0, "allocation \(n)")
      if let text {
        #expect(text.hasPrefix("1xxx,from the host1,element 1,aaa bbb"))
        break
      }
    }
    #expect(failures > 50)
    #expect(state.run("return 'whole'") == "whole")
  }

  @Test("a pcall in Lua may survive a failed allocation")
  func survivedFailures() throws {
    let state = try makeState()
    let chunk = try state.load(
      "local ok, e = pcall(function() return build(), call(raise), {}, 'a' .. #build() end) return ok",
      name: "c")
    for n in 1...200 {
      state.failAllocation(n)
      _ = try? state.call(chunk)
      state.failAllocation(nil)
      #expect(counter.live == 0)
    }
  }

  @Test("the n-th allocation fails at start-up: an error, no panic")
  func failingStart() throws {
    var configuration = LuaConfiguration.plugin
    var failures = 0
    for n in 1...2000 {
      configuration.failingAllocation = n
      do throws(LuaError) {
        let state = try LuaState(configuration)
        state.failAllocation(nil)
        #expect(state.run("return 'up'") == "up")
        break
      } catch {
        guard case .outOfMemory = error else {
          Issue.record("allocation \(n): \(error)")
          return
        }
        failures += 1
      }
    }
    #expect(failures > 50)
  }

  @Test("the n-th allocation fails while a chunk is compiled")
  func failingLoad() throws {
    let state = try LuaState(.script)
    let source = "local t = {1, 'two', three = 3} return function(a, ...) return t, a, ... end"
    for n in 1...500 {
      state.failAllocation(n)
      defer { state.failAllocation(nil) }
      do throws(LuaError) {
        _ = try state.load(source, name: "c")
        #expect(n > 5)
        return
      } catch {
        guard case .outOfMemory = error else {
          Issue.record("allocation \(n): \(error)")
          return
        }
      }
    }
    Issue.record("never compiled")
  }

  @Test("recursion between Lua and the host ends with an error, not with the stack")
  func recursion() throws {
    let state = try makeState()
    let text = state.run("local function f() return call(f) end return tostring(pcall(f))")
    #expect(text == "false")
    #expect(counter.live == 0)
  }

  @Test("recursion on a small thread stack ends with an error", arguments: [256, 512])
  func smallStack(kilobytes: Int) throws {
    nonisolated(unsafe) var text = ""
    let thread = TestThread(stackBytes: kilobytes << 10) {
      do {
        let state = try LuaState(.script)
        state.register("call") { call, _ throws(LuaError) in
          guard let function = call.state.keepFunction(call[1]) else { return }
          try call.state.call(function)
        }
        text = state.run(
          """
          local function f() call(f) end
          local function g(s) return (s:gsub('.', g)) end
          local function h(t) return setmetatable({}, {__index = function(_, k) return h()[k] end}) end
          return tostring(pcall(f)) .. tostring(pcall(g, 'x')) .. tostring(pcall(function() return h().x end))
            .. tostring(load(('('):rep(1000) .. '1' .. (')'):rep(1000)))
          """)
      } catch {
        text = "\(error)"
      }
    }
    thread.join()
    #expect(text == "falsefalsefalsenil" || text.contains("stack overflow"))
  }

  @Test("the host's error comes back whole when Lua does not catch it, through nested calls")
  func cause() throws {
    struct Trouble: Error, Equatable { let code: Int }
    let state = try makeState()
    state.register("trouble") { call, _ throws(LuaError) in throw .host(Trouble(code: 7)) }
    let chunk = try state.load("\ncall(function() trouble() end)", name: "c")
    let error = #expect(throws: LuaError.self) { try state.call(chunk) }
    #expect(error?.cause as? Trouble == Trouble(code: 7))
    #expect(error?.description.contains("c:2: ") == true)
    #expect(state.run("return tostring(select(2, pcall(trouble)))").hasSuffix("Trouble(code: 7)"))
    let other = try state.load("pcall(trouble) error('other', 0)", name: "d")
    let second = #expect(throws: LuaError.self) { try state.call(other) }
    #expect(second?.cause == nil)
  }
}
