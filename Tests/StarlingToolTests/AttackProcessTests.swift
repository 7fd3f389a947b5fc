import Testing

@testable import StarlingTool

/// What no Lua does to the process: it ends in time, stays small, and leaves the database whole.
@Suite(.enabled(if: Child.program != nil, "the program is not built"), .serialized)
struct AttackProcessTests {
  static let attacks = [
    "while true do pcall(function() while true do end end) end",
    "local t = {} for i = 1, 4e6 do t[i] = { i } end while true do collectgarbage() end",
    "local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end",
    "local t = {} while true do local c = coroutine.wrap(function() coroutine.yield() end) c() t[#t + 1] = c end",
    "local t = {} local p = ('x'):rep(1e5) for i = 1, 300 do t[p .. i] = 1 end while true do pcall(json.encode, t) end",
    "local s = ('\\1'):rep(6e5) while true do json.encode(s) end",
    "local k = {} for s = 8, 60000, 977 do for i = 1, 200 do k[#k + 1] = ('x'):rep(s) end for i = 1, #k, 2 do k[i] = false end end while true do end",
    "local t = {} local s = '[' .. ('{},'):rep(5e5) .. '1]' while true do t[#t + 1] = json.decode(s) end",
    "local s = ('<a><p></a>'):rep(3e5) while true do text.plain(s) end",
    "local k = ((1 << 14) - 1) * ((1 << 15) - 1) * ((1 << 16) - 1) local t = {} for i = 1, 1e6 do t[k * i] = true end",
    "error(setmetatable({}, { __tostring = function() return ('\\27[2J'):rep(9e5) end }))",
    "local _ = setmetatable({}, { __name = ('\\27[31m'):rep(1e5) }) + 1",
  ]

  /// One text of Lua that is said in many places of what the host reads.
  static let repeated = [
    "{ id = '1', words = t }", "{ id = s, title = s, words = t }",
    "{ id = '1', words = { s, s }, [s] = 1 }", "{ kind = s, id = '1' }",
  ]

  @Test("one text in many places is not copied for each", arguments: repeated)
  func answers(_ entity: String) throws {
    let place = Workplace()
    let text = "local s = ('x'):rep(4e6) local t = {} for i = 1, 1000 do t[i] = s end"
    place.write(
      "plugins/bad.lua",
      AttackProcessTests.plugin("\(text) return \(entity)")
        .replacing("id = \"text\"", with: "id = \"text\", title = \"text\", words = \"list\""))
    place.write("feed.json", #"[{"id":"1"}]"#)
    try expectHarmless(
      MeasuredProcess.run(
        place, ["load", "@feed.json", "--plugin", "bad"] + AttackProcessTests.limits), entity)
    #expect(place.run("doctor").status == 0)
  }

  @Test(
    "nor in what a script gives",
    arguments: [
      "favorites.insert('bad', { id = '1' }, { tags = t })",
      "favorites.insert('bad', { id = '1', words = t })",
      "favorites.tag('bad', '1', table.unpack(t))",
      "favorites.fetch('bad', { where = { id = t } })",
    ])
  func given(_ call: String) throws {
    let place = Workplace()
    place.write(
      "plugins/bad.lua",
      AttackProcessTests.plugin("return nil")
        .replacing("id = \"text\"", with: "id = \"text\", words = \"list\""))
    let text = "local s = ('x'):rep(4e6) local t = {} for i = 1, 1000 do t[i] = s end"
    try expectHarmless(
      MeasuredProcess.run(place, ["run"] + AttackProcessTests.limits + ["-e", "\(text) \(call)"]),
      call)
  }

  /// What a host function holds for its caller while it works.
  static let held = [
    "json.decode('[' .. ('1,'):rep(7e6) .. '1]')",
    "while true do pcall(json.decode, '[' .. ('1,'):rep(5e6) .. '1]') end",
    "json.decode('{' .. ('\"a\":[],'):rep(2e6) .. '\"a\":1}')",
    "feeds.decode('[' .. ('1,'):rep(7e6) .. '1]')",
    "feeds.decode('<rss><channel><title>' .. ('x'):rep(14e6) .. '</title></channel></rss>')",
    "feeds.decode('<?xml version=\"1.0\" encoding=\"windows-1252\"?><rss><channel><item><title>' .. ('\\x80'):rep(15e6))",
    "local s = ('\\1'):rep(25e5) while true do pcall(json.encode, s) end",
    "local t = {} for i = 1, 3e5 do t[i] = 'x' .. i end while true do pcall(json.encode, t) end",
    "while true do pcall(favorites.note, 'thing', '1', ('x'):rep(1e7) .. math.random()) end",
    "while true do favorites.note('thing', '1', ('x'):rep(6e4) .. math.random()) end",
    "local i = 0 while true do i = i + 1 favorites.tag('thing', '1', 't' .. i) end",
    "while true do pcall(favorites.insert, 'thing', { id = '2', title = ('x'):rep(15e6) .. math.random() }) end",
    "while true do pcall(favorites.toggle, 'thing', ('k'):rep(1e7)) end",
    "while true do pcall(favorites.history, { kind = ('x'):rep(15e6) }) end",
    "while true do pcall(favorites.fetch, ('x'):rep(15e6)) end",
    "while true do pcall(favorites.fetch, 'thing', { order = ('x'):rep(15e6) }) end",
    "while true do pcall(favorites.fetch, 'thing', { after = ('x'):rep(15e6) }) end",
    "while true do pcall(favorites.fetch, 'thing', { where = { title = matches(('a'):rep(15e6)) } }) end",
    "while true do pcall(http.get, 'http://' .. ('x'):rep(15e6)) end",
    "while true do pcall(env.get, ('x'):rep(15e6)) end",
    "while true do favorites.history { limit = 1e9 } end",
    "while true do favorites.undo() end",
  ]

  @Test("what host functions hold for a script counts as the script's", arguments: held)
  func holdings(attack: String) throws {
    let place = Workplace()
    place.write(
      "plugins/thing.lua",
      AttackProcessTests.plugin("return { id = item.id }")
        .replacing("bad =", with: "thing =")
        .replacing("id = \"text\" }", with: "id = \"text\", title = \"text\" }"))
    place.write("feed.json", #"[{"id":"1"}]"#)
    #expect(place.run("load", "@feed.json", "--plugin", "thing").status == 0)
    #expect(place.run("star", "thing", "1").status == 0)
    let code = "for i = 1, 300 do favorites.note('thing', '1', ('x'):rep(6e4) .. i) end"
    #expect(place.run("run", "-e", code).status == 0)
    try expectHarmless(
      MeasuredProcess.run(place, ["run"] + AttackProcessTests.limits + ["-e", attack]), attack)
    try expectHarmless(
      MeasuredProcess.run(
        place, ["repl"] + AttackProcessTests.limits, input: "do \(attack) end\n"), attack)
    #expect(place.run("doctor").status == 0)
  }

  @Test(
    "the same for questions in SQL",
    arguments: [
      "select length(replace(hex(zeroblob(100000000)), '00', 'abc'))",
      "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c",
      "with recursive c(x) as (select 1 union all select x + 1 from c) select * from c order by x",
      "with recursive c(x) as (select 1 union all select x + 1 from c) select x, hex(zeroblob(200000)) from c",
    ])
  func sql(question: String) throws {
    try expectHarmless(
      MeasuredProcess.run(
        Workplace(), ["repl"] + AttackProcessTests.limits, input: ":sql \(question)\n"), question)
  }

  private static let limits = ["--max-time", "300ms", "--max-memory", "64MB"]
  /// The cap and 40 MB, and what an unoptimized program is larger by.
  private static let resident = (64 + 40 + 6) << 20
  /// The deadline and 50 ms, and what an unoptimized program needs to begin and to end.
  private static let milliseconds = 350 + 1_500

  private static func plugin(_ attack: String) -> String {
    """
    --- @api 1
    local M = {}
    M.kinds = { bad = { key = "id", fields = { id = "text" } } }
    function M.items(feed) return feed.body end
    function M.map(item) \(attack) end
    return M
    """
  }

  private func expectHarmless(_ run: MeasuredProcess?, _ attack: String) throws {
    let run = try #require(run)
    #expect(run.status == 3 || run.status == 1, "\(attack): \(run.errors.prefix(300))")
    #expect(run.milliseconds < AttackProcessTests.milliseconds, "\(attack)")
    #expect(run.residentBytes < AttackProcessTests.resident, "\(attack)")
    #expect(run.errors.utf8.count < 40 << 10 && !run.errors.contains("\u{1B}"), "\(attack)")
  }

  @Test("scripts and the console", arguments: attacks)
  func scripts(attack: String) throws {
    let place = Workplace()
    try expectHarmless(
      MeasuredProcess.run(place, ["run"] + AttackProcessTests.limits + ["-e", attack]), attack)
    try expectHarmless(
      MeasuredProcess.run(
        place, ["repl"] + AttackProcessTests.limits, input: "do \(attack) end\n"), attack)
    #expect(place.run("doctor").status == 0)
  }

  @Test("plugins and rules", arguments: attacks)
  func plugins(attack: String) throws {
    let place = Workplace()
    place.write("plugins/bad.lua", AttackProcessTests.plugin(attack))
    place.write(
      "plugins/good.lua",
      AttackProcessTests.plugin("return { id = item.id }").replacing("bad =", with: "good ="))
    place.write("feed.json", #"[{"id":"1"}]"#)
    let load = ["load", "@feed.json"] + AttackProcessTests.limits
    try expectHarmless(MeasuredProcess.run(place, load + ["--plugin", "bad"]), attack)
    place.write("rules.lua", "local function attack() \(attack) end attack()")
    try expectHarmless(
      MeasuredProcess.run(place, load + ["--plugin", "good", "--rules", "@rules.lua"]), attack)
    #expect(place.run("load", "@feed.json", "--plugin", "good").status == 0)
    #expect(place.run("doctor").status == 0)
  }
}
