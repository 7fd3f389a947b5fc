-- Lua by itself: what the sandbox costs where nothing is wrong. Instructions judge, since a few
-- percent of time are noise; the times stand beside them.
local suite, tools = require "suite", require "tools"
local figure = suite.figure

--- The command, with %d for how often.
local function ours(name)
  return string.format("%s run %s --db %s/lua.db %s/workloads/pure.lua %s %%d", tools.starling,
    tools.patient, tools.out, tools.here, name)
end

local function stock(name)
  return string.format("lua5.4 %s/workloads/pure.lua %s %%d", tools.here, name)
end

local works = {
  { "loop", 20, 200, 60000 }, { "fib", 20, 200, 8000 }, { "tables", 10, 60, 1500 },
  { "strings", 20, 200, 6000 }, { "methods", 20, 200, 6000 }, { "coroutines", 20, 200, 8000 },
  { "patterns", 5, 40, 800 },
}

for _, work in ipairs(works) do
  local name, few, many, times = table.unpack(work)
  local target = name == "patterns" and 1.2 or 1.03
  figure("pure Lua, " .. name .. " / lua5.4", "instr", target, {
    counted = true,
    ours = function() return tools.instructions(ours(name), few, many) end,
    limit = function() return tools.instructions(stock(name), few, many) end,
  })
  -- Times are of one machine for some milliseconds: they show what instructions do not, such as
  -- memory that is slow to come.
  figure("pure Lua, " .. name .. " / lua5.4", "ms", target + 0.07, {
    ours = function() return tools.printed(ours(name):format(tools.count(times)), "ms") end,
    limit = function() return tools.printed(stock(name):format(tools.count(times)), "ms") end,
  })
end
