-- Writes: MODE (insert: COUNT new favorites in one transaction; toggle: COUNT, each durable).
-- Prints microseconds of CPU time a write.
local mode, count = arg[1], math.tointeger(tonumber(arg[2]))

local function entity(i)
  return {
    link = "https://news.example.org/2027/01/story-" .. 1000000 + (i * 7919) % 1000003,
    title = "A new story " .. i .. " of the measured times",
    summary = "A summary as long as a sentence about this and that and what came of it.",
    author = "Author " .. i % 97,
    published = 1700000000 + i * 60,
  }
end

local start = os.clock()
if mode == "insert" then
  favorites.transaction(function()
    for i = 1, count do
      favorites.insert("news", entity(i))
    end
  end)
else
  for i = 1, count do
    favorites.toggle("news", entity(i // 2))
  end
end
print(string.format("us %.3f", (os.clock() - start) * 1e6 / count))
