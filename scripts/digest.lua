#!/usr/bin/env -S starling run
-- The favorites of the last week as Markdown, to mail to oneself or to publish.
-- usage: starling run digest.lua [--since TIME] [KIND...]
--   TIME is a duration (7d, 24h, 2w) or a date (2026-11-23); 7d when it is left out.
local usage <const> = "usage: starling run digest.lua [--since TIME] [KIND...]"
for _, word in ipairs(arg) do
  if word == "--help" or word == "-h" then
    print(usage)
    os.exit(0)
  end
end

local headings = {
  news = "News", post = "Threads", forum = "Forums", car_series = "Car series",
  car_type = "Cars",
}
local seconds_of = { m = 60, h = 3600, d = 86400, w = 7 * 86400, y = 365 * 86400 }

local function fail(message)
  log.warn(message .. "; " .. usage)
  os.exit(2)
end

local function cutoff_of(said)
  local count, unit = said:match("^(%d+)([mhdwy])$")
  if count then return os.time() - math.tointeger(count) * seconds_of[unit] end
  return time.parse(said) or fail("no time: " .. said)
end

local function options()
  local since_text, kinds, index = "7d", {}, 1
  while arg[index] do
    local word = arg[index]
    if word == "--since" then
      index = index + 1
      since_text = arg[index] or fail("--since wants a time")
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
  return cutoff_of(since_text), kinds
end

local function escaped(plain)
  return (plain:gsub("[\\`*_%[%]<>#|]", "\\%0"):gsub("&(#?%w+;)", "\\&%1")
    :gsub("%s+", " "))
end

-- An address of the web as the target of a link: a feed may have written anything into it.
local function target(address)
  if not address or not address:lower():find("^https?://") then return nil end
  return (address:gsub("[%c%s<>\\`\"]", function(byte)
    return ("%%%02X"):format(byte:byte())
  end))
end

local function short(plain, longest)
  if #plain <= longest then return plain end
  -- Never inside a character, and before the last word when that is near.
  local cut = plain:sub(1, longest):gsub("[\xC0-\xFF][\x80-\xBF]*$", "")
  local blank = cut:find("%s+%S*$")
  if blank and blank > #cut - 40 then cut = cut:sub(1, blank - 1) end
  return cut .. " …"
end

local function day(seconds)
  return (os.date("!%d %B %Y", seconds):gsub("^0", ""))
end

-- The rules and hands that starred it, each once.
local function reasons(entity)
  local list, seen = {}, {}
  for _, cause in ipairs(entity.causes) do
    local reason = cause.rule or cause.script or cause.file or "by hand"
    if not seen[reason] then
      seen[reason] = true
      list[#list + 1] = escaped(reason)
    end
  end
  return table.concat(list, ", ")
end

local function print_entity(entity)
  local title = escaped(entity.title or entity.name or entity.key)
  local address = target(entity.link or entity.url)
  local line = address and ("- [%s](<%s>)"):format(title, address) or "- " .. title
  local facts = {}
  if entity.price then facts[#facts + 1] = escaped(entity.price.text) end
  if entity.energy then facts[#facts + 1] = escaped(entity.energy) end
  if entity.author then facts[#facts + 1] = escaped(entity.author) end
  if entity.replies then facts[#facts + 1] = entity.replies .. " replies" end
  if entity.published then facts[#facts + 1] = day(entity.published) end
  if facts[1] then line = line .. " — " .. table.concat(facts, ", ") end
  print(line)
  local summary = entity.summary or entity.description
  if summary then print("  " .. escaped(short(summary, 240))) end
  if entity.note then print("  *" .. escaped(entity.note) .. "*") end
  local tags = ""
  for _, name in ipairs(entity.tags or {}) do tags = tags .. " `" .. name:gsub("`", "'") .. "`" end
  print("  (" .. reasons(entity) .. ")" .. tags)
end

local cutoff, kinds = options()
print("# Starred since " .. day(cutoff))
local total = 0
for _, kind in ipairs(kinds) do
  local count = 0
  -- Favorites come with the newest star first: the first that is too old ends the walk.
  for entity in favorites.each(kind, { causes = true }) do
    if entity.starred_at < cutoff then break end
    if count == 0 then print("\n## " .. (headings[kind] or kind) .. "\n") end
    count = count + 1
    print_entity(entity)
  end
  total = total + count
end
if total == 0 then print("\nNothing.") end
