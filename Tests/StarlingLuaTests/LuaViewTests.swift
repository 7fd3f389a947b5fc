import StarlingLua
import Testing

/// Reading Lua values raw, and building them.
@Suite struct LuaViewTests {
  /// Runs a chunk and reads its results.
  private func read<R>(
    _ source: String, in state: LuaState? = nil,
    _ body: (borrowing LuaResults) throws(LuaError) -> R
  ) throws -> R {
    let state = try state ?? LuaState(LuaConfiguration(library: .script, globals: .open))
    return try state.call(try state.load(source, name: "c"), results: body)
  }

  @Test("integers keep all their digits; floats and numerals convert only exactly")
  func integers() throws {
    try read(
      "return 9007199254740993, math.mininteger, 2.0, '0x10', 2.5, 1e300, 0/0, '7x', {}, '-9223372036854775808'"
    ) {
      #expect($0[1].integer == 9_007_199_254_740_993)
      #expect($0[2].integer == .min)
      #expect($0[3].integer == 2)
      #expect($0[3].type == .number)
      #expect($0[4].integer == 16)
      #expect($0[5].integer == nil)
      #expect($0[6].integer == nil)
      #expect($0[7].integer == nil)
      #expect($0[8].integer == nil)
      #expect($0[9].integer == nil)
      #expect($0[10].integer == .min)
      #expect($0[7].number?.isNaN == true)
    }
  }

  @Test("text is bytes with a length; what is not UTF-8 is named by its byte")
  func text() throws {
    try read("return 'a\\0b', 'gr\\xFCn', '\\xE4\\xB8', '\\xED\\xA0\\x80', 12, 'é'") {
      r throws(LuaError) in
      #expect(try r[1].string() == "a\0b")
      #expect(
        message { () throws(LuaError) in try r[2].string() }.hasSuffix("an invalid byte at 3"))
      #expect(
        message { () throws(LuaError) in try r[3].string() }.hasSuffix("an invalid byte at 1"))
      #expect(
        message { () throws(LuaError) in try r[4].string() }.hasSuffix("an invalid byte at 1"))
      #expect(unsafe r[5].bytes == nil)
      #expect(message { () throws(LuaError) in try r[5].string() } == "string expected, got number")
      #expect(try r[6].string() == "é")
    }
  }

  private func message(_ body: () throws(LuaError) -> String) -> String {
    do throws(LuaError) { return try body() } catch { return error.description }
  }

  @Test("pairs are read raw: metamethods do not lie, numeric keys stay numbers")
  func rawPairs() throws {
    let source = """
      return setmetatable({a = 1, [10] = 'ten', [1.0] = 'one'}, {
        __pairs = function() error('asked') end, __index = function() error('asked') end,
        __len = function() error('asked') end})
      """
    try read(source) { r throws(LuaError) in
      var seen: [String] = []
      try r[1].forEachField { key, value throws(LuaError) in
        let name = key.type == .integer ? "\(key.integer ?? 0)" : try key.string()
        seen.append(name + "=" + (value.type == .integer ? "1" : try value.string()))
      }
      #expect(seen.sorted() == ["10=ten", "1=one", "a=1"])
      #expect(r[1].rawCount == 1)
      #expect(try r[1].field(named: "b") { $0.isNil })
    }
  }

  @Test("no Lua code runs while a table is being read")
  func walking() throws {
    let state = try LuaState(.script)
    let mutate = try state.load("local t = ... for i = 1, 100 do t[i .. ''] = i end", name: "m")
    state.register("walk") { call, _ throws(LuaError) in
      try call[1].forEachField { key, value throws(LuaError) in
        try call.state.call(mutate, arguments: { $0.push(call[1]) })
      }
    }
    #expect(
      state.run("return select(2, pcall(walk, {a = 1, b = 2}))")
        == "no Lua code can run while one of its tables is being read")
    #expect(state.run("local t = {} walk(t) return 'empty'") == "empty")
  }

  @Test("a cycle, a deep and a huge table end in an error with the path")
  func boundedCopies() throws {
    try read("local t = {a = {b = {}}} t.a.b.c = t return t, {1, {x = 'é'}}") {
      r throws(LuaError) in
      do throws(LuaError) {
        _ = try r[1].copy(maxDepth: 4)
        Issue.record("copied a cycle")
      } catch {
        #expect(error.description.hasPrefix("a.b.c.a: "))
      }
      #expect(
        try r[2].copy() == .array([.integer(1), .table([.string("x"): .string("é")])]))
    }
  }

  @Test("what is pushed from inside a lending closure stays, in order")
  func pushingWhileReading() throws {
    let state = try LuaState(.script)
    let double = try state.load("local a = ... return a .. a, 'second'", name: "double")
    let total = state.key("total")
    state.register("mix") { call, results throws(LuaError) in
      try call[1].field(named: "a") { results.push($0) }
      try call[1].forEachElement { _, value throws(LuaError) in results.push(value) }
      try call.state.call(double, arguments: { $0.push("x") }) { results.push($0[1]) }
      try results.table { table throws(LuaError) in
        try call[1].forEachField { key, value throws(LuaError) in
          if let bytes = unsafe key.bytes { unsafe table.set(total, bytes) }
          try table.append { $0.push(value) }
        }
      }
      try call[2].forEachField { _, value throws(LuaError) in results.push(value) }
    }
    #expect(
      state.run(
        """
        local a, b, c, d, t, v = mix({'e', 'f', a = 'A'}, {only = 'V'})
        return table.concat({a, b, c, d, t.total, #t, v}, ' ')
        """) == "A e f xx a 3 V")
  }

  @Test("a table with every kind of value is built and read back")
  func building() throws {
    let state = try LuaState(.script)
    let (title, nested, list) = (state.key("title"), state.key("nested"), state.key("list"))
    state.register("make") { _, results throws(LuaError) in
      try results.table(fields: 3) { table throws(LuaError) in
        table.set(title, "T")
        try table.set(nested) { w throws(LuaError) in
          try w.table { inner throws(LuaError) in
            inner.set(title, 5 as Int64)
            inner.set(list, 2.5)
            inner.setNull(nested)
            try inner.set(named: "media:thumbnail") { $0.push(true) }
          }
        }
        try table.set(list) { w throws(LuaError) in
          try w.array(count: 2) {
            $0.append("a")
            $0.append(2 as Int64)
          }
        }
        try table.set(named: "empty") { w throws(LuaError) in try w.array(count: 0) { _ in } }
      }
    }
    try state.setGlobal("json.null") { $0.pushNull() }
    #expect(
      state.run(
        """
        local t = make()
        assert(t.nested.nested == json.null and tostring(json.null) == 'null')
        assert(t.nested['media:thumbnail'] == true and #t.empty == 0)
        return t.title .. t.nested.title .. t.nested.list .. t.list[1] .. t.list[2]
        """) == "T52.5a2")
    try read("return make(), {}", in: state) { r throws(LuaError) in
      #expect(try r[1].field(named: "empty") { $0.isMarkedArray })
      #expect(!r[2].isMarkedArray)
      #expect(try r[1].copy()["list"] == .array([.string("a"), .integer(2)]))
    }
  }

  @Test("functions and tables are kept across calls, and never used in another state")
  func references() throws {
    let state = try LuaState(.script)
    let table = try read("return {n = 0}", in: state) { state.keepTable($0[1]) }
    let counter = try #require(table)
    let next = try state.load("local t = ... t.n = t.n + 1 return t.n", name: "next")
    for expected in 1...3 as ClosedRange<Int64> {
      let n = try state.call(next, arguments: { $0.push(counter) }) { $0[1].integer }
      #expect(n == expected)
    }
    let n = try state.read(counter) { t throws(LuaError) in try t.field(named: "n") { $0.integer } }
    #expect(n == 3)
    let other = try LuaState(.script)
    #expect(throws: LuaError.self) { try other.call(next) }
  }
}
