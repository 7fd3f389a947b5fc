-- What is measured: each figure has a name, a unit, how many times the limit ours may be, and a
-- function for each side. `counted` are instructions, `once` needs no rounds, `million` takes long.
local tools = require "tools"

local out, here = tools.out, tools.here
local starling, bench = tools.starling, tools.bench
local count, measure, printed = tools.count, tools.measure, tools.printed
local figures = {}

local function figure(name, unit, target, sides)
  sides.name, sides.unit, sides.target = name, unit, target
  figures[#figures + 1] = sides
end

local function constant(value)
  return function() return value end
end

---- A call from Lua into the host

local function calls(program, name)
  return function()
    local command = string.format("%s %s/workloads/calls.lua %s %d", program, here, name,
      count(5000000))
    return printed(command, "ns")
  end
end

figure("call into the host, two strings", "ns", 1.5,
  { ours = calls(bench .. " calls", "two"), limit = calls(out .. "/calls", "two") })

---- Start-up

local function start(command, field)
  return function() return measure(command, count(50))[field] end
end

local function empty_run(rows)
  return string.format("%s run --db %s %s/workloads/empty.lua", starling, tools.favorites(rows),
    here)
end

figure("starling --version / lua5.4 -v", "µs", 3,
  { ours = start(starling .. " --version", "cpu"), limit = start("lua5.4 -v", "cpu") })
figure("run of an empty script / lua5.4", "µs", 3, {
  ours = function() return measure(empty_run(1000), count(100)).cpu end,
  limit = start("lua5.4 " .. here .. "/workloads/empty.lua", "cpu"),
})
figure("run of an empty script / python3 with sqlite3", "µs", 0.25, {
  needs = "python3 -c 'import sqlite3'",
  ours = function() return measure(empty_run(1000), count(50)).cpu end,
  limit = start("python3 -c 'import sqlite3'", "cpu"),
})
figure("peak memory of an empty run / 12 MB", "MB", 1,
  { ours = function() return measure(empty_run(1000)).peak / 1024 end, limit = constant(12) })
figure("opening 1,000,000 favorites / 1,000", "µs", 1.2, {
  million = true,
  ours = function() return measure(empty_run(1000000), count(50)).cpu end,
  limit = function() return measure(empty_run(1000), count(50)).cpu end,
})

---- Look-ups

local function asking(program, mode, rows)
  return string.format("%s %s/workloads/contains.lua %s %d %%d", program, here, mode, rows)
end

local function our_asking(mode, rows)
  return asking(string.format("%s run %s --db %s", starling, tools.patient, tools.favorites(rows)),
    mode, rows)
end

local function limit_asking(mode, rows)
  return asking(out .. "/host " .. tools.favorites(rows), mode, rows)
end

local function asked(command, mode, rows, times)
  return function()
    return printed(command(mode, rows):format(times or count(300000)), "ns")
  end
end

local function asked_counted(command, mode, rows)
  return function() return tools.instructions(command(mode, rows), 5000, 25000) end
end

for _, mode in ipairs { "hit", "miss", "transaction" } do
  local name = mode == "transaction" and "contains in a transaction" or "contains, " .. mode
  figure(name .. " / C+Lua", "ns", 1.3,
    { ours = asked(our_asking, mode, 100000), limit = asked(limit_asking, mode, 100000) })
  figure(name .. ", instructions", "", 1.15, {
    counted = true,
    ours = asked_counted(our_asking, mode, 100000),
    limit = asked_counted(limit_asking, mode, 100000),
  })
end
figure("contains, 1,000,000 rows / 1,000 rows", "ns", 3, {
  million = true,
  ours = asked(our_asking, "hit", 1000000),
  limit = asked(our_asking, "hit", 1000),
})
figure("members / contains in C", "ns", 0.125,
  { ours = asked(our_asking, "members", 100000, 1000000),
    limit = asked(limit_asking, "hit", 100000) })
figure("containing, 50 keys / C in a read transaction", "ns", 1, {
  ours = asked(our_asking, "containing", 100000),
  limit = asked(limit_asking, "transaction", 100000),
})

---- Peers, of which Starling must be ahead

for _, peer in ipairs { { "python3", "py", 1 / 1.5 }, { "lua-sql-sqlite3", "lua", 1 / 4 } } do
  local name, ending, target = table.unpack(peer)
  local program = ending == "py" and "python3" or "lua5.4"
  figure("contains / " .. name, "ns", target, {
    needs = program .. (ending == "py" and " -c 'import sqlite3'" or " -l luasql.sqlite3 -e ''"),
    ours = asked(our_asking, "hit", 100000),
    limit = function()
      return printed(string.format("%s %s/peers/contains.%s %s 100000 %d", program, here, ending,
        tools.favorites(100000), count(300000)), "ns")
    end,
  })
end

---- Writes and reads

local function workload(program, name, mode, times)
  return printed(string.format("%s %s/workloads/%s.lua %s %d", program, here, name, mode, times),
    "us")
end

local function our_host(path)
  return string.format("%s run %s --db %s", starling, tools.patient, path)
end

local function limit_host(path) return out .. "/host " .. path end

for _, case in ipairs { { "insert", 1.3, 50000 }, { "toggle", 1.2, 5000 } } do
  local mode, target, times = table.unpack(case)
  local function side(program)
    return function()
      return workload(program(tools.copy(tools.favorites(100000))), "write", mode, count(times))
    end
  end
  figure(mode .. " / the same writes in C+Lua", "µs", target,
    { ours = side(our_host), limit = side(limit_host) })
end
local reads = { { "newest", "fetch of the 50 newest", 5000 }, { "each", "each, a row", 2 } }
for _, case in ipairs(reads) do
  local mode, name, times = table.unpack(case)
  local function side(program)
    return function()
      return workload(program(tools.favorites(100000)), "fetch", mode, count(times))
    end
  end
  figure(name .. " / C+Lua", "µs", 1.15, { ours = side(our_host), limit = side(limit_host) })
end
figure("list --json, 100,000 / sqlite3 -json", "ms", 1.5, {
  needs = "sqlite3 -version",
  ours = function()
    return measure(string.format("%s list news --all --limit 100000 --json --db %s", starling,
      tools.favorites(100000))).cpu / 1000
  end,
  limit = function()
    return measure(string.format("sqlite3 -json %s 'SELECT * FROM news'",
      tools.favorites(100000))).cpu / 1000
  end,
})

---- Feeds

local database = out .. "/load.db"

local function loaded(items, keep)
  if not keep then tools.remove(database) end
  return measure(string.format(
    "%s load %s --plugin news --plugins plugins --rules %s/workloads/rules.lua --db %s",
    starling, tools.feed("rss", items), here, database))
end

figure("load of RSS, ten rules / C+Lua, bare rows", "µs", 3, {
  ours = function()
    local items = count(100000)
    return loaded(items).cpu / items
  end,
  limit = function()
    tools.remove(database)
    local items = count(100000)
    return measure(string.format("%s/load %s %s/workloads/map.lua %s", out,
      tools.feed("rss", items), here, database)).cpu / items
  end,
})
figure("load, nothing changed / first load", "µs", 0.5, {
  limit = function()
    local items = count(50000)
    return loaded(items).cpu / items
  end,
  ours = function()
    local items = count(50000)
    loaded(items)
    return loaded(items, true).cpu / items
  end,
})
figure("peak memory of a load / 60 MB", "MB", 1, {
  once = true,
  ours = function() return loaded(100000).peak / 1024 end,
  limit = constant(60),
})
figure("peak memory of a load, 200,000 items / 20,000", "MB", 1.1, {
  once = true,
  ours = function() return loaded(200000).peak / 1024 end,
  limit = function() return loaded(20000).peak / 1024 end,
})
figure("decoding RSS / SAX parse in C", "µs", 2, {
  ours = function()
    return printed(bench .. " items " .. tools.feed("rss", count(100000)), "us_per_item")
  end,
  limit = function()
    return printed(out .. "/load -p " .. tools.feed("rss", count(100000)), "us_per_item")
  end,
})
figure("JSON to Lua tables / simdjson in C", "ms", 1.6, {
  ours = function()
    return printed(string.format("sh -c '%s run --db %s %s/workloads/json.lua <%s'", starling,
      tools.favorites(1000), here, tools.feed("json", 3000)), "ms")
  end,
  limit = function() return printed(out .. "/json " .. tools.feed("json", 3000), "ms") end,
})

return figures
