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
    return measure(string.format("%s/load -s %s %s/workloads/map-same.lua %s", out,
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
-- 3,000 items are 5 MB, 31,000 are 50: more than a string of a script may have.
figure("JSON to Lua tables, json.decode / simdjson in C", "ms", 1.6, {
  ours = function()
    return printed(string.format("sh -c '%s run --db %s %s/workloads/json.lua <%s'", starling,
      tools.favorites(1000), here, tools.feed("json", 3000)), "ms")
  end,
  limit = function() return printed(out .. "/json " .. tools.feed("json", 3000), "ms") end,
})
figure("JSON to Lua tables, 50 MB / simdjson in C", "ms", 1.6, {
  ours = function() return printed(bench .. " json " .. tools.feed("json", 31000), "ms") end,
  limit = function() return printed(out .. "/json " .. tools.feed("json", 31000), "ms") end,
})

-- What documents are held in. The plugin that reads the items has the memory that plugins have.
local function view(items)
  tools.remove(database)
  return measure(string.format("%s load %s --plugin topics --plugins %s/plugins --db %s", starling,
    tools.feed("json", items), here, database))
end
local function decoding(option, format, items)
  return measure(string.format("%s decode %s %s", starling, option, tools.feed(format, items)))
end
figure("peak memory of a JSON load, 50 MB / 3 times", "MB", 1, {
  once = true,
  ours = function() return view(31000).peak / 1024 end,
  limit = function() return 3 * tools.megabytes(tools.feed("json", 31000)) end,
})
figure("peak memory of dense JSON, 50 MB / 3 times", "MB", 1.1, {
  once = true,
  ours = function()
    return decoding("--json-value", "numbers", 25000000).peak / 1024
  end,
  limit = function() return 3 * tools.megabytes(tools.feed("numbers", 25000000)) end,
})
figure("peak memory of decode, 100,000 items / 10,000", "MB", 1.1, {
  once = true,
  ours = function() return decoding("", "rss", 100000).peak / 1024 end,
  limit = function() return decoding("", "rss", 10000).peak / 1024 end,
})
figure("decoding a podcast of 1.6 MB / 60 ms", "ms", 1, {
  ours = function() return decoding("", "podcast", 400).wall / 1000 end,
  limit = constant(60),
})
