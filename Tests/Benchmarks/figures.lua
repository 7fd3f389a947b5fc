-- What is measured, in the order of the table.
local suite = require "suite"

for _, name in ipairs { "start", "lua", "look", "read", "write", "search", "feed" } do
  require("figures." .. name)
end

return suite.figures
