-- Writes.
local suite, tools = require "suite", require "tools"
local figure, count = suite.figure, tools.count

for _, case in ipairs { { "insert", 1.3, 50000 }, { "toggle", 1.2, 5000 } } do
  local mode, target, times = table.unpack(case)
  local function side(host)
    return function()
      local path = tools.copy(tools.favorites(100000))
      return tools.printed(suite.workload(host(path), "write", mode, count(times)), "us")
    end
  end
  figure(mode .. " / the same writes in C+Lua", "µs", target,
    { rows = 100000, ours = side(suite.our_host), limit = side(suite.limit_host) })
end
