-- Reads: rows into tables of Lua, and lists that are printed.
local suite, tools = require "suite", require "tools"
local figure = suite.figure
local count, measure = tools.count, tools.measure
local ours, limit = suite.our_host, suite.limit_host

---- Saved searches and the newest: a search, what it is called, how often it is run

local searches = {
  { "newest", "fetch of the 50 newest", 40 },
  { "starred", "fetch of the 50 starred last", 40 },
  { "author", "fetch by an indexed text", 40 },
  { "since", "fetch by an indexed time", 40 },
  { "price", "fetch of prices in their order", 40 },
  { "title", "fetch in an order without an index", 4 },
  { "has", "fetch by a word in the title", 4 },
}

--- Instructions of one fetch, the first of which prepare their statement.
local function fetched(host, mode, rows, times)
  return function()
    local command = suite.workload(host(tools.favorites(rows)), "fetch", mode, "%d")
    return tools.instructions(command, times // 4, times)
  end
end

for _, search in ipairs(searches) do
  local mode, name, times = table.unpack(search)
  for _, rows in ipairs(tools.sizes) do
    figure(name .. " / C+Lua", "instr", 1.15, {
      counted = true,
      rows = rows,
      ours = fetched(ours, mode, rows, times),
      limit = fetched(limit, mode, rows, times),
    })
  end
end

local function read(command, mode, times)
  return function() return tools.printed(command(mode, count(times)), "us") end
end

--- A command for a mode and a count.
local function reader(host, rows)
  return function(mode, times)
    return suite.workload(host(tools.favorites(rows)), "fetch", mode, times)
  end
end

local peers = {
  { "python3", "fetch.py", suite.needs.python },
  { "lua-sql-sqlite3", "fetch.lua", suite.needs.luasql },
}
for _, rows in ipairs(tools.sizes) do
  for _, peer in ipairs(peers) do
    local name, file, needs = table.unpack(peer)
    figure("fetch of the 50 newest / " .. name, "µs", 1, {
      rows = rows,
      needs = needs,
      ours = read(reader(ours, rows), "newest", 2000),
      limit = read(function(mode, times)
        return suite.peer(file, tools.favorites(rows), mode, times)
      end, "newest", 2000),
    })
  end
end

---- Streams

for _, rows in ipairs(tools.sizes) do
  figure("each, a row / C+Lua", "instr", 1.15, {
    counted = true,
    rows = rows,
    ours = fetched(ours, "each", rows, math.min(rows, 20000)),
    limit = fetched(limit, "each", rows, math.min(rows, 20000)),
  })
end
figure("each, a row / C+Lua", "µs", 1.15, {
  rows = 100000,
  ours = read(reader(ours, 100000), "each", 100000),
  limit = read(reader(limit, 100000), "each", 100000),
})
for _, peer in ipairs(peers) do
  local name, file, needs = table.unpack(peer)
  figure("each, a row / " .. name, "µs", 1, {
    rows = 100000,
    needs = needs,
    ours = read(reader(ours, 100000), "each", 100000),
    limit = read(function(mode, times)
      return suite.peer(file, tools.favorites(100000), mode, times)
    end, "each", 100000),
  })
end

local function peak_of_each(rows)
  return function() return measure(reader(ours, rows)("each", rows)).peak / 1024 end
end

figure("peak memory of each / over 100,000 rows", "MB", 1.1,
  { rows = 1000000, once = true, ours = peak_of_each(1000000), limit = peak_of_each(100000) })

---- Lists

local function listed(command)
  return function() return measure(command()).cpu / 1000 end
end

local function our_list(path, options)
  return listed(function()
    return string.format("%s list news %s --json --db %s", tools.starling, options, path())
  end)
end

local function shell_list(path)
  return listed(function() return "sqlite3 -json " .. path() .. " 'SELECT * FROM news'" end)
end

for _, rows in ipairs(tools.sizes) do
  local function favorites() return tools.favorites(rows) end
  local function entities() return tools.entities(rows) end
  figure("list --json / sqlite3 -json", "ms", 1.5, {
    rows = rows,
    needs = suite.needs.shell,
    ours = our_list(favorites, ""),
    limit = shell_list(favorites),
  })
  figure("list --all --json of entities / sqlite3 -json", "ms", 1.5, {
    rows = rows,
    needs = suite.needs.shell,
    ours = our_list(entities, "--all"),
    limit = shell_list(entities),
  })
end
figure("list --json / buku --print --json", "ms", 1, {
  rows = 100000,
  needs = suite.needs.buku,
  once = true,
  ours = our_list(function() return tools.favorites(100000) end, ""),
  limit = listed(function()
    return "buku --nostdin --db " .. tools.bookmarks(100000) .. " --print --json"
  end),
})
