-- Discuz: the RSS of a board or of one forum (often in GBK, without guids), and the threads and
-- forums of its mobile API.
local fields = require("fields")

local discuz = {}

local function is_address(address)
  if type(address) ~= "string" then return false end
  return address:find("forum%.php%?mod=rss") ~= nil
    or address:find("forum%.php%?mod=forumdisplay") ~= nil
    or address:find("/forum%.php$") ~= nil
    or address:find("/forum%-%d+%-%d+%.html") ~= nil
    or address:find("/rss%.php%?fid=") ~= nil
end

function discuz.accepts(feed)
  if feed.format == "rss" then
    local generator = feed.generator
    return type(generator) == "string" and generator:find("Discuz!", 1, true) ~= nil
      or is_address(feed.link) or is_address(feed.url)
  end
  local body = fields.document(feed)
  local variables = body and fields.member(body, "Variables")
  return variables ~= nil and (variables.forum_threadlist ~= nil or variables.forumlist ~= nil
    or variables.data ~= nil)
end

function discuz.items(feed)
  if feed.format ~= "json" then return nil end
  local variables = feed.body.Variables
  local list = {}
  for _, name in ipairs({ "forumlist", "forum_threadlist", "data" }) do
    for _, entry in fields.each(fields.member(variables, name)) do list[#list + 1] = entry end
  end
  return list
end

---The forum that a page of the mobile API is about, and its address.
function discuz.prepare(feed)
  if feed.format ~= "json" then return {} end
  local forum = fields.member(fields.member(feed.body, "Variables"), "forum") or {}
  return {
    forum = fields.title(forum.name) or fields.id(forum.fid),
    root = fields.root(feed, { api = true }),
  }
end

-- The same thread under one address, whatever page or list it was linked from.
local function canonical(address, id)
  local site = address:match("^(.-forum%.php)%?") or address:match("^(.-viewthread%.php)%?")
  if site then
    local query = site:find("viewthread%.php$") and "?tid=" or "?mod=viewthread&tid="
    return url.canonical(site .. query .. id)
  end
  address = address:gsub("(/thread%-%d+)%-%d+%-%d+%.html.*$", "%1-1-1.html")
  return url.canonical(address)
end

local function entry(item, feed)
  local address = item.url or item.id
  if type(address) ~= "string" then return nil, "a thread without a link" end
  local id = address:match("[?&;]tid=(%d+)") or address:match("/thread%-(%d+)")
    or address:match("[?&;]ptid=(%d+)")
  if not id then return nil, "no thread number in the link" end
  local link = canonical(address, id)
  return {
    kind = "post",
    site = fields.site(feed, link),
    id = id,
    title = fields.title(item.title),
    url = link,
    author = item.author ~= "Anonymous" and item.author or nil,
    forum = item.categories and fields.title(item.categories[1]) or nil,
    summary = fields.summary(item.summary, item.content),
    published = item.published,
    updated = item.updated,
  }
end

local function thread(item, feed, prepared)
  if fields.flag(item.displayorder) and not feed.options.pinned then return nil, "pinned" end
  local address = prepared.root
    and prepared.root .. "forum.php?mod=viewthread&tid=" .. fields.id(item.tid)
  return {
    kind = "post",
    site = fields.site(feed),
    id = item.tid,
    title = fields.title(item.subject),
    url = fields.address(nil, address),
    author = fields.title(item.author),
    forum = fields.title(item.forumname) or prepared.forum,
    summary = fields.summary(item.message),
    replies = fields.count(item.allreplies, item.replies),
    likes = fields.count(item.recommend_add),
    views = fields.count(item.views),
    published = fields.time(item.dbdateline, item.dateline),
    updated = fields.time(item.dblastpost, item.lastpost),
  }
end

local function forum(item, feed, prepared)
  local address = prepared.root
    and prepared.root .. "forum.php?mod=forumdisplay&fid=" .. fields.id(item.fid)
  return {
    kind = "forum",
    site = fields.site(feed),
    id = item.fid,
    title = fields.title(item.name),
    url = fields.address(nil, address),
    description = fields.summary(item.description),
    topics = fields.count(item.threads),
  }
end

function discuz.map(item, feed, prepared)
  if feed.format ~= "json" then return entry(item, feed) end
  if type(item) ~= "table" then return nil, "not a thread" end
  if fields.id(item.tid) then return thread(item, feed, prepared) end
  if fields.id(item.fid) then return forum(item, feed, prepared) end
  return nil, "neither a thread nor a forum"
end

return discuz
