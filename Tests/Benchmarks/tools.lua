-- Running programs and reading what they cost; the feeds and databases that figures are taken on.
local M = {}

M.out = ".build/benchmarks"
M.here = "Tests/Benchmarks"
M.starling = M.out .. "/starling"
M.bench = M.out .. "/starling-bench"
M.patient = "--max-time 600s --max-memory 1GB"
M.rounds, M.scale = 5, 1
--- How many favorites the databases have that figures are taken on.
M.sizes = { 1000, 100000, 1000000 }

local out = M.out

local function read(path)
  local file = io.open(path, "rb")
  if not file then return "" end
  local text = file:read("a")
  file:close()
  return text
end

local function exists(path)
  local file = io.open(path, "rb")
  if file then file:close() end
  return file ~= nil
end

local function shell(command)
  local ok = os.execute(command)
  if not ok then error("failed: " .. command .. "\n" .. read(out .. "/stderr"), 0) end
end

--- Runs a command with its output in files: out/stdout and out/stderr.
local function captured(command)
  shell(string.format("%s >%s/stdout 2>%s/stderr", command, out, out))
end

--- Whether a command ends well: what is needed for a figure is there.
function M.works(command)
  return os.execute(command .. " >/dev/null 2>&1") == true
end

M.valgrind = M.works("valgrind --version")

--- A number of repetitions, fewer when only a quick look is wanted.
function M.count(number) return math.max(1, math.floor(number * M.scale)) end

--- What a command cost, and what it printed.
---@return table {cpu, wall (both in µs), peak (KB), text}
function M.measure(command, times)
  captured(string.format("%s/measure -n %d %s/result %s", out, times or 1, out, command))
  local cpu, wall, peak = read(out .. "/result"):match("(%S+) (%S+) (%S+)")
  return {
    cpu = tonumber(cpu),
    wall = tonumber(wall),
    peak = tonumber(peak),
    text = read(out .. "/stdout"),
  }
end

--- The number after a name in what a command prints.
function M.printed(command, name)
  local text = M.measure(command).text
  return tonumber(text:match("%f[%w]" .. name .. "%s+(%S+)"))
    or error("no '" .. name .. "' from: " .. command .. "\n" .. text, 0)
end

local function instructions(command)
  captured("valgrind --tool=callgrind --callgrind-out-file=/dev/null " .. command)
  return tonumber(read(out .. "/stderr"):match("Collected : (%d+)"))
end

--- Instructions of one operation: the difference between few and many, so that start-up drops out.
---@param command string with one %d, for how many
---@param prepare? function called before each run
function M.instructions(command, few, many, prepare)
  local function run(times)
    if prepare then prepare() end
    return instructions(command:format(times))
  end
  local less = run(few)
  return (run(many) - less) / (many - few)
end

function M.remove(path)
  os.remove(path)
  os.remove(path .. "-wal")
  os.remove(path .. "-shm")
end

--- A feed of so many items, made once.
function M.feed(format, items)
  local path = string.format("%s/%s-%d", out, format, items)
  if not exists(path) then
    shell(string.format("%s/feed %s %d >%s", out, format, items, path))
  end
  return path
end

--- The size of a file, in the megabytes that memory is counted in.
function M.megabytes(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:seek("end") / 1048576
end

--- Whether a file is there and not older than what it is made from.
local function is_fresh(path, ...)
  local newer = string.format("find %s -newer %s", table.concat({ ... }, " "), path)
  return exists(path) and not os.execute('test -n "$(' .. newer .. ')"')
end

--- A database made once: `make` gets the path of a new one.
local function database(path, sources, make)
  if is_fresh(path, table.unpack(sources)) then return path end
  local new = path .. ".new"
  M.remove(new)
  make(new)
  M.remove(path)
  shell(string.format("mv %s %s && touch %s", new, path, path))
  M.remove(new)
  return path
end

local schema = "Sources/StarlingFavorites/Schema.swift"

--- A database of so many favorites made by Starling itself; the other programs read the same file.
function M.favorites(rows)
  local fill = M.here .. "/workloads/fill.lua"
  return database(string.format("%s/favorites-%d.db", out, rows), { fill, schema }, function(new)
    captured(string.format("%s run --db %s --plugins plugins %s %s %d", M.starling, new, M.patient,
      fill, rows))
  end)
end

--- The same entities, none of which is a favorite.
function M.entities(rows)
  local favorites = M.favorites(rows)
  return database(string.format("%s/entities-%d.db", out, rows), { favorites }, function(new)
    shell(string.format("cp %s %s", favorites, new))
    shell(string.format("sqlite3 %s 'DELETE FROM causes; DELETE FROM favorites'", new))
  end)
end

--- The same news as bookmarks of buku.
function M.bookmarks(rows)
  local favorites = M.favorites(rows)
  return database(string.format("%s/bookmarks-%d.db", out, rows), { favorites }, function(new)
    captured(string.format("buku --nostdin --db %s --nc --np --print", new))
    shell(string.format("sqlite3 %s \"ATTACH '%s' AS s;"
      .. " INSERT INTO bookmarks (URL, metadata, desc) SELECT key, title, summary FROM s.news\"",
      new, favorites))
  end)
end

--- A copy that may be written to.
function M.copy(path)
  local copy = out .. "/copy.db"
  M.remove(copy)
  shell(string.format("cp %s %s", path, copy))
  return copy
end

return M
