--- @api 1
--- @summary News of any RSS, Atom, RDF or JSON Feed, and of WordPress' REST API
local M = {}

M.kinds = {
  news = {
    key = { "link" },
    fields = {
      link = "url", title = "text", summary = "text", author = "text", image = "url",
      categories = "list", published = "time",
    },
    indexes = { "published", "author" },
  },
}

local formats = { rss = true, atom = true, rdf = true, jsonfeed = true }

-- Feeds of forum software, whose entries are posts with an id of their own: the plugin `forum` has
-- them.
local function is_forum(feed)
  if feed.format == "jsonfeed" then return false end
  local generator = feed.generator
  if type(generator) == "string" and generator:find("Discuz!", 1, true) then return true end
  for _, address in ipairs({ feed.link or "", feed.url or "", feed.id or "" }) do
    local host = address ~= "" and url.host(address) or ""
    if host == "v2ex.com" or host:sub(-9) == ".v2ex.com"
      or address:find("/forum%.php$") or address:find("forum%.php%?mod=rss")
      or address:find("forum%.php%?mod=forumdisplay") or address:find("/rss%.php%?fid=")
      or address:find("/forum%-%d+%-%d+%.html") then
      return true
    end
  end
  return false
end

local function is_wordpress(feed)
  local body = feed.body
  local first = type(body) == "table" and body[1]
  return type(first) == "table" and first.link ~= nil and type(first.title) == "table"
    and first.title.rendered ~= nil
end

---Whether the feed's entries are news: any feed that is not a forum's.
---@param feed table
---@return boolean
function M.accepts(feed)
  if formats[feed.format] then return not is_forum(feed) end
  return is_wordpress(feed)
end

---The entries of the feed; of other JSON its top-level array, or the first list in the object.
---@param feed table
---@return table|nil
function M.items(feed)
  if feed.format ~= "json" then return nil end
  local body = feed.body
  if type(body) ~= "table" then return {} end
  if body[1] ~= nil then return body end
  for _, name in ipairs({ "items", "entries", "articles", "news", "posts", "list", "data" }) do
    local list = body[name]
    if type(list) == "table" and type(list[1]) == "table" then return list end
  end
  return {}
end

-- A version or a date as fragment, which the entry's id has too, tells the entries of one page
-- apart, as in a change log. All others lead to a place in the page or count clicks.
local function with_fragment(link, item)
  local fragment = item.id == item.url and item.url:match("#([%w%.%-_]+)$")
  if not fragment or not fragment:find("%d[%.%-]%d") then return link end
  return link .. "#" .. fragment
end

local function escaped(text)
  return (text:gsub("[^%w%.%-_~:/]", function(byte) return ("%%%02X"):format(byte:byte()) end))
end

-- Ids such as `tag:example.org,2026:1` or `urn:uuid:...` are addresses already; any other id
-- becomes a place in the feed's own page, so that the link is stable and can be opened.
local function link_of_id(id, feed)
  if id:find("^https?://[^/]+") then return url.canonical(id) end
  if id:find("^tag:") or id:find("^urn:") then return id end
  local page = feed.link or feed.url
  page = page and url.canonical(page)
  if page then return page .. "#" .. escaped(id) end
  if id:find("^%a[%w+.-]*:%S+$") then return id end
  -- A feed that names no page of its own is known by its title.
  return "feed:" .. escaped(feed.title or "") .. "#" .. escaped(id)
end

local function link_of(item, feed)
  local address = item.url
  if address then
    -- A feed without a base of its own leaves relative links as they are.
    local link = url.canonical(address) or url.canonical(url.join(feed.link or feed.url, address))
    if link then return address:find("#", 1, true) and with_fragment(link, item) or link end
  end
  if item.id then
    local link = link_of_id(item.id, feed)
    if link then return link end
  end
  local enclosure = item.enclosures and item.enclosures[1]
  return enclosure and enclosure.url and url.canonical(enclosure.url) or nil
end

local function address_of(element)
  if type(element) ~= "table" then return element end
  return element.url or element.href or address_of(element["media:thumbnail"])
    or address_of(element["media:content"])
end

local function image_of(item, feed)
  local image = item.image
  if image then return image end
  local enclosures = item.enclosures
  if enclosures then
    for index = 1, #enclosures do
      local kind = enclosures[index].type
      if kind and kind:sub(1, 6) == "image/" then return enclosures[index].url end
    end
  end
  local element = item["media:thumbnail"] or item["media:group"] or item["itunes:image"]
  if not element then
    element = item["media:content"]
    -- Media content is as often a video; only a picture is one.
    if type(element) == "table" and element.medium ~= "image"
      and not (element.type or ""):find("^image/") then
      element = element["media:thumbnail"]
    end
  end
  local address = address_of(element)
  return address and (url.join(feed.link or feed.url, address) or address) or nil
end

local function categories_of(item)
  local categories = item.categories
  if not categories then return nil end
  for index = 1, #categories do
    if categories[index]:find("[&<]") then categories[index] = text.plain(categories[index]) end
  end
  return categories
end

-- WordPress' REST API: title, excerpt and content are objects with the HTML in `rendered`.
local function rendered(value)
  if type(value) == "table" then return value.rendered end
  return value
end

local function first_text(item, names)
  for _, name in ipairs(names) do
    local value = rendered(item[name])
    if type(value) == "string" and value:find("%S") then return value end
    -- JSON's 7.0 is 7; a number that is not whole is no text of an entry.
    local whole = type(value) == "number" and math.tointeger(value)
    if whole then return tostring(whole) end
  end
  return nil
end

-- An element of plain JSON as an item of a feed.
local function from_json(element)
  local author = element.author
  if type(author) == "table" then author = author.name end
  local date = first_text(element, { "date_gmt", "published", "published_at", "publishedAt",
    "pubDate", "publishtime", "date", "created_at", "createdAt", "time" })
  return {
    id = first_text(element, { "id", "guid", "newsid", "newsId" }),
    url = first_text(element, { "link", "url", "href", "permalink" }),
    title = first_text(element, { "title", "headline", "name" }),
    summary = first_text(element, { "excerpt", "summary", "description", "abstract" }),
    content = first_text(element, { "content", "content_html", "body" }),
    author = type(author) == "string" and author or nil,
    image = first_text(element, { "image", "thumbnail", "cover", "jetpack_featured_media_url" }),
    -- What is no time is left out and reported.
    published = date and (time.parse(date) or date),
  }
end

-- What media feeds say in place of a summary.
local function described(item)
  local group = item["media:group"]
  local description = item["media:description"] or type(group) == "table"
    and group["media:description"] or item["itunes:summary"]
  if type(description) == "table" then description = description.text end
  return description
end

---Maps one entry to a `news`.
---@param item table
---@param feed table
---@return table|nil entity
---@return string|nil reason why the entry is left out
function M.map(item, feed)
  if feed.format == "json" then
    if type(item) ~= "table" then return nil, "not an object" end
    item = from_json(item)
  end
  local link = link_of(item, feed)
  if not link then return nil, "neither a link nor an id to make one of" end
  local title = item.title
  local summary = item.summary or item.content or described(item)
  return {
    link = link,
    title = title and text.plain(title),
    summary = summary and text.plain(summary),
    author = item.author,
    image = image_of(item, feed),
    categories = categories_of(item),
    published = item.published or item.updated,
  }
end

return M
