-- Searches: the 50 best of all that has the words, into tables of Lua.
local suite, tools = require "suite", require "tools"
local figure, constant = suite.figure, suite.constant

local function searched(scope, words, rows)
  return function()
    local command = suite.workload(suite.our_host(tools.favorites(rows)), "search", scope, words,
      tools.count(100))
    return tools.printed(command, "ms")
  end
end

local function scanned(rows)
  return function()
    local query = "SELECT count(*) FROM news WHERE title LIKE '%电池%' OR summary LIKE '%电池%'"
    return tools.measure(string.format('sqlite3 %s "%s"', tools.favorites(rows), query)).cpu / 1000
  end
end

for _, scope in ipairs { "favorites", "entities" } do
  -- Every eighth row has them.
  figure("search of two characters, " .. scope .. " / 15 ms", "ms", 1,
    { rows = 100000, ours = searched(scope, "电池", 100000), limit = constant(15) })
  figure("search of two characters, " .. scope .. " / LIKE", "ms", 0.2, {
    rows = 100000,
    needs = suite.needs.shell,
    ours = searched(scope, "电池", 100000),
    limit = scanned(100000),
  })
  figure("search of one character, " .. scope .. " / LIKE", "ms", 0.2, {
    rows = 100000,
    needs = suite.needs.shell,
    ours = searched(scope, "电", 100000),
    limit = scanned(100000),
  })
  figure("search of a word that all have, " .. scope .. " / LIKE", "ms", 0.5, {
    rows = 100000,
    needs = suite.needs.shell,
    ours = searched(scope, "story", 100000),
    limit = scanned(100000),
  })
end
