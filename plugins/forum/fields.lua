-- What the shapes share: sites, ids, titles, counts and addresses, read alike everywhere.
local fields = {}

-- Elements that are formatting in a title. Any other `<word>` is something that a person wrote,
-- such as the type in "Vec<T> or Box<T>?".
local formatting = {}
for name in ("a abbr b big br code del div em font h1 h2 h3 i img ins kbd mark p q s small span "
  .. "strike strong sub sup tt u"):gmatch("%S+") do
  formatting[name] = true
end

local function escape_unknown(slash, name)
  if formatting[name:lower()] then return nil end
  return "&lt;" .. slash .. name
end

---The text of a title or name as people read it, or nil.
---@param value any
---@return string|nil
function fields.title(value)
  if type(value) == "number" then return tostring(math.tointeger(value) or value) end
  if type(value) ~= "string" then return nil end
  if value:find("<", 1, true) then value = value:gsub("<(/?)(%w*)", escape_unknown) end
  value = text.plain(value)
  if value == "" then return nil end
  return value
end

---A text, cut to so many bytes where it is longer: never inside a character, and before the last
---word when that is near.
---@param plain string
---@param longest integer
---@return string
function fields.cut(plain, longest)
  if #plain <= longest then return plain end
  local cut = plain:sub(1, longest):gsub("[\xC0-\xFF][\x80-\xBF]*$", "")
  local blank = cut:find("%s+%S*$")
  if blank and blank > #cut - 40 then cut = cut:sub(1, blank - 1) end
  return cut .. "…"
end

-- A summary that is a whole post says enough in its beginning.
local longest_summary <const> = 1000

---The readable text of an excerpt or a post, cut at a word when it is long; or nil.
---@param ... any the first that is text is taken
---@return string|nil
function fields.summary(...)
  for index = 1, select("#", ...) do
    local html = select(index, ...)
    if type(html) == "string" then
      local plain = text.plain(html)
      if plain ~= "" then return fields.cut(plain, longest_summary) end
    end
  end
  return nil
end

---An id as published: a whole number (of JSON's 7.0 and 1e2 too) or text, never empty.
---@param ... any the first that is an id is taken
---@return string|integer|nil
function fields.id(...)
  for index = 1, select("#", ...) do
    local value = select(index, ...)
    if type(value) == "string" then
      if value:find("%S") then return value end
    elseif type(value) == "number" and math.tointeger(value) then
      return math.tointeger(value)
    end
  end
  return nil
end

---An id as the name under which things are found by it; nil when it is none.
---@param value any
---@return string|nil
function fields.name(value)
  local id = fields.id(value)
  return id and tostring(id)
end

-- Whether the feed at hand has had a count that cannot be read: one of them is told.
local is_count_reported = false

---Begins another feed.
function fields.begin()
  is_count_reported = false
end

---A count that is one: a whole number of at least 0, as number or digits. What is none is
---reported when no other is.
---@param ... any the first that is a count is taken
---@return integer|nil
function fields.count(...)
  local unreadable = nil
  for index = 1, select("#", ...) do
    local value = select(index, ...)
    local number = tonumber(value)
    local count = math.tointeger(number)
    if count and count >= 0 then return count end
    -- Sites write -1 for what they do not count.
    if not count and (number or type(value) == "string" and value:find("%S")) then
      unreadable = unreadable or value
    end
  end
  if unreadable and not is_count_reported then
    is_count_reported = true
    log.warn(("counts that cannot be read are left out, such as %s"):format(unreadable))
  end
  return nil
end

---A time, in whatever form it comes: RFC 3339, RFC 822, seconds or milliseconds. A text that is no
---time is given as it is where nothing else is one: it is left out and reported then.
---@param ... any the first that is a time is taken
---@return integer|string|nil
function fields.time(...)
  local unreadable = nil
  for index = 1, select("#", ...) do
    local value = select(index, ...)
    if value == 0 or value == "0" then value = nil end
    if type(value) == "number" or type(value) == "string" then
      local seconds = time.parse(value)
      if seconds then return seconds end
      unreadable = unreadable or tostring(value)
    end
  end
  return unreadable
end

---A flag, in the ways JSON APIs write one.
---@param value any
---@return boolean
function fields.flag(value)
  return value == true or value == "true" or (tonumber(value) or 0) ~= 0
end

---The site of an entity: what the source says, else the feed's host, else the link's host.
---@param feed table
---@param link string|nil
---@return string|nil
function fields.site(feed, link)
  local said = feed.options and feed.options.site
  if type(said) == "string" and said ~= "" then return said end
  if feed.site and feed.site ~= "" then return feed.site end
  return type(link) == "string" and url.host(link) or nil
end

---Where a forum is rooted: the feed's address up to the first of the given path segments, so
---that a forum under a folder keeps its folder.
---@param feed table
---@param stops table<string, boolean> first segments of the forum software's own paths
---@return string|nil ends with a slash
function fields.root(feed, stops)
  local parts = feed.url and url.parse(feed.url)
  if not parts or not parts.host then
    local site = fields.site(feed)
    return site and "https://" .. site .. "/" or nil
  end
  local port = parts.port and ":" .. tostring(parts.port) or ""
  local folder = "/"
  for segment in (parts.path or ""):gmatch("[^/]+") do
    if stops[segment] or stops[segment:gsub("%.json$", "")] then
      return (parts.scheme or "https") .. "://" .. parts.host .. port .. folder
    end
    folder = folder .. segment .. "/"
  end
  return (parts.scheme or "https") .. "://" .. parts.host .. port .. "/"
end

---An address made absolute and canonical, or nil.
---@param base string|nil
---@param address any
---@return string|nil
function fields.address(base, address)
  if type(address) ~= "string" or not address:find("%S") then return nil end
  if not base and address:sub(1, 2) == "//" then base = "https:" .. address end
  local absolute = base and url.join(base, address) or address
  return url.canonical(absolute)
end

---The document of a JSON feed when it is an object or an array, else nil.
---@param feed table
---@return table|nil
function fields.document(feed)
  if feed.format ~= "json" then return nil end
  local body = feed.body
  return type(body) == "table" and body or nil
end

---A member of the document that is an object or an array, else nil.
---@param holder any
---@param name any
---@return table|nil
function fields.member(holder, name)
  if type(holder) ~= "table" then return nil end
  local value = holder[name]
  return type(value) == "table" and value or nil
end

---Walks a list of JSON from end to end: unlike `ipairs`, past elements that are null.
---@param list table|nil
---@return fun(): integer|nil, any
function fields.each(list)
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

---The first object in a list, past a few nulls: what the list holds is judged by it.
---@param list table|nil
---@return table|nil
function fields.first(list)
  for index = 1, list and math.min(#list, 20) or 0 do
    if type(list[index]) == "table" then return list[index] end
  end
  return nil
end

return fields
