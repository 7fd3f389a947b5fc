/// Random programs of calls, coroutines, errors, yields and to-be-closed variables that log what
/// happens, as Lua text.
package struct ProgramGenerator {
  private var random: SeededGenerator
  private var name = 0
  /// Statements that may still be made, so that a program stays small.
  private var left = 0

  package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// A chunk that adds one line to the prelude's `lines`.
  package mutating func program() -> String {
    name = 0
    left = 30
    return """
      do
        local out = {}
        local function add(...)
          local r = table.pack(...)
          for i = 1, r.n do if #out < 400 then out[#out + 1] = show(r[i], 0) end end
          return ...
        end
        local function closer(n, what)
          return setmetatable({}, { __close = function(_, e)
            add('close', n, e)
            if what == 1 then error('closing ' .. n, 0) end
            if what == 2 and coroutine.isyieldable() then add(coroutine.yield('in close ' .. n)) end
          end })
        end
        local function drive(co)
          for i = 1, 6 do
            add(coroutine.status(co))
            if not add(coroutine.resume(co, i)) then break end
          end
          add(coroutine.status(co))
        end
        add(pcall(function(...)
      \(block(depth: 4))
        end, 1, 2))
        lines[#lines + 1] = table.concat(out, ' ')
      end
      """
  }

  private mutating func block(depth: Int) -> String {
    let count = 1 + random.roll(3)
    return (0..<count).map { _ in statement(depth: depth) }.joined(separator: "\n")
  }

  private mutating func fresh() -> String {
    name += 1
    return "v\(name)"
  }

  private mutating func value() -> String {
    random.pick(["1", "'x'", "nil", "{}", "true", "'err'", "select('#', ...)", "(...)"])
  }

  private mutating func statement(depth: Int) -> String {
    left -= 1
    if depth == 0 || left < 0 { return "add(\(value()))" }
    switch random.roll(14) {
    case 0: return "add(pcall(function(...)\n\(block(depth: depth - 1))\nend, \(value())))"
    case 1:
      let handler = random.pick([
        "function(e) add('handler', e) return e end", "function(e) error(e, 0) end", "tostring",
        "function(e) return 1, 2 end", "function(e) return coroutine.isyieldable() end",
      ])
      return "add(xpcall(function(...)\n\(block(depth: depth - 1))\nend, \(handler), \(value())))"
    case 2: return "do error(\(value()), \(random.pick(["0", "1", "2"]))) end"
    case 3: return "if coroutine.isyieldable() then add(coroutine.yield(\(value()))) end"
    case 4:
      let variable = fresh()
      return "local \(variable) <close> = closer(\(name), \(random.roll(3)))"
    case 5:
      return "drive(coroutine.create(function(...)\n\(block(depth: depth - 1))\nend))"
    case 6:
      let variable = fresh()
      return """
        local \(variable) = coroutine.wrap(function(...)
        \(block(depth: depth - 1))
        end)
        add(pcall(\(variable), 1)) add(pcall(\(variable), 2)) add(pcall(\(variable)))
        """
    case 7:
      let variable = fresh()
      return """
        local \(variable) = coroutine.create(function(...)
        \(block(depth: depth - 1))
        end)
        add(coroutine.resume(\(variable), 1))
        add(pcall(coroutine.close, \(variable))) add(coroutine.status(\(variable)))
        """
    case 8: return "for i = 1, 2 do\n\(block(depth: depth - 1))\nend"
    case 9: return "do return add(\(value()), 'returned') end"
    case 10:
      return """
        add(pcall(table.sort, {3, 1, 2}, function(a, b, ...)
        \(block(depth: depth - 1))
        return a < b end))
        """
    case 11:
      return """
        add(pcall(string.gsub, 'abc', '%w', function(c, ...)
        \(block(depth: depth - 1))
        return c .. c end))
        """
    case 12:
      return """
        for k, v in pairs(setmetatable({}, { __pairs = function(...)
        \(block(depth: depth - 1))
        return next, { 7 }, nil end })) do add(k, v) end
        """
    default:
      return "add(select('#', coroutine.running()), select(2, coroutine.running()))"
    }
  }
}
