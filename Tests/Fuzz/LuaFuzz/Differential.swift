import StarlingLua

/// Compares the library of a sandboxed state with stock Lua's.
package final class Differential {
  private let ours: LuaState
  private let stock: StockLua

  /// One case with other results: what ours gave and what stock Lua did.
  package struct Difference: CustomStringConvertible {
    package let ours: String
    package let stock: String

    package var description: String { "ours:  \(ours)\nstock: \(stock)" }
  }

  package init?() {
    guard let stock = StockLua(),
      let ours = try? LuaState(LuaConfiguration(library: .script, globals: .open))
    else { return nil }
    self.ours = ours
    self.stock = stock
  }

  /// Runs random cases of one seed in both.
  ///
  /// - Returns: those that differ and are not different on purpose (`LuaDifference`).
  package func differences(seed: UInt64, cases: Int) -> [Difference] {
    var calls = CallGenerator(seed: seed)
    var programs = ProgramGenerator(seed: seed ^ 0x5DEE_CE66)
    var source = Self.prelude
    for index in 0..<cases {
      source += (index % 8 == 0 ? programs.program() : calls.call()) + "\n"
    }
    source += "return table.concat(lines, '\\n')"
    let a = ours.text(source).split(separator: "\n", omittingEmptySubsequences: false)
    let b = stock.run(source).split(separator: "\n", omittingEmptySubsequences: false)
    guard a.count == cases, b.count == cases else {
      return [Difference(ours: String(a.first ?? ""), stock: String(b.first ?? ""))]
    }
    return zip(a, b).filter { $0 != $1 && !LuaDifference.excuses(ours: String($0)) }
      .map { Difference(ours: String($0), stock: String($1)) }
  }

  /// What an expression gives in each, as text.
  package func both(_ expression: String) -> (ours: String, stock: String) {
    let source = Self.prelude + "case('', function() return \(expression) end) return lines[1]"
    return (ours.text(source), stock.run(source))
  }

  /// Shows results without addresses; runs in both states.
  private static let prelude = #"""
    local function show(v, depth)
      local t = type(v)
      if t == "string" then
        v = v:gsub("([%w_]+): 0x%x+", "%1")  -- addresses are left out on purpose
        return (("%q"):format(v):gsub("\\\n", "\\n"):gsub("[\r\n]", "?"))
      end
      if t == "number" then return math.type(v) .. ":" .. ("%.14g"):format(v) end
      if t == "table" then
        if depth > 3 then return "{...}" end
        local keys, out = {}, {}
        for k in next, v do keys[#keys + 1] = k end
        table.sort(keys, function(a, b)
          local p, q = type(a), type(b)
          if p == q and (p == "number" or p == "string") then return a < b end
          return p < q
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
    local function integer(v)
      local t = type(v)
      return t == "number" and math.tointeger(v) or t == "string" and math.tointeger(tonumber(v))
    end
    -- Stock Lua moves as much as it is told to, and nothing stops it.
    local function endless(f, _, from, to, at)
      from, to, at = integer(from), integer(to), integer(at)
      return f == table.move and from and to and at and to >= from
        and (from > 0 or to < math.maxinteger + from) and to - from > 1000000
        and at <= math.maxinteger - (to - from)
    end
    local function case(text, f, ...)
      if endless(f, ...) then f = type end
      local r = table.pack(pcall(f, ...))
      local out = {}
      for i = 1, r.n do
        out[i] = show(r[i], 0)
      end
      for i = 1, select("#", ...) do
        local a = select(i, ...)
        if type(a) == "table" then out[#out + 1] = show(a, 0) end
      end
      lines[#lines + 1] = text:gsub("[\r\n]", "?") .. " -> " .. table.concat(out, " ")
    end
    local function lying(n) return setmetatable({}, {__len = function() return n end}) end
    local function proxy(t)
      return setmetatable({}, {__index = t, __len = function() return #t end,
        __newindex = function(_, k, v) t[k] = v end})
    end
    local function textual(s) return setmetatable({}, {__tostring = function() return s end}) end
    local function named(s) return setmetatable({}, {__name = s}) end
    local function callable(x) return setmetatable({}, {__call = function(_, y) return x, y end}) end
    local function closable() return setmetatable({}, {__close = function() end}) end
    local function rich(s)
      local m = {__name = "Rich", __eq = function() return s end, __unm = function() return s end}
      for _, name in ipairs{"add", "sub", "mul", "div", "idiv", "mod", "pow", "band", "bor", "bxor",
        "shl", "shr", "concat", "lt", "le", "len", "bnot"} do
        m["__" .. name] = function(a, b) return s .. name end
      end
      return setmetatable({}, m)
    end

    """#
}

extension LuaState {
  /// Runs a chunk and gives the text that it returns, or the error's.
  fileprivate func text(_ source: String) -> String {
    do throws(LuaError) {
      return try call(try load(source, name: "case"), budget: .seconds(60)) { results in
        guard let bytes = results[1].bytes else { return "(no text)" }
        return String(decoding: bytes, as: UTF8.self)
      }
    } catch {
      return error.description
    }
  }
}
