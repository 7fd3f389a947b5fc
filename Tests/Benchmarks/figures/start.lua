-- Calls into the host, and starting.
local suite, tools = require "suite", require "tools"
local figure, constant = suite.figure, suite.constant
local count, measure = tools.count, tools.measure

local function calls(program, name)
  return function()
    return tools.printed(suite.workload(program, "calls", name, count(5000000)), "ns")
  end
end

figure("call into the host, two strings", "ns", 1.5, {
  ours = calls(tools.bench .. " calls", "two"),
  limit = calls(tools.out .. "/calls", "two"),
})

local function started(command, times)
  return function() return measure(command, count(times or 50)).cpu end
end

local function empty_run()
  return suite.workload(suite.our_host(tools.favorites(1000)), "empty")
end

local function our_start()
  return measure(empty_run(), count(100)).cpu
end

figure("starling --version / lua5.4 -v", "µs", 3,
  { ours = started(tools.starling .. " --version"), limit = started("lua5.4 -v") })
figure("run of an empty script / lua5.4", "µs", 3,
  { ours = our_start, limit = started(suite.workload("lua5.4", "empty"), 100) })
figure("run of an empty script / python3 with sqlite3", "µs", 0.25, {
  needs = suite.needs.python,
  ours = our_start,
  limit = started("/usr/bin/python3 -c 'import sqlite3'"),
})
figure("run of an empty script / buku --version", "µs", 0.25,
  { needs = suite.needs.buku, ours = our_start, limit = started("buku --version", 10) })
figure("peak memory of an empty run / 12 MB", "MB", 1,
  { ours = function() return measure(empty_run()).peak / 1024 end, limit = constant(12) })

--- A script that opens the database and asks it once.
local function opened(rows)
  return function()
    return measure(suite.workload(suite.our_host(tools.favorites(rows)), "open"), count(50)).cpu
  end
end

for _, rows in ipairs { 100000, 1000000 } do
  figure("opening it and asking once / with 1,000 rows", "µs", 1.1,
    { rows = rows, ours = opened(rows), limit = opened(1000) })
end
