-- NodeBB: api/recent, api/popular, api/top, api/unread, api/category/ID and api/categories.
-- Times are milliseconds, with an ISO twin; titles are escaped as HTML.
-- https://docs.nodebb.org/api/read/
local fields = require("fields")

local nodebb = {}

local routes = { api = true }

local function is_topic(entry)
  return type(entry) == "table" and entry.tid ~= nil
    and (entry.cid ~= nil or entry.mainPid ~= nil or entry.timestampISO ~= nil
      or entry.lastposttime ~= nil)
end

local function is_category(entry)
  return type(entry) == "table" and entry.cid ~= nil and entry.tid == nil
    and (entry.name ~= nil or entry.slug ~= nil)
end

function nodebb.accepts(feed)
  local body = fields.document(feed)
  if not body then return false end
  if is_category(body) or is_topic(body) then return true end
  local first = fields.first(fields.member(body, "topics"))
  if first then return is_topic(first) end
  first = fields.first(fields.member(body, "categories"))
  if first then return is_category(first) end
  -- A page without topics is known by what surrounds them.
  return fields.member(body, "topics") ~= nil and body.nextStart ~= nil
    and body.topicCount ~= nil
end

local function add_categories(list, categories)
  for _, category in fields.each(categories) do
    if is_category(category) then
      list[#list + 1] = category
      add_categories(list, fields.member(category, "children"))
    end
  end
end

function nodebb.items(feed)
  local body = feed.body
  local topics = fields.member(body, "topics")
  if is_topic(body) then return { body } end
  if topics and not is_category(body) then return topics end
  local list = {}
  if is_category(body) then
    add_categories(list, { body })
  else
    add_categories(list, fields.member(body, "categories"))
  end
  for _, topic in fields.each(topics) do list[#list + 1] = topic end
  return list
end

local function name_categories(names, categories)
  for _, category in fields.each(categories) do
    if is_category(category) then
      names[fields.name(category.cid) or ""] = fields.title(category.name)
      name_categories(names, fields.member(category, "children"))
    end
  end
end

---Where the forum is rooted, and the categories' names by id for topics that only say the id.
function nodebb.prepare(feed)
  local names = {}
  name_categories(names, { feed.body })
  name_categories(names, fields.member(feed.body, "categories"))
  return { root = fields.root(feed, routes), names = names }
end

local function category(item, feed, root)
  if not fields.id(item.cid) then return nil, "a category without an id" end
  if fields.flag(item.disabled) then return nil, "disabled" end
  local slug = fields.id(item.slug, item.cid)
  return {
    kind = "forum",
    site = fields.site(feed),
    id = item.cid,
    title = fields.title(item.name),
    url = fields.address(root, item.link) or fields.address(root, root and "category/" .. slug),
    description = fields.summary(item.description, item.descriptionParsed),
    topics = fields.count(item.totalTopicCount, item.topic_count),
  }
end

local function author_of(topic)
  local user = fields.member(topic, "user") or fields.member(topic, "author") or {}
  return fields.title(user.username) or fields.title(user.displayname)
end

function nodebb.map(item, feed, prepared)
  if type(item) ~= "table" then return nil, "not a topic" end
  if is_category(item) then return category(item, feed, prepared.root) end
  if not fields.id(item.tid) then return nil, "a topic without an id" end
  if fields.flag(item.deleted) then return nil, "deleted" end
  if fields.flag(item.scheduled) then return nil, "scheduled" end
  if fields.flag(item.pinned) and not feed.options.pinned then return nil, "pinned" end
  local root = prepared.root
  local place = fields.member(item, "category") or {}
  local teaser = fields.member(item, "teaser") or {}
  local posts = fields.count(item.postcount)
  return {
    kind = "post",
    site = fields.site(feed),
    id = item.tid,
    title = fields.title(item.title) or fields.title(item.titleRaw),
    url = fields.address(root, root and "topic/" .. fields.id(item.slug, item.tid)),
    author = author_of(item),
    forum = fields.title(place.name) or prepared.names[fields.name(item.cid)]
      or fields.id(item.cid),
    summary = teaser.pid ~= nil and teaser.pid == item.mainPid and fields.summary(teaser.content)
      or nil,
    replies = posts and math.max(posts - 1, 0),
    likes = fields.count(item.upvotes, item.votes),
    views = fields.count(item.viewcount),
    published = fields.time(item.timestamp, item.timestampISO),
    updated = fields.time(item.lastposttime, item.lastposttimeISO),
  }
end

return nodebb
