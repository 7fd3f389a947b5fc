-- The API of a forum's app: lists of posts, threads or forums whose fields go by the usual names,
-- in whatever spelling (forumId, forum_id, ForumID, fid), wrapped in data, result, list and the
-- like. It is also how RSS and Atom of any forum are read when the source says `plugin = "forum"`.
local fields = require("fields")

local generic = {}

local function set(words)
  local result = {}
  for word in words:gmatch("%S+") do result[word] = true end
  return result
end

local function list(words)
  local result = {}
  for word in words:gmatch("%S+") do result[#result + 1] = word end
  return result
end

-- Names are compared in lower case, without `_` and `-`.
local post_lists = set("posts postlist threads threadlist topics topiclist discussions")
local forum_lists = set("forums forumlist boards boardlist clubs clublist bbslist sections nodes")
local wrappers = set("data result results list items rows records content response body payload")

local names = {
  post_id = list("postid topicid threadid tid discussionid"),
  forum_id = list("forumid fid boardid bbsid clubid nodeid sectionid"),
  id = list("id _id"),
  title = list("title subject name topictitle posttitle"),
  forum_name = list("forumname forumtitle boardname bbsname clubname nodename sectionname forum "
    .. "board node club section category categoryname tab"),
  url = list("url link href permalink weburl shareurl topicurl posturl forumurl"),
  author = list("author authorname username nickname postusername user member creator poster"),
  person = list("username name nickname loginname displayname title"),
  summary = list("summary excerpt digest abstract intro description content message body text"),
  description = list("description desc intro summary"),
  topics = list("topics topiccount topicscount threads threadcount threadscount"),
  replies = list("replies replycount replycounts replynum repliescount commentcount commentscount "
    .. "numcomments comments"),
  likes = list("likes likecount likescount praisenum praisecount praises upvotes ups diggcount "
    .. "score points"),
  views = list("views viewcount viewcounts viewscount hits clicks visitcount readcount pv"),
  published = list("published publishedat publishtime pubdate created createdat createat "
    .. "createtime createdtime ctime dateline posttime postdate addtime timestamp date time"),
  updated = list("updated updatedat updatetime lastreplyat lastreplytime lastreplydate "
    .. "lastposttime lastpostedat lastpost lastmodified modified mtime"),
}

local post_signs = list("replies replycount replycounts replynum repliescount commentcount author "
  .. "authorname username nickname postusername member poster content published created createdat "
  .. "createat createtime publishtime dateline posttime postdate likes likecount views viewcount")
local forum_signs = list("topics topiccount topicscount threads threadcount threadscount "
  .. "forumname boardname bbsname")

local function plain_name(name)
  return type(name) == "string" and (name:lower():gsub("[_%-]", "")) or name
end

-- A node's members under their plain names. JSON:API keeps most of them in `attributes`.
local function plain_names(node)
  local result = {}
  for name, value in pairs(node) do result[plain_name(name)] = value end
  if type(result.attributes) == "table" then
    for name, value in pairs(result.attributes) do result[plain_name(name)] = value end
  end
  return result
end

-- The first of these members that says something.
local function first(node, candidates)
  for _, name in ipairs(candidates) do
    local value = node[name]
    if value ~= nil and value ~= "" then return value end
  end
  return nil
end

local function has_any(node, candidates)
  return first(node, candidates) ~= nil
end

local function first_id(node, candidates)
  for _, name in ipairs(candidates) do
    local id = fields.id(node[name])
    if id then return id end
  end
  return nil
end

-- Some members are a text in one API and an object with a name in the next.
local function first_name(node, candidates)
  for _, name in ipairs(candidates) do
    local value = node[name]
    if type(value) == "table" then value = first(plain_names(value), names.person) end
    value = fields.title(value)
    if value then return value end
  end
  return nil
end

local function values(node, candidates)
  local found = {}
  for index, name in ipairs(candidates) do found[index] = node[name] end
  return table.unpack(found, 1, #candidates)
end

local function first_count(node, candidates)
  return fields.count(values(node, candidates))
end

local function first_time(node, candidates)
  return fields.time(values(node, candidates))
end

local function first_summary(node, candidates)
  for _, name in ipairs(candidates) do
    local summary = fields.summary(node[name])
    if summary then return summary end
  end
  return nil
end

local deepest <const> = 6

-- Collects the nodes of all lists as { node =, role = "post" | "forum" | nil, forum = name }.
local function collect(found, node, role, forum, depth)
  if depth > deepest or type(node) ~= "table" then return end
  if #node > 0 then
    for _, element in fields.each(node) do
      if type(element) == "table" then
        found[#found + 1] = { node = element, role = role, forum = forum }
        -- A forum may bring its posts and its own forums along.
        local below = nil
        for name, value in pairs(element) do
          local plain = plain_name(name)
          if type(value) == "table" and (post_lists[plain] or forum_lists[plain]) then
            below = below or first_name(plain_names(element), { "forumname", "title", "name" })
            collect(found, value, post_lists[plain] and "post" or "forum", below, depth + 1)
          end
        end
      end
    end
    return
  end
  for name, value in pairs(node) do
    local plain = plain_name(name)
    if type(value) == "table" then
      if post_lists[plain] then
        collect(found, value, "post", forum, depth + 1)
      elseif forum_lists[plain] then
        collect(found, value, "forum", forum, depth + 1)
      elseif wrappers[plain] then
        collect(found, value, role, forum, depth + 1)
      end
    end
  end
end

-- What a node is, and its id. `node` has plain names.
local function identify(node, role)
  local post_id, forum_id = first_id(node, names.post_id), first_id(node, names.forum_id)
  local id = first_id(node, names.id)
  if role == "forum" then return "forum", forum_id or id or post_id end
  if post_id then return "post", post_id end
  if role == "post" then return "post", id end
  if forum_id and (not id or tostring(id) == tostring(forum_id)) then return "forum", forum_id end
  if has_any(node, forum_signs) and not has_any(node, post_signs) then
    return "forum", forum_id or id
  end
  if forum_id or has_any(node, post_signs) then return "post", id end
  local address = first(node, names.url)
  if type(address) == "string" then
    local path = address:lower()
    if path:find("thread") or path:find("topic") or path:find("/t/") or path:find("post") then
      return "post", id
    end
  end
  return "forum", id
end

local function is_forum_like(entry)
  local node = plain_names(entry.node)
  if node.newsid ~= nil or not has_any(node, names.title) and not has_any(node, names.forum_name)
  then
    return false
  end
  if has_any(node, names.post_id) or has_any(node, names.forum_id) then return true end
  if not first_id(node, names.id) then return false end
  if entry.role == "forum" then return true end
  if entry.role == "post" then return has_any(node, post_signs) end
  return node.replies ~= nil or node.replycount ~= nil
end

-- One object that is itself a post or a forum.
local function alone(body)
  local entry = { node = body }
  return is_forum_like(entry) and { entry } or {}
end

function generic.accepts(feed)
  local body = fields.document(feed)
  if not body then return false end
  local found = {}
  collect(found, body, nil, nil, 1)
  if not found[1] then return alone(body)[1] ~= nil end
  return is_forum_like(found[1])
end

function generic.items(feed)
  if feed.format ~= "json" then return nil end
  local body = fields.document(feed)
  if not body then return {} end
  local found = {}
  collect(found, body, nil, nil, 1)
  return found[1] and found or alone(body)
end

local function post(node, feed, id, forum)
  local link = fields.address(feed.url, first(node, names.url))
  return {
    kind = "post",
    site = fields.site(feed, link),
    id = id,
    title = first_name(node, names.title),
    url = link,
    author = first_name(node, names.author),
    forum = first_name(node, names.forum_name) or forum or first_id(node, names.forum_id),
    summary = first_summary(node, names.summary),
    replies = first_count(node, names.replies),
    likes = first_count(node, names.likes),
    views = first_count(node, names.views),
    published = first_time(node, names.published),
    updated = first_time(node, names.updated),
  }
end

local function forum_entity(node, feed, id)
  local link = fields.address(feed.url, first(node, names.url))
  return {
    kind = "forum",
    site = fields.site(feed, link),
    id = id,
    title = first_name(node, { "forumname", "forumtitle", "boardname", "bbsname" })
      or first_name(node, names.title),
    url = link,
    description = first_summary(node, names.description),
    topics = first_count(node, names.topics),
  }
end

-- An entry of RSS or Atom: the number in its link is its id, else its guid, else the link itself.
local function entry_post(item, feed)
  local link = fields.address(feed.link or feed.url, item.url)
  local path = link or item.url or ""
  local id = path:match("[?&;]tid=(%d+)") or path:match("/t/[^/]+/(%d+)") or path:match("/t/(%d+)")
    or path:match("/threads?[/%-][^/]-(%d+)/?$") or path:match("/topic/(%d+)")
  id = id or fields.id(item.id) or link
  if not id then return nil, "neither a link nor an id" end
  return {
    kind = "post",
    site = fields.site(feed, link),
    id = id,
    title = fields.title(item.title),
    url = link,
    author = item.author,
    forum = item.categories and fields.title(item.categories[1]) or nil,
    summary = fields.summary(item.summary, item.content),
    replies = fields.count(item["slash:comments"]),
    published = item.published,
    updated = item.updated,
  }
end

function generic.map(item, feed)
  if feed.format ~= "json" then return entry_post(item, feed) end
  local node = plain_names(item.node)
  local kind, id = identify(node, item.role)
  if not id then return nil, "no id" end
  if fields.flag(node.deleted) or fields.flag(node.isdeleted) then return nil, "deleted" end
  if kind == "forum" then return forum_entity(node, feed, id) end
  return post(node, feed, id, item.forum)
end

return generic
