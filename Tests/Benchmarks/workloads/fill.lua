-- Fills the database with COUNT favorites of kind news, in one transaction.
local count = math.tointeger(tonumber(arg[1]))
local words = { "market", "battery", "engine", "电池", "library", "kernel", "review", "orbit" }

favorites.transaction(function()
  for i = 0, count - 1 do
    local word = words[i % #words + 1]
    favorites.insert("news", {
      link = "https://news.example.org/2026/05/story-" .. 1000000 + i,
      title = word .. " story " .. i .. " of the measured times",
      summary = "A summary as long as a sentence about " .. word .. " and what came of it.",
      author = "Author " .. i % 97,
      published = 1600000000 + i * 60,
    })
  end
end)
