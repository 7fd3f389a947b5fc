-- Reads into tables: MODE (a search, run COUNT times; or each: the first COUNT of all favorites).
-- Prints microseconds of CPU time a fetch, or a row.
local mode, count = arg[1], math.tointeger(tonumber(arg[2]))
local limit = 50

-- The limit program has the statement of each under its name.
local saved = rawget(favorites, "saved")
local searches = not saved and {
  newest = { order = "-published" },
  starred = {},
  author = { where = { author = "author 13" } },
  since = { where = { published = at_least(1600003600) }, order = "-published" },
  title = { where = { author = "author 13" }, order = "title" },
  has = { where = { title = has "电池" } },
  price = { kind = "car_type", order = "price" },
}

local function fetches()
  local fetch = favorites.fetch
  local kind, options
  if saved then
    kind, options = saved(mode), limit
  else
    options = searches[mode]
    kind, options.kind, options.limit = options.kind or "news", nil, limit
  end
  for _ = 1, count do
    local list = fetch(kind, options)
    if #list == 0 or not list[#list].key then error("a wrong answer") end
  end
end

local function each()
  local rows = 0
  for entity in favorites.each("news", { limit = count }) do
    if entity.title then rows = rows + 1 end
  end
  if rows ~= count then error("a wrong answer") end
end

local start = os.clock()
if mode == "each" then each() else fetches() end
print(string.format("us %.3f", (os.clock() - start) * 1e6 / count))
