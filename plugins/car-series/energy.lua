-- What a car runs on, in one small vocabulary, so that `energy = is "EV"` works on every source:
-- EV, PHEV, EREV, HEV, MHEV, FCEV, petrol, diesel, CNG. Anything else is kept as published.
local names = require("names")

local energy = {}

local fields = names.list("energy energytype energytypename energyname energyform energysource "
  .. "fuel fueltype fueltypename fuelname fuelform powertype powertypename oiltype powersource")

-- The first that occurs decides: "插电式混合动力" is a hybrid too, "汽油+48V轻混系统" runs on petrol
-- too.
local words = {
  { "EREV", { "增程", "erev", "reev", "range ext", "range-ext" } },
  { "PHEV", { "插电", "插混", "phev", "plug-in", "plug in" } },
  { "MHEV", { "48v", "轻混", "轻度混", "mhev", "mild" } },
  { "FCEV", { "氢", "fuel cell", "fcev", "fcv" } },
  { "HEV", { "混动", "混合动力", "油电", "双擎", "电驱", "hev", "hybrid" } },
  { "EV", { "纯电", "电动", "electric", "bev" } },
  { "diesel", { "柴油", "diesel" } },
  { "petrol", { "汽油", "petrol", "gasoline" } },
  { "CNG", { "天然气", "cng", "natural gas" } },
}

local function one(published)
  local lower = published:lower()
  if lower == "ev" or lower == "电" then return "EV" end
  for _, entry in ipairs(words) do
    for _, word in ipairs(entry[2]) do
      if lower:find(word, 1, true) then return entry[1] end
    end
  end
  return published
end

---The energy of a text such as "纯电动" or "汽油/插电混动"; several are joined by "/".
---@param published string
---@return string
function energy.parse(published)
  local found, seen = {}, {}
  for part in published:gsub("、", "/"):gmatch("[^/,|;]+") do
    local value = one(text.trim(part))
    if value ~= "" and not seen[value] then
      seen[value] = true
      found[#found + 1] = value
    end
  end
  return table.concat(found, "/")
end

---The energy of a node with plain names; nil when it says none, or a bare code such as 3.
---@param node table
---@return string|nil
function energy.of(node)
  for _, name in ipairs(fields) do
    local value = node[name]
    if type(value) == "table" then
      local parts = {}
      for _, part in names.each(value) do
        if type(part) == "string" then parts[#parts + 1] = part end
      end
      value = parts[1] and table.concat(parts, "/") or value.name
    end
    if type(value) == "string" and value:find("[^%d%s]") and value ~= "-" and value ~= "--" then
      local parsed = energy.parse(text.plain(value))
      if parsed ~= "" then return parsed end
    end
  end
  return nil
end

return energy
