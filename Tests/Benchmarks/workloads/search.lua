-- Searches: WHERE (favorites or entities), WORDS, COUNT. Prints milliseconds of CPU time a search.
local from, words, count = _G[arg[1]], arg[2], math.tointeger(tonumber(arg[3]))

local start = os.clock()
for _ = 1, count do
  local list = from.fetch("news", { text = words, limit = 50 })
  if #list ~= 50 then error("a wrong answer") end
end
print(string.format("ms %.3f", (os.clock() - start) * 1e3 / count))
