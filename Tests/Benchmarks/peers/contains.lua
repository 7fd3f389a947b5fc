-- The look-ups of workloads/contains.lua by lua-sql-sqlite3, as its users write: DB ROWS COUNT.
local luasql = require "luasql.sqlite3"
local rows, count = math.tointeger(tonumber(arg[2])), math.tointeger(tonumber(arg[3]))
local database = luasql.sqlite3():connect(arg[1])
local keys, state = {}, 1
for i = 1, 16384 do
  state = (state * 1103515245 + 12345) & 0x7fffffff
  keys[i] = "https://news.example.org/2026/05/story-" .. 1000000 + (state >> 8) % rows
end

local function contains(key)
  local cursor = database:execute(
    "SELECT 1 FROM favorites WHERE entity = (SELECT rowid FROM news WHERE key = '"
      .. database:escape(key) .. "')")
  local found = cursor:fetch() ~= nil
  cursor:close()
  return found
end

local start = os.clock()
for i = 1, count do
  if not contains(keys[(i & 16383) + 1]) then error("a wrong answer") end
end
print(string.format("ns %.3f", (os.clock() - start) * 1e9 / count))
