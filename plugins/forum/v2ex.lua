-- V2EX: api/topics/latest.json, hot.json and show.json, api/nodes/all.json and show.json, the
-- second API's {success, result}, and the Atom feeds of the site, its tabs and its nodes.
local fields = require("fields")

local v2ex = {}

local function is_host(address)
  local host = type(address) == "string" and url.host(address)
  return host == "v2ex.com" or host and host:sub(-9) == ".v2ex.com" or false
end

local function is_node(entry)
  return entry.title_alternative ~= nil or entry.parent_node_name ~= nil
    or entry.name ~= nil and entry.topics ~= nil and entry.title ~= nil and entry.replies == nil
end

local function is_topic(entry)
  return entry.title ~= nil and (entry.last_touched ~= nil or entry.content_rendered ~= nil
    or fields.member(entry, "node") ~= nil and fields.member(entry, "member") ~= nil)
end

-- The list of the document: a bare array, one bare object, or the second API's `result`.
local function list_of(body)
  if body.success ~= nil and fields.member(body, "result") then body = body.result end
  if fields.first(body) then return body end
  if is_topic(body) or is_node(body) then return { body } end
  return nil
end

function v2ex.accepts(feed)
  if feed.format == "atom" or feed.format == "rss" then
    return is_host(feed.link) or is_host(feed.url) or is_host(feed.id)
  end
  local body = fields.document(feed)
  local list = body and list_of(body)
  local first = fields.first(list)
  return first ~= nil and (is_topic(first) or is_node(first))
end

function v2ex.items(feed)
  if feed.format ~= "json" then return nil end
  return list_of(feed.body) or {}
end

local function node(item, feed)
  local link = fields.address(feed.url, item.url)
  if not fields.id(item.id) then return nil, "a node without an id" end
  return {
    kind = "forum",
    site = fields.site(feed, link),
    id = item.id,
    title = fields.title(item.title) or fields.title(item.name),
    url = link,
    description = fields.summary(item.header),
    topics = fields.count(item.topics),
  }
end

local function topic(item, feed)
  local link = fields.address(feed.url, item.url)
  if not fields.id(item.id) then return nil, "a topic without an id" end
  if fields.flag(item.deleted) then return nil, "deleted" end
  local member = fields.member(item, "member") or {}
  local place = fields.member(item, "node") or {}
  local touched, modified = fields.time(item.last_touched), fields.time(item.last_modified)
  return {
    kind = "post",
    site = fields.site(feed, link),
    id = item.id,
    title = fields.title(item.title),
    url = link,
    author = fields.title(member.username),
    forum = fields.title(place.title) or fields.title(place.name),
    summary = fields.summary(item.content_rendered, item.content),
    replies = fields.count(item.replies),
    published = fields.time(item.created),
    updated = math.type(touched) and math.type(modified) and math.max(touched, modified)
      or math.type(touched) and touched or modified or touched,
  }
end

-- An entry's link carries the number of replies (`/t/1000#reply5`), so that it changes with each
-- of them, and the title begins with the node in brackets.
local function entry(item, feed)
  local address = item.url or item.id or ""
  local id = address:match("/t/(%d+)") or (item.id or ""):match("/t/(%d+)")
  if not id then return nil, "no topic number in the link" end
  local link = fields.address(feed.link, item.url)
  local title = fields.title(item.title)
  local place, rest = (title or ""):match("^%[([^%]]+)%]%s*(.+)$")
  return {
    kind = "post",
    site = fields.site(feed, link),
    id = id,
    title = rest or title,
    url = link,
    author = item.author,
    forum = place,
    summary = fields.summary(item.content, item.summary),
    replies = fields.count(address:match("#reply(%d+)")),
    published = item.published,
    updated = item.updated,
  }
end

function v2ex.map(item, feed)
  if type(item) ~= "table" then return nil, "not a topic" end
  if feed.format ~= "json" then return entry(item, feed) end
  if is_node(item) then return node(item, feed) end
  return topic(item, feed)
end

return v2ex
