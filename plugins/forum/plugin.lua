--- @api 1
--- @summary Topics and forums of Discourse, V2EX, Hacker News, NodeBB, Discuz and app APIs

local fields = require("fields")

-- Each shape is a module of its own with
--   accepts(feed) -> boolean        is the document of this shape? Shapes exclude one another.
--   items(feed)   -> list           the topics and forums in it
--   prepare(feed) -> any            optional: what `map` needs from the whole document
--   map(item, feed, prepared) -> entity, or nil and the reason
local shapes = {
  require("discourse"),
  require("hackernews"),
  require("nodebb"),
  require("v2ex"),
  require("discuz"),
  require("generic"),
}

local M = {}

M.kinds = {
  post = {
    key = { "site", "id" },
    fields = {
      site = "text", id = "text", title = "text", url = "url", author = "text", forum = "text",
      summary = "text", replies = "integer", likes = "integer", views = "integer",
      published = "time", updated = "time",
    },
    indexes = { "published", "updated", "url", "author", "forum", "replies" },
  },
  forum = {
    key = { "site", "id" },
    fields = {
      site = "text", id = "text", title = "text", url = "url", description = "text",
      topics = "integer",
    },
    indexes = { "title", "url" },
  },
}

local function shape_of(feed)
  for _, shape in ipairs(shapes) do
    if shape.accepts(feed) then return shape end
  end
  -- A feed that somebody says is a forum's is read as one, whatever it looks like.
  return shapes[#shapes]
end

-- The feed at hand with its shape and what the shape prepared: found once a feed, not once an item.
local current = {}

local function context_of(feed)
  if current.feed ~= feed then
    local shape = shape_of(feed)
    fields.begin()
    current = { feed = feed, shape = shape, prepared = shape.prepare and shape.prepare(feed) }
  end
  return current
end

---Whether the feed is a forum's: topics or forums in one of the shapes above.
---@param feed table
---@return boolean
function M.accepts(feed)
  for _, shape in ipairs(shapes) do
    if shape.accepts(feed) then return true end
  end
  return false
end

---The topics and forums of the document; for RSS and Atom its entries.
---@param feed table
---@return table|nil
function M.items(feed)
  return context_of(feed).shape.items(feed)
end

---Maps one topic to a `post`, one forum, category or node to a `forum`.
---@param item table
---@param feed table
---@return table|nil entity
---@return string|nil reason why the item is left out
function M.map(item, feed)
  local context = context_of(feed)
  return context.shape.map(item, feed, context.prepared)
end

return M
