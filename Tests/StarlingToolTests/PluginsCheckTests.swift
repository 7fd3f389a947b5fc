import Testing

@testable import StarlingTool

/// What `plugins check` finds in a plugin's text, each with file and line.
@Suite struct PluginsCheckTests {
  /// A plugin with two kinds; `body` begins on line 8.
  private func check(
    _ body: String, files: [String: String] = [:], end: String = "return M"
  ) -> Workplace.Outcome {
    let place = Workplace()
    place.write(
      "plugins/zoo/plugin.lua",
      """
      --- @api 1
      --- @summary Animals
      local M = {}
      M.kinds = {
        animal = { key = "id", fields = { id = "text", name = "text", born = "time" } },
        keeper = { key = "id", fields = { id = "text", name = "text" } },
      }
      \(body)
      \(end)
      """)
    for (name, text) in files { place.write("plugins/zoo/" + name, text) }
    let outcome = place.run("plugins", "check", "zoo")
    #expect(outcome.err == "")
    return outcome
  }

  private let map = """
    function M.map(item)
      if item.keeper then return { kind = "keeper", id = item.id } end
      return { kind = "animal", id = item.id }
    end
    """

  @Test("a plugin with nothing wrong has no finding")
  func nothing() {
    let outcome = check(
      """
      local helper = require("helper")
      local seen = setmetatable({}, { __mode = "v" })
      local function name(item) return text.plain(item.name) or ("%s"):format(item.id) end
      function M.accepts(feed) return feed.format == "json" and feed.body.animals ~= nil end
      function M.items(feed) seen[feed] = true; return feed.body.animals end
      function M.map(item, feed)
        local list <const> = {}
        for i, keeper in ipairs(item.keepers or {}) do
          list[#list + 1] = { kind = "keeper", id = keeper.id, name = helper.upper(keeper.name) }
        end
        local animal = { kind = "animal", id = item.id, name = name(item) }
        animal.born = time.parse(item.born)
        if feed.site == "x" then goto done end
        table.insert(list, animal)
        ::done::
        return list
      end
      """, files: ["helper.lua": "return { upper = function(s) return s and s:upper() end }"])
    #expect(outcome == Workplace.Outcome(status: 0, out: "zoo: nothing found\n", err: ""))
  }

  @Test(
    "each finding has its file and line and the nearest right spelling",
    arguments: [
      (
        "function M._f() local x = tostrng(1) end",
        "8: unknown global `tostrng`; did you mean `tostring`?"
      ),
      ("function M._f() local x = os.time() end", "8: unknown global `os`"),
      (
        "function M._f() count = 1 end",
        "8: assigns the global `count`; a plugin has none of its own: `local count`"
      ),
      (
        "function M._f() function helper() end end",
        "8: assigns the global `helper`; a plugin has none of its own: `local helper`"
      ),
      (
        "function M._f() local x = text.plian('a') end",
        "8: `text` has no `plian`; did you mean `plain`?"
      ),
      (
        "function M._f() local x = string.fomat('a') end",
        "8: `string` has no `fomat`; did you mean `format`?"
      ),
      (
        "function M._f() local x = require 'helpr' end",
        "8: there is no module `helpr` in the plugin's folder; did you mean `helper`?"
      ),
      ("M.extra = 5", "8: a plugin has no `extra`; names of its own begin with _"),
      (
        "function M.items(feed)\n  return feed.bdy\nend",
        "9: a feed has no `bdy`; did you mean `body`?"
      ),
      (
        "function M._a(i)\n  return { kind = 'animal', nmae = i }\nend",
        "9: kind `animal` has no field `nmae`; did you mean `name`?"
      ),
      (
        "function M._a(i)\n  return i and { kind = 'anmal' }\nend",
        "9: the plugin declares no kind `anmal`; did you mean `animal`?"
      ),
      (
        "function M._a(i)\n  return { kind = 'boat' }\nend", "9: the plugin declares no kind `boat`"
      ),
      (
        "function M._a(i)\n  local e = { kind = 'animal' }\n  e.brn = 5\n  return e\nend",
        "10: kind `animal` has no field `brn`; did you mean `born`?"
      ),
      (
        "function M._a(i)\n  return { kind = i == 1 and 'animal' or 'keeper', colour = i }\nend",
        "9: kind `animal` or `keeper` has no field `colour`"
      ),
      (
        "function M._a(i)\n  local e = {}\n  e.kind = 'keeper'\n  e.born = 1\n  return e\nend",
        "11: kind `keeper` has no field `born`"
      ),
    ])
  func findings(_ body: String, _ finding: String) {
    let outcome = check(body + "\n" + map, files: ["helper.lua": "return {}"])
    #expect(outcome.status == 1)
    #expect(outcome.out == "@plugins/zoo/plugin.lua:\(finding)\n")
  }

  @Test("a kind that nothing makes is found where it is declared")
  func unusedKind() {
    let outcome = check("function M.map(item) return { kind = 'animal', id = 1 } end")
    #expect(
      outcome.out
        == "@plugins/zoo/plugin.lua:6: kind `keeper` is declared and never made: no text of the "
        + "plugin names it\n")
  }

  @Test(
    "a kind that a table of functions is named by is made, and one beside its declaration",
    arguments: [
      "M._make = { animal = function(i) return { kind = i.kind, id = 1 } end }\n"
        + "function M._make.keeper(i) return { kind = i.kind, id = 1 } end\n"
        + "function M.map(item) return M._make[item.kind](item) end"
    ])
  func dispatched(body: String) {
    let outcome = check(body)
    #expect(outcome.status == 0, "\(outcome.out)")
  }

  @Test("what looks alike and means something else is no finding")
  func noFindings() {
    let outcome = check(
      map + """

        local picture = { kind = "image", source = 5 }
        local function f(_ENV) return anything + goes end
        local s = [==[ kind = "boat", unknown() ]==] -- unknown()
        --[[ unknown() ]]
        local t = { ["kind"] = picture.kind, 1, 2; f { anything = 1, goes = 2 } }
        repeat local last = not f("x" and { anything = 1, goes = 2 }) until not last
        while true do break end
        for i = 1, 3 do t[i] = function(...) return select("#", ...) end end
        if s then return M elseif t then M._t = t else M._s = s end
        """)
    #expect(outcome.out == "zoo: nothing found\n")
  }

  @Test("modules are read too, and a text that does not compile is said once: status 3")
  func modules() {
    let broken = check(
      map, files: ["a.lua": "return 1 +", "b.lua": "local x = zork"])
    #expect(broken.status == 3)
    #expect(
      broken.out == """
        @plugins/zoo/a.lua:1: unexpected symbol near <eof>
        @plugins/zoo/b.lua:1: unknown global `zork`

        """)
    let misspelt = check("function M.itms(feed) end\n" + map)
    #expect(
      misspelt.out == """
        @plugins/zoo/plugin.lua:8: a plugin has no `itms`; did you mean `items`?

        """)
    let atLoad = check("local x = text.plian('a')\n" + map)
    #expect(
      atLoad.out == "@plugins/zoo/plugin.lua:8: 'text' has no 'plian'; did you mean 'plain'?\n")
    let syntax = check("local x = = 1\n" + map)
    #expect(syntax.status == 3)
    #expect(syntax.out == "@plugins/zoo/plugin.lua:8: unexpected symbol near '='\n")
  }

  @Test("first lines, the plugin's API and its kinds are checked")
  func headers() {
    let place = Workplace()
    place.write("plugins/a/plugin.lua", "local M = {}\nreturn M\n")
    place.write("plugins/b/plugin.lua", "--- @api 1\nlocal M = {}\nM.kinds = {}\nreturn M\n")
    place.write(
      "plugins/c.lua",
      "--- @api 1\n--- @summary C\nlocal M = { kinds = { 'nothing' } }\n"
        + "function M.map(i) return { id = i } end\nreturn M\n")
    let outcome = place.run("plugins", "check")
    #expect(outcome.status == 3)
    #expect(
      outcome.out == """
        @plugins/a/plugin.lua:1: no `--- @api 1` line at its top, so it is not a plugin
        @plugins/b/plugin.lua:1: no `--- @summary ...` line, which says what the plugin reads
        @plugins/b/plugin.lua:4: a plugin has a function `map`
        @plugins/c.lua:3: plugin c: kind nothing: no plugin declares this kind with its key

        """)
  }

  @Test("a shared kind that nobody declares is told with the nearest that is")
  func nearestKind() {
    let place = Workplace()
    place.write(
      "plugins/a.lua",
      "--- @api 1\n--- @summary A\nlocal M = { kinds = { news = { key = 'id', fields = { id = 'text' } } } }\n"
        + "function M.map(i) return { id = i } end\nreturn M\n")
    place.write(
      "plugins/b.lua",
      "--- @api 1\n--- @summary B\nlocal M = { kinds = { 'nwes' } }\n"
        + "function M.map(i) return { id = i } end\nreturn M\n")
    #expect(
      place.run("plugins", "check", "b").out
        == "@plugins/b.lua:3: plugin b: kind nwes: no plugin declares this kind with its key; "
        + "did you mean `news`?\n")
  }

  @Test("a plugin with one kind needs no `kind` in its entities, and is checked all the same")
  func onlyKind() {
    let place = Workplace()
    place.write(
      "plugins/one.lua",
      """
      --- @api 1
      --- @summary One
      local M = {}
      M.kinds = { one = { key = "id", fields = { id = "text" } } }
      function M.map(item)
        return { id = item.id, titel = item.title }
      end
      return M
      """)
    let outcome = place.run("plugins", "check", "one", "--json")
    #expect(outcome.status == 1)
    #expect(
      outcome.lines == [
        #"{"plugin":"one","kind":"field","file":"@plugins/one.lua","line":6,"#
          + #""message":"kind `one` has no field `titel`"}"#
      ])
  }

  @Test("what a helper makes, what the library gives, and values as written are checked too")
  func values() {
    let place = Workplace()
    place.write(
      "plugins/one.lua",
      """
      --- @api 1
      --- @summary One
      local M = {}
      M.kinds = {
        one = {
          key = "id",
          fields = { id = "text", title = "text", n = "integer", m = "money", b = "boolean", at = "time" },
        },
      }
      local function site(feed) return feed.stie or feed.site end
      local function begin(item)
        local e = { id = item.id }
        e.titel = item.title
        return e
      end
      local function short(item) return { id = item.id, nn = 1 } end
      local parts = { title = 1 }
      function M.map(item, feed)
        local text = item.text
        local e = begin(item)
        e.titl = site(feed) .. text.plain(item.title)
        local address = url.parse(item.url)
        if not address then return short(item) end
        if address.hots or parts.anything then return e end
        string.upper = nil
        feed.title = "x"
        return { id = 1, n = "abc", b = "maybe", m = { low = 1, hgih = 2 }, at = "soon", title = {} }
      end
      return M
      """)
    let outcome = place.run("plugins", "check", "one")
    #expect(outcome.status == 1)
    let found = [
      "10: a feed has no `stie`; did you mean `site`?",
      "13: kind `one` has no field `titel`; did you mean `title`?",
      "16: kind `one` has no field `nn`; did you mean `n`?",
      "21: `text` is a variable here, which hides the library's: give it another name",
      "21: kind `one` has no field `titl`; did you mean `title`?",
      "24: what `url.parse` gives has no `hots`; did you mean `host`?",
      "25: assigns `string.upper`, which no plugin can change",
      "26: assigns `feed.title`, which no plugin can change",
      "27: n: a whole number expected, got \"abc\"",
      "27: b: boolean expected, got \"maybe\"",
      "27: a price has low, high, currency and text, no `hgih`; did you mean `high`?",
      "27: at: no time: \"soon\"",
      "27: title: text expected, got table",
    ]
    #expect(outcome.lines.map { String($0.dropFirst("@plugins/one.lua:".count)) } == found)
  }

  @Test("honest code has no finding")
  func honest() {
    let place = Workplace()
    place.write(
      "plugins/one.lua",
      """
      --- @api 1
      --- @summary One
      local text, url = text, url
      local M = {}
      M.kinds = { one = { key = "id", fields = { id = "text", title = "text", n = "integer", l = "list", m = "money", b = "boolean" } } }
      local feed = { stie = 1 }
      local function other(feed) return feed.anything end
      local make = function(item)
        local e = { id = item.id, n = "12", b = "true", l = "a", m = "5 EUR" }
        e.title = text.plain(item.title)
        return e
      end
      local time = { parse = function() return feed.stie end }
      function M.map(item, feed)
        local address = url.parse(item.url)
        address = other(feed) or address
        local cache = { any = time.parse(), thing = 1 }
        if cache.any or address.mine then return nil, "mine" end
        local e = make(item)
        e.l = { "a", "b" }
        return e
      end
      return M
      """)
    #expect(place.run("plugins", "check", "one").out == "one: nothing found\n")
  }

  @Test("the bundled plugins, and one that was just begun, have no finding")
  func bundled() {
    let place = Workplace()
    let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    let outcome = place.run("plugins", "check", "--plugins", root + "/plugins")
    #expect(outcome.status == 0)
    #expect(outcome.lines.allSatisfy { $0.hasSuffix(": nothing found") }, "\(outcome.out)")
    place.makeFolder("plugins")
    _ = place.run("plugins", "new", "owls")
    #expect(place.run("plugins", "check", "owls").out == "owls: nothing found\n")
  }
}
