#!/usr/bin/env -S starling run
-- Favorites as a bookmark file that every browser imports, a folder per kind.
-- usage: starling run bookmarks-html.lua [--tag TAG] [KIND...] > BOOKMARKS.html
local usage <const> = "usage: starling run bookmarks-html.lua [--tag TAG] [KIND...]"
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

local tag_name, kinds = nil, {}
do
  local index = 1
  while arg[index] do
    local word = arg[index]
    if word == "--tag" and arg[index + 1] then
      index = index + 1
      tag_name = arg[index]
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

local entity_of = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }
local function html(value)
  return (tostring(value):gsub('[&<>"]', entity_of):gsub("%c", " "))
end

local function print_bookmark(entity, address)
  local tags = entity.tags and entity.tags[1]
    and (' TAGS="%s"'):format(html(table.concat(entity.tags, ","))) or ""
  print(('        <DT><A HREF="%s" ADD_DATE="%d"%s>%s</A>'):format(html(address),
    entity.starred_at, tags, html(entity.title or entity.name or address)))
  local note = entity.note or entity.summary
  if note then print("        <DD>" .. html(note)) end
end

-- A feed's `javascript:` link would be a bookmark that runs.
local function is_of_the_web(address)
  return address:lower():find("^https?://") ~= nil
end

print("<!DOCTYPE NETSCAPE-Bookmark-file-1>")
print('<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">')
print("<TITLE>Bookmarks</TITLE>")
print("<H1>Bookmarks</H1>")
print("<DL><p>")
local without_address = 0
for _, kind in ipairs(kinds) do
  local open = false
  for entity in favorites.each(kind, { tag = tag_name }) do
    local address = entity.link or entity.url
    if address and is_of_the_web(address) then
      if not open then
        open = true
        print("    <DT><H3>" .. html(kind) .. "</H3>")
        print("    <DL><p>")
      end
      print_bookmark(entity, address)
    else
      without_address = without_address + 1
    end
  end
  if open then print("    </DL><p>") end
end
print("</DL><p>")
if without_address > 0 then log.warn(without_address .. " favorites have no address of the web") end
