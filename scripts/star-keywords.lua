#!/usr/bin/env -S starling run
-- Stars everything seen whose title, name or summary has one of the keywords of a list.
-- usage: starling run star-keywords.lua [--kind KIND] [--tag TAG] [--dry-run] [WORD...] < WORDS
--        starling run --allow-read=DIR star-keywords.lua --file DIR/WORDS [...]
--   Keywords are arguments, or lines of the file or of standard input; ` #` begins a comment.
--   What you refused stays refused.
local usage <const> = "usage: starling run star-keywords.lua [--kind KIND] [--tag TAG] "
  .. "[--dry-run] [--file FILE] [WORD...]"
for _, word in ipairs(arg) do
  if word == "--help" or word == "-h" then
    print(usage)
    os.exit(0)
  end
end

local function fail(message)
  log.warn(message .. "; " .. usage)
  os.exit(2)
end

local function options()
  local result, index = { words = {} }, 1
  local function value(name)
    index = index + 1
    return arg[index] or fail(name .. " wants a value")
  end
  while arg[index] do
    local word = arg[index]
    if word == "--dry-run" then
      result.dry = true
    elseif word == "--kind" or word == "--tag" or word == "--file" then
      result[word:sub(3)] = value(word)
    elseif word:sub(1, 2) == "--" then
      fail("unknown option " .. word)
    elseif not word:find("%S") then
      fail("a keyword is empty")
    else
      result.words[#result.words + 1] = word
    end
    index = index + 1
  end
  return result
end

local function add_lines(words, content)
  for line in content:gmatch("[^\r\n]+") do
    local keyword = (" " .. line):gsub("%s#.*$", ""):match("^%s*(.-)%s*$")
    if keyword ~= "" then words[#words + 1] = keyword end
  end
end

local function is_searched(field)
  return field.type == "text"
    and (field.name == "title" or field.name == "name" or field.name == "summary")
end

-- All entities of a kind that have a keyword, each once.
local function matches_of(kind, words)
  local found, seen = {}, {}
  for _, field in ipairs(kind.fields) do
    if is_searched(field) then
      for entity in entities.each(kind.name, { where = { [field.name] = has(words) } }) do
        if not seen[entity.key] then
          seen[entity.key] = true
          found[#found + 1] = entity
        end
      end
    end
  end
  return found
end

local asked = options()
local known = {}
for _, kind in ipairs(favorites.kinds()) do known[kind.name] = true end
if asked.kind and not known[asked.kind] then fail("there is no kind " .. asked.kind) end

if asked.file then
  add_lines(asked.words, fs.read(asked.file))
elseif not asked.words[1] then
  add_lines(asked.words, io.read("a") or "")
end
if not asked.words[1] then fail("no keywords") end

local counts = { starred = 0, already = 0, refused = 0 }
favorites.transaction(function()
  for _, kind in ipairs(favorites.kinds()) do
    if not asked.kind or asked.kind == kind.name then
      for _, entity in ipairs(matches_of(kind, asked.words)) do
        local outcome, why
        if asked.dry then
          outcome = not favorites.contains(kind.name, entity.key)
          why = outcome and favorites.refused(kind.name, entity.key) and "refused" or nil
        else
          outcome, why = favorites.insert(kind.name, entity, { tags = { asked.tag } })
        end
        local verdict = why == "refused" and "refused" or outcome and "starred" or "already"
        counts[verdict] = counts[verdict] + 1
        if verdict ~= "already" then
          print(("%s\t%s\t%s\t%s"):format(verdict == "starred" and "+" or "refused", kind.name,
            entity.key, entity.title or entity.name or ""))
        end
      end
    end
  end
end)
print(("%s%d starred, %d were already, %d refused"):format(asked.dry and "would be: " or "",
  counts.starred, counts.already, counts.refused))
