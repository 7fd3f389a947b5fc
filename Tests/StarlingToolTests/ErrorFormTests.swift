import Testing

@testable import StarlingTool

/// An error's one shape: as a line, with the call stack, as JSON, whatever Lua raised.
@Suite struct ErrorFormTests {
  /// What is raised, and what the message says of it.
  static let objects: [(raise: String, message: String)] = [
    ("error({ code = 5 })", "(error object is a table value)"),
    ("error(nil)", "(error object is a nil value)"), ("error()", "(error object is a nil value)"),
    ("error(true)", "(error object is a boolean value)"), ("error(5.5)", "5.5"),
    ("error(pcall)", "(error object is a function value)"),
    ("error(setmetatable({}, { __tostring = function() return 'said' end }))", "said"),
    (
      "error(setmetatable({}, { __tostring = function() error('again') end }))",
      "(error object is a table value)"
    ),
    (
      "error(setmetatable({}, { __tostring = function() return 5 end }))", "5"
    ),
    (
      "error(setmetatable({}, { __tostring = function(t) return tostring(t) end }))",
      "(error object is a table value)"
    ),
    ("error(coroutine.create(function() end))", "(error object is a thread value)"),
    ("local t = setmetatable({}, { __name = 'Odd' }) error(t)", "(error object is a Odd value)"),
    ("error('a\\nb\\27[31mc\\155d\\0e\\226\\128\\174f', 0)", "a"),
  ]

  private func place(_ raise: String) -> Workplace {
    let place = Workplace()
    place.write("plugins/p.lua", Workplace.plugin(body: raise))
    place.write("ok.xml", Workplace.feed(items: 1))
    return place
  }

  @Test("any error object is told in one line without control characters", arguments: 0..<13)
  func plugin(_ number: Int) {
    let (raise, message) = Self.objects[number]
    let outcome = place(raise).run("load", "@ok.xml")
    #expect(outcome.status == 1)
    #expect(
      outcome.err.hasPrefix("starling: @ok.xml: item 1: @plugins/p.lua:7: "), "\(outcome.err)")
    #expect(outcome.err.contains(message), "\(outcome.err)")
    #expect(outcome.err.split(separator: "\n").count == 1)
    #expect(isHarmless(outcome.err))
  }

  @Test("the same in scripts and in the functions of rules", arguments: 0..<13)
  func others(_ number: Int) {
    let (raise, message) = Self.objects[number]
    let place = place("")
    let script = place.run("run", "-e", raise)
    #expect(script.status == 3)
    #expect(
      script.err.hasPrefix("starling: -e:1: ") && script.err.contains(message), "\(script.err)")
    place.write("r.lua", "rule \"R\" { when = function(e)\n\(raise) end, star }\n")
    let rules = place.run("load", "@ok.xml", "--rules", "@r.lua")
    #expect(rules.status == 1)
    #expect(rules.err.contains("@r.lua:2") && rules.err.contains(message), "\(rules.err)")
    for text in [script.err, rules.err] {
      #expect(text.split(separator: "\n").count == 1)
      #expect(isHarmless(text))
    }
  }

  @Test("each fault of a rules file is a line, and an object, of its own")
  func faults() {
    let place = place("")
    place.write(
      "r.lua",
      "rule \"a\" { kind = \"thing\", titel = \"x\", star }\nrule \"b\" { kind = \"thnig\", star }\n"
    )
    let outcome = place.run("load", "@ok.xml", "--rules", "@r.lua")
    #expect(outcome.status == 3)
    let lines = outcome.err.split(separator: "\n")
    #expect(lines.count == 2, "\(outcome.err)")
    #expect(lines[0].hasPrefix("starling: @r.lua:1: rule \"a\": "))
    #expect(lines[1].hasPrefix("starling: @r.lua:2: rule \"b\": "))
    let json = place.run("load", "@ok.xml", "--rules", "@r.lua", "--json").err
      .split(separator: "\n")
    #expect(json.count == 2 && json[1].contains(#""file":"@r.lua","line":2"#), "\(json)")
  }

  @Test("an error object whose __tostring never ends is a stop, as any loop is")
  func loops() {
    let raise = "error(setmetatable({}, { __tostring = function() while true do end end }))"
    let outcome = place(raise).run("load", "@ok.xml", "--max-time", "50ms")
    #expect(outcome.status == 3)
    #expect(outcome.err.contains("stopped: its time was over"))
  }

  @Test("with --traceback the call stack follows, then whose error of what kind it is")
  func traceback() {
    let body = "local function inner() error('bad') end inner()"
    let outcome = place(body).run("plugins", "try", "p", "@ok.xml", "--traceback")
    #expect(
      outcome.err.hasPrefix(
        """
        starling: @ok.xml: item 1: @plugins/p.lua:7: bad
        stack traceback:
        """), "\(outcome.err)")
    #expect(outcome.err.contains("in local 'inner'"))
    #expect(outcome.err.hasSuffix("plugin p, script error\n"))
  }

  @Test(
    "with --json an error is one object on standard error, with all that is known",
    arguments: [
      (
        ["load", "@ok.xml", "--plugin", "loop", "--max-time", "40ms"], #""kind":"time","message":"#
      ),
      (["load", "@ok.xml", "--plugin", "q"], #""kind":"plugin","message":"no such plugin"#),
      (
        ["load", "@none.xml"],
        #""kind":"host","message":"no such file or directory","subject":"@none"#
      ),
      (
        ["run", "-e", "error('x')"],
        #""kind":"script","message":"x","file":"-e","line":1,"traceback":"#
      ),
      (["run", "-e", "fs.read('/x')"], #""kind":"permission""#),
      (["list", "thign"], #""kind":"host","message":"unknown; "#),
      (["--db", "@ok.xml", "list"], #""kind":"database""#),
      (["decode", "@plugins/p.lua"], #""kind":"feed""#),
    ])
  func json(_ arguments: [String], _ part: String) {
    let place = place("")
    place.write("plugins/loop.lua", Workplace.plugin(accepts: false, body: "while true do end"))
    let outcome = place.run(arguments + ["--json"])
    #expect(outcome.status == 3)
    #expect(outcome.err.hasPrefix(#"{"error":{"kind":"#), "\(outcome.err)")
    #expect(outcome.err.contains(part), "\(outcome.err)")
    #expect(outcome.err.split(separator: "\n").count == 1)
  }

  /// What the host finds wrong in an answer or a declaration, and the line that says it.
  static let found: [(kinds: String, body: String, line: Int, message: String)] = [
    (
      Workplace.thing, "local e = { id = 1 }\n  e.title = {}\n  do return e end", 8,
      "title: text expected"
    ),
    (
      Workplace.thing, "do return { id = 1,\n  [\"titel\"] = 2 } end", 8,
      "no field `titel`; did you mean `title`?"
    ),
    (Workplace.thing, "do return { id = 1, kind = 'thng' } end", 7, "no kind `thng`"),
    (Workplace.thing, "\n\n  do return 5 end", 9, "`map` returns an entity"),
    (Workplace.thing, "do return { title = 'x' } end", 7, "no key for a `thing`"),
    (
      Workplace.thing,
      "local title = 1\n  if title == 2 then return { id = 1, title = {} }\n"
        + "  else return { id = 1,\n  title = {} } end", 10, "title: text expected"
    ),
    (Workplace.thing, "do return { id = 1 }, { id = 2 } end", 7, "two tables: several entities"),
    (
      Workplace.thing, "do return { { id = 1 }, nil, { id = 2 } } end", 7,
      "ends at a nil, element 2"
    ),
    (Workplace.thing, "do return { { id = 1 }, x = { id = 2 } } end", 7, "a field `x` too"),
    (Workplace.thing + "\nfunction M.items(feed)\n  return { x = 1 } end", "", 5, "the key `x`"),
    (Workplace.thing, "\n  local t = {} for i = 1, 1e9 do t[i] = {} end", 8, "not enough memory"),
    (
      Workplace.thing, "\n  local s = ('x'):rep(3e6) local t = s .. s", 8,
      "a string of more than 4 MB"
    ),
    ("{\n  thing = { key = 'id',\n  fields = { id = 'txt' } } }", "", 6, "unknown type `txt`"),
    ("{ thing = {\n  kye = 'id' } }", "", 5, "no `kye`; did you mean `key`?"),
    (
      "{ thing = { fields = { id = 'text' },\n  key = 'guid' } }", "", 5,
      "field guid: the key names"
    ),
    ("{\n  'nothing' }", "", 5, "kind nothing: no plugin declares this kind"),
    ("5", "", 4, "a plugin says its kinds"),
    (Workplace.thing + "\nfunction M.mapp() end", "", 5, "no `mapp`; did you mean `map`?"),
    (Workplace.thing + "\nM.items = 5", "", 5, "`items` of a plugin is a function"),
  ]

  @Test("what is wrong in an answer or a declaration has its line too", arguments: 0..<19)
  func lines(_ number: Int) {
    let (kinds, body, line, message) = Self.found[number]
    let place = Workplace()
    place.write("plugins/p.lua", Workplace.plugin(kinds: kinds, body: body))
    place.write("ok.xml", Workplace.feed(items: 1))
    let outcome = place.run("load", "@ok.xml", "--plugin", "p")
    #expect(outcome.err.contains("@plugins/p.lua:\(line): "), "\(outcome.err)")
    #expect(outcome.err.contains(message), "\(outcome.err)")
    let json = place.run("load", "@ok.xml", "--plugin", "p", "--json").out
    #expect(json.contains(#""plugin":"p","file":"@plugins/p.lua","line":\#(line)"#), "\(json)")
    if !json.contains(#""kind":"plugin""#) {
      #expect(json.contains(#""traceback":"stack traceback:\n"#), "\(json)")
    }
  }

  @Test("a feed that no plugin takes says which of them failed to look at it, and where")
  func accepts() {
    let place = Workplace()
    place.write(
      "plugins/p.lua",
      Workplace.plugin(accepts: false).replacing(
        "function M.map", with: "function M.accepts()\n  error('no idea')\nend\nfunction M.map"))
    place.write("ok.xml", Workplace.feed(items: 1))
    let outcome = place.run("load", "@ok.xml")
    #expect(outcome.err.contains("p failed: @plugins/p.lua:7: no idea"), "\(outcome.err)")
  }

  @Test("an error of a rule has its kind, file, line and call stack as JSON")
  func rules() {
    let place = place("")
    place.write(
      "r.lua",
      """
      local function inner(e)
        error({})
      end
      rule "R" { when = function(e) return inner(e) end, star }

      """)
    let outcome = place.run("load", "@ok.xml", "--rules", "@r.lua", "--json")
    let part =
      #""rule_failures":[{"kind":"script","message":"rule \"R\": (error object is a table value)","#
      + #""file":"@r.lua","line":2,"traceback":"stack traceback:\n"#
    #expect(outcome.out.contains(part), "\(outcome.out)")
    place.write("r.lua", "\nlocal t = {} for i = 1, 1e9 do t[i] = {} end\n")
    let broken = place.run("rules", "check", "@r.lua", "--json")
    #expect(
      broken.err.hasPrefix(
        #"{"error":{"kind":"memory","message":"not enough memory (the limit is 64 MB)","#
          + #""file":"@r.lua","line":2,"traceback":"stack traceback:\n"#), "\(broken.err)")
  }

  @Test("what the host refuses a script inside of a function has its call stack")
  func refused() {
    let code = "local function f()\n  fs.read('/etc/hosts')\nend\nf()"
    let outcome = Workplace().run("run", "--json", "-e", code)
    #expect(outcome.err.hasPrefix(#"{"error":{"kind":"permission","#), "\(outcome.err)")
    #expect(
      outcome.err.contains(#""file":"-e","line":2,"traceback":"stack traceback:\n"#),
      "\(outcome.err)")
  }

  @Test("the configuration is read within --max-time, once")
  func configuration() {
    let place = place("")
    place.write("init.lua", "\n\nwhile true do end\n")
    let clock = ContinuousClock()
    let start = clock.now
    let outcome = place.run("load", "@ok.xml", "--config", "@init.lua", "--max-time", "50ms")
    #expect(clock.now - start < .seconds(4))
    #expect(outcome.err.hasPrefix("starling: @init.lua:3: stopped: its time was over\n"))
  }

  private func isHarmless(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar == "\n"
        || !(0...0x1F).contains(scalar.value) && !(0x7F...0x9F).contains(scalar.value)
          && scalar.value != 0x202E
    }
  }
}

/// Errors that name what was meant.
@Suite struct ErrorAdviceTests {
  @Test(
    "a name that a table of the surface does not have is an error with the nearest right one",
    arguments: [
      ("favorites.insrt('thing', {})", "'favorites' has no 'insrt'; did you mean 'insert'?"),
      ("print(text.plian)", "'text' has no 'plian'; did you mean 'plain'?"),
      ("print(json.nul)", "'json' has no 'nul'; did you mean 'null'?"),
      ("print(url[5])", "'url' has no '5'"),
    ])
  func fields(_ code: String, _ message: String) {
    let outcome = Workplace().run("run", "-e", code)
    #expect(outcome.err == "starling: -e:1: \(message)\n")
    #expect(
      Workplace().run("run", "-e", "print(os.execute, rawget(text, 'x'))").out == "nil\tnil\n")
  }

  @Test("a string that is too long is told from memory that is used up, and no option is named")
  func strings() {
    let place = Workplace()
    place.write("plugins/p.lua", Workplace.plugin(body: "local s = ('x'):rep(3000000); s = s .. s"))
    place.write("ok.xml", Workplace.feed(items: 1))
    let outcome = place.run("load", "@ok.xml")
    #expect(
      outcome.err
        == "starling: @plugins/p.lua:7: a string of more than 4 MB, which none may have\n")
  }

  @Test("a file of any length of path is named whole, in errors, call stacks and syntax errors")
  func longPaths() {
    let place = Workplace()
    let folder = "plugins/" + String(repeating: "long-name-", count: 9)
    place.write(
      folder + "/plugin.lua",
      Workplace.plugin(body: "require('module')(item)"))
    place.write(folder + "/module.lua", "return function(item)\n  error('here')\nend\n")
    place.write("ok.xml", Workplace.feed(items: 1))
    let outcome = place.run("load", "@ok.xml", "--traceback")
    #expect(
      outcome.err.hasPrefix("starling: @ok.xml: item 1: @\(folder)/module.lua:2: here\n"),
      "\(outcome.err)")
    let tried = place.run("plugins", "try", "@\(folder)", "@ok.xml", "--traceback")
    #expect(
      tried.err.contains("\t@\(folder)/plugin.lua:7: in ")
        || tried.err.contains(" @\(folder)/plugin.lua:7: in "), "\(tried.err)")
    place.write(folder + "/module.lua", "return function(item)\n  error('here'\nend\n")
    #expect(
      place.run("plugins", "check").out.contains("@\(folder)/module.lua:3: ')' expected"))
    place.write(folder + "/plugin.lua", "--- @api 1\nlocal x = = 1\n")
    #expect(
      place.run("plugins", "list").out.contains("@\(folder)/plugin.lua:2: unexpected symbol"))
  }

  @Test("JSON on a terminal obeys no control character either")
  func harmlessJSON() {
    let place = Workplace()
    place.write(
      "plugins/p.lua",
      Workplace.plugin(body: "item.title = 'a\\27b\\194\\155c\\226\\128\\174d\\127e'"))
    place.write("ok.xml", Workplace.feed(items: 1))
    let outcome = place.run("plugins", "try", "p", "@ok.xml", "--json")
    #expect(outcome.out.contains(#""title":"a\u001bb\u009bc\u202ed\u007fe""#), "\(outcome.out)")
  }
}
