#!/usr/bin/env -S starling run
-- Car types side by side as a Markdown table, the cheapest first.
-- usage: starling run compare-cars.lua [--tag TAG] [--below PRICE] [--energy E] [WORD...]
--   Without words the favorites; with words all types seen whose name or series has one of them.
--   PRICE is as catalogues write it: 20万, 199800.
local usage <const> = "usage: starling run compare-cars.lua [--tag TAG] [--below PRICE] "
  .. "[--energy E] [WORD...]"
for _, word in ipairs(arg) do
  if word == "--help" or word == "-h" then
    print(usage)
    os.exit(0)
  end
end

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
  return (tostring(value or ""):gsub("[\\`*_%[%]<>|]", "\\%0"):gsub("&(#?%w+;)", "\\&%1")
    :gsub("%s+", " "))
end

-- An address of the web as the target of a link: a feed may have written anything into it.
local function target(address)
  if not address or not address:lower():find("^https?://") then return nil end
  return (address:gsub("[%c%s<>\\`\"|]", function(byte)
    return ("%%%02X"):format(byte:byte())
  end))
end

-- How much more than the cheapest of its currency.
local function difference(car)
  local price = car.price
  if not price or not price.low then return "" end
  for _, other in ipairs(cars) do
    local cheapest = other.price
    if cheapest and cheapest.low and cheapest.currency == price.currency then
      if cheapest.low == price.low then return "" end
      return ("+%.0f %%"):format((price.low / cheapest.low - 1) * 100)
    end
  end
  return ""
end

if not cars[1] then
  print("no car")
else
  print("| Car | Series | Energy | Price | More | Starred |")
  print("|---|---|---|---|---|---|")
  for _, car in ipairs(cars) do
    local name = cell(car.name or car.uid)
    local address = target(car.url)
    if address then name = ("[%s](<%s>)"):format(name, address) end
    print(("| %s | %s | %s | %s | %s | %s |"):format(name, cell(car.series), cell(car.energy),
      cell(car.price and car.price.text), difference(car),
      favorites.contains("car_type", car.key) and "yes" or ""))
  end
end
