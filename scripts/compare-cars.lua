#!/usr/bin/env -S starling run
-- Car types side by side as a Markdown table, the cheapest first.
-- usage: starling run compare-cars.lua [--tag TAG] [--below PRICE] [--energy E] [WORD...]
--   Without words the favorites; with words all types seen whose name or series has one of them.
--   PRICE is as catalogues write it: 20万, 199800.
local usage <const> = "usage: starling run compare-cars.lua [--tag TAG] [--below PRICE] "
  .. "[--energy E] [WORD...]"

local function fail(message)
  log.warn(message .. "; " .. usage)
  os.exit(2)
end

local asked, words = {}, {}
do
  local index = 1
  while arg[index] do
    local word = arg[index]
    if word == "--tag" or word == "--below" or word == "--energy" then
      index = index + 1
      asked[word:sub(3)] = arg[index] or fail(word .. " wants a value")
    elseif word:sub(1, 1) == "-" then
      fail("unknown option " .. word)
    elseif not word:find("%S") then
      fail("a word is empty")
    else
      words[#words + 1] = word
    end
    index = index + 1
  end
end

if asked.below then
  local price = money.parse(asked.below)
  if not price or not price.low then fail("no price: " .. asked.below) end
end

local function conditions()
  local where = {}
  if asked.below then where.price = below(asked.below) end
  if asked.energy then where.energy = is(asked.energy) end
  return where
end

local cars, seen = {}, {}
local function gather(rows, where)
  for car in rows.each("car_type", { where = where, tag = asked.tag }) do
    if not seen[car.key] then
      seen[car.key] = true
      cars[#cars + 1] = car
    end
  end
end

if words[1] then
  for _, name in ipairs({ "name", "series" }) do
    local where = conditions()
    where[name] = has(words)
    gather(asked.tag and favorites or entities, where)
  end
else
  gather(favorites, conditions())
end

table.sort(cars, function(left, right)
  local low = left.price and left.price.low or math.huge
  local other = right.price and right.price.low or math.huge
  if low ~= other then return low < other end
  return left.key < right.key
end)

local function cell(value)
  return (tostring(value or ""):gsub("|", "\\|"):gsub("%s+", " "))
end

-- How much more than the cheapest.
local function difference(car)
  local cheapest = cars[1].price and cars[1].price.low
  local low = car.price and car.price.low
  if not cheapest or not low then return "" end
  return low == cheapest and "" or ("+%.0f %%"):format((low / cheapest - 1) * 100)
end

if not cars[1] then
  print("no car")
else
  print("| Car | Series | Energy | Price | More | Starred |")
  print("|---|---|---|---|---|---|")
  for _, car in ipairs(cars) do
    local name = cell(car.name or car.uid)
    if car.url then name = ("[%s](<%s>)"):format(name, car.url) end
    print(("| %s | %s | %s | %s | %s | %s |"):format(name, cell(car.series), cell(car.energy),
      cell(car.price and car.price.text), difference(car),
      favorites.contains("car_type", car.key) and "yes" or ""))
  end
end
