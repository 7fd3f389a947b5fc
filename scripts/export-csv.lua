#!/usr/bin/env -S starling run
-- Favorites of one kind, or all that was seen of it, as CSV (RFC 4180) on standard output.
-- usage: starling run export-csv.lua [--all] [--tag TAG] KIND > FILE.csv
--   Times are RFC 3339 in UTC; a price has columns for its text, ends and currency; lists are
--   joined by "; ".
local usage <const> = "usage: starling run export-csv.lua [--all] [--tag TAG] KIND"
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

local everything, tag_name, kind_name = false, nil, nil
local index = 1
while arg[index] do
  local word = arg[index]
  if word == "--all" then
    everything = true
  elseif word == "--tag" then
    index = index + 1
    tag_name = arg[index] or fail("--tag wants a tag")
  elseif word:sub(1, 1) == "-" or kind_name then
    fail("unexpected " .. word)
  else
    kind_name = word
  end
  index = index + 1
end
if not kind_name then fail("which kind?") end

local function kind_named(name)
  local known = {}
  for _, kind in ipairs(favorites.kinds()) do
    if kind.name == name then return kind end
    known[#known + 1] = kind.name
  end
  return fail("no kind " .. name .. "; there are: " .. table.concat(known, ", "))
end

local function cell(value)
  local written = value == nil and "" or tostring(value)
  if written:find('[",\r\n]') then written = '"' .. written:gsub('"', '""') .. '"' end
  return written
end

local function write_row(cells)
  io.write(table.concat(cells, ","), "\r\n")
end

local function joined(list)
  return list and table.concat(list, "; ") or nil
end

local function whole(amount)
  return amount and (math.tointeger(amount) or amount)
end

local function header(kind)
  local cells = { "key" }
  for _, field in ipairs(kind.fields) do
    cells[#cells + 1] = cell(field.name)
    if field.type == "money" then
      for _, part in ipairs({ "_low", "_high", "_currency" }) do
        cells[#cells + 1] = cell(field.name .. part)
      end
    end
  end
  if not everything then
    for _, name in ipairs({ "starred_at", "tags", "note" }) do cells[#cells + 1] = name end
  end
  return cells
end

local function row(kind, entity)
  local cells = { cell(entity.key) }
  for _, field in ipairs(kind.fields) do
    local value = entity[field.name]
    if field.type == "money" then
      value = value or {}
      cells[#cells + 1] = cell(value.text)
      cells[#cells + 1] = cell(whole(value.low))
      cells[#cells + 1] = cell(whole(value.high))
      cells[#cells + 1] = cell(value.currency)
    elseif field.type == "time" then
      cells[#cells + 1] = cell(value and time.format(value))
    elseif field.type == "list" then
      cells[#cells + 1] = cell(joined(value))
    else
      cells[#cells + 1] = cell(value)
    end
  end
  if not everything then
    cells[#cells + 1] = cell(entity.starred_at and time.format(entity.starred_at))
    cells[#cells + 1] = cell(joined(entity.tags))
    cells[#cells + 1] = cell(entity.note)
  end
  return cells
end

local kind = kind_named(kind_name)
write_row(header(kind))
local rows = everything and entities or favorites
for entity in rows.each(kind_name, { tag = tag_name }) do write_row(row(kind, entity)) end
