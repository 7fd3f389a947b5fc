-- Vehicles in RSS with Google's g: elements: each item is one car for sale. Their guids are often
-- the same for all, so the vehicle's own number comes first.
local energy = require("energy")
local names = require("names")

local gbase = {}

local function value(item, name)
  local element = item["g:" .. name]
  if type(element) == "table" then element = element.text end
  if type(element) ~= "string" then return nil end
  element = text.plain(element)
  return element ~= "" and element or nil
end

---@param item table
---@param feed table
---@return table|nil, string|nil
function gbase.map(item, feed)
  if not (value(item, "make") or value(item, "vehicle_type") or value(item, "vin")) then
    return nil, "no vehicle: neither g:make nor g:vin"
  end
  local uid = value(item, "vin") or value(item, "id") or item.id or item.url
  if not uid then return nil, "a vehicle without an id" end
  local link = item.url and url.canonical(item.url)
  local fuel = value(item, "fuel_type") or value(item, "engine")
  return {
    kind = "car_type",
    site = names.site(feed, link),
    uid = uid,
    name = item.title and text.plain(item.title),
    series = value(item, "model"),
    energy = fuel and energy.parse(fuel),
    price = money.parse(value(item, "price"), value(item, "currency")),
    photo = value(item, "image_link"),
    url = link,
  }
end

return gbase
