-- Discourse: latest.json, top.json, c/SLUG/ID.json and every other topic list, search.json,
-- one topic, categories.json, site.json.
-- https://docs.discourse.org/
local fields = require("fields")

local discourse = {}

-- First path segments of Discourse's own routes; a forum under a folder has the folder before.
local routes = {}
for route in ("latest new unread hot top best c categories categories_and_latest "
  .. "categories_and_hot categories_and_top search u users topics tag tags t site posts "
  .. "user_actions"):gmatch("%S+") do
  routes[route] = true
end

local function topics_of(body)
  local listed = fields.member(fields.member(body, "topic_list"), "topics")
  if listed then return listed end
  if body.grouped_search_result or body.user_summary then return fields.member(body, "topics") end
  return nil
end

local function categories_of(body)
  local listed = fields.member(fields.member(body, "category_list"), "categories")
  if listed then return listed end
  listed = fields.member(body, "categories")
  local first = fields.first(listed)
  return first and first.slug ~= nil and first.topic_count ~= nil and first.cid == nil and listed
    or nil
end

function discourse.accepts(feed)
  local body = fields.document(feed)
  if not body then return false end
  return body.topic_list ~= nil or body.category_list ~= nil or body.post_stream ~= nil
    or topics_of(body) ~= nil or categories_of(body) ~= nil
end

local function add_categories(list, categories)
  for _, category in fields.each(categories) do
    list[#list + 1] = category
    local below = fields.member(category, "subcategory_list")
    if below then add_categories(list, below) end
  end
end

function discourse.items(feed)
  local body = feed.body
  if body.post_stream ~= nil then return { body } end
  local topics = topics_of(body)
  -- The categories that a topic list brings along only name the topics' forums.
  local categories = (body.category_list ~= nil or not topics) and categories_of(body) or nil
  if not categories then return topics or {} end
  local list = {}
  add_categories(list, categories)
  for _, topic in fields.each(topics) do list[#list + 1] = topic end
  return list
end

local function name_categories(names, categories)
  for _, category in fields.each(categories) do
    if type(category) == "table" and category.id ~= nil then
      names[fields.name(category.id) or ""] = fields.title(category.name)
      name_categories(names, fields.member(category, "subcategory_list"))
    end
  end
end

---The users by id and the categories' names by id, as far as the document or the source has them.
function discourse.prepare(feed)
  local body = feed.body
  local prepared = {
    root = fields.root(feed, routes), users = {}, forums = {}, authors = {},
  }
  for _, user in fields.each(fields.member(body, "users")) do
    if type(user) == "table" and user.id ~= nil then
      local id = fields.name(user.id) or ""
      prepared.users[id] = fields.title(user.username) or fields.title(user.name)
    end
  end
  for name, value in pairs(feed.options) do
    local id = name:match("^category_(%d+)$")
    if id then prepared.forums[id] = fields.title(value) end
  end
  name_categories(prepared.forums, fields.member(fields.member(body, "topic_list"), "categories"))
  name_categories(prepared.forums, categories_of(body) or fields.member(body, "categories"))
  -- A search names the authors of the posts that it found; the first post's is the topic's.
  local posts = body.grouped_search_result and fields.member(body, "posts") or nil
  for _, post in fields.each(posts) do
    if type(post) == "table" and post.post_number == 1 and post.topic_id ~= nil then
      prepared.authors[fields.name(post.topic_id) or ""] = fields.title(post.username)
    end
  end
  return prepared
end

local function author_of(topic, prepared)
  local creator = fields.member(fields.member(topic, "details"), "created_by")
  local name = creator and fields.title(creator.username)
  if name then return name end
  -- The first poster is the topic's author; its description says so in the forum's language.
  local poster = fields.member(fields.member(topic, "posters"), 1)
  if poster then
    local user = fields.member(poster, "user")
    name = user and fields.title(user.username)
    return name or prepared.users[fields.name(poster.user_id)]
  end
  return prepared.authors[fields.name(topic.id)]
end

-- The part of an address that only people read; without it the address leads there as well.
local function slug_of(item)
  return type(item.slug) == "string" and item.slug:find("%S") and item.slug .. "/" or ""
end

local function category(item, feed, root)
  local id = fields.id(item.id)
  if not id then return nil, "a category without an id" end
  local route = "c/" .. slug_of(item) .. id
  return {
    kind = "forum",
    site = fields.site(feed),
    id = id,
    title = fields.title(item.name),
    url = fields.address(root, root and route),
    description = fields.summary(item.description_text, item.description, item.description_excerpt),
    topics = fields.count(item.topic_count),
  }
end

function discourse.map(item, feed, prepared)
  if type(item) ~= "table" then return nil, "not a topic" end
  if item.name ~= nil and item.title == nil and item.fancy_title == nil then
    return category(item, feed, prepared.root)
  end
  local id = fields.id(item.id)
  if not id then return nil, "a topic without an id" end
  if (item.pinned == true or item.pinned_globally == true) and not feed.options.pinned
    and item.post_stream == nil then
    return nil, "pinned"
  end
  local root = prepared.root
  local forum = fields.name(item.category_id)
  -- The site shows the number of posts but the first as replies; reply_count counts only the posts
  -- that answer another post.
  local posts = fields.count(item.posts_count)
  return {
    kind = "post",
    site = fields.site(feed),
    id = id,
    title = fields.title(item.title) or fields.title(item.fancy_title),
    url = fields.address(root, root and "t/" .. slug_of(item) .. id),
    author = author_of(item, prepared),
    forum = forum and (prepared.forums[forum] or forum),
    summary = fields.summary(item.excerpt, item.blurb),
    replies = posts and math.max(posts - 1, 0) or fields.count(item.reply_count),
    likes = fields.count(item.like_count),
    views = fields.count(item.views),
    published = fields.time(item.created_at),
    updated = fields.time(item.last_posted_at, item.bumped_at),
  }
end

return discourse
