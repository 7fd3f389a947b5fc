-- Look-ups: is it a favorite?
local suite, tools = require "suite", require "tools"
local figure, constant = suite.figure, suite.constant
local count, measure = tools.count, tools.measure

--- The command that asks; `%d` in it is for how many questions.
local function asking(host, mode, rows)
  return suite.workload(host(tools.favorites(rows)), "contains", mode, rows, "%d")
end

local function asked(host, mode, rows, times)
  return function()
    return tools.printed(asking(host, mode, rows):format(times or count(300000)), "ns")
  end
end

local function asked_counted(host, mode, rows)
  return function() return tools.instructions(asking(host, mode, rows), 5000, 25000) end
end

local ours, limit = suite.our_host, suite.limit_host

for _, mode in ipairs { "hit", "miss", "transaction" } do
  local name = mode == "transaction" and "contains in a transaction" or "contains, " .. mode
  for _, rows in ipairs(tools.sizes) do
    figure(name .. " / C+Lua", "instr", 1.15, {
      counted = true,
      rows = rows,
      ours = asked_counted(ours, mode, rows),
      limit = asked_counted(limit, mode, rows),
    })
  end
  for _, rows in ipairs { 100000, 1000000 } do
    figure(name .. " / C+Lua", "ns", 1.15,
      { rows = rows, ours = asked(ours, mode, rows), limit = asked(limit, mode, rows) })
  end
end
for _, mode in ipairs { "hit", "miss" } do
  figure("contains, " .. mode .. " / with 1,000 rows", "ns", 3,
    { rows = 1000000, ours = asked(ours, mode, 1000000), limit = asked(ours, mode, 1000) })
end

---- Sets

for _, rows in ipairs(tools.sizes) do
  figure("members / contains in C", "ns", 1 / 8, {
    rows = rows,
    ours = asked(ours, "members", rows, count(1000000)),
    limit = asked(limit, "hit", rows),
  })
  -- Of a thousand, the memory is lost among the pages that come and go.
  if rows > 1000 then
    figure("members, memory of a favorite / 32 bytes", "bytes", 1, {
      rows = rows,
      once = true,
      ours = function()
        return tools.printed(tools.bench .. " members " .. tools.favorites(rows), "bytes")
      end,
      limit = constant(32),
    })
  end
  if rows == 1000000 then
    figure("members, loading / half a second a million", "µs", 1, {
      rows = rows,
      ours = function()
        return tools.printed(tools.bench .. " members " .. tools.favorites(rows), "us")
      end,
      limit = constant(0.5),
    })
  end
  figure("containing, 50 keys / C in a read transaction", "instr", 1, {
    counted = true,
    rows = rows,
    ours = asked_counted(ours, "containing", rows),
    limit = asked_counted(limit, "transaction", rows),
  })
end
figure("containing, 50 keys / C in a read transaction", "ns", 1, {
  rows = 100000,
  ours = asked(ours, "containing", 100000),
  limit = asked(limit, "transaction", 100000),
})

---- Whole scripts of a million questions, against peers of which Starling must be ahead

local function script(command)
  return function() return measure(command).cpu / 1000 end
end

local peers = {
  { "python3", "contains.py", suite.needs.python, 1 / 1.5 },
  { "lua-sql-sqlite3", "contains.lua", suite.needs.luasql, 1 / 4 },
}
local questions = count(1000000)
for _, rows in ipairs(tools.sizes) do
  local path = function() return tools.favorites(rows) end
  local function asks(mode) return asking(ours, mode, rows):format(questions) end
  for _, peer in ipairs(peers) do
    local name, file, needs, target = table.unpack(peer)
    figure("a script of contains / " .. name, "ms", target, {
      rows = rows,
      needs = needs,
      once = name == "lua-sql-sqlite3",
      ours = function() return script(asks("hit"))() end,
      limit = function() return script(suite.peer(file, path(), rows, questions))() end,
    })
  end
  -- A million, however quick the look shall be: the set is made at the first.
  figure("a script of members / of contains in C", "ms", 1 / 8, {
    rows = rows,
    ours = function() return script(asking(ours, "members", rows):format(1000000))() end,
    limit = function() return script(asking(limit, "hit", rows):format(1000000))() end,
  })
  figure("contains / buku", "ns", 1 / 4, {
    rows = rows,
    needs = suite.needs.buku,
    once = true,
    ours = asked(ours, "hit", rows),
    limit = function()
      return tools.printed(
        suite.peer("buku.py", tools.bookmarks(rows), "contains", rows, count(20000)), "ns")
    end,
  })
end
