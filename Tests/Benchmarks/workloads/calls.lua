-- Calls into the host: NAME (none or two) and COUNT. Prints nanoseconds of CPU time a call, the
-- loop around it taken off.
local name, count = arg[1], math.tointeger(tonumber(arg[2]))
local call = host[name]
local first = "news"
local second = "https://news.example.org/2026/05/story-1000000?page=1&order=newest"

local function empty()
  local start = os.clock()
  for _ = 1, count do
  end
  return os.clock() - start
end

local function calls()
  local start = os.clock()
  if name == "two" then
    for _ = 1, count do
      call(first, second)
    end
  else
    for _ = 1, count do
      call()
    end
  end
  return os.clock() - start
end

local loop = empty()
print(string.format("ns %.3f", (calls() - loop) * 1e9 / count))
