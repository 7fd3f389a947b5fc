#!/usr/bin/env -S starling run
-- How many favorites there are by kind, month, site, tag and cause; and of how many seen.
-- usage: starling run stats.lua [--top N]
--   --top limits the sites and tags that are listed; 10 when it is left out.
local usage <const> = "usage: starling run stats.lua [--top N]"
for _, word in ipairs(arg) do
  if word == "--help" or word == "-h" then
    print(usage)
    os.exit(0)
  end
end

local top = 10
if arg[1] then
  top = arg[1] == "--top" and math.tointeger(tonumber(arg[2]) or 0) or 0
  if top < 1 or arg[3] then
    log.warn(usage)
    os.exit(2)
  end
end

local function add(counts, name)
  counts[name] = (counts[name] or 0) + 1
end

local function site_of(entity)
  if entity.site then return entity.site end
  local address = entity.link or entity.url
  return address and url.host(address) or "(no site)"
end

local by_kind, by_month, by_site, by_tag, by_cause = {}, {}, {}, {}, {}
local seen, total = {}, 0
for _, kind in ipairs(favorites.kinds()) do
  seen[kind.name] = entities.count(kind.name)
  by_kind[kind.name] = 0
  for entity in favorites.each(kind.name, { causes = true }) do
    total = total + 1
    add(by_kind, kind.name)
    add(by_month, os.date("!%Y-%m", entity.starred_at))
    add(by_site, site_of(entity))
    for _, tag_name in ipairs(entity.tags or {}) do add(by_tag, tag_name) end
    for _, cause in ipairs(entity.causes) do
      add(by_cause, cause.rule and "rule " .. cause.rule or cause.script or cause.file or "by hand")
    end
  end
end

-- The names by falling count, then by name; or by name alone.
local function names_of(counts, by_name)
  local names = {}
  for name in pairs(counts) do names[#names + 1] = name end
  table.sort(names, function(left, right)
    if not by_name and counts[left] ~= counts[right] then return counts[left] > counts[right] end
    return left < right
  end)
  return names
end

local function bar(count, most)
  return ("#"):rep(math.ceil(count / most * 30))
end

local function section(title, counts, by_name, limit)
  local names = names_of(counts, by_name)
  if not names[1] then return end
  print("\n" .. title)
  local most = 1
  for _, name in ipairs(names) do most = math.max(most, counts[name]) end
  for index, name in ipairs(names) do
    if limit and index > limit then
      print(("        and %d more"):format(#names - limit))
      break
    end
    local of = counts == by_kind and (" of %d seen"):format(seen[name]) or ""
    print(("%7d  %-30s  %s%s"):format(counts[name], bar(counts[name], most), name, of))
  end
end

print(total .. " favorites")
section("by kind", by_kind)
section("by month of starring", by_month, true)
section("by site", by_site, false, top)
section("by tag", by_tag, false, top)
section("by cause", by_cause, false, top)
