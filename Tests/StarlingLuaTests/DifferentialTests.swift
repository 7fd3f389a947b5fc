import StarlingLua
import Testing

/// Every function that we replaced against the stock one: results, errors and their texts.
@Suite struct DifferentialTests {
  /// Shows results without addresses; runs in both states.
  private static let prelude = #"""
    local function show(v, depth)
      local t = type(v)
      if t == "string" then return (("%q"):format(v):gsub("\\\n", "\\n")) end
      if t == "number" then return math.type(v) .. ":" .. ("%.14g"):format(v) end
      if t == "table" then
        if depth > 3 then return "{...}" end
        local keys, out = {}, {}
        for k in next, v do keys[#keys + 1] = k end
        table.sort(keys, function(a, b)
          if type(a) == type(b) and type(a) ~= "boolean" and type(a) ~= "table" then return a < b end
          return type(a) < type(b)
        end)
        for _, k in ipairs(keys) do
          out[#out + 1] = show(k, depth + 1) .. "=" .. show(rawget(v, k), depth + 1)
        end
        return "{" .. table.concat(out, ",") .. "}"
      end
      if t == "nil" or t == "boolean" then return tostring(v) end
      return t
    end
    local lines = {}
    local function case(text, f, ...)
      local r = table.pack(pcall(f, ...))
      local out = {}
      for i = 1, r.n do
        -- Addresses are left out on purpose.
        if type(r[i]) == "string" then r[i] = r[i]:gsub("(%a+): 0x%x+", "%1") end
        out[i] = show(r[i], 0)
      end
      for i = 1, select("#", ...) do
        local a = select(i, ...)
        if type(a) == "table" then out[#out + 1] = show(a, 0) end
      end
      lines[#lines + 1] = text .. " -> " .. table.concat(out, " ")
    end
    local function lying(n) return setmetatable({}, {__len = function() return n end}) end
    local function proxy(t)
      return setmetatable({}, {__index = t, __len = function() return #t end,
        __newindex = function(_, k, v) t[k] = v end})
    end
    local function textual(s) return setmetatable({}, {__tostring = function() return s end}) end

    """#

  @Test("replaced functions behave as the stock ones on random arguments")
  func randomCalls() throws {
    let seed: UInt64 = 54
    var generator = CallGenerator(seed: seed)
    let ours = try LuaState(LuaConfiguration(library: .script, globals: .open))
    let stock = try StockLua()
    var differences: [String] = []
    for _ in 0..<50 {
      var source = Self.prelude
      for _ in 0..<200 { source += generator.call() + "\n" }
      source += "return table.concat(lines, '\\n')"
      let (a, b) = (ours.run(source), stock.run(source))
      #expect(a.split(separator: "\n").count >= 200, "\(a.prefix(200))")
      guard a != b else { continue }
      differences += Self.differing(a, b)
    }
    #expect(
      differences.count == 0, "seed \(seed): \(differences.prefix(8).joined(separator: "\n"))")
  }

  @Test("yields pass through pcall, xpcall and pairs as in stock Lua")
  func yields() throws {
    let source = """
      local out = {}
      local function add(...)
        for i = 1, select('#', ...) do out[#out + 1] = tostring((select(i, ...))) end
      end
      local co = coroutine.wrap(function(...)
        add(pcall(function(a) add(coroutine.yield(a + 1)) error('after', 0) end, ...))
        add(xpcall(function() add(coroutine.yield('x')) error('e', 0) end, function(e) return e .. '!' end))
        add(pcall(pcall, coroutine.yield, 'deep'))
        local t = setmetatable({}, {__pairs = function(t) coroutine.yield('pairs') return next, {1}, nil end})
        for k, v in pairs(t) do add(k, v) end
        local c <close> = setmetatable({}, {__close = function() add('closed') end})
        coroutine.yield('last')
        return 'end'
      end)
      add(co(1)) add(co('r')) add(co('s')) add(co(1, 2)) add(co()) add(co())
      add(pcall(co))
      local dead = coroutine.create(function() error({}) end)
      coroutine.resume(dead)
      add(coroutine.status(dead), (coroutine.close(dead)))
      add(coroutine.close(coroutine.create(print or type)))
      add(select('#', coroutine.running()), coroutine.isyieldable())
      return table.concat(out, ' ')
      """
    let ours = try LuaState(LuaConfiguration(library: .script, globals: .open))
    #expect(ours.run(source) == (try StockLua().run(source)))
  }

  private static func differing(_ ours: String, _ stock: String) -> [String] {
    let a = ours.split(separator: "\n"), b = stock.split(separator: "\n")
    guard a.count == b.count else {
      return ["ours: \(ours.prefix(300))\nstock: \(stock.prefix(300))"]
    }
    return zip(a, b).filter { $0 != $1 }.map { "ours:  \($0)\nstock: \($1)" }
  }
}

/// Random calls of library functions, as Lua text.
struct CallGenerator {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func call() -> String {
    let function = pick(Self.functions)
    let arguments = function.arguments.map { argument($0) }
    let cut = roll(12) == 0 ? Int(random.next() % UInt64(arguments.count + 1)) : arguments.count
    let list = ([function.name] + arguments.prefix(cut)).joined(separator: ", ")
    let label = list.map { $0 == "\"" ? "'" : $0 == "\\" ? "/" : String($0) }.joined()
    return "case(\"\(label)\", \(list))"
  }

  private enum Kind { case text, subject, pattern, template, small, table, any, separator, format }

  private static let functions: [(name: String, arguments: [Kind])] = [
    ("string.find", [.subject, .pattern]), ("string.find", [.subject, .pattern, .small, .any]),
    ("string.find", [.subject, .pattern]), ("string.match", [.subject, .pattern]),
    ("string.match", [.subject, .pattern, .small]), ("string.match", [.subject, .pattern]),
    ("string.gsub", [.subject, .pattern, .template]),
    ("string.gsub", [.subject, .pattern, .template, .small]),
    ("string.gsub", [.subject, .pattern, .any]),
    (
      "function(...) local o = {} for a, b, c in string.gmatch(...) do o[#o + 1] = {a, b, c} end return o end",
      [.subject, .pattern, .small]
    ),
    ("string.rep", [.text, .small]), ("string.rep", [.text, .small, .text]),
    ("string.format", [.format, .any]), ("string.format", [.format, .any, .any]),
    ("table.concat", [.table, .separator]), ("table.concat", [.table, .text, .small, .small]),
    ("table.insert", [.table, .any]), ("table.insert", [.table, .small, .any]),
    ("table.remove", [.table]), ("table.remove", [.table, .small]),
    ("table.move", [.table, .small, .small, .small]),
    ("table.move", [.table, .small, .small, .small, .table]),
    ("table.unpack", [.table]), ("table.unpack", [.table, .small, .small]),
    ("table.sort", [.table]),
    ("table.sort", [.table, .any]),
    (
      "function(t) table.sort(t, function(a, b) return #tostring(a) < #tostring(b) end) return t end",
      [.table]
    ),
    ("function(t) local o = {} for k, v in pairs(t) do o[#o + 1] = v end return #o end", [.table]),
    ("next", [.table, .any]), ("type", [.any]), ("tostring", [.text]), ("tostring", [.small]),
    ("pcall", [.any, .any]), ("pcall", [.any]), ("xpcall", [.any, .any, .any]),
    ("load", [.text]), ("load", [.text, .text]), ("load", [.any, .text]),
    ("setmetatable", [.table, .table]), ("setmetatable", [.any, .any]),
    ("select", [.small, .any, .any]),
    ("coroutine.resume", [.any, .any]), ("coroutine.wrap", [.any]), ("coroutine.status", [.any]),
    ("coroutine.close", [.any]), ("coroutine.isyieldable", []), ("coroutine.create", [.any]),
    (
      "function(a, b) local c = coroutine.create(function(x) local y = coroutine.yield(x) error(y) end) local s = coroutine.status(c) return s, coroutine.resume(c, a), coroutine.resume(c, b), coroutine.resume(c), coroutine.status(c) end",
      [.any, .text]
    ),
    (
      "function(a, b) local f = coroutine.wrap(function(x) local y = coroutine.yield(x) error(y) end) return f(a), pcall(f, b), pcall(f) end",
      [.any, .any]
    ),
  ]

  private mutating func argument(_ kind: Kind) -> String {
    if roll(25) == 0 { return argument(.any) }
    switch kind {
    case .text:
      return quoted(pick(["", "a", "abc", "x = 1", "return 1", "return ...", "for", "f("]))
    case .subject: return quoted(letters(Int(random.next() % 14)))
    case .pattern: return quoted(pattern())
    case .template:
      return pick([
        quoted("<%0>"), quoted("%1"), quoted("%2-%1"), quoted("%%"), quoted("%"), quoted("x"),
        quoted("%z"), "{a = 'A', b = false, ab = 3}", "function(x) return x and x .. '!' end",
        "function() end", "function(a, b) return b end", "string.upper",
      ])
    case .small:
      return pick(["0", "1", "2", "3", "5", "-1", "-3", "10", "'2'", "1.0", "2.5", "nil"])
    case .table:
      return pick([
        "{}", "{1, 2, 3}", "{'b', 'a', 'c'}", "{3, 1, 2, 5, 4, 9, 8, 7}", "{1, 'x', 2.5}",
        "{n = 1, 'a'}", "proxy({'p', 'q', 'r'})", "lying(3)", "lying('x')", "{nil, 2}", "{{}, {}}",
        "setmetatable({}, {__metatable = 1})", "{__index = {}}", "{7, 7, 7, 7}", "lying(-1)",
      ])
    case .separator: return pick(["', '", "''", "1", "nil", "'-'"])
    case .format:
      return quoted(
        pick([
          "%d", "%s", "%5s|", "%-5s|", "%.2s", "%q", "%x", "%5.1f", "%g", "%c", "%i", "%%", "%",
          "%y",
          "%10d", "%+d", "%s %s", "%d %d", "%a", "%05d", "%.20s", "%.3d", "%#x", "% d", "%u",
          "%s%%",
          "%123d", "%.123d", "%-05d", "%q %5q",
        ]))
    case .any:
      return pick([
        "nil", "true", "false", "0", "1", "-7", "2.5", "1e300", "'x'", "'10'", "''", "{}", "{1, 2}",
        "select", "function(...) return ... end", "function() error('e') end",
        "function() error({}) end", "function() error() end", "textual('T')", "textual(3)",
        "'a\\0b'",
        "1/0", "math.mininteger", "'0x10'",
      ])
    }
  }

  private mutating func pattern() -> String {
    var text = roll(8) == 0 ? "^" : ""
    for _ in 0..<(1 + roll(5)) {
      text += pick([
        "a", "b", "c", ".", "%a", "%d", "%s", "%w", "%A", "[ab]", "[^a]", "[a-c]", "[%d-]", "(",
        ")",
        "()", "%1", "%b()", "%f[%w]", "%f[%W]", "[", "]", "%", "(a)", "(.-)", "(%w*)", "-", "x",
        "%.",
      ])
      text += pick(["", "", "", "*", "+", "-", "?"])
    }
    return roll(8) == 0 ? text + "$" : text
  }

  private mutating func letters(_ count: Int) -> String {
    (0..<count).map { _ in pick(["a", "b", "c", "a", "b", " ", "1", "(", ")", ".", "x", "-"]) }
      .joined()
  }

  private func quoted(_ text: String) -> String { "\"" + text + "\"" }

  private mutating func roll(_ sides: Int) -> Int { Int(random.next() % UInt64(sides)) }
  private mutating func pick<T>(_ values: [T]) -> T { values[roll(values.count)] }
}
