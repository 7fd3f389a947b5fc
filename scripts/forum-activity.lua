#!/usr/bin/env -S starling run
-- Where something happens: the forums with the most threads of late, and each one's liveliest.
-- usage: starling run forum-activity.lua [--since TIME] [--top N]
--   TIME is a duration (7d, 24h, 2w) or a date (2026-11-23); 7d when it is left out.
local usage <const> = "usage: starling run forum-activity.lua [--since TIME] [--top N]"
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

local since_text, top = "7d", 10
do
  local index = 1
  while arg[index] do
    local name, value = arg[index], arg[index + 1]
    if name ~= "--since" and name ~= "--top" then fail("unexpected " .. name) end
    if not value then fail(name .. " wants a value") end
    if name == "--since" then
      since_text = value
    else
      top = math.tointeger(tonumber(value))
      if not top or top < 1 then fail("--top wants a number from 1") end
    end
    index = index + 2
  end
end

-- What is no time is told when it is first asked with.
local recent <const> = { where = { published = since(since_text) } }
if not pcall(entities.count, "post", recent) then
  fail("no time, or no kind post: " .. since_text)
end

local places, order = {}, {}
for post in entities.each("post", recent) do
  local name = (post.site or "") .. "  " .. (post.forum or "(no forum)")
  local place = places[name]
  if not place then
    place = { name = name, threads = 0, replies = 0, starred = 0 }
    places[name] = place
    order[#order + 1] = place
  end
  place.threads = place.threads + 1
  place.replies = place.replies + (post.replies or 0)
  if favorites.contains("post", post.key) then place.starred = place.starred + 1 end
  if not place.liveliest or (post.replies or 0) > (place.liveliest.replies or 0) then
    place.liveliest = post
  end
end

table.sort(order, function(left, right)
  if left.threads ~= right.threads then return left.threads > right.threads end
  if left.replies ~= right.replies then return left.replies > right.replies end
  return left.name < right.name
end)

local function counted(count, noun)
  return count .. " " .. noun .. (count == 1 and "" or "s")
end

if not order[1] then print("no thread since " .. since_text) end
for rank, place in ipairs(order) do
  if rank > top then
    print("and " .. counted(#order - top, "forum") .. " more")
    break
  end
  print(("%s: %s, %d replies, %d starred"):format(place.name, counted(place.threads, "thread"),
    place.replies, place.starred))
  local post = place.liveliest
  print(("    %s (%d replies)  %s"):format(post.title or post.key, post.replies or 0,
    post.url or ""))
end
