/// Random calls of library functions and uses of operators, as Lua text.
package struct CallGenerator {
  private var random: SeededGenerator

  package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  package mutating func call() -> String {
    let function = random.pick(Self.functions)
    let arguments = function.arguments.map { argument($0) }
    let cut = random.roll(12) == 0 ? random.roll(arguments.count + 1) : arguments.count
    let list = ([function.name] + arguments.prefix(cut)).joined(separator: ", ")
    let label = list.map { $0 == "\"" ? "'" : $0 == "\\" ? "/" : String($0) }.joined()
    return "case(\"\(label)\", \(list))"
  }

  private enum Kind {
    case text, subject, pattern, template, small, table, any, separator, format, numeral, base
    case byte, pack, packed, codes, unicode, comparable, metatable, shown
  }

  private typealias Function = (name: String, arguments: [Kind])

  private static let functions: [Function] =
    strings + packs + tables + bases + operators + coroutines

  private static let strings: [Function] = [
    ("string.find", [.subject, .pattern]), ("string.find", [.subject, .pattern, .small, .any]),
    ("string.find", [.subject, .pattern]), ("string.match", [.subject, .pattern]),
    ("string.match", [.subject, .pattern, .small]), ("string.match", [.subject, .pattern]),
    ("string.gsub", [.subject, .pattern, .template]),
    ("string.gsub", [.subject, .pattern, .template, .small]),
    ("string.gsub", [.subject, .pattern, .any]),
    (
      """
      function(...) local o = {} for a, b, c in string.gmatch(...) do o[#o + 1] = {a, b, c} end \
      return o end
      """, [.subject, .pattern, .small]
    ),
    ("string.rep", [.text, .small]), ("string.rep", [.text, .small, .text]),
    ("string.rep", [.any, .any, .any]),
    ("string.format", [.format, .shown]), ("string.format", [.format, .shown, .shown]),
    ("string.format", [.format, .numeral]), ("string.format", [.format, .text]),
    ("string.byte", [.text, .small, .small]), ("string.char", [.byte, .byte, .byte]),
    ("string.len", [.any]), ("string.lower", [.text]), ("string.upper", [.subject]),
    ("string.reverse", [.subject]), ("string.sub", [.subject, .small, .small]),
    ("utf8.char", [.codes, .codes]), ("utf8.len", [.unicode, .small, .small, .any]),
    ("utf8.codepoint", [.unicode, .small, .small, .any]),
    ("utf8.offset", [.unicode, .small, .small]),
    (
      "function(s, lax) local o = {} for p, c in utf8.codes(s, lax) do o[#o + 1] = {p, c} end return o end",
      [.unicode, .any]
    ),
    ("string.rep", [.comparable, .comparable]), ("tostring", [.any]), ("tostring", [.metatable]),
    ("function(a, b) return a:rep(2, b) end", [.text, .text]),
    ("function(a) return ('%s|%10.3s|%q'):format(a, a, a) end", [.text]),
  ]

  private static let packs: [Function] = [
    ("string.pack", [.pack, .any, .any]), ("string.pack", [.pack, .numeral, .numeral]),
    ("string.pack", [.pack, .text, .text]), ("string.packsize", [.pack]),
    ("string.unpack", [.pack, .packed]), ("string.unpack", [.pack, .packed, .small]),
  ]

  private static let tables: [Function] = [
    ("table.concat", [.table, .separator]), ("table.concat", [.table, .text, .small, .small]),
    ("table.insert", [.table, .any]), ("table.insert", [.table, .small, .any]),
    ("table.insert", [.table, .any, .any, .any]),
    ("table.remove", [.table]), ("table.remove", [.table, .small]),
    ("table.move", [.table, .small, .small, .small]),
    ("table.move", [.table, .small, .small, .small, .table]),
    ("table.pack", [.any, .any, .any]),
    ("table.unpack", [.table]), ("table.unpack", [.table, .small, .small]),
    ("table.sort", [.table]), ("table.sort", [.table, .any]),
    (
      "function(t) table.sort(t, function(a, b) return #tostring(a) < #tostring(b) end) return t end",
      [.table]
    ),
    ("function(t) table.sort(t, function() return true end) return #t end", [.table]),
    ("function(t) local o = {} for k, v in pairs(t) do o[#o + 1] = v end return #o end", [.table]),
    ("function(t) local o = {} for k, v in ipairs(t) do o[k] = v end return o end", [.table]),
    ("function(t) local n = 0 for _ in next, t do n = n + 1 end return n end", [.table]),
    ("function(t, k) return type(next(t, k)) end", [.table, .any]), ("ipairs", [.any]),
    ("pairs", [.any]),
    ("rawlen", [.any]), ("rawlen", [.table]), ("rawequal", [.comparable, .comparable]),
    ("rawget", [.table, .any]), ("rawset", [.table, .any, .any]), ("rawset", [.any, .any, .any]),
  ]

  private static let bases: [Function] = [
    ("type", [.any]), ("type", []), ("tostring", [.text]), ("tostring", [.small]),
    ("tonumber", [.any]), ("tonumber", [.numeral]), ("tonumber", [.numeral, .base]),
    ("assert", [.any, .any]), ("error", [.any, .small]), ("select", [.small, .any, .any]),
    ("pcall", [.any, .any]), ("pcall", [.any]), ("pcall", []), ("xpcall", [.any, .any, .any]),
    ("xpcall", [.any]), ("load", [.text]), ("load", [.text, .text]), ("load", [.any, .text]),
    ("load", [.text, .text, .any, .any]),
    (
      "function(s) local n = 0 local f, e = load(function() n = n + 1 return s:sub(n, n) ~= '' and s:sub(n, n) or nil end) return type(f), e end",
      [.text]
    ),
    ("getmetatable", [.table]), ("getmetatable", [.any]), ("setmetatable", [.table, .table]),
    ("setmetatable", [.any, .any]), ("setmetatable", [.table, .metatable]),
    (
      "function(m) local t = setmetatable({}, m) return getmetatable(t) == m, getmetatable(m) end",
      [.table]
    ),
    (
      "function(m, k, v) local t = setmetatable({}, m) m[k] = v setmetatable(m, {__index = m}) return t[k], rawget(m, k), getmetatable(t) == m end",
      [.table, .text, .any]
    ),
    ("math.tointeger", [.any]), ("math.type", [.any]), ("math.floor", [.numeral]),
    ("math.ceil", [.numeral]), ("math.fmod", [.numeral, .numeral]), ("math.max", [.any, .any]),
    ("math.min", [.numeral, .numeral]), ("math.ult", [.small, .small]), ("math.abs", [.numeral]),
    ("math.modf", [.numeral]), ("math.random", [.any, .any, .any]),
    ("collectgarbage", [.any]), ("collectgarbage", []),
  ].filter { $0.name != "math.random" }

  private static let operators: [Function] =
    [
      "a .. b", "a < b", "a <= b", "a == b", "a ~= b", "a + b", "a - b", "a * b", "a / b", "a // b",
      "a % b", "a ^ b", "a & b", "a | b", "a ~ b", "a << b", "a >> b", "#a", "-a", "~a", "not a",
      "a[b]", "a(b)", "a.x", "a:x(b)",
    ].map { ("function(a, b) return \($0) end", [.comparable, .comparable]) } + [
      ("function(a, b) a[b] = 1 return a end", [.comparable, .any]),
      ("function(a, b) for i = a, b do return i end end", [.comparable, .comparable]),
      ("function(a) local x <close> = a return 1 end", [.comparable]),
    ]

  private static let coroutines: [Function] = [
    ("coroutine.resume", [.any, .any]), ("coroutine.wrap", [.any]), ("coroutine.status", [.any]),
    ("coroutine.close", [.any]), ("coroutine.isyieldable", []), ("coroutine.isyieldable", [.any]),
    ("coroutine.create", [.any]), ("coroutine.yield", [.any]),
    ("function() return select(2, coroutine.running()) end", []),
    (
      """
      function(a, b) local c = coroutine.create(function(x) local y = coroutine.yield(x) error(y) end) \
      local s = coroutine.status(c) return s, coroutine.resume(c, a), coroutine.resume(c, b), \
      coroutine.resume(c), coroutine.status(c) end
      """, [.any, .text]
    ),
    (
      """
      function(a, b) local f = coroutine.wrap(function(x) local y = coroutine.yield(x) error(y) end) \
      return f(a), pcall(f, b), pcall(f) end
      """, [.any, .any]
    ),
  ]

  private mutating func argument(_ kind: Kind) -> String {
    if kind != .shown, random.roll(25) == 0 { return argument(.any) }
    switch kind {
    case .text:
      return quoted(random.pick(["", "a", "abc", "x = 1", "return 1", "return ...", "for", "f("]))
    case .subject: return quoted(letters(random.roll(14)))
    case .pattern: return quoted(pattern())
    case .unicode: return quoted(unicode())
    case .packed: return quoted(packed())
    case .pack: return quoted(packFormat())
    case .format: return quoted(format())
    case .template, .small, .table, .separator, .any, .numeral, .base, .byte, .codes, .comparable,
      .metatable, .shown:
      return random.pick(Self.values[kind] ?? ["nil"])
    }
  }

  private static let values: [Kind: [String]] = [
    .template: [
      "\"<%0>\"", "\"%1\"", "\"%2-%1\"", "\"%%\"", "\"%\"", "\"x\"", "\"%z\"",
      "{a = 'A', b = false, ab = 3}", "function(x) return x and x .. '!' end", "function() end",
      "function(a, b) return b end", "string.upper",
      "setmetatable({}, {__index = {a = 'A', b = 'B'}})",
      "function() return {} end", "function() error('e') end",
    ],
    .small: ["0", "1", "2", "3", "5", "-1", "-3", "10", "'2'", "1.0", "2.5", "nil", "-100"],
    .base: ["2", "8", "10", "16", "36", "1", "37", "'10'", "nil", "10.0"],
    .byte: ["0", "65", "255", "256", "-1", "'66'", "66.0", "nil"],
    .codes: ["65", "228", "8364", "128512", "0x7FFFFFFF", "-1", "0x80000000", "55296", "'9'"],
    .numeral: [
      "'0x10'", "'1e2'", "' 7 '", "'1 2'", "'0x1p4'", "'ff'", "'zz'", "'-z'", "''", "'0x'", "1e15",
      "2^53", "2^63", "-0.0", "1/0", "0/0", "math.maxinteger", "math.mininteger", "1e300", "-7",
      "3.7", "'1e'", "'9007199254740993'", "'1\\0'", "'inf'", "'nan'", "7 // 2", "0.1",
    ],
    .table: [
      "{}", "{1, 2, 3}", "{'b', 'a', 'c'}", "{3, 1, 2, 5, 4, 9, 8, 7}", "{1, 'x', 2.5}",
      "{n = 1, 'a'}", "proxy({'p', 'q', 'r'})", "lying(3)", "lying('x')", "{nil, 2}", "{{}, {}}",
      "setmetatable({}, {__metatable = 1})", "{__index = {}}", "{7, 7, 7, 7}", "lying(-1)",
      "{__index = {sub = 1}, __name = 'N'}", "{__newindex = error}", "{__mode = 'v'}",
      "{__len = 1}",
      "setmetatable({1}, {__pairs = function(t) return next, {4, 5}, nil end})",
      "setmetatable({1}, {__pairs = function(t) return 1 end})",
      "setmetatable({}, {__index = function(_, k) return k < 4 and k or nil end})",
      "setmetatable({5, 4}, {__lt = error})", "{__call = function(_, x) return x end}",
    ],
    .metatable: [
      "{__gc = function() end}", "{__mode = 'k'}", "{__mode = 'kv'}", "{__mode = 'v'}",
      "{__metatable = 'locked'}", "{__name = 'Name'}", "{__name = 3}", "named('Name')", "named(3)",
      "textual('T')", "textual(3)", "textual({})", "textual(nil)", "{__close = 1}",
    ],
    // No address among them: one that is padded cannot be told from a text.
    .shown: [
      "nil", "true", "1", "-7", "2.5", "1e300", "'x'", "'10'", "textual('T')", "textual(3)",
      "'a\\0b'",
    ],
    .separator: ["', '", "''", "1", "nil", "'-'", "{}"],
    .any: [
      "nil", "true", "false", "0", "1", "-7", "2.5", "1e300", "'x'", "'10'", "''", "{}", "{1, 2}",
      "select", "function(...) return ... end", "function() error('e') end",
      "function() error({}) end", "function() error() end", "textual('T')", "textual(3)",
      "'a\\0b'", "1/0", "math.mininteger", "'0x10'", "callable(7)", "'n'", "'count' and 0",
      "coroutine.create(select)",
    ],
    .comparable: [
      "1", "2.5", "'a'", "'b'", "'10'", "{}", "nil", "true", "math.mininteger", "0", "-1", "1e300",
      "rich('p')", "rich('q')", "proxy({1, 2})", "callable(7)", "'a\\0b'", "'a\\0c'", "select",
      "textual('T')", "named('Name')", "closable()", "0/0", "64", "'0x10'",
    ],
  ]

  private mutating func pattern() -> String {
    var text = random.roll(8) == 0 ? "^" : ""
    for _ in 0..<(1 + random.roll(5)) {
      text += random.pick([
        "a", "b", "c", ".", "%a", "%d", "%s", "%w", "%A", "[ab]", "[^a]", "[a-c]", "[%d-]", "(",
        ")", "()", "%1", "%b()", "%f[%w]", "%f[%W]", "[", "]", "%", "(a)", "(.-)", "(%w*)", "-",
        "x", "%.", "[%a_]", "[]]", "[^]]", "[a-]", "%x", "%p", "%g", "%2", "$", "^", "\\0", "[%z]",
      ])
      text += random.pick(["", "", "", "*", "+", "-", "?"])
    }
    return random.roll(8) == 0 ? text + "$" : text
  }

  private mutating func format() -> String {
    var text = ""
    for _ in 0..<(1 + random.roll(2)) {
      text += random.pick(["", "x", " "]) + "%"
      text += random.pick(["", "", "", "-", "+", " ", "#", "0", "-0", "+ "])
      text += random.pick(["", "", "1", "5", "10", "20", "99", "100", "123"])
      text += random.pick(["", "", ".0", ".2", ".3", ".20", ".99", ".123", "."])
      text += random.pick([
        "d", "i", "s", "s", "q", "x", "X", "o", "u", "c", "f", "F", "g", "G", "e", "E", "a", "A",
        "%", "y", "n", "",
      ])
    }
    return text
  }

  private mutating func packFormat() -> String {
    (0..<(1 + random.roll(4))).map { _ in
      random.pick([
        "b", "B", "h", "H", "i", "I", "l", "L", "j", "J", "T", "f", "d", "n", "s", "s1", "s4", "z",
        "x", "X", "Xi4", "<", ">", "=", "!", "!4", "!16", " ", "i1", "i3", "i8", "i16", "i17", "c",
        "c3", "c0", "I2", "y", "!17", "s9",
      ])
    }.joined()
  }

  private mutating func packed() -> String {
    (0..<random.roll(20)).map { _ in random.pick(["\\0", "\\1", "a", "\\255", "\\3", "\\127"]) }
      .joined()
  }

  private mutating func unicode() -> String {
    (0..<random.roll(8)).map { _ in
      random.pick([
        "a", "ä", "€", "😀", "\\x80", "\\xC3", "\\xE2\\x82", "\\u{7FFFFFFF}", "\\xED\\xA0\\x80",
        "\\xC0\\x80", "z", "\\0",
      ])
    }.joined()
  }

  private mutating func letters(_ count: Int) -> String {
    (0..<count).map { _ in
      random.pick(["a", "b", "c", "a", "b", " ", "1", "(", ")", ".", "x", "-", "]", "\\0", "_"])
    }.joined()
  }

  private func quoted(_ text: String) -> String { "\"" + text + "\"" }
}
