import Testing

/// No way out, and no way to poison another call.
@Suite struct EscapeAttackTests {
  static let attacks = [
    Attack(
      "bytecode by load", .saying("binary"), "local _, e = load('\\27Lua', 'x', 'b') error(e)"),
    Attack(
      "bytecode by a reader", .saying("binary"),
      "local n = 0 local _, e = load(function() n = n + 1 return n == 1 and '\\27Lua' or nil end, 'x', 'bt') error(e)"
    ),
    Attack("string.dump", .saying("nil"), "error(tostring(string.dump))"),
    Attack(
      "names that are not there", .saying("[]"),
      """
      local found = {}
      for _, name in ipairs{ 'debug', 'package', 'dofile', 'loadfile', 'loadstring', 'module',
        'getfenv', 'setfenv', 'unpack', 'newproxy', 'warn' } do
        if rawget(_G, name) ~= nil then found[#found + 1] = name end
      end
      for _, name in ipairs{ 'execute', 'remove', 'rename', 'tmpname', 'setlocale' } do
        if rawget(_G, 'os') and os[name] ~= nil then found[#found + 1] = name end
      end
      for _, name in ipairs{ 'open', 'popen', 'tmpfile', 'input', 'output' } do
        if rawget(_G, 'io') and rawget(io, name) ~= nil then found[#found + 1] = name end
      end
      error('[' .. table.concat(found, ' ') .. ']')
      """),
    Attack(
      "load with an environment", .saying("nil"),
      "error(tostring(load('return os and os.execute', 'x', 't', { })()))"),
    Attack("_ENV", .saying("nil"), "local _ENV = { e = error, s = tostring } e(s(os))"),
    Attack("the string metatable", .saying("false"), "error(tostring(getmetatable('')))"),
    Attack("a write to the string metatable", .saying("index"), "getmetatable('').__index = nil"),
    Attack(
      "the metatable of json.null", .saying("false"), "error(tostring(getmetatable(json.null)))"),
    Attack("the metatable of globals", .saying("protected"), "setmetatable(_G, nil)"),
    Attack(
      "rawset of a global", .saying("done"),
      "pcall(rawset, _G, 'x_', 1) pcall(rawset, _G, 'x_', nil) error('done')"),
    Attack(
      "addresses in tostring", .saying("[table function thread table]"),
      "error('[' .. table.concat({ tostring({}), tostring(next), tostring(coroutine.create(next)), ('%s'):format({}) }, ' ') .. ']')"
    ),
    Attack("addresses in %p", .saying("%p"), "return ('%p'):format({})"),
    Attack("addresses in errors", .saying("table value"), "local t = {} t()"),
    Attack(
      "addresses in the seed", .saying("true"),
      "local a = math.randomseed() error(tostring(a < 2^33))"),
    Attack("a finalizer", .saying("__gc"), "setmetatable({}, { __gc = function() end })"),
    Attack(
      "a finalizer that comes late", .saying("__gc"),
      "local m = {} setmetatable({}, m) m.__gc = function() end"),
    Attack(
      "require of a path", .saying("not"),
      "local ok, e = pcall(function() return require('../../etc/passwd') end) assert(not ok) error('not')"
    ),
    Attack(
      "require of the working directory", .saying("not"),
      "local ok, e = pcall(function() return require('Package') end) assert(not ok) error('not')"),
    Attack(
      "replaced functions", .soon,
      """
      local function bad() while true do end end
      for name, f in pairs(string) do string[name] = bad end
      for _, t in ipairs{ table, math, utf8, coroutine, json, text, url, time, money, log } do
        for name in pairs(t) do pcall(function() t[name] = bad end) end
      end
      for _, name in ipairs{ 'pairs', 'ipairs', 'tostring', 'type', 'error', 'setmetatable' } do
        pcall(rawset, _G, name, bad)
      end
      """),
    Attack(
      "coroutine.running is no handle", .saying("cannot"),
      "local co = coroutine.running() coroutine.wrap(function() local ok, e = coroutine.resume(co) error(e) end)()"
    ),
    Attack(
      "coroutine.close of the caller", .saying("cannot"),
      "local co = coroutine.running() coroutine.wrap(function() coroutine.close(co) end)()"),
    Attack("upvalues of host functions", .saying("nil"), "error(tostring(rawget(_G, 'debug')))"),
  ]

  @Test("there is no way out", arguments: Attack.spread(attacks))
  func noWayOut(place: AttackPlace, attack: Attack) throws { try place.expect(attack) }
}
