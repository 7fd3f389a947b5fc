-- What a Starling script may name besides Lua's own library. `make lint` checks plugins harder:
-- .ci/lint lists every global that one touches.
std = "lua54"
max_line_length = 100
exclude_files = { "**/fixtures/**", "**/*.meta.lua" }

local words = {
  "any", "all", "above", "at_least", "at_most", "before", "below", "between", "has", "is",
  "matches", "missing", "not_", "since", "word",
  "skip", "star", "stop", "tag",
}

local helpers = { "json", "log", "money", "text", "time", "url" }

local function names(...)
  local list = {}
  for _, part in ipairs({ ... }) do
    for _, name in ipairs(part) do list[#list + 1] = name end
  end
  return list
end

files["plugins"] = { read_globals = helpers }
local script = {
  read_globals = names(words, helpers, {
    "entities", "env", "favorites", "feeds", "fs", "http", "limits", "process", "rule", "rules",
    "search", "source", "sources",
  }),
  globals = { "keep" },
}
files["scripts"] = script
files["Tests/Benchmarks/bench.lua"] = { std = "lua54" }
files["Tests/Benchmarks/workloads"] = {
  read_globals = names({ "host" }, script.read_globals),
}
