-- Car lists of any nesting: brands hold makers or series, makers series, series types, with
-- wrappers (data, result, list), letters ("A": [...]) and groups (years, displacements) between
-- them; or flat lists of series or types.
local energy = require("energy")
local names = require("names")
local price = require("price")

local catalog = {}

local deepest <const> = 12

-- What the elements of a list are, by the list's name: a word here, with "car" or "vehicle" before
-- it or not, and "list", "items", "array" or "s" after it or not.
local words = {}
for role, list in pairs({
  brand = "brand make master masterbrand",
  maker = "fct factory factorie manufacturer maker company companie subbrand producer",
  series = "series serie serial line brandseries brandserie subserie chexi",
  type = "spec type trim style variant version sale onsale",
  model = "model",
  child = "children child subs sub",
  group = "year group displacement engine letter level data result list item row content body "
    .. "info response payload record d",
}) do
  for word in list:gmatch("%S+") do words[word] = role end
end

local function find_role(name)
  if type(name) ~= "string" or name:find("^%d+$") or name:find("^%a$") then return "group" end
  if words[name] then return words[name] end
  local bare = name:gsub("lists?$", ""):gsub("items$", ""):gsub("array$", ""):gsub("infos?$", "")
  if bare == "" then return "group" end
  if bare == "car" or bare == "cars" or bare == "vehicle" or bare == "vehicles" then
    return "type"
  end
  bare = bare:gsub("^onlineall", ""):gsub("^car", ""):gsub("^vehicle", "")
  return words[bare] or words[(bare:gsub("s$", ""))]
end

-- By plain name; `false` for a name that means nothing here.
local roles, role_count = {}, 0
local most_roles <const> = 2000

local function role_of(name)
  name = names.plain(name)
  local role = roles[name]
  if role == nil then
    role = find_role(name) or false
    if role_count < most_roles then
      roles[name] = role
      role_count = role_count + 1
    end
  end
  return role
end

local ids = {
  series = names.list("seriesid serialid lineid carseriesid csid seriescode id modelid concernid"),
  type = names.list("uid specid typeid cartypeid carid trimid styleid modelid variantid "
    .. "typecode speccode id"),
}
local own_names = {
  brand = names.list("brandname makename masterbrandname mastername name title value brand make"),
  maker = names.list("fctname factoryname manufacturername makername companyname subbrandname "
    .. "brandname name title"),
  series = names.list("seriesname serialname linename carseriesname outtername showname name title "
    .. "modelname series"),
  type = names.list("specname typename cartypename carname trimname stylename variantname "
    .. "modelname name title"),
}
local brand_names = names.list("brandname makename masterbrandname brand make brandinfo")
local maker_names = names.list("fctname factoryname manufacturername makername companyname "
  .. "subbrandname manufacturer maker factory company fct")
local series_names = names.list("seriesname serialname linename carseriesname series serial line")
local photos = names.list("photo photourl photos pic picurl pics picture pictureurl image imageurl "
  .. "images img imgurl cover coverurl coverimg coverimage seriespicurl seriespic seriesimg "
  .. "seriesimage specpic specimg carpic carimg pngurl whitephoto thumb thumbnail logo")
local addresses = names.list("url link href weburl murl pcurl shareurl detailurl pageurl seriesurl "
  .. "specurl")

local type_ids = names.list("uid specid typeid cartypeid trimid styleid variantid")
local series_ids = names.list("seriesid serialid lineid carseriesid seriescode")
local bare_names = names.list("name title carname modelname")
local type_signs = names.list("energy energytype energytypename fuel fueltype fueltypename "
  .. "powertype transmission gearbox engine displacement seats")
local post_signs = names.list("postid topicid threadid tid forumid newsid replies replycount")

-- The lists and objects below a node: { role =, value = }, in the order of the document. Below a
-- wrapper that names none of them, everything is looked at.
local function children_of(node)
  local found, others = {}, {}
  for name, value in pairs(node) do
    if type(value) == "table" then
      local role = role_of(name)
      local list = role and found or others
      list[#list + 1] = { role = role or "group", value = value }
    end
  end
  return found, others
end

local function has_child(children, role)
  for _, child in ipairs(children) do
    if child.role == role and #child.value > 0 then return true end
  end
  return false
end

local function has_types(children)
  return has_child(children, "type") or has_child(children, "model")
end

-- Trees that call every level `children`: brands, series, types from the top; two levels are brands
-- and series.
local function classify_nested(members, children, role, above)
  if above.series then return "type" end
  if above.brand then return "series" end
  if not names.text(members, own_names.brand) then return "group" end
  return (has_child(children, "child") or role ~= "child") and "brand" or "series"
end

-- What an object is: "brand", "maker", "series", "type", or "group" for what only holds others.
local function classify(members, children, role, above)
  if role == "brand" or role == "maker" or role == "series" or role == "type" then
    -- { letter: "A", list: [...] } inside a list of brands is a group of them.
    if names.text(members, own_names[role]) or names.id(members, ids[role] or {}) then
      return role
    end
    return "group"
  end
  if role == "model" then
    if above.series then return "type" end
    if has_types(children) then return "series" end
    return (names.first(members, type_ids) or names.first(members, type_signs)) and "type"
      or "series"
  end
  if role == "child" or has_child(children, "child") then
    return classify_nested(members, children, role, above)
  end
  local below_brand = has_child(children, "series") or has_child(children, "maker")
  if below_brand then
    if has_child(children, "maker") or names.first(members, brand_names) or not above.brand then
      return names.text(members, own_names.brand) and "brand" or "group"
    end
    return names.text(members, own_names.maker) and "maker" or "group"
  end
  if has_types(children) then
    if names.first(members, series_ids) then return "series" end
    -- A displacement or a year holds types as well, but is inside a series, or has no id.
    if above.series or not names.id(members, ids.series) then return "group" end
    return above.brand and "series" or names.text(members, own_names.brand) and "brand" or "group"
  end
  if names.id(members, type_ids) then return "type" end
  local series_id = names.id(members, series_ids)
  local of_series = series_id or names.first(members, series_names)
  if of_series and names.id(members, { "carid", "modelid" }) then return "type" end
  -- A row with an id and a name of its own only refers to its series; else it is the series.
  if of_series and members.id ~= nil and tostring(members.id) ~= tostring(series_id)
    and names.first(members, bare_names) then
    return "type"
  end
  if series_id then return "series" end
  if children[1] and not (names.id(members, { "id" }) and names.text(members, { "name" })) then
    return "group"
  end
  if not names.id(members, { "id", "carid", "modelid" }) then
    return names.first(members, brand_names) and "brand" or "group"
  end
  if above.series or names.first(members, type_signs) then return "type" end
  return names.text(members, own_names.series) and "series" or "group"
end

local visit

local function visit_object(found, node, role, above, depth)
  local members = names.members(node)
  local children, others = children_of(node)
  -- { type: 1, info: { ... } }: the object is what its `info` says.
  if type(members.info) == "table" and #members.info == 0
    and not names.id(members, ids.type) then
    return visit_object(found, members.info, role, above, depth + 1)
  end
  local kind = classify(members, children, role, above)
  local below, child_role = above, role
  if kind ~= "group" then
    local name = names.text(members, own_names[kind])
    -- A page about one series may say no more of it than its number.
    local known = name or kind == "series" and names.text(members, series_ids)
    below = setmetatable({ [kind] = known or nil }, { __index = above })
    child_role = nil
    if kind == "series" then below.energy = energy.of(members) end
    if kind == "type" or kind == "series" and (name or not children[1]) then
      found[#found + 1] = { role = kind, node = node, above = above }
    end
  elseif names.text(members, brand_names) then
    below = setmetatable({ brand = names.text(members, brand_names) }, { __index = above })
  end
  if kind == "type" then return end
  if not children[1] and kind == "group" then children = others end
  for _, child in ipairs(children) do
    local next_role = child.role
    if next_role == "group" then next_role = child_role end
    visit(found, child.value, next_role, below, depth + 1)
  end
end

-- A list whose name does not say what it holds is one of types when most of its first elements
-- are: a type that lacks its id is no series for that.
local function role_of_elements(list, above)
  local looked, types = math.min(#list, 5), 0
  for index = 1, looked do
    local element = list[index]
    if type(element) == "table"
      and classify(names.members(element), children_of(element), nil, above) == "type" then
      types = types + 1
    end
  end
  return types * 2 > looked and "type" or nil
end

function visit(found, value, role, above, depth)
  if depth > deepest then return end
  if #value > 0 then
    role = role or role_of_elements(value, above)
    for _, element in names.each(value) do
      if type(element) == "table" then
        if role == "type" and not children_of(element)[1] then
          -- Most nodes are types; what one lacks is said when it is mapped.
          found[#found + 1] = { role = role, node = element, above = above }
        else
          visit(found, element, role, above, depth + 1)
        end
      end
    end
  else
    visit_object(found, value, role, above, depth)
  end
end

-- Names that only a catalogue of cars has count 2, those that others have too count 1.
local strong = names.set("brandlist brandid brandname brandcode carbrands seriesid seriesname "
  .. "serieslist seriesitems seriescode carseries serialid serialname fctlist fctname fctitems "
  .. "speclist specid specname specitems carlist carid carname lineid linename energytype "
  .. "fueltype guideprice officialprice cartype cartypes factorylist brandseries")
local weak = names.set("brand brands series price energy models model specs spec makes make "
  .. "minprice maxprice maker makers trims trim types uid fuel factory factories lines photo")

local function weigh(value, seen, depth)
  if depth > 7 or type(value) ~= "table" then return 0 end
  local score = 0
  for name, member in pairs(value) do
    if type(name) == "number" then
      if name > 3 then break end
    else
      local plain = names.plain(name)
      if not seen[plain] then
        seen[plain] = true
        score = score + (strong[plain] and 2 or weak[plain] and 1 or 0)
      end
      if type(member) == "string" and not seen["万"]
        and (member:find("%d万$") or member == "暂无报价") then
        seen["万"] = true
        score = score + 2
      end
    end
    if type(member) == "table" then score = score + weigh(member, seen, depth + 1) end
  end
  return score
end

---Whether a JSON document reads like a catalogue of cars.
---@param feed table
---@return boolean
function catalog.accepts(feed)
  if feed.format ~= "json" or type(feed.body) ~= "table" then return false end
  local seen = {}
  local score = weigh(feed.body, seen, 1)
  return score >= 3 and not names.first(seen, post_signs)
end

---All series and types: { role = "series" | "type", node =, above = { brand, maker, series } }.
---@param feed table
---@return table[]
function catalog.items(feed)
  local found = {}
  local level = feed.options and feed.options.level
  if type(feed.body) == "table" then visit(found, feed.body, level, {}, 1) end
  return found
end

local function series(node, above, feed)
  local id = names.id(node, ids.series)
  if not id then return nil, "a series without an id" end
  local link = url.canonical(names.address(node, addresses, feed))
  return {
    kind = "car_series",
    site = names.site(feed, link),
    id = id,
    name = names.text(node, own_names.series),
    brand = names.text(node, brand_names) or above.brand,
    maker = names.text(node, maker_names) or above.maker,
    price = price.of(node, feed),
    photo = names.address(node, photos, feed),
    url = link,
  }
end

local function car_type(node, above, feed)
  local uid = names.id(node, ids.type)
  if not uid then return nil, "a type without an id" end
  local link = url.canonical(names.address(node, addresses, feed))
  local inherited = above.energy
  -- A series of several energies does not say which its types have.
  if inherited and inherited:find("/", 1, true) then inherited = nil end
  local own = energy.of(node)
  return {
    kind = "car_type",
    site = names.site(feed, link),
    uid = uid,
    name = names.text(node, own_names.type),
    series = names.text(node, series_names) or above.series
      or names.id(node, { "seriesid", "serialid", "lineid" }),
    energy = own or inherited,
    price = price.of(node, feed),
    photo = names.address(node, photos, feed),
    url = link,
  }
end

---@param item table
---@param feed table
---@return table|nil, string|nil
function catalog.map(item, feed)
  local node = names.members(item.node)
  if item.role == "series" then return series(node, item.above, feed) end
  return car_type(node, item.above, feed)
end

return catalog
