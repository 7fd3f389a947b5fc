import Testing

/// Nothing outlives its time: not in Lua code, not in C, not in the collector, not in a host function.
@Suite struct TimeAttackTests {
  static let control = [
    Attack("a loop", "while true do end"),
    Attack("goto", "::top:: goto top"),
    Attack("tail calls", "local function f() return f() end f()"),
    Attack(
      "a loop in pcall in a loop", "while true do pcall(function() while true do end end) end"),
    Attack("errors caught for ever", "while true do pcall(error) end"),
    Attack("a handler that loops", "xpcall(error, function() while true do end end)"),
    Attack(
      "a handler that loops during the stop",
      "xpcall(function() while true do end end, function() while true do end end)"),
    Attack("a coroutine", "coroutine.wrap(function() while true do end end)()"),
    Attack(
      "a coroutine made before the call that runs it",
      "local f = coroutine.wrap(function() while true do end end) pcall(f) while true do pcall(f) end"
    ),
    Attack(
      "coroutines that die, each replaced by its parent",
      "while true do coroutine.resume(coroutine.create(function() while true do end end)) end"),
    Attack(
      "yield ping-pong",
      """
      local a = coroutine.wrap(function() while true do coroutine.yield() end end)
      while true do a() end
      """),
    Attack(
      "__close that loops during the stop",
      """
      local a <close> = setmetatable({}, { __close = function() while true do end end })
      while true do end
      """),
    Attack(
      "many __close in coroutines that loop during the stop",
      """
      local function loop() while true do end end
      local function body()
        local a <close> = setmetatable({}, { __close = function() pcall(loop) loop() end })
        coroutine.wrap(function()
          local b <close> = setmetatable({}, { __close = loop })
          loop()
        end)()
      end
      while true do pcall(coroutine.wrap(body)) end
      """),
    Attack(
      "coroutine.close of one whose __close loops",
      """
      local co = coroutine.create(function()
        local a <close> = setmetatable({}, { __close = function() while true do end end })
        coroutine.yield()
      end)
      coroutine.resume(co) coroutine.close(co)
      """),
    Attack(
      "finalizers", .stopped,
      "pcall(setmetatable, {}, { __gc = function() while true do end end }) while true do end"),
    Attack(
      "wraps in the iterators of wraps",
      "for _ in coroutine.wrap(function() while true do coroutine.yield(1) end end) do for _ in coroutine.wrap(function() for i = 1, 1e9 do coroutine.yield(i) end end) do end end"
    ),
    Attack(
      "goto through __close",
      "::top:: do local a <close> = setmetatable({}, { __close = function() pcall(error) end }) goto top end"
    ),
    Attack(
      "handlers that call handlers that fail",
      "local function h(e) return xpcall(error, function(x) error(x) end, e) end while true do xpcall(function() error({}) end, h) end"
    ),
    Attack(
      "a comparator that yields",
      "local t = {} for i = 1, 1e5 do t[i] = i end while true do pcall(coroutine.wrap(function() table.sort(t, function(a, b) coroutine.yield() return a < b end) end)) end"
    ),
    Attack("an iterator", "for _ in function() return 1 end do end"),
    Attack(
      "a __len that loops", "return #setmetatable({}, { __len = function() while true do end end })"
    ),
    Attack(
      "a __concat that loops",
      "return setmetatable({}, { __concat = function() while true do end end }) .. 'x'"),
    Attack(
      "an __eq that loops",
      "local m = { __eq = function() while true do end end } return setmetatable({}, m) == setmetatable({}, m)"
    ),
  ]

  static let library = [
    Attack("an exponential pattern", "('a'):rep(30):find(('a?'):rep(30) .. ('a'):rep(30))"),
    Attack("a quadratic pattern", "('a'):rep(300000):find('.-b')"),
    Attack("a pattern of captures", "('a'):rep(10000):match('(.-)(.-)(.-)b')"),
    Attack("gsub", "('a'):rep(100000):gsub('a-a-b', '')"),
    Attack("gmatch", "for _ in ('a'):rep(100000):gmatch('a-a-a-b') do end"),
    Attack("balance", "('('):rep(300000):find('%b()')"),
    Attack("a set of a million", "('a'):rep(2000000):find('[' .. ('b'):rep(1000000) .. ']')"),
    Attack("plain find", "('a'):rep(3000000):find(('a'):rep(1500000) .. 'b', 1, true)"),
    Attack("rep of nothing", "for _ = 1, 1e9 do string.rep('', 1e18) end"),
    Attack("rep in a loop", "while true do ('x'):rep(4e6) end"),
    Attack("format of a wide number", "while true do string.format('%99.99f', 1e308) end"),
    Attack(
      "format of a long text", "local s = ('\\0'):rep(4e6) while true do string.format('%q', s) end"
    ),
    Attack(
      "concat in a loop",
      "local t = {} for i = 1, 1e4 do t[i] = 'x' end while true do table.concat(t, ',') end"),
    Attack(
      "concat of a length that lies",
      "table.concat(setmetatable({}, { __index = function() return '' end, __len = function() return math.maxinteger end }))"
    ),
    Attack(
      "sort",
      "local t = {} for i = 1, 2e5 do t[i] = (i * 7919) % 100003 end while true do table.sort(t) t[1] = 1e9 end"
    ),
    Attack(
      "sort with a comparator in C",
      "local t = {} for i = 1, 1e5 do t[i] = i end while true do pcall(table.sort, t, rawequal) end"
    ),
    Attack(
      "sort of a length that lies",
      "table.sort(setmetatable({}, { __len = function() return 2^31 - 2 | 0 end, __index = function() return 1 end, __newindex = function() end }))"
    ),
    Attack("move over 2^62", "table.move({}, 1, 2^62 | 0, 2, {})"),
    Attack(
      "insert of a length that lies",
      "table.insert(setmetatable({}, { __len = function() return math.maxinteger - 1 end }), 1, 1)"),
    Attack(
      "remove of a length that lies",
      "table.remove(setmetatable({}, { __len = function() return math.maxinteger - 1 end }), 1)"),
    Attack(
      "unpack", "local t = {} for i = 1, 200 do t[i] = i end while true do table.unpack(t) end"),
    Attack(
      "unpack of a million",
      "local t = {} for i = 1, 9e5 do t[i] = i end while true do pcall(table.unpack, t) end"),
    Attack("load of 4 MB", "local s = ('x=1 '):rep(1e6) while true do load(s) end"),
    Attack(
      "load of one text",
      "local s = 'return \"' .. ('x'):rep(4e6) .. '\"' while true do load(s) end"),
    Attack("load of a reader that has no end", "load(function() return 'x = 1 ' end)"),
    Attack(
      "load of parentheses", "local s = 'return ' .. ('('):rep(4e6) while true do load(s) end"),
    Attack("utf8.len", "local s = ('x'):rep(4e6) while true do utf8.len(s) end"),
    Attack(
      "utf8.offset", "local s = ('\\x80'):rep(4e6) while true do pcall(utf8.offset, s, 1, #s) end"),
    Attack(
      "utf8.codepoint", "local s = ('x'):rep(2e5) while true do pcall(utf8.codepoint, s, 1, -1) end"
    ),
    Attack(
      "utf8.codes", "local s = ('x'):rep(4e6) while true do for _ in utf8.codes(s) do end end"),
    Attack("pack", "local s = ('!'):rep(4e6) while true do pcall(string.pack, s) end"),
    Attack("packsize", "local s = (' '):rep(4e6) while true do pcall(string.packsize, s) end"),
    Attack(
      "unpack of a format", "local s = ('b'):rep(4e6) while true do pcall(string.unpack, s, s) end"),
    Attack(
      "upper, lower, reverse",
      "local s = ('x'):rep(4e6) while true do s:upper():lower():reverse() end"),
    Attack(
      "pack of a million numbers",
      "local f = ('i8'):rep(1e6) while true do pcall(string.pack, f, 1) pcall(string.unpack, f, ('x'):rep(4e6)) end"
    ),
    Attack(
      "packsize of sizes beyond numbers",
      "local f = ('c9999999'):rep(4e5) while true do pcall(string.packsize, f) end"),
    Attack(
      "utf8.char of many",
      "local t = {} for i = 1, 1e5 do t[i] = i % 65000 end while true do pcall(utf8.char, table.unpack(t)) end"
    ),
    Attack(
      "concat of what an __index makes",
      "table.concat(setmetatable({}, { __index = function() return ('x'):rep(1e5) end, __len = function() return 10^9 | 0 end }))"
    ),
    Attack(
      "format of a text without conversions",
      "local s = ('x'):rep(4e6) while true do s:format() end"),
    Attack("format of percent signs", "local s = ('%%'):rep(2e6) while true do s:format() end"),
    Attack(
      "format of many flags",
      "local s = '%' .. ('0'):rep(4e6) .. 'd' while true do pcall(string.format, s, 1) end"),
    Attack(
      "format of many long texts",
      "local t = {} for i = 1, 240 do t[i] = ('x'):rep(1e4) end local f = ('%s'):rep(240) while true do f:format(table.unpack(t)) end"
    ),
    Attack(
      "load of a comment that has no end",
      "local n = 0 load(function() n = n + 1 return n == 1 and '--' or 'x' end)"),
    Attack(
      "load of jumps",
      "local t = {} for i = 1, 3e4 do t[i] = 'goto l' .. i .. ' ' end for i = 1, 3e4 do t[#t + 1] = '::l' .. i .. ':: ' end local s = table.concat(t) while true do load(s) end"
    ),
    Attack("byte", "local s = ('x'):rep(4e6) while true do pcall(string.byte, s, 1, 9e5) end"),
    Attack("tonumber", "local s = (' '):rep(4e6) while true do tonumber(s) end"),
    Attack(
      "a comparison of NULs",
      "local a, b = ('\\0'):rep(4e6), ('\\0'):rep(4e6) while true do local _ = a < b end"),
    Attack("concatenation", "local a = ('x'):rep(2e6) while true do local _ = a .. a end"),
  ]

  static let collector = [
    Attack("collectgarbage", "while true do collectgarbage() end"),
    Attack("collectgarbage('step')", "while true do collectgarbage('step') end"),
    Attack(
      "collectgarbage with other words",
      "for _, w in ipairs{ 'stop', 'generational', 'incremental', 'setpause' } do pcall(collectgarbage, w, 1) end while true do local t = {} end"
    ),
    Attack("a table filled for ever", "local t = {} for i = 1, 1e9 do t[i] = {} end"),
    Attack(
      "a table filled again and again",
      "while true do pcall(function() local t = {} for i = 1, 1e9 do t[i] = {} end end) end"),
    Attack("the rehash of a large table", "local t = {} for i = 1, 1e9 do t[i * 7.5] = true end"),
    Attack(
      "a shuffled heap",
      """
      local t = {}
      for i = 1, 150000 do t[i] = {} end
      for i = #t, 2, -1 do local j = math.random(i) t[i], t[j] = t[j], t[i] end
      while true do collectgarbage() t[1] = {} end
      """),
    Attack(
      "weak tables",
      "local r = {} for i = 1, 1e9 do r[i] = setmetatable({ {} }, { __mode = 'v' }) end"),
    Attack(
      "one weak table",
      "local t = setmetatable({}, { __mode = 'v' }) for i = 1, 1e9 do t[i] = {} end"),
    Attack(
      "weak keys", .stopped,
      """
      for _, m in ipairs{ 'k', 'kv', 'vk' } do
        local ok = pcall(setmetatable, {}, { __mode = m }) assert(not ok)
        local mt = {} local t = setmetatable({}, mt)
        assert(not pcall(function() mt.__mode = m end)) assert(not pcall(rawset, mt, '__mode', m))
      end
      while true do end
      """),
    Attack(
      "chained upvalues",
      "local f = function() end while true do local g = f f = function() return g end end"),
    Attack(
      "next in a table of holes",
      "local t = {} for i = 1, 3e5 do t[i] = 1 end for i = 1, 3e5 do t[i] = nil end while true do next(t) end"
    ),
  ]

  static let host = [
    Attack(
      "json.decode of lists",
      "local s = '[' .. ('[],'):rep(1.2e6) .. '[]]' while true do pcall(json.decode, s) end"),
    Attack(
      "json.decode of objects",
      "local s = '[' .. ('{\"a\":1},'):rep(4e5) .. '1]' while true do pcall(json.decode, s) end"),
    Attack(
      "json.decode of depth", "local s = ('['):rep(4e6) while true do pcall(json.decode, s) end"),
    Attack(
      "json.decode of escapes",
      "local s = '\"' .. ('\\\\u0041'):rep(6e5) .. '\"' while true do pcall(json.decode, s) end"),
    Attack(
      "json.encode", "local t = {} for i = 1, 1e5 do t[i] = i end while true do json.encode(t) end"),
    Attack(
      "json.encode of shared tables",
      "local t = {} for i = 1, 90 do t = { t, t } end json.encode(t)"),
    Attack("text.plain", "local s = ('<b>a</i>'):rep(4e5) while true do text.plain(s) end"),
    Attack(
      "text.plain of depth",
      "local s = ('<i>'):rep(5e5) .. ('</b>'):rep(5e5) while true do text.plain(s) end"),
    Attack(
      "text.plain of attributes",
      "local t = {} for i = 1, 1e5 do t[i] = 'x' .. i .. '=1' end local s = '<a ' .. table.concat(t, ' ') while true do text.plain(s) end"
    ),
    Attack("text.plain of signs", "local s = ('<'):rep(4e6) while true do text.plain(s) end"),
    Attack("text.plain of comments", "local s = ('<!--'):rep(1e6) while true do text.plain(s) end"),
    Attack(
      "text.plain of references", "local s = ('&amp'):rep(1e6) while true do text.plain(s) end"),
    Attack(
      "json.encode of depth",
      "local t = {} for i = 1, 1e5 do t = { t } end while true do pcall(json.encode, t) end"),
    Attack(
      "json.decode of digits", "local s = ('9'):rep(4e6) while true do pcall(json.decode, s) end"),
    Attack("text.trim", "local s = (' '):rep(4e6) while true do text.trim(s) end"),
    Attack(
      "url.join", "local s = 'http://a/' .. ('../'):rep(3e5) while true do url.join(s, s) end"),
    Attack(
      "url.canonical",
      "local s = 'http://a/?' .. ('b=1&'):rep(1e4) while true do url.canonical(s) end"),
    Attack(
      "url.parse",
      "local t = {} for i = 1, 1e5 do t[i] = 'k' .. i .. '=1' end local s = 'http://a/?' .. table.concat(t, '&') while true do url.parse(s) end"
    ),
    Attack(
      "url.host", "local s = 'http://' .. ('\\u{e9}'):rep(1.9e6) while true do url.host(s) end"),
    Attack("time.parse", "local s = ('Mon '):rep(1e6) while true do time.parse(s) end"),
    Attack("time.format", "local s = ('%c'):rep(2e6) while true do pcall(time.format, 0, s) end"),
    Attack("money.parse of digits", "local s = ('1'):rep(4e6) while true do money.parse(s) end"),
    Attack("time.parse of digits", "local s = ('1'):rep(4e6) while true do time.parse(s) end"),
    Attack(
      "url.canonical of percent signs",
      "local s = 'http://a/' .. ('%'):rep(4e6 - 20 | 0) while true do pcall(url.canonical, s) end"),
    Attack("money.parse", "local s = ('1,'):rep(1.9e6) while true do money.parse(s) end"),
    Attack("a flood of log lines", "while true do log.info(('x'):rep(1e5)) end"),
  ]

  static let scripts = [
    Attack("a flood of print", "while true do print(('x'):rep(1000)) end"),
    Attack(
      "print of what shows itself for ever",
      "print(setmetatable({}, { __tostring = function() while true do end end }))"),
    Attack("a flood of io.write", "local s = ('x'):rep(4e6) while true do io.write(s) end"),
    Attack("os.date", "local s = ('%c'):rep(2e6) while true do pcall(os.date, s) end"),
    Attack(
      "feeds.decode",
      "local s = '<rss><channel>' .. ('<item><title>a</title></item>'):rep(1e5) while true do pcall(feeds.decode, s) end"
    ),
    Attack(
      "feeds.decode of damaged JSON",
      "local s = '[' .. ('{a:1},'):rep(5e5) .. '1' while true do pcall(feeds.decode, s) end"),
    Attack(
      "feeds.decode of a page",
      "local s = '<html>' .. ('<p>a'):rep(9e5) while true do pcall(feeds.decode, s) end"),
    Attack(
      "inserts for ever", "for i = 1, 1e9 do favorites.insert('good', { id = tostring(i) }) end"),
    Attack(
      "inserts in a transaction",
      "favorites.transaction(function() for i = 1, 1e9 do favorites.insert('good', { id = tostring(i) }) end end)"
    ),
    Attack(
      "transactions in transactions",
      "local function f() favorites.transaction(f) end while true do pcall(f) end"),
    Attack(
      "each in a loop",
      "for i = 1, 50 do favorites.insert('good', { id = tostring(i) }) end while true do for _ in favorites.each('good') do end end"
    ),
    Attack(
      "fetch in a loop", "while true do favorites.fetch('good', { where = { id = 'x' } }) end"),
    Attack(
      "containing a hundred thousand",
      "local t = {} for i = 1, 1e5 do t[i] = 'k' .. i end while true do favorites.containing('good', t) end"
    ),
    Attack(
      "a huge entity",
      "local s = ('x'):rep(4e6) while true do pcall(favorites.insert, 'good', { id = s }) end"),
  ]

  @Test("loops, coroutines and __close end in time", arguments: Attack.spread(control))
  func controlFlow(place: AttackPlace, attack: Attack) throws { try place.expect(attack) }

  @Test("library functions end in time", arguments: Attack.spread(library))
  func libraryFunctions(place: AttackPlace, attack: Attack) throws { try place.expect(attack) }

  @Test("collections end in time", arguments: Attack.spread(collector))
  func collections(place: AttackPlace, attack: Attack) throws { try place.expect(attack) }

  @Test("host functions end in time", arguments: Attack.spread(host))
  func hostFunctions(place: AttackPlace, attack: Attack) throws { try place.expect(attack) }

  @Test(
    "functions of scripts end in time",
    arguments: [AttackPlace.script, .console].flatMap { place in scripts.map { (place, $0) } })
  func scriptFunctions(place: AttackPlace, attack: Attack) throws { try place.expect(attack) }
}
