-- Work of Lua alone: NAME and COUNT. It runs under stock lua5.4 as under Starling; prints
-- milliseconds of CPU time.
local name, count = arg[1], math.tointeger(tonumber(arg[2]))
local work = {}

function work.loop(n)
  local sum = 0
  for i = 1, n * 1000 do sum = sum + i % 7 end
  return sum
end

local function fib(n) return n < 2 and n or fib(n - 1) + fib(n - 2) end

function work.fib(n)
  local last
  for _ = 1, n do last = fib(15) end
  return last
end

function work.tables(n)
  local total = 0
  for _ = 1, n do
    local list, index = {}, {}
    for i = 1, 200 do
      list[i] = { id = i, price = i * 1.5 }
      index["k" .. i] = list[i]
    end
    table.sort(list, function(a, b) return a.price > b.price end)
    table.insert(list, table.remove(list, 1))
    for _, item in ipairs(list) do total = total + item.id end
    for _, item in pairs(index) do total = total + item.price end
  end
  return total
end

function work.strings(n)
  local length = 0
  for i = 1, n do
    local parts = {}
    for j = 1, 100 do parts[j] = string.format("%d:%s", j, ("x"):rep(j % 8)) end
    local text = table.concat(parts, ",") .. i
    length = length + #text + #text:upper() + #text:sub(10, -10) + text:byte(5)
  end
  return length
end

function work.methods(n)
  local Point = {}
  Point.__index = Point
  function Point.__add(a, b) return setmetatable({ x = a.x + b.x }, Point) end
  function Point:double() return self + self end
  local sum = 0
  for _ = 1, n * 100 do
    local ok, point = pcall(Point.double, setmetatable({ x = 1 }, Point))
    sum = sum + (ok and point.x or 0)
  end
  return sum
end

function work.coroutines(n)
  local sum = 0
  for _ = 1, n do
    for value in coroutine.wrap(function() for i = 1, 200 do coroutine.yield(i) end end) do
      sum = sum + value
    end
  end
  return sum
end

local row = '<li class="item"><a href="https://e.example/2026/05/%d?utm=x">Title of %d</a> '
  .. "&amp; more, 16.59-25.13</li>\n"
local page = row:rep(40)

function work.patterns(n)
  local found = 0
  for _ = 1, n do
    for link, title in page:gmatch('href="([^"]+)">(.-)</a>') do found = found + #link + #title end
    found = found + select(2, page:gsub("&(%w+);", { amp = "&" }))
    found = found + #page:gsub("%s+", " ") + (page:find("25%.13</li>\n$") or 0)
    found = found + (page:find("no such text", 1, true) or 1)
    for low, high in page:gmatch("(%d+%.%d+)%-(%d+%.%d+)") do found = found + low + high end
  end
  return found
end

local start = os.clock()
local result = work[name](count)
print(string.format("ms %.3f result %s", (os.clock() - start) * 1000, result))
