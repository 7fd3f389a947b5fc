/// What the library of a sandboxed state does otherwise than stock Lua 5.4, each with its reason. The
/// reference shows this list, and the fuzzer excuses nothing else.
package struct LuaDifference: Sendable {
  /// What is different.
  package let what: String
  /// Why.
  package let why: String
  /// An expression that gives another result here than in stock Lua, where one can.
  package let example: String?
  /// A part of the messages, or of the calls, by which the fuzzer knows it; nil where it makes no
  /// such case.
  package let mark: String?

  package static let all: [LuaDifference] = [
    LuaDifference(
      what:
        "A stop for time passes through `pcall`, `xpcall` and `coroutine.*`, and no handler sees "
        + "it; a coroutine that it killed cannot be closed.",
      why: "code could go on for ever by catching it.",
      example: nil, mark: nil),
    LuaDifference(
      what:
        "`debug`, `package`, `dofile`, `loadfile`, `warn`, `string.dump` and what `os` and `io` "
        + "do beyond time and the standard streams are not there.",
      why: "they reach other code, files or the machine.",
      example: "type(string.dump)", mark: nil),
    LuaDifference(
      what: "`load` takes text only, whatever its mode says.",
      why: "bytecode that is not the compiler's crashes the process.",
      example: "load('\\27Lua', 'x', 'b')",
      mark: "attempt to load a binary chunk"),
    LuaDifference(
      what:
        "`setmetatable` refuses `__gc`, and a table that is a metatable does not take it later.",
      why: "finalizers run where nothing can stop them.",
      example: "pcall(setmetatable, {}, { __gc = function() end })", mark: "'__gc'"),
    LuaDifference(
      what:
        "Weak keys (`__mode` with `k`) are refused, now and later; `v` stays as it was when the "
        + "table became weak.",
      why: "they can make one collection take minutes.",
      example: "pcall(setmetatable, {}, { __mode = 'k' })", mark: "weak keys"),
    LuaDifference(
      what: "A metatable cannot be weak itself.",
      why: "some releases of Lua 5.4 use freed memory then.",
      example:
        "(function() local m = {} setmetatable({}, m) return pcall(setmetatable, m, { __mode = 'v' }) "
        + "end)()",
      mark: "a metatable cannot be weak itself"),
    LuaDifference(
      what: "`getmetatable` of a string is false.",
      why: "all strings share it, and so does the code of everybody else in the state.",
      example: "getmetatable('')", mark: "getmetatable, '"),
    LuaDifference(
      what: "`tostring` and `%s` show no address, and `%p` is an error.",
      why: "addresses help those who break memory, and differ from run to run.",
      example: "pcall(string.format, '%p', {})", mark: "invalid conversion '%p'"),
    LuaDifference(
      what:
        "`math.randomseed()` takes the time as its seed; in plugins `math.random` begins each feed with "
        + "the same numbers, and `math.randomseed()` begins them again.",
      why:
        "the stock one takes an address and tells it, and a feed must not depend on the one before.",
      example: nil, mark: nil),
    LuaDifference(
      what:
        "In plugins and rules no table of the library, nor `_G`, nor `feed` can be changed: a new field "
        + "and every `rawset` is an error at once; a field that is there, set by an assignment, is put "
        + "back when the call ends, and the call has failed.",
      why: "what one call leaves in a shared table would change what the next one does.",
      example: nil, mark: nil),
    LuaDifference(
      what:
        "Globals that a rules file defines are kept apart: `rawget(_G, name)` gives the library's "
        + "alone, and so does `pairs(_G)`.",
      why: "the library's own table never changes.",
      example: nil, mark: nil),
    LuaDifference(
      what: "`collectgarbage` has `collect`, `count`, `step` and `isrunning`.",
      why: "the limits need a collector that runs.",
      example: "pcall(collectgarbage, 'stop')", mark: "is not available here"),
    LuaDifference(
      what: "A string is of at most 4 MB in plugins and rules, 16 MB in scripts.",
      why: "one step over a longer one takes too long to be stopped.",
      example: nil, mark: nil),
    LuaDifference(
      what: "`string.format` takes at most 250 arguments.",
      why: "it does not look at the time between them.",
      example: "pcall(string.format, ('%s'):rep(251), table.unpack({}, 1, 251))",
      mark: "too many arguments to 'format'"),
    LuaDifference(
      what:
        "`type` of a view of a document is `table`, and `next`, `pairs`, `ipairs` and `#` take one.",
      why: "a document need not fit into a plugin's memory.",
      example: nil, mark: nil),
    LuaDifference(
      what: "Reading a global variable that nobody defined is an error that names the nearest one; "
        + "plugins define none, rules and scripts only outside of functions.",
      why: "a misspelt name is found at once.",
      example: nil, mark: nil),
  ]

  /// Whether a result that is not stock Lua's is so on purpose.
  package static func excuses(ours: String) -> Bool {
    all.contains { difference in difference.mark.map { ours.contains($0) } ?? false }
  }
}
