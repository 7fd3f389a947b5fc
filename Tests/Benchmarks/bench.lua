-- Measures Starling against programs in C that do the same work, and prints a table of ratios.
-- Run by Tests/Benchmarks/run, from the project's folder. A machine's speed moves all the time:
-- each figure is the ratio of two medians over rounds in which ours and the limit take turns.

local out = ".build/benchmarks"
local starling = out .. "/starling"
local bench = out .. "/starling-bench"
local here = "Tests/Benchmarks"
local patient = "--max-time 600s --max-memory 1GB"
local rounds, scale = 5, 1
local wanted = {}

for _, word in ipairs(arg) do
  if word == "--quick" then
    rounds, scale = 3, 0.2
  else
    wanted[#wanted + 1] = word
  end
end

---- Running programs

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

--- What a command cost, and what it printed.
---@return table {cpu, wall (both in µs), peak (KB), text}
local function measure(command, times)
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
local function printed(command, name)
  local text = measure(command).text
  return tonumber(text:match("%f[%w]" .. name .. "%s+(%S+)"))
    or error("no '" .. name .. "' from: " .. command .. "\n" .. text, 0)
end

local valgrind = os.execute("command -v valgrind >/dev/null 2>&1")

--- Instructions that a command executes, by callgrind.
local function instructions(command)
  captured("valgrind --tool=callgrind --callgrind-out-file=/dev/null " .. command)
  return tonumber(read(out .. "/stderr"):match("Collected : (%d+)"))
end

--- Instructions of one operation: the difference between few and many, so that start-up drops out.
local function instructions_each(command, few, many)
  local less = instructions(command:format(few))
  return (instructions(command:format(many)) - less) / (many - few)
end

---- What is measured on

local function feed(format, count)
  local path = string.format("%s/%s-%d", out, format, count)
  if not exists(path) then shell(string.format("%s/feed %s %d >%s", out, format, count, path)) end
  return path
end

local function remove(path)
  os.remove(path)
  os.remove(path .. "-wal")
  os.remove(path .. "-shm")
end

--- A database of favorites made by Starling itself; the limit programs read the same file.
local function favorites(count)
  local path = string.format("%s/favorites-%d.db", out, count)
  if not exists(path) then
    remove(path .. ".new")
    captured(string.format("%s run --db %s.new --plugins plugins %s %s/workloads/fill.lua %d",
      starling, path, patient, here, count))
    shell(string.format("mv %s.new %s", path, path))
    os.remove(path .. ".new-wal")
    os.remove(path .. ".new-shm")
  end
  return path
end

---- The figures

local figures = {}

--- Adds a figure: what is compared, at most how many times the limit, and how both are measured.
local function figure(name, unit, target, sides)
  sides.name, sides.unit, sides.target = name, unit, target
  figures[#figures + 1] = sides
end

local function count(number) return math.max(1, math.floor(number * scale)) end

local function calls(program, name)
  return function()
    return printed(string.format("%s %s/workloads/calls.lua %s %d", program, here, name,
      count(5000000)), "ns")
  end
end
figure("call into the host, no arguments", "ns", 1.5,
  { ours = calls(bench .. " calls", "none"), limit = calls(out .. "/calls", "none") })
figure("call into the host, two strings", "ns", 1.5,
  { ours = calls(bench .. " calls", "two"), limit = calls(out .. "/calls", "two") })

local function start(command, field)
  return function() return measure(command, count(100))[field] end
end
figure("starling --version / lua5.4 -v, CPU", "µs", 3,
  { ours = start(starling .. " --version", "cpu"), limit = start("lua5.4 -v", "cpu") })
figure("starling --version / lua5.4 -v, wall", "µs", 3,
  { ours = start(starling .. " --version", "wall"), limit = start("lua5.4 -v", "wall") })

local empty = here .. "/workloads/empty.lua"
local function empty_run()
  return string.format("%s run --db %s %s", starling, favorites(1000), empty)
end
figure("run of an empty script / lua5.4, CPU", "µs", 3, {
  ours = function() return measure(empty_run(), count(100)).cpu end,
  limit = start("lua5.4 " .. empty, "cpu"),
})
figure("peak memory of an empty run / 12 MB", "MB", 1, {
  ours = function() return measure(empty_run()).peak / 1024 end,
  limit = function() return 12 end,
})

local function lookups(mode, rows, times)
  local function command(program)
    return string.format("%s/workloads/contains.lua %s %d %%d", program, mode, rows)
  end
  local ours = starling .. " run " .. patient .. " --db " .. favorites(rows) .. " " .. here
  local limit = out .. "/host " .. favorites(rows) .. " " .. here
  return command(ours), command(limit), times
end

for _, case in ipairs {
  { "contains, hit", "hit" }, { "contains, miss", "miss" },
  { "contains in a transaction, hit", "transaction" },
} do
  local label, mode = case[1], case[2]
  figure(label .. ", 100,000 rows / C+Lua", "ns", 1.3, {
    ours = function()
      local ours, _, times = lookups(mode, 100000, count(300000))
      return printed(ours:format(times), "ns")
    end,
    limit = function()
      local _, limit, times = lookups(mode, 100000, count(300000))
      return printed(limit:format(times), "ns")
    end,
  })
  figure(label .. ", instructions", "", 1.15, {
    counted = true,
    ours = function()
      local ours = lookups(mode, 100000)
      return instructions_each(ours, 5000, 25000)
    end,
    limit = function()
      local _, limit = lookups(mode, 100000)
      return instructions_each(limit, 5000, 25000)
    end,
  })
end

local loads = out .. "/load.db"
local function load_feed(items)
  remove(loads)
  return measure(string.format(
    "%s load %s --plugin news --plugins plugins --rules %s/workloads/rules.lua --db %s",
    starling, feed("rss", items), here, loads))
end
figure("load of RSS, ten rules / C+Lua bare rows", "µs", 3, {
  ours = function()
    local items = count(100000)
    return load_feed(items).cpu / items
  end,
  limit = function()
    remove(loads)
    local items = count(100000)
    local command = string.format("%s/load %s %s/workloads/map.lua %s", out, feed("rss", items),
      here, loads)
    return measure(command).cpu / items
  end,
})
figure("peak memory of a load / 60 MB", "MB", 1, {
  ours = function() return load_feed(count(200000)).peak / 1024 end,
  limit = function() return 60 end,
  once = true,
})
figure("peak memory, ten times the items", "MB", 1.1, {
  ours = function() return load_feed(count(200000)).peak / 1024 end,
  limit = function() return load_feed(count(20000)).peak / 1024 end,
  once = true,
})

---- The table

local function median(list)
  table.sort(list)
  return list[(#list + 1) // 2]
end

local function selected(one)
  for _, word in ipairs(wanted) do
    if one.name:find(word, 1, true) then return true end
  end
  return #wanted == 0
end

--- Characters rather than bytes, so that "µs" takes two columns.
local function pad(text, width) return text .. (" "):rep(width - utf8.len(text)) end

local function number(value)
  if value >= 1000 then return string.format("%.0f", value) end
  return string.format("%.2f", value)
end

local function row(one)
  if one.counted and not valgrind then return nil, "valgrind is not installed" end
  local ours, limit = {}, {}
  for _ = 1, (one.counted or one.once) and 1 or rounds do
    ours[#ours + 1] = one.ours()
    limit[#limit + 1] = one.limit()
  end
  return median(ours), median(limit)
end

local failures = 0
print(string.format("%-48s %-5s %10s %10s %7s %7s", "figure", "unit", "ours", "limit", "ratio",
  "at most"))
for _, one in ipairs(figures) do
  if selected(one) then
    local done, ours, limit = pcall(row, one)
    if not done or not ours then
      local why = tostring(done and limit or ours):gsub("%s+", " ")
      print(pad(one.name, 48) .. " not measured: " .. why)
      failures = failures + (done and 0 or 1)
    else
      local ratio = ours / limit
      local pass = ratio <= one.target
      if not pass then failures = failures + 1 end
      print(string.format("%s %s %10s %10s %7.2f %7.2f  %s", pad(one.name, 48), pad(one.unit, 5),
        number(ours), number(limit), ratio, one.target, pass and "pass" or "MISS"))
    end
    io.stdout:flush()
  end
end
os.exit(failures == 0)
