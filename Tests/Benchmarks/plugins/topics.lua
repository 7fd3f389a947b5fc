--- @api 1
--- @summary The topics of the JSON that is measured
local M = {}

M.kinds = {
  topic = {
    key = "id",
    fields = { id = "text", title = "text", author = "text", likes = "integer" },
  },
}

function M.items(feed) return feed.body.topics end

function M.map(item)
  return {
    kind = "topic", id = item.id, title = item.title, author = item.author.name, likes = item.likes,
  }
end

return M
