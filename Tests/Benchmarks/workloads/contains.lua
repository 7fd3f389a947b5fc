-- Is it a favorite? MODE (hit, miss, transaction, members, containing), ROWS in the database, COUNT
-- of questions. Prints nanoseconds of CPU time a question, the loop around it taken off.
local mode, rows = arg[1], math.tointeger(tonumber(arg[2]))
local count = math.tointeger(tonumber(arg[3]))
local contains = favorites.contains
local expected = mode ~= "miss"

local keys = {}
local state = 1
for i = 1, 16384 do
  state = (state * 1103515245 + 12345) & 0x7fffffff
  keys[i] = "https://news.example.org/2026/05/story-" .. 1000000 + (state >> 8) % rows
    .. (expected and "" or "x")
end

local function empty()
  local key
  for i = 1, count do
    key = keys[(i & 16383) + 1]
    if (key ~= nil) ~= true then error("a key is missing") end
  end
end

local function ask()
  for i = 1, count do
    if contains("news", keys[(i & 16383) + 1]) ~= expected then error("a wrong answer") end
  end
end

local function members()
  local set = favorites.members("news")
  for i = 1, count do
    if set[keys[(i & 16383) + 1]] ~= expected then error("a wrong answer") end
  end
end

local function pages()
  local containing = favorites.containing
  local page = {}
  for first = 1, count, 50 do
    for i = 0, 49 do
      page[i + 1] = keys[(first + i & 16383) + 1]
    end
    local found = containing("news", page)
    if not (found[page[1]] and found[page[50]]) then error("a wrong answer") end
  end
end

local function seconds(work)
  local start = os.clock()
  work()
  return os.clock() - start
end

local work = ask
if mode == "transaction" then
  work = function() favorites.transaction(ask) end
elseif mode == "members" then
  work = members
elseif mode == "containing" then
  work = pages
end
local loop = seconds(empty)
print(string.format("ns %.3f", (seconds(work) - loop) * 1e9 / count))
