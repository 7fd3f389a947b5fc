#!/usr/bin/env -S starling run
-- Favorites that cost less, or more, than when a rule starred them.
-- usage: starling run price-drops.lua [--all] [KIND...]
--   Each rule keeps the values that it saw; a price that it looked at is compared with today's.
--   Only drops are shown without --all. KIND is car_type and car_series when it is left out.
local usage <const> = "usage: starling run price-drops.lua [--all] [KIND...]"
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

local everything, kinds = false, {}
for _, word in ipairs(arg) do
  if word == "--all" then
    everything = true
  elseif word:sub(1, 1) == "-" then
    fail("unknown option " .. word)
  else
    kinds[#kinds + 1] = word
  end
end
local known = {}
for _, kind in ipairs(favorites.kinds()) do known[kind.name] = true end
for _, name in ipairs(kinds) do
  if not known[name] then fail("there is no kind " .. name) end
end
if not kinds[1] then
  for _, name in ipairs({ "car_type", "car_series" }) do
    if known[name] then kinds[#kinds + 1] = name end
  end
end

-- The first price that a rule saw, with the rule's name.
local function price_seen(entity)
  for _, cause in ipairs(entity.causes) do
    for _, clause in ipairs(cause.evidence or {}) do
      local price = clause.field == "price" and money.parse(clause.value)
      if price and price.low then return price, cause.rule end
    end
  end
  return nil
end

-- Amounts of two currencies say nothing of each other.
local function is_comparable(price, other)
  return price.low and other.low
    and (price.currency or other.currency) == (other.currency or price.currency)
end

local changes = {}
for _, kind in ipairs(kinds) do
  for entity in favorites.each(kind, { causes = true }) do
    local seen, rule_name = price_seen(entity)
    local now = entity.price
    if seen and now and is_comparable(now, seen) and now.low ~= seen.low then
      changes[#changes + 1] = {
        entity = entity, seen = seen, rule = rule_name, share = now.low / seen.low - 1,
      }
    end
  end
end

table.sort(changes, function(left, right)
  if left.share ~= right.share then return left.share < right.share end
  return left.entity.key < right.entity.key
end)

local shown = 0
for _, change in ipairs(changes) do
  if everything or change.share < 0 then
    shown = shown + 1
    local entity = change.entity
    print(("%+6.1f %%  %s  %s, was %s  (%s)"):format(change.share * 100,
      entity.name or entity.title or entity.key, entity.price.text, change.seen.text,
      change.rule or "by hand"))
  end
end
if shown == 0 then print(everything and "no price has changed" or "no price has dropped") end
