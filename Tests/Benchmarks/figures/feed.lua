-- Feeds: loading and decoding.
local suite, tools = require "suite", require "tools"
local figure, constant = suite.figure, suite.constant
local count, measure, printed = tools.count, tools.measure, tools.printed
local out, here, starling, bench = tools.out, tools.here, tools.starling, tools.bench

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
figure("load of RSS, ten rules / C+Lua, the same writes", "µs", 1.3, {
  ours = function()
    local items = count(100000)
    return loaded(items).cpu / items
  end,
  limit = function()
    local items = count(100000)
    loaded(1)
    return measure(string.format("%s/load -s %s %s/workloads/map.lua %s", out,
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
figure("decoding RSS to Lua tables / SAX parse in C", "µs", 2, {
  ours = function()
    return printed(bench .. " tables " .. tools.feed("rss", count(100000)), "us_per_item")
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
