-- Writes: entity, favorite, cause, history and the words of the search, on both sides.
local suite, tools = require "suite", require "tools"
local figure, count = suite.figure, tools.count

local cases = { { "insert", 1.3, 50000 }, { "toggle", 1.2, 5000 } }

--- A case on a database of so many favorites.
local function add(case, rows)
  local mode, target, times = table.unpack(case)
  local name = mode .. " / the same writes in C+Lua"
  local function copy() return tools.copy(tools.favorites(rows)) end
  local function side(host)
    return function()
      return tools.printed(suite.workload(host(copy()), "write", mode, count(times)), "us")
    end
  end
  local function counted(host)
    return function()
      local command = suite.workload(host(copy()), "write", mode, "%d")
      return tools.instructions(command, 500, 2500, copy)
    end
  end
  figure(name, "instr", target, {
    rows = rows, counted = true,
    ours = counted(suite.our_host), limit = counted(suite.limit_host),
  })
  -- So near to 1, time says less than instructions do.
  if rows ~= 100000 then return end
  figure(name, "µs", target,
    { rows = rows, ours = side(suite.our_host), limit = side(suite.limit_host) })
end

for _, case in ipairs(cases) do
  for _, rows in ipairs(tools.sizes) do add(case, rows) end
end
