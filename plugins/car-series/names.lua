-- Members of a JSON object by plain names: every catalogue spells seriesId in its own way
-- (series_id, SeriesID, seriesid), so names are compared in lower case without `_` and `-`.
local names = {}

---The words of a text as a list, as a table is tedious to write.
---@param words string
---@return string[]
function names.list(words)
  local result = {}
  for word in words:gmatch("%S+") do result[#result + 1] = word end
  return result
end

---The words of a text as a set.
---@param words string
---@return table<string, boolean>
function names.set(words)
  local result = {}
  for word in words:gmatch("%S+") do result[word] = true end
  return result
end

-- A catalogue has few names and uses each thousands of times.
local plain_names, plain_count = {}, 0
local most_plain_names <const> = 2000

---@param name any
---@return any
function names.plain(name)
  local plain = plain_names[name]
  if plain then return plain end
  if type(name) ~= "string" then return name end
  plain = name:lower():gsub("[_%-]", "")
  if plain_count < most_plain_names then
    plain_names[name] = plain
    plain_count = plain_count + 1
  end
  return plain
end

---The members of an object under their plain names.
---@param node table
---@return table
function names.members(node)
  local result = {}
  for name, value in pairs(node) do result[names.plain(name)] = value end
  return result
end

---The first of these members that says something: not absent, not empty.
---@param node table
---@param candidates string[]
---@return any
function names.first(node, candidates)
  for _, name in ipairs(candidates) do
    local value = node[name]
    if value ~= nil and value ~= "" then return value end
  end
  return nil
end

---The first of these members that is an id: a number other than 0, or text.
---@param node table
---@param candidates string[]
---@return string|integer|nil
function names.id(node, candidates)
  for _, name in ipairs(candidates) do
    local value = node[name]
    local kind = type(value)
    if kind == "number" and value ~= 0 or kind == "string" and value:find("%S") then
      return value
    end
  end
  return nil
end

local inner = names.list("name title value")

---The first of these members that is a name: text, a number, or an object that has a name.
---@param node table
---@param candidates string[]
---@return string|nil
function names.text(node, candidates)
  for _, name in ipairs(candidates) do
    local value = node[name]
    if type(value) == "table" then
      value = value.name ~= nil and value.name or names.first(names.members(value), inner)
    end
    if type(value) == "number" then value = tostring(value) end
    if type(value) == "string" then
      value = text.plain(value)
      if value ~= "" then return value end
    end
  end
  return nil
end

---The first of these members that is an address, made absolute: `//host/p.jpg` takes the feed's
---scheme, a path its host. An address that cannot be made absolute is none.
---@param node table
---@param candidates string[]
---@param feed table
---@return string|nil
function names.address(node, candidates, feed)
  for _, name in ipairs(candidates) do
    local value = node[name]
    if type(value) == "table" then value = value[1] or value.url or value.src end
    if type(value) == "table" then value = value.url or value.src end
    if type(value) == "string" and value:find("%S") then
      value = text.trim(value)
      if feed.url then return url.join(feed.url, value) end
      if value:sub(1, 2) == "//" then return "https:" .. value end
      return value:find("^%a[%w+.-]*://") and value or nil
    end
  end
  return nil
end

---The site of an entity: what the source says, else the feed's host, else the host of its address.
---@param feed table
---@param link string|nil
---@return string|nil
function names.site(feed, link)
  local said = feed.options and feed.options.site
  if type(said) == "string" and said ~= "" then return said end
  if feed.site and feed.site ~= "" then return feed.site end
  return link and url.host(link) or nil
end

---Walks a list of JSON from end to end: unlike `ipairs`, past elements that are null.
---@param list table|nil
---@return fun(): integer|nil, any
function names.each(list)
  local index, count = 0, list and #list or 0
  return function()
    while index < count do
      index = index + 1
      local value = list[index]
      if value ~= nil then return index, value end
    end
    return nil
  end
end

return names
