-- Hacker News: Algolia's search (hits) and single items, and the items of the Firebase API.
-- https://github.com/HackerNews/API, https://hn.algolia.com/api
local fields = require("fields")

local hackernews = {}

local discussion <const> = "https://news.ycombinator.com/item?id="

local item_types = { story = true, comment = true, job = true, poll = true, pollopt = true }

local function is_hit(hit)
  return hit.objectID ~= nil
    and (hit._tags ~= nil or hit.created_at_i ~= nil or hit.num_comments ~= nil
      or hit.story_id ~= nil)
end

local function is_item(item)
  return item_types[item.type] == true and item.id ~= nil
end

local function is_host(feed)
  local host = feed.url and url.host(feed.url)
  return host == "hacker-news.firebaseio.com" or host == "hn.algolia.com"
end

function hackernews.accepts(feed)
  if feed.format ~= "json" then return false end
  local body = fields.document(feed)
  if not body then return is_host(feed) end
  local hits = fields.member(body, "hits")
  if hits then
    local hit = fields.first(hits)
    if hit then return is_hit(hit) end
    return is_host(feed) or body.nbHits ~= nil and body.exhaustiveNbHits ~= nil
  end
  -- A list of bare ids is taken to be refused with the way out, by `items`.
  if is_item(body) or math.type(body[1]) == "integer" then return true end
  -- Firebase answers null for an item that is not there.
  local first = fields.first(body)
  if first then return is_item(first) end
  return is_host(feed)
end

function hackernews.items(feed)
  local body = feed.body
  if type(body) ~= "table" then return { { missing = true } } end
  if fields.member(body, "hits") then return body.hits end
  if is_item(body) then return { body } end
  if math.type(body[1]) == "integer" then
    error("a list of ids, such as topstories.json, holds no items: load "
      .. "https://hacker-news.firebaseio.com/v0/item/" .. body[1] .. ".json, or Algolia's "
      .. "https://hn.algolia.com/api/v1/search?tags=front_page", 0)
  end
  return body
end

local function section(kind, title, tags)
  for _, tag in fields.each(tags) do
    if tag == "show_hn" then return "Show HN" end
    if tag == "ask_hn" then return "Ask HN" end
    if tag == "job" or tag == "poll" or tag == "comment" then kind = tag end
  end
  if kind == "job" then return "Jobs" end
  if kind == "poll" or kind == "pollopt" then return "Polls" end
  if kind == "comment" then return "Comments" end
  return title and (title:match("^(Show HN):") or title:match("^(Ask HN):")) or "Stories"
end

function hackernews.map(item, feed)
  if type(item) ~= "table" or item.missing then return nil, "null: an item that is not there" end
  local id = fields.id(item.objectID, item.id)
  if not id then return nil, "an item without an id" end
  if fields.flag(item.deleted) then return nil, "deleted" end
  if fields.flag(item.dead) then return nil, "dead" end
  local summary = fields.summary(item.story_text, item.comment_text, item.text)
  local title = fields.title(item.title) or fields.title(item.story_title)
  local own = discussion .. id
  return {
    kind = "post",
    site = fields.site(feed, own),
    id = id,
    -- A comment has no title of its own: it is shown under its story's, else by its first words.
    title = title or summary and fields.cut(summary, 80),
    url = fields.address(nil, item.url) or own,
    author = fields.title(item.author) or fields.title(item.by),
    forum = section(item.type, title, fields.member(item, "_tags")),
    summary = summary,
    replies = fields.count(item.num_comments, item.descendants),
    likes = fields.count(item.points, item.score),
    published = fields.time(item.created_at_i, item.created_at, item.time),
  }
end

return hackernews
