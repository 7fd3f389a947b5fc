import StarlingLua
import Testing

/// What Lua code must not reach.
@Suite struct EscapeTests {
  private func makeState(_ library: LuaConfiguration.Library = .plugin) throws -> LuaState {
    try LuaState(LuaConfiguration(library: library, globals: .open))
  }

  @Test(
    "dangerous names do not exist",
    arguments: [
      "debug", "os", "io", "package", "require", "dofile", "loadfile", "print", "warn",
      "string.dump", "collectgarbage and nil",
    ])
  func absent(name: String) throws {
    #expect(try makeState().run("return tostring(\(name))") == "nil")
  }

  @Test("the library is exactly the allow-list")
  func allowList() throws {
    let names = try makeState().run(
      """
      local names = {}
      local function add(prefix, t)
        for k, v in pairs(t) do
          if type(v) == 'table' and v ~= _G then add(prefix .. k .. '.', v)
          else names[#names + 1] = prefix .. k end
        end
      end
      add('', _G)
      table.sort(names)
      return table.concat(names, ' ')
      """)
    #expect(
      names == """
        _G _VERSION assert collectgarbage coroutine.close coroutine.create coroutine.isyieldable \
        coroutine.resume coroutine.running coroutine.status coroutine.wrap coroutine.yield error \
        getmetatable ipairs load math.abs math.acos math.asin math.atan math.ceil math.cos math.deg \
        math.exp math.floor math.fmod math.huge math.log math.max math.maxinteger math.min \
        math.mininteger math.modf math.pi math.rad math.random math.randomseed math.sin math.sqrt \
        math.tan math.tointeger math.type math.ult next pairs pcall rawequal rawget rawlen rawset \
        select setmetatable string.byte string.char string.find string.format string.gmatch \
        string.gsub string.len string.lower string.match string.pack string.packsize string.rep \
        string.reverse string.sub string.unpack string.upper table.concat table.insert table.move \
        table.pack table.remove table.sort table.unpack tonumber tostring type utf8.char \
        utf8.charpattern utf8.codepoint utf8.codes utf8.len utf8.offset xpcall
        """)
  }

  @Test(
    "bytecode is refused everywhere",
    arguments: [
      "return load('\\27Lua')", "return load('\\27Lua', 'x', 'b')",
      "return load('\\27Lua', 'x', 'bt')",
      "local n = 0 return load(function() n = n + 1 return n == 1 and '\\27Lua' or nil end, 'x', 'b')",
    ])
  func bytecode(source: String) throws {
    let state = try makeState()
    let text = state.run("local f, e = (function() \(source) end)() return tostring(f) .. e")
    #expect(text.hasPrefix("nil") && text.contains("attempt to load a binary chunk"))
    let error = #expect(throws: LuaError.self) { try state.load("\u{1B}Lua", name: "b") }
    guard case .syntax(_, incomplete: false) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(
    "tricks with environments and metatables lead nowhere",
    arguments: [
      ("load('return os')() == nil", "true"),
      ("load('return x', 'c', 't', {x = 7})()", "7"),
      ("load('_ENV = {} return type')() == nil", "true"),
      ("pcall(function() getmetatable('').__index = {} end)", "false"),
      ("getmetatable('')", "false"), ("pcall(setmetatable, 'x', {})", "false"),
      ("pcall(setmetatable, {}, {__gc = function() end})", "false"),
      ("pcall(setmetatable, {}, {__gc = false})", "false"),
      ("pcall(setmetatable, {}, {__mode = 'k'})", "false"),
      ("pcall(setmetatable, {}, {__mode = 'kv'})", "false"),
      ("pcall(setmetatable, {}, {__mode = 'v'})", "true"),
      ("tostring({}):find('0x')", "nil"), ("tostring(type):find('0x')", "nil"),
      ("tostring(coroutine.create(type)):find('0x')", "nil"),
      ("('%s'):format({}):find('0x')", "nil"), ("pcall(string.format, '%p', {})", "false"),
      ("select(2, pcall(error, {})):x()", "attempt"),
      ("math.randomseed() > 2^40", "false"),
      ("(function() string.rep = nil return ('x').rep end)()", "nil"),
      ("pcall(collectgarbage, 'stop')", "false"),
      ("pcall(collectgarbage, 'generational')", "false"),
      ("pcall(string.rep)", "false"), ("rawequal('x', 'x')", "true"),
    ])
  func tricks(expression: String, expected: String) throws {
    let text = try makeState().run("return tostring((\(expression)))")
    #expect(text == expected || text.contains(expected), "\(expression)")
  }

  @Test(
    "weak keys and finalizers cannot come in later either",
    arguments: [
      "local mt = {} local t = setmetatable({}, mt) mt.__mode = 'k'",
      "local mt = {} local t = setmetatable({}, mt) rawset(mt, '__mode', 'k')",
      "local mt = {} local t = setmetatable({}, mt) mt['__mo' .. 'de'] = 'k'",
      "local mt = {} local t = setmetatable({}, mt) setmetatable(mt, nil) mt.__mode = 'k'",
      "local mt = {} local t = setmetatable({}, mt) setmetatable(mt, {}) mt.__mode = 'k'",
      "local mt = setmetatable({}, {}) local t = setmetatable({}, mt) mt.__mode = 'k'",
      "local m2 = {} local mt = setmetatable({}, m2) local t = setmetatable({}, mt) m2.__newindex = nil mt.__mode = 'k'",
      "local m2 = {} local mt = setmetatable({}, m2) local t = setmetatable({}, mt) getmetatable(mt).__newindex = nil mt.__mode = 'k'",
      "local t = {} setmetatable(t, t) t.__mode = 'k'",
      "local t = {} setmetatable(t, t) setmetatable({}, t) t.__mode = 'k'",
      "local mt = {} local t = setmetatable({}, mt) mt.__gc = function() end",
      "local mt = setmetatable({}, {__mode = 'v'}) local t = setmetatable({}, mt)",
      "local mt = {} local t = setmetatable({}, mt) setmetatable(mt, {__mode = 'v'})",
    ])
  func lateMetafields(source: String) throws {
    #expect(try makeState().run(source + " return 'set'") != "set")
  }

  @Test("a weak table keeps its mode whatever is written to the metatable afterwards")
  func weakValues() throws {
    let text = try makeState().run(
      """
      local mt = {__mode = 'v'}
      local t = setmetatable({}, mt)
      mt.__mode = 'k'
      t.gone, t.kept, t[{}] = {}, 1, 2
      collectgarbage()
      local n = 0
      for _ in pairs(t) do n = n + 1 end
      return tostring(t.gone) .. t.kept .. n .. tostring(getmetatable(t) == mt)
      """)
    #expect(text == "nil12true")
  }

  @Test("classes, inheritance and late metamethods work as ever")
  func classes() throws {
    let text = try makeState().run(
      """
      local Base = {} Base.__index = Base
      function Base.new(x) return setmetatable({x = x}, Base) end
      local b = Base.new(1)
      function Base:get() return self.x end
      Base.__add = function(p, q) return p.x + q.x end
      local Derived = setmetatable({}, {__index = Base, __call = function(c, x) return setmetatable({x = x}, c) end})
      Derived.__index = Derived
      local d = Derived(5)
      function Derived:twice() return self.x * 2 end
      local log = {}
      local parent = setmetatable({}, {__newindex = function(t, k, v) log[#log + 1] = k rawset(t, k, v) end})
      local child = setmetatable({}, parent)
      parent.__index = {y = 9}
      local own = {} setmetatable(own, own) own.__index = function() return 'late' end
      assert(getmetatable(Base) == nil and getmetatable(b) == Base)
      assert(getmetatable(getmetatable(d)).__index == Base)
      setmetatable(child, nil)
      return b:get() + (b + b) + d:twice() + d:get() .. own.any .. #log .. tostring(getmetatable(child))
      """)
    #expect(text == "18late1nil")
  }

  @Test("a chain of coroutines that close each other ends with an error")
  func closingChain() throws {
    let state = try LuaState(LuaConfiguration(library: .script, globals: .open))
    let text = state.run(
      """
      local last
      for i = 1, 100000 do
        local before = last
        local co = coroutine.create(function()
          local t <close> = setmetatable({}, {__close = function()
            if before then coroutine.close(before) end
          end})
          coroutine.yield()
        end)
        coroutine.resume(co)
        last = co
      end
      coroutine.close(last)
      return 'alive'
      """)
    #expect(text == "alive" || text.contains("memory") || text.contains("overflow"))
    #expect(state.run("return 'still'") == "still")
  }

  @Test("two states share nothing")
  func isolation() throws {
    let (a, b) = (try makeState(), try makeState())
    _ = a.run("string.rep = nil secret = 1 table.insert(string, 'x') return ''")
    #expect(b.run("return type(string.rep) .. type(secret) .. #string") == "functionnil0")
  }
}
