import Testing

/// Values at the border between Lua and the host.
@Suite struct BorderAttackTests {
  /// What a plugin's `map` may be made to return: each is an item that fails, and no more.
  static let entities: [Attack] = [
    Attack("a cycle", .soon, "local t = { id = '1' } t.self = t return t"),
    Attack("depth", .soon, "local t = {} for _ = 1, 1e4 do t = { t } end return { id = t }"),
    Attack(
      "a list of a million", .soon, "local t = {} for i = 1, 3e5 do t[i] = { id = i } end return t"),
    Attack(
      "a million fields", .soon,
      "local t = { id = '1' } for i = 1, 2e5 do t['f' .. i] = i end return t"),
    Attack("holes", .soon, "return { { id = '1' }, nil, { id = '3' } }"),
    Attack(
      "a table that lies", .soon,
      "return setmetatable({ id = '1' }, { __pairs = function() while true do end end, __index = function() while true do end end, __len = function() return 1e9 end })"
    ),
    Attack("a key of NULs", .soon, "return { id = '\\0\\0' }"),
    Attack("a key that is no UTF-8", .soon, "return { id = '\\xff' }"),
    Attack("a key that is NaN", .soon, "return { id = 0/0 }"),
    Attack("a key that is infinite", .soon, "return { id = 1/0 }"),
    Attack("a key beyond integers", .soon, "return { id = 1e300 }"),
    Attack("the smallest integer", .soon, "return { id = math.mininteger }"),
    Attack("a field whose name is a float", .soon, "return { id = '1', [1.0] = 2, [2.5] = 3 }"),
    Attack("a field whose name is a table", .soon, "return { id = '1', [{}] = 2 }"),
    Attack("a function", .soon, "return { id = next }"),
    Attack("a coroutine", .soon, "return coroutine.create(next)"),
    Attack("json.null", .soon, "return json.null"),
    Attack("a key of 4 MB", .soon, "return { id = ('x'):rep(4e6) }"),
    Attack("a kind that is none", .soon, "return { kind = {}, id = '1' }"),
    Attack("results without end", .soon, "return table.unpack({}, 1, 9e5)"),
    Attack("reasons without end", .soon, "return nil, ('x'):rep(4e6)"),
  ]

  static let values = [
    Attack("json.encode of a cycle", .saying("cycle"), "local t = {} t.t = t json.encode(t)"),
    Attack("json.encode of NaN", .saying("nan"), "json.encode(0/0)"),
    Attack("json.encode of an infinity", .saying("infinity"), "json.encode({ 1/0 })"),
    Attack("json.encode of bad UTF-8", .saying("UTF-8"), "json.encode('\\xff')"),
    Attack("json.encode of a function", .saying("function"), "json.encode({ next })"),
    Attack(
      "json.encode of a table that lies", .saying("[1,2]"),
      "error(json.encode(setmetatable({ 1, 2 }, { __len = function() return 1e9 end, __pairs = error, __index = error })))"
    ),
    Attack("json.encode of both kinds of keys", .saying("both"), "json.encode({ 1, a = 2 })"),
    Attack(
      "json.decode of a big integer", .saying("9007199254740993"),
      "error(tostring(json.decode('9007199254740993')))"),
    Attack(
      "json.decode of a bigger one", .saying("123456789012345678901234567890"),
      "error(tostring(json.decode('123456789012345678901234567890')))"),
    Attack(
      "an integral float is an index", .saying("true"),
      "local t = {} t[1.0] = true error(tostring(t[1]))"),
    Attack("time.format of NaN", .soon, "time.format(0/0)"),
    Attack("time.format of 1e300", .soon, "time.format(1e300)"),
    Attack("time.format of the largest integer", .soon, "time.format(math.maxinteger)"),
    Attack("time.parse of NaN", .soon, "error(tostring(time.parse(0/0)))"),
    Attack("money.parse of NaN", .soon, "error(tostring(money.parse(0/0)))"),
    Attack("url.join of NULs", .soon, "error(tostring(url.join('\\0', '\\0')))"),
    Attack(
      "bad UTF-8 to every function", .soon,
      "for _, t in ipairs{ text, url, time, money, json } do for name, f in pairs(t) do if type(f) == 'function' then pcall(f, '\\xff\\xfe', '\\xff') end end end"
    ),
    Attack(
      "odd values to every function", .soon,
      """
      local odd = { 0/0, 1/0, -1/0, math.mininteger, 1e300, '', '\\0', {}, next, json.null, true, ('x'):rep(1e5) }
      for _, t in ipairs{ text, url, time, money, json, log, string, table, utf8, math, coroutine } do
        for name, f in pairs(t) do
          if type(f) == 'function' and name ~= 'yield' then
            for _, a in ipairs(odd) do for _, b in ipairs(odd) do pcall(f, a, b, a, b) end end
          end
        end
      end
      """),
    Attack(
      "a table changed while it is read", .soon,
      "local t = {} for i = 1, 100 do t[i] = i end for k in pairs(t) do t[k] = nil t[k + 1000] = 1 end"
    ),
  ]

  @Test("an entity of any shape is one item that fails at most", arguments: entities)
  func entity(attack: Attack) throws { try AttackPlace.map.expect(attack) }

  @Test("what items gives may have any shape", arguments: entities)
  func items(attack: Attack) throws { try AttackPlace.items.expect(attack) }

  @Test("what accepts and when give may have any shape", arguments: entities)
  func answers(attack: Attack) throws {
    try AttackPlace.accepts.expect(attack)
    try AttackPlace.when.expect(attack)
  }

  @Test("odd values are errors, in every place", arguments: Attack.spread(values))
  func value(place: AttackPlace, attack: Attack) throws { try place.expect(attack) }
}
