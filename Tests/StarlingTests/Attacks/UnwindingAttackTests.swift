import Testing

/// Errors, of any value and at any time, unwind to where they are reported.
@Suite struct UnwindingAttackTests {
  static let attacks = [
    Attack("an error that is nil", .saying("nil"), "error()"),
    Attack("an error that is a table", .saying("table"), "error({})"),
    Attack("an error that is a function", .saying("function"), "error(next)"),
    Attack("an error that is a coroutine", .saying("thread"), "error(coroutine.create(next))"),
    Attack("an error that is json.null", .saying("null"), "error(json.null)"),
    Attack(
      "an error with a text of its own", .saying("in its own words"),
      "error(setmetatable({}, { __tostring = function() return 'in its own words' end }))"),
    Attack(
      "an error whose __tostring raises", .saying("table"),
      "error(setmetatable({}, { __tostring = function() error('again') end }))"),
    Attack(
      "an error whose __tostring returns no string", .saying("table"),
      "error(setmetatable({}, { __tostring = function() return {} end }))"),
    Attack(
      "an error whose __tostring loops", .stopped,
      "error(setmetatable({}, { __tostring = function() while true do end end }))"),
    Attack(
      "an error whose __tostring fills the memory", .soon,
      """
      error(setmetatable({}, { __tostring = function()
        local t = {} while true do t[#t + 1] = ('x'):rep(1e5) .. #t end end }))
      """),
    Attack(
      "an error whose __name lies", .saying("table"), "error(setmetatable({}, { __name = {} }))"),
    Attack("an error of 4 MB", .soon, "error(('x'):rep(4e6))"),
    Attack("an error of control characters", .saying("\u{1B}"), "error('\\27[31m\\0\\r', 0)"),
    Attack("an error that is no UTF-8", .saying("\u{FFFD}"), "error('\\xff\\xfe', 0)"),
    Attack("an error in the handler", .soon, "error(xpcall(error, function() error('x') end))"),
    Attack(
      "recursion into the handler", .soon,
      "local function f() error(xpcall(f, f)) end f() error('end')"),
    Attack("recursion without end", .soon, "local function f() f() end f()"),
    Attack(
      "recursion with an error at its bottom", .soon,
      "local function f(n) if n == 0 then error('bottom') end return (f(n - 1)) end f(150000)"),
    Attack(
      "recursion by pcall", .soon,
      "local function f() return pcall(f) end f() error('end')"),
    Attack(
      "recursion by metamethods", .soon,
      "local t = setmetatable({}, {}) getmetatable(t).__index = function(_, k) return t[k] end return t.x"
    ),
    Attack(
      "__close that raises while an error unwinds", .saying("second"),
      """
      local a <close> = setmetatable({}, { __close = function() error('second') end })
      error('first')
      """),
    Attack(
      "a thousand __close that raise", .saying("x"),
      """
      local function f(n)
        local a <close> = setmetatable({}, { __close = function(_, e) error('x') end })
        if n > 0 then f(n - 1) end
        error('y')
      end
      f(150)
      """),
    Attack(
      "an error out of a coroutine in a coroutine", .saying("deep"),
      "coroutine.wrap(function() coroutine.wrap(function() error('deep') end)() end)()"),
    Attack(
      "an error out of a comparator, a replacement and an iterator", .saying("deep"),
      """
      table.sort({ 3, 2, 1 }, function()
        return (('x'):gsub('.', function() for _ in function() error('deep') end do end end))
      end)
      """),
    Attack(
      "a memory error that is caught for ever", .soon,
      """
      while true do
        pcall(function() local t = {} while true do t[#t + 1] = { t } end end)
        pcall(string.rep, 'x', 4e6, 'y')
      end
      """),
    Attack("yield outside of a coroutine", .saying("outside a coroutine"), "coroutine.yield(1)"),
    Attack(
      "an error under a stack that is nearly full", .soon,
      "local function f(...) return select('#', ...) == 200 and error('x') or f(1, ...) end f()"),
  ]

  @Test(
    "errors of every kind are reported and nothing is left", arguments: Attack.spread(attacks))
  func unwinds(place: AttackPlace, attack: Attack) throws {
    try place.expect(attack)
  }
}
