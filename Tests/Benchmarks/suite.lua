-- The list of figures, and what the files that fill it (figures/) share.
--
-- A figure has a name, a unit, how many times the limit ours may be, and a function for each side.
-- `rows`: of the database that it is taken on. `counted`: instructions, which need no rounds.
-- `once`: no rounds either. `needs`: a command that works where the figure can be taken.
local tools = require "tools"
local M = { figures = {} }

function M.figure(name, unit, target, sides)
  sides.name, sides.unit, sides.target = name, unit, target
  M.figures[#M.figures + 1] = sides
end

--- The limit is a number, not a program.
function M.constant(value)
  return function() return value end
end

--- `starling run` on a database, without the limits that a script has by default.
function M.our_host(path)
  return string.format("%s run %s --db %s", tools.starling, tools.patient, path)
end

--- The program in C that has the same functions.
function M.limit_host(path) return tools.out .. "/host " .. path end

--- A script of workloads/ with its arguments.
function M.workload(host, name, ...)
  return table.concat({ host, tools.here .. "/workloads/" .. name .. ".lua", ... }, " ")
end

--- A script of peers/, run by its own interpreter.
function M.peer(file, path, ...)
  local interpreter = file:match("%.py$") and "/usr/bin/python3" or "lua5.4"
  return table.concat({ interpreter, tools.here .. "/peers/" .. file, path, ... }, " ")
end

--- What shows that a peer is installed.
M.needs = {
  python = "/usr/bin/python3 -c 'import sqlite3'",
  luasql = "lua5.4 -l luasql.sqlite3 -e ''",
  buku = "buku --version",
  shell = "sqlite3 -version",
}

return M
