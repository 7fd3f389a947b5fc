#!/usr/bin/env -S starling run
-- Groups of favorites, or of all that was seen, whose titles are nearly the same.
-- usage: starling run near-duplicates.lua [--all] [--least 0.6] [KIND...]
--   Titles are compared as sets of words, Chinese and Japanese ones of pairs of characters; --least
--   is the share of them that two titles must have in common, from 0 to 1. Of very many titles with
--   the same words each is compared with the hundred before it.
local usage <const> = "usage: starling run near-duplicates.lua [--all] [--least 0.6] [KIND...]"
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

local least, everything, kinds = 0.6, false, {}
do
  local index = 1
  while arg[index] do
    local word = arg[index]
    if word == "--all" then
      everything = true
    elseif word == "--least" then
      index = index + 1
      least = tonumber(arg[index] or "")
      if not least or not (least > 0 and least <= 1) then fail("--least wants 0 to 1") end
    elseif word:sub(1, 1) == "-" then
      fail("unknown option " .. word)
    else
      kinds[#kinds + 1] = word
    end
    index = index + 1
  end
  if not kinds[1] then
    for _, kind in ipairs(favorites.kinds()) do kinds[#kinds + 1] = kind.name end
  end
end

local known = {}
for _, kind in ipairs(favorites.kinds()) do known[kind.name] = true end
for _, name in ipairs(kinds) do
  if not known[name] then fail("there is no kind " .. name) end
end

local function add(tokens, token)
  if not tokens[token] then
    tokens[token] = true
    tokens[#tokens + 1] = token
  end
end

-- The words of a title in lower case; a run of characters beyond ASCII also as its pairs.
local function tokens_of(title)
  local tokens = {}
  for word in title:lower():gmatch("[%w\x80-\xFF]+") do
    if word:find("[\xE3-\xE9]") then
      local previous
      for character in word:gmatch("[%z\x01-\x7F\xC2-\xF4][\x80-\xBF]*") do
        if previous then add(tokens, previous .. character) end
        previous = character
      end
      if #tokens == 0 then add(tokens, word) end
    else
      add(tokens, word)
    end
  end
  return tokens
end

local function gather(kind)
  local list, frequency = {}, {}
  local rows = everything and entities or favorites
  for entity in rows.each(kind) do
    local title = entity.title or entity.name
    local tokens = title and tokens_of(title) or {}
    if tokens[1] then
      list[#list + 1] = { key = entity.key, title = title, tokens = tokens }
      for _, token in ipairs(tokens) do frequency[token] = (frequency[token] or 0) + 1 end
    end
  end
  return list, frequency
end

local function share(left, right)
  local common = 0
  for _, token in ipairs(left) do
    if right[token] then common = common + 1 end
  end
  return common / (#left + #right - common)
end

local function root_of(parents, index)
  while parents[index] ~= index do
    parents[index] = parents[parents[index]]
    index = parents[index]
  end
  return index
end

-- Two sets with a share of at least `least` in common have one of their rarest tokens in common,
-- the first `size - ceil(least * size) + 1` of each; so that only those are looked up. A word of a
-- series of titles, such as "Daily thread 5", is no rare one: of its holders the last are enough,
-- as they are of one group.
local most_compared <const> = 100

local function group(list, frequency)
  local parents, holders, best = {}, {}, {}
  for index, item in ipairs(list) do
    parents[index] = index
    local tokens = item.tokens
    table.sort(tokens, function(left, right)
      if frequency[left] ~= frequency[right] then return frequency[left] < frequency[right] end
      return left < right
    end)
    local compared = {}
    for place = 1, #tokens - math.ceil(least * #tokens) + 1 do
      local token = tokens[place]
      holders[token] = holders[token] or {}
      local others = holders[token]
      for number = math.max(1, #others - most_compared + 1), #others do
        local other = others[number]
        local is_apart = root_of(parents, index) ~= root_of(parents, other)
        if is_apart and not compared[other] then
          compared[other] = true
          local common = share(tokens, list[other].tokens)
          if common >= least then
            parents[root_of(parents, index)] = root_of(parents, other)
            best[index] = math.max(best[index] or 0, common)
            best[other] = math.max(best[other] or 0, common)
          end
        end
      end
      table.insert(holders[token], index)
    end
  end
  return parents, best
end

local groups_found = 0
for _, kind in ipairs(kinds) do
  local list, frequency = gather(kind)
  local parents, best = group(list, frequency)
  local groups, order = {}, {}
  for index in ipairs(list) do
    if best[index] then
      local root = root_of(parents, index)
      if not groups[root] then
        groups[root] = {}
        order[#order + 1] = root
      end
      table.insert(groups[root], index)
    end
  end
  for _, root in ipairs(order) do
    groups_found = groups_found + 1
    print(("%s, %d titles:"):format(kind, #groups[root]))
    for _, index in ipairs(groups[root]) do
      print(("  %3.0f %%  %s  %s"):format(best[index] * 100, list[index].key, list[index].title))
    end
  end
end
print(groups_found == 0 and "no near duplicates" or groups_found .. " groups")
