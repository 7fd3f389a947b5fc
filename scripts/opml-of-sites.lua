#!/usr/bin/env -S starling run
-- The sites of the favorites as OPML, the most starred first: a start for a list of subscriptions.
-- usage: starling run opml-of-sites.lua [--least N] > SITES.opml
--   Sites with fewer than N favorites are left out; 1 when it is not given.
local usage <const> = "usage: starling run opml-of-sites.lua [--least N]"
for _, word in ipairs(arg) do
  if word == "--help" or word == "-h" then
    print(usage)
    os.exit(0)
  end
end

local least = 1
if arg[1] then
  least = arg[1] == "--least" and math.tointeger(tonumber(arg[2]) or 0) or 0
  if least < 1 or arg[3] then
    log.warn(usage)
    os.exit(2)
  end
end

local entity_of = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }
local function attribute(value)
  return (tostring(value):gsub('[&<>"]', entity_of):gsub("%c", " "))
end

local sites, order = {}, {}
for _, kind in ipairs(favorites.kinds()) do
  for entity in favorites.each(kind.name) do
    local address = entity.link or entity.url
    local parts = address and address:lower():find("^https?://") and url.parse(address)
    local name = parts and parts.host or entity.site
    if name then
      local site = sites[name]
      if not site then
        site = { name = name, count = 0, kinds = {}, scheme = "https" }
        sites[name] = site
        order[#order + 1] = site
      end
      site.count = site.count + 1
      site.scheme = parts and parts.scheme or site.scheme
      if not site.kinds[kind.name] then
        site.kinds[kind.name] = true
        table.insert(site.kinds, kind.name)
      end
    end
  end
end

table.sort(order, function(left, right)
  if left.count ~= right.count then return left.count > right.count end
  return left.name < right.name
end)

print('<?xml version="1.0" encoding="UTF-8"?>')
print('<opml version="2.0">')
print("  <head><title>Sites of favorites</title></head>")
print("  <body>")
for _, site in ipairs(order) do
  if site.count >= least then
    print(('    <outline type="link" text="%s" url="%s" category="%s" description="%s"/>'):format(
      attribute(site.name), attribute(site.scheme .. "://" .. site.name .. "/"),
      attribute(table.concat(site.kinds, ",")),
      site.count == 1 and "1 favorite" or site.count .. " favorites"))
  end
end
print("  </body>")
print("</opml>")
