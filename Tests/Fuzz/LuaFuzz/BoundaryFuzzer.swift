import Starling
import StarlingLua

/// Calls every function that scripts have with random values in random order: cycles, metatables that
/// lie, strings that are no text, memory that runs out at any allocation. Nothing may crash, outlive
/// its time or leave the database broken.
package final class BoundaryFuzzer {
  private let host: Host

  /// What a round broke.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  package init() {
    let plugins = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
    host = Host(
      Host.Configuration(
        database: .memory, pluginFolders: [plugins + "/plugins"],
        limits: Limits(time: .milliseconds(300), memoryBytes: 24 << 20),
        scriptLimits: Limits(time: .milliseconds(300), memoryBytes: 24 << 20)))
  }

  private static var silent: ScriptIO {
    ScriptIO(write: { _ in true }, writeError: { _ in }, read: { _ in [] })
  }

  /// - Throws: what is wrong after the round.
  package func round(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let session = try host.makeSession(
      name: "fuzz", io: Self.silent, limits: host.configuration.scriptLimits,
      stop: StopHandle())
    defer { session.close() }
    if random.roll(3) == 0 { session.state.failAllocation(1 + random.roll(4000)) }
    let start = ContinuousClock.now
    let source = Self.program + "\nrun(\(Int64(bitPattern: random.next()) | 1), 60)"
    _ = try? session.run(Array(source.utf8), name: "fuzz")
    let time = ContinuousClock.now - start
    session.state.failAllocation(nil)
    if time > .seconds(3) { throw Failure(description: "seed \(seed): took \(time)") }
    if !session.state.isLost {
      do throws(LuaError) {
        _ = try session.run(Array("assert(rawequal(1, 1))".utf8), name: "after")
      } catch {
        throw Failure(description: "seed \(seed): afterwards: \(error)")
      }
    }
    if random.roll(16) == 0 { try check(seed) }
  }

  private func check(_ seed: UInt64) throws {
    let problems = try host.store().check()
    if let problem = problems.first {
      throw Failure(description: "seed \(seed): the database: \(problem)")
    }
  }

  private static let program = #"""
    local state
    local function random(n)
      state = state ~ (state << 13)
      state = state ~ (state >> 7)
      state = state ~ (state << 17)
      return (state >> 1) % n + 1
    end
    local type, pcall, pairs, setmetatable, select, rawget = type, pcall, pairs, setmetatable, select, rawget
    local concat, unpack, running, create, rep = table.concat, table.unpack, coroutine.running, coroutine.create, string.rep
    local tostring, next, error, sort = tostring, next, error, table.sort
    local scalars = {
      0, 1, -1, 2.5, 1e300, 0/0, 1/0, -1/0, math.mininteger, math.maxinteger, 2^53, -0.0, "", "x",
      "\0", "\xff\xfe", "\u{D800}", "é", "e\u{301}", "电池", "007", "7", "news", "post", "link", "title",
      "https://example.org/a?b=1#c", "2026-11-30T08:05:00Z", "16.59-25.13万", "<b>x</b>", "[1,{\"a\":null}]",
      "%d %s", "(a*)*b", "\27[31m", "../../etc/passwd", "*t", "n", "published", true, false, json.null,
      "<rss><channel><item><title>a</title></item></channel></rss>", "{\"items\":[{\"id\":1}]}",
    }
    local made = {}
    local value
    local function anything(...) if random(8) == 1 then error(value(2)) end return value(2) end
    local makers = {
      function(d) local t = {} for i = 1, random(6) do t[i] = value(d - 1) end return t end,
      function(d)
        local t = {}
        for _ = 1, random(6) do
          local k = value(0)
          if k ~= nil and k == k then t[k] = value(d - 1) end
        end
        return t
      end,
      function(d) local t = {} t.self = t t[1] = t return t end,
      function(d) return { link = value(0), title = value(0), kind = "news", published = value(0) } end,
      function(d) return { where = { title = value(d - 1) }, limit = value(0), order = value(0), after = value(0) } end,
      function(d)
        return setmetatable({ value(d - 1) }, {
          __index = anything, __newindex = anything, __len = anything, __pairs = anything,
          __call = anything, __tostring = anything, __eq = anything, __lt = anything,
          __concat = anything, __name = value(0), __close = anything,
        })
      end,
      function() return rep("x", random(100000)) end,
      function() return rep("é", random(1000)) .. "\xff" end,
      function() return anything end,
      function() return create(anything) end,
      function() return running() end,
      function(d) local t = {} for _ = 1, 200 do t = { t } end return t end,
      function() return has(value(0)) end,
      function() return any{ { title = value(0) } } end,
    }
    value = function(depth)
      local roll = random(10)
      if roll == 1 and #made > 0 then return made[random(#made)] end
      if depth <= 0 or roll < 7 then return scalars[random(#scalars)] end
      local ok, v = pcall(makers[random(#makers)], depth)
      if ok then return v end
      return nil
    end
    local functions, names = {}, {}
    local seen = {}
    local function collect(prefix, t)
      for k, v in next, t do
        if type(k) == "string" then
          local name = prefix .. k
          if type(v) == "function" and name ~= "os.exit" then names[#names + 1] = name functions[name] = v end
          if type(v) == "table" and not seen[v] then seen[v] = true collect(name .. ".", v) end
        end
      end
    end
    seen[_G] = true
    collect("", _G)
    sort(names)
    function run(seed, count)
      state = seed
      for _ = 1, count do
        local f = functions[names[random(#names)]]
        local a, b, c, d = value(3), value(3), value(2), value(1)
        local results = { pcall(f, unpack({ a, b, c, d }, 1, random(5) - 1)) }
        for i = 1, #results do if #made < 40 then made[#made + 1] = results[i] end end
        if #made > 0 and random(4) == 1 then
          local object = made[random(#made)]
          pcall(function() return object[value(1)] end)
          pcall(function() return object(value(1), value(1)) end)
          pcall(function() local n = 0 for k in pairs(object) do n = n + 1 if n > 50 then break end end end)
          pcall(function() return #object, object == value(1), object .. value(0) end)
          pcall(json.encode, object)
        end
      end
    end
    """#
}
