import Testing

/// Memory and stacks have their limits everywhere.
@Suite struct MemoryAttackTests {
  static let attacks = [
    Attack("texts", .stopped, "local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end"),
    Attack("doubling", .stopped, "local s = 'x' while true do s = s .. s end"),
    Attack("rep", .saying("too large"), "return ('x'):rep(1e9)"),
    Attack("rep beyond numbers", .saying("too large"), "return ('xy'):rep(math.maxinteger)"),
    Attack("rep of a separator", .saying("too large"), "return ('x'):rep(1e7, 'y')"),
    Attack(
      "concat", .soon,
      "local t = {} for i = 1, 1e6 do t[i] = ('x'):rep(1e5) end return table.concat(t)"),
    Attack("gsub", .soon, "return (('x'):rep(1e6):gsub('x', ('y'):rep(1e3)))"),
    Attack(
      "format", .soon,
      "local s = ('x'):rep(4e5) local t = {} for i = 1, 200 do t[i] = s end return ('%s'):rep(200):format(table.unpack(t))"
    ),
    Attack("arguments", .soon, "local function f(...) return f(1, ...) end f()"),
    Attack("results", .soon, "return table.unpack({}, 1, 1e7)"),
    Attack(
      "coroutines", .stopped, "local t = {} while true do t[#t + 1] = coroutine.create(next) end"),
    Attack(
      "coroutines that each hold a stack", .stopped,
      "local t = {} while true do local co = coroutine.wrap(function() local function f(n) if n == 0 then coroutine.yield() end f(n - 1) end f(1000) end) co() t[#t + 1] = co end"
    ),
    Attack(
      "metatables", .stopped, "local t = {} while true do t = setmetatable({}, { __index = t }) end"
    ),
    Attack(
      "a deep __index chain", .soon,
      "local t = {} for _ = 1, 1e5 do t = setmetatable({}, { __index = t }) end return t.x"),
    Attack(
      "closures", .stopped, "local t = {} while true do t[#t + 1] = function() return t end end"),
    Attack("a large hash", .stopped, "local t = {} for i = 1, 1e9 do t['k' .. i] = i end"),
    Attack(
      "scattered blocks", .soon,
      """
      local kept = {}
      for size = 20, 4000, 60 do
        local all = {}
        pcall(function() for i = 1, 3e5 do all[i] = ('x'):rep(size) .. i end end)
        for i = 1, #all, 64 do kept[#kept + 1] = all[i] end
      end
      """),
    Attack(
      "memory refused at every depth of a recursion", .stopped,
      "local function f(n) pcall(f, n + 1) local t = {} for i = 1, 1e9 do t[i] = i end end f(1)"),
    Attack(
      "wraps that wait", .stopped,
      "local t = {} while true do t[#t + 1] = coroutine.wrap(function() coroutine.yield() end) t[#t]() end"
    ),
    Attack("gsub in gsub", .soon, "local function g(s) return (s:gsub('.', g)) end return g('x')"),
    Attack("load in load", .soon, "local function f() return load(f) end f() error('end')"),
    Attack(
      "parentheses", .soon,
      "error(tostring(load('return ' .. ('('):rep(1e5) .. ('1') .. (')'):rep(1e5))))"),
    Attack(
      "tables in tables", .soon,
      "error(tostring(load('return ' .. ('{'):rep(1e5) .. ('}'):rep(1e5))))"),
    Attack(
      "long concatenations", .soon,
      "error(tostring(load('return \\'\\'' .. ('..\\'\\''):rep(1e5))))"),
    Attack("coroutines in coroutines", .soon, "local function f() coroutine.wrap(f)() end f()"),
    Attack(
      "wrap in pcall in wrap", .soon,
      "local function f() return pcall(coroutine.wrap(f)) end f() error('end')"),
    Attack(
      "a hundred thousand coroutines that close each other", .soon,
      """
      local last
      for i = 1, 100000 do
        local before = last
        local co = coroutine.create(function()
          local t <close> = setmetatable({}, { __close = function() if before then coroutine.close(before) end end })
          coroutine.yield()
        end)
        coroutine.resume(co)
        last = co
      end
      coroutine.close(last)
      """),
    Attack(
      "coroutines that close each other in their errors", .soon,
      """
      local last = function() error('x') end
      for i = 1, 20000 do
        local before = last
        last = coroutine.wrap(function()
          local t <close> = setmetatable({}, { __close = function() before() end })
          error('y')
        end)
      end
      last()
      """),
    Attack(
      "json.decode", .soon,
      "local t = {} while true do t[#t + 1] = json.decode('[' .. ('{},'):rep(5e5) .. '1]') end"),
    Attack(
      "json.encode", .soon,
      "local s = ('\\1'):rep(2e4) return json.encode({ s, s, s, s, s, s, s, s })"),
    Attack(
      "json.encode of long names", .soon,
      "local t = {} local p = ('x'):rep(1e5) for i = 1, 100 do t[p .. i] = 1 end while true do json.encode(t) end"
    ),
    Attack(
      "json.encode of one text that grows sixfold", .soon,
      "local s = ('\\1'):rep(3e6) while true do pcall(json.encode, s) end"),
    Attack("pattern captures", .soon, "return ('x'):rep(1000):find(('()'):rep(40))"),
    Attack(
      "a weak metatable of a metatable", .saying("weak"),
      """
      local mt = {}
      setmetatable(mt, { __mode = 'v', __newindex = function() end })
      setmetatable({}, mt)
      error('weak')
      """),
  ]

  @Test("bombs end below the limit", arguments: Attack.spread(attacks))
  func bomb(place: AttackPlace, attack: Attack) throws { try place.expect(attack) }
}
