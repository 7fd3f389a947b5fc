-- Decodes the JSON of standard input to Lua tables; prints milliseconds of CPU time.
local text = io.read("a")
local start = os.clock()
local value = json.decode(text)
print(string.format("ms %.3f", (os.clock() - start) * 1000))
if #value.topics == 0 then error("a wrong answer") end
