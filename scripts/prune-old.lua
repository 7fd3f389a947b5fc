#!/usr/bin/env -S starling run
-- Takes back old favorites that nobody touched: starred by rules only, without a note.
-- usage: starling run prune-old.lua [--older-than DAYS] [--kind KIND] [--keep-tag TAG] [--yes]
--   It only lists them until --yes is given. 365 days when it is left out. It refuses nothing: a
--   rule may star them again. `starling undo --run ID` brings all of them back.
local usage <const> = "usage: starling run prune-old.lua [--older-than DAYS] [--kind KIND] "
  .. "[--keep-tag TAG] [--yes]"
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

local asked, index = { ["older-than"] = "365" }, 1
while arg[index] do
  local word = arg[index]
  if word == "--yes" then
    asked.yes = true
  elseif word == "--older-than" or word == "--kind" or word == "--keep-tag" then
    index = index + 1
    asked[word:sub(3)] = arg[index] or fail(word .. " wants a value")
  else
    fail("unexpected " .. word)
  end
  index = index + 1
end

local known = {}
for _, kind in ipairs(favorites.kinds()) do known[kind.name] = true end
if asked.kind and not known[asked.kind] then fail("there is no kind " .. asked.kind) end

local days = tonumber((asked["older-than"]:gsub("d$", "")))
if not days or days < 0 then fail("--older-than wants a number of days") end
local cutoff = os.time() - math.floor(days * 86400)

local function is_kept(entity)
  if entity.note then return true end
  for _, tag_name in ipairs(entity.tags or {}) do
    if tag_name == asked["keep-tag"] then return true end
  end
  for _, cause in ipairs(entity.causes) do
    if not cause.rule then return true end
  end
  return false
end

local old = {}
for _, kind in ipairs(favorites.kinds()) do
  if not asked.kind or asked.kind == kind.name then
    for entity in favorites.each(kind.name, { causes = true }) do
      if entity.starred_at < cutoff and not is_kept(entity) then
        old[#old + 1] = { kind = kind.name, entity = entity }
      end
    end
  end
end

for _, one in ipairs(old) do
  local entity = one.entity
  print(("%s  %s  %s  %s"):format(os.date("!%Y-%m-%d", entity.starred_at), one.kind, entity.key,
    entity.title or entity.name or ""))
end
if asked.yes then
  favorites.transaction(function()
    for _, one in ipairs(old) do favorites.delete(one.kind, one.entity.key) end
  end)
  print("took back " .. #old)
else
  print(#old .. " would be taken back; say --yes to do it")
end
