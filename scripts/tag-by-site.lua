#!/usr/bin/env -S starling run
-- Tags each favorite with the site that it is from.
-- usage: starling run tag-by-site.lua [--dry-run] [--prefix TEXT] [KIND...]
--   `www.` is left out, and --prefix put before: --prefix site: gives site:example.org.
local usage <const> = "usage: starling run tag-by-site.lua [--dry-run] [--prefix TEXT] [KIND...]"
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

local dry, prefix, kinds = false, "", {}
do
  local index = 1
  while arg[index] do
    local word = arg[index]
    if word == "--dry-run" then
      dry = true
    elseif word == "--prefix" and arg[index + 1] then
      index = index + 1
      prefix = arg[index]
    elseif word:sub(1, 1) == "-" then
      fail("unknown option " .. word)
    else
      kinds[#kinds + 1] = word
    end
    index = index + 1
  end
  local known = {}
  for _, kind in ipairs(favorites.kinds()) do known[kind.name] = true end
  for _, name in ipairs(kinds) do
    if not known[name] then fail("there is no kind " .. name) end
  end
  if not kinds[1] then
    for _, kind in ipairs(favorites.kinds()) do kinds[#kinds + 1] = kind.name end
  end
end

local function tag_of(entity)
  local address = entity.link or entity.url
  local site = entity.site or address and url.host(address)
  return site and prefix .. site:gsub("^www%.", "") or nil
end

local function has_tag(entity, name)
  for _, tag_name in ipairs(entity.tags or {}) do
    if tag_name == name then return true end
  end
  return false
end

local waiting, counts, order = {}, {}, {}
for _, kind in ipairs(kinds) do
  for entity in favorites.each(kind) do
    local name = tag_of(entity)
    if name and not has_tag(entity, name) then
      waiting[#waiting + 1] = { kind = kind, key = entity.key, tag = name }
      if not counts[name] then order[#order + 1] = name end
      counts[name] = (counts[name] or 0) + 1
    end
  end
end

if not dry then
  favorites.transaction(function()
    for _, one in ipairs(waiting) do favorites.tag(one.kind, one.key, one.tag) end
  end)
end

table.sort(order)
for _, name in ipairs(order) do print(("%5d  %s"):format(counts[name], name)) end
print((dry and "would tag " or "tagged ") .. #waiting)
