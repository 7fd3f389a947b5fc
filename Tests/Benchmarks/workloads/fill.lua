-- Fills the database with COUNT favorites of kind news, and a tenth as many of kind car_type, in
-- one transaction.
local count = math.tointeger(tonumber(arg[1]))
local words = { "market", "battery", "engine", "电池", "library", "kernel", "review", "orbit" }
local energies = { "EV", "PHEV", "petrol" }

local function news(i)
  local word = words[i % #words + 1]
  return {
    link = "https://news.example.org/2026/05/story-" .. 1000000 + i,
    title = word .. " story " .. i .. " of the measured times",
    summary = "A summary as long as a sentence about " .. word .. " and what came of it.",
    author = "Author " .. i % 97,
    image = "https://img.example.org/" .. i .. ".jpg",
    categories = { "Technology", word },
    published = 1600000000 + i * 60,
  }
end

local function car(i)
  local low = 80000 + i * 7919 % 400000
  return {
    site = "cars.example.org", uid = tostring(1000000 + i), name = "Car type " .. i,
    series = tostring(i // 8), energy = energies[i % 3 + 1],
    price = { low = low, high = low + 25000, currency = "CNY", text = low / 10000 .. "万起" },
  }
end

favorites.transaction(function()
  for i = 0, count - 1 do
    favorites.insert("news", news(i))
    if i % 10 == 0 then favorites.insert("car_type", car(i // 10)) end
  end
end)
