-- The reads of workloads/fetch.lua by lua-sql-sqlite3, which leaves lists as JSON: DB MODE COUNT.
local luasql = require "luasql.sqlite3"
local mode, count = arg[2], math.tointeger(tonumber(arg[3]))
local database = luasql.sqlite3():connect(arg[1])
local columns = "'news' AS kind, e.key, link, title, summary, author, image, categories, published,"
  .. " starred_at"
local newest = "SELECT " .. columns .. " FROM news e CROSS JOIN favorites f ON f.entity = e.rowid"
  .. " ORDER BY published DESC LIMIT 50"
local each = "SELECT " .. columns .. " FROM favorites f CROSS JOIN news e ON e.rowid = f.entity"
  .. " WHERE f.kind = (SELECT id FROM kinds WHERE name = 'news')"
  .. " ORDER BY f.starred_at DESC, f.entity DESC LIMIT " .. count

local function rows(sql)
  local cursor = database:execute(sql)
  return function() return cursor:fetch({}, "a") end
end

local start = os.clock()
if mode == "newest" then
  for _ = 1, count do
    local list = {}
    for row in rows(newest) do
      list[#list + 1] = row
    end
    if #list ~= 50 then error("a wrong answer") end
  end
else
  for row in rows(each) do
    if not row.title then error("a wrong answer") end
  end
end
print(string.format("us %.3f", (os.clock() - start) * 1e6 / count))
