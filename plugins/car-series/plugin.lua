--- @api 1
--- @summary Car series and types of nested or flat car lists, NHTSA vPIC and Google vehicle feeds

local catalog = require("catalog")
local gbase = require("gbase")
local nhtsa = require("nhtsa")

local M = {}

M.kinds = {
  car_series = {
    key = { "site", "id" },
    fields = {
      site = "text", id = "text", name = "text", brand = "text", maker = "text", price = "money",
      photo = "url", url = "url",
    },
    indexes = { "brand", "name", "price" },
  },
  car_type = {
    key = { "site", "uid" },
    fields = {
      site = "text", uid = "text", name = "text", series = "text", energy = "text",
      price = "money", photo = "url", url = "url",
    },
    indexes = { "series", "energy", "price" },
  },
}

---Whether the document is a catalogue of cars. A vehicle feed in RSS cannot be told from news by
---what precedes its items: such a source says `plugin = "car-series"`.
---@param feed table
---@return boolean
function M.accepts(feed)
  return nhtsa.accepts(feed) or catalog.accepts(feed)
end

---The series and types of the document, each with what stands above it; for RSS its entries.
---@param feed table
---@return table|nil
function M.items(feed)
  if feed.format ~= "json" then return nil end
  if nhtsa.accepts(feed) then return nhtsa.items(feed) end
  return catalog.items(feed)
end

---Maps a series (a line of cars) to a `car_series`, a model that one can buy to a `car_type`.
---@param item table
---@param feed table
---@return table|nil entity
---@return string|nil reason why the item is left out
function M.map(item, feed)
  if feed.format ~= "json" then return gbase.map(item, feed) end
  if type(item) ~= "table" then return nil, "not an object" end
  if item.role then return catalog.map(item, feed) end
  return nhtsa.map(item, feed)
end

return M
