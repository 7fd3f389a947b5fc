-- Measures Starling against programs in C that do the same work, and prints a table of ratios.
-- Run by Tests/Benchmarks/run, from the project's folder. A machine's speed moves all the time:
-- each figure is the ratio of two medians over rounds in which ours and the limit take turns.

package.path = "Tests/Benchmarks/?.lua;" .. package.path
local tools = require "tools"

local wanted = {}
for _, word in ipairs(arg) do
  if word == "--quick" then
    tools.rounds, tools.scale, tools.sizes = 3, 0.2, { 1000, 100000 }
  else
    wanted[#wanted + 1] = word
  end
end

local function median(list)
  table.sort(list)
  return list[(#list + 1) // 2]
end

local function selected(figure)
  for _, word in ipairs(wanted) do
    if figure.name:find(word, 1, true) then return true end
  end
  return #wanted == 0
end

--- Characters rather than bytes, so that "µs" takes two columns.
local function pad(text, width) return text .. (" "):rep(width - utf8.len(text)) end

local function number(value)
  if value >= 1000 then return string.format("%.0f", value) end
  return string.format("%.2f", value)
end

--- The two medians of a figure; or nil and why it cannot be measured here.
local function measured(figure)
  if figure.counted and not tools.valgrind then return nil, "valgrind is not installed" end
  if figure.needs and not tools.works(figure.needs) then
    return nil, "not installed: " .. figure.needs
  end
  if figure.rows and figure.rows > tools.sizes[#tools.sizes] then return nil, "not with --quick" end
  local ours, limit = {}, {}
  for _ = 1, (figure.counted or figure.once) and 1 or tools.rounds do
    ours[#ours + 1] = figure.ours()
    limit[#limit + 1] = figure.limit()
  end
  return median(ours), median(limit)
end

local missed = 0

local function row(figure)
  local rows = string.format("%8s", figure.rows or "")
  local done, ours, limit = pcall(measured, figure)
  if not done or not ours then
    if not done then missed = missed + 1 end
    local why = tostring(done and limit or ours):gsub("%s+", " ")
    return pad(figure.name, 46) .. rows .. " not measured: " .. why
  end
  local ratio = ours / limit
  local pass = ratio <= figure.target
  if not pass then missed = missed + 1 end
  return string.format("%s%s %s %10s %10s %7.3f %7.3f  %s", pad(figure.name, 46), rows,
    pad(figure.unit, 5), number(ours), number(limit), ratio, figure.target,
    pass and "pass" or "MISS")
end

print(string.format("%-46s%8s %-5s %10s %10s %7s %7s", "figure", "rows", "unit", "ours", "limit",
  "ratio", "at most"))
for _, figure in ipairs(require "figures") do
  if selected(figure) then
    print(row(figure))
    io.stdout:flush()
  end
end
os.exit(missed == 0)
