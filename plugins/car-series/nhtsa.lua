-- NHTSA vPIC: GetModelsForMake and its variants, GetAllMakes and its variants, DecodeVinValues.
-- The spelling of members differs from call to call (Make_ID, MakeId, MakeID).
-- https://vpic.nhtsa.dot.gov/api/
local energy = require("energy")
local names = require("names")

local nhtsa = {}

---@param feed table
---@return boolean
function nhtsa.accepts(feed)
  local body = feed.format == "json" and feed.body
  return type(body) == "table" and type(body.Results) == "table"
    and (body.SearchCriteria ~= nil or body.Message ~= nil or body.Count ~= nil)
end

---The results; those of DecodeVin, a row per variable, become one.
---@param feed table
---@return table
function nhtsa.items(feed)
  local results = feed.body.Results
  local first = results[1]
  if type(first) ~= "table" or first.Variable == nil then return results end
  local car = {}
  for _, row in names.each(results) do
    if type(row) == "table" and type(row.Variable) == "string" then
      car[row.Variable:gsub("[^%w]", "")] = row.Value
    end
  end
  local criteria = feed.body.SearchCriteria
  car.VIN = car.VIN or type(criteria) == "string" and criteria:match("VIN:%s*(%w+)") or nil
  return { car }
end

local function text_of(node, name)
  return names.text(node, { name })
end

-- A make shares its numbers with the models, so that its id says what it is.
local function make(node, feed)
  local name = text_of(node, "makename")
  return {
    kind = "car_series",
    site = names.site(feed),
    id = "make-" .. node.makeid,
    name = name,
    brand = name,
    maker = text_of(node, "mfrname"),
  }
end

local function model(node, feed)
  return {
    kind = "car_series",
    site = names.site(feed),
    id = node.modelid,
    name = text_of(node, "modelname"),
    brand = text_of(node, "makename"),
  }
end

local function decoded(node, feed)
  local parts = {}
  for _, name in ipairs({ "modelyear", "make", "model", "trim" }) do
    parts[#parts + 1] = text_of(node, name)
  end
  local fuel = text_of(node, "electrificationlevel") or text_of(node, "fueltypeprimary")
  return {
    kind = "car_type",
    site = names.site(feed),
    uid = names.id(node, { "vin" }),
    name = parts[1] and table.concat(parts, " ") or nil,
    series = text_of(node, "model"),
    energy = fuel and energy.parse((fuel:gsub("%s*[%(%-].*$", ""))) or nil,
    price = money.parse(text_of(node, "baseprice"), "USD"),
  }
end

---@param item table
---@param feed table
---@return table|nil, string|nil
function nhtsa.map(item, feed)
  local node = names.members(item)
  if names.id(node, { "modelid" }) then return model(node, feed) end
  if node.modelname ~= nil then return nil, "a model without an id" end
  if names.id(node, { "makeid" }) then return make(node, feed) end
  if names.id(node, { "vin" }) then return decoded(node, feed) end
  return nil, "neither a model nor a make"
end

return nhtsa
