-- Reads into tables: MODE (newest: COUNT times the 50 newest; each: all favorites, COUNT times).
-- Prints microseconds of CPU time a fetch, or a row.
local mode, count = arg[1], math.tointeger(tonumber(arg[2]))

local start = os.clock()
local rows = 0
for _ = 1, count do
  if mode == "newest" then
    local list = favorites.fetch("news", { order = "-published", limit = 50 })
    if #list ~= 50 or not list[50].title then error("a wrong answer") end
    rows = rows + 1
  else
    for entity in favorites.each("news") do
      if entity.title then rows = rows + 1 end
    end
  end
end
print(string.format("us %.3f", (os.clock() - start) * 1e6 / rows))
