import Testing

@testable import StarlingTool

/// The console without a person: standard input is a script.
@Suite struct ConsoleScriptTests {
  private let place = Workplace()

  init() {
    place.write("plugins/things.lua", Workplace.plugin())
    place.write("feed.xml", Workplace.feed(items: 3))
    _ = place.run("load", "@feed.xml")
  }

  private func run(_ input: String, _ arguments: String...) -> Workplace.Outcome {
    place.run(["repl"] + arguments, input: input)
  }

  @Test("nothing is echoed: no prompt, no banner, no result by number, only what is said")
  func quiet() {
    #expect(run("print(1)\nx = 2\nprint(x)\n") == .init(status: 0, out: "1\n2\n", err: ""))
    #expect(run("") == .init(status: 0, out: "", err: ""))
    #expect(run("\n  \n-- nothing\n") == .init(status: 0, out: "", err: ""))
  }

  @Test("bare expressions among the lines are shown, commands are done, each in its turn")
  func mixed() {
    let outcome = run(
      """
      local n = 20
      n + 1
      :sql SELECT count(*) AS n FROM thing
      print(rawget(_G, 'n'))
      'a' .. 'b', 2
      """)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.out == "21\nn\n3\nnil\n\"ab\"\n2\n")
  }

  @Test("with --json each result, row and change is a value or object in a line of its own")
  func json() throws {
    let outcome = run(
      #"""
      1 + 1
      { b = "x", a = { 1, 2.5, json.null } }
      {}
      print
      0/0
      :sql SELECT title, NULL AS n FROM thing ORDER BY title LIMIT 1
      :plugins
      """#, "--json")
    #expect(outcome.status == 0, "\(outcome)")
    let lines = outcome.out.split(separator: "\n").map(String.init)
    #expect(
      Array(lines.prefix(5)) == [
        "2", #"{"a":[1,2.5,null],"b":"x"}"#, "{}", #""function print""#, "null",
      ], "\(lines)")
    #expect(lines.contains { $0.hasPrefix(#"{"title":""#) && $0.hasSuffix(#","n":null}"#) })
    #expect(lines.last?.contains(#""things""#) == true && lines.last?.hasPrefix("{") == true)
    let exact = run(
      "x = {} for i = 1, 1000 do x[i] = i end\nlocal _ = 1\n"
        + "x, 0.1 + 0.2, 2^53, ('y'):rep(9000)\n{ print, 1 }\n:help sql\n", "--json")
    let rows = exact.out.split(separator: "\n").map(String.init)
    #expect(rows.count == 6, "\(rows)")
    #expect(rows.first?.hasPrefix("[1,2,3") == true && rows.first?.hasSuffix(",999,1000]") == true)
    #expect(rows.dropFirst().prefix(2) == ["0.30000000000000004", "9007199254740992.0"])
    #expect(rows.dropFirst(3).first?.utf8.count == 9002)
    #expect(rows.dropFirst(4).first == #"["function print",1]"#)
    #expect(rows.last?.hasPrefix(#"{"help":":sql QUERY"#) == true)
    #expect(exact.err.contains(#"{"note":{"subject":"#), "\(exact)")
    let diff = run(
      "favorites.insert('thing', { id = 'https://e.org/9' })\n", "--json", "--dry-run")
    #expect(
      diff.out.contains(#"{"change":"starred","kind":"thing","key":"https://e.org/9","done":[]}"#),
      "\(diff)")
  }

  @Test("what is a whole script is run as one: locals live on, a call's values are not shown")
  func whole() {
    let outcome = run("local a = 1\nlocal function f() return a end\nf()\nprint(f())\n")
    #expect(outcome == .init(status: 0, out: "1\n", err: ""))
  }

  @Test("a single expression and lines that are no script show the values of calls, as if typed")
  func calls() {
    let call = "entities.count('thing')"
    #expect(run(call + "\n") == .init(status: 0, out: "3\n", err: ""))
    #expect(run("\n(\n  \(call)\n)") == .init(status: 0, out: "3\n", err: ""))
    #expect(run("1 + 1\n\(call)\n") == .init(status: 0, out: "2\n3\n", err: ""))
    #expect(run("\nerror('boom')\n").err.hasPrefix("starling: stdin:2: boom"))
  }

  @Test("a command after a call is no method of what the call gives, but a method is one")
  func commandAfterCall() {
    let outcome = run("entities.count('thing')\n:sql SELECT 7 AS n\n")
    #expect(outcome == .init(status: 0, out: "3\nn\n7\n", err: ""))
    #expect(run("local s = ('a')\n:upper()\nprint(s)\n").out == "A\n")
    #expect(run("print([[\n:quit\n]])\n").out == ":quit\n\n")
  }

  @Test(":undo alone takes back what this console did, the last first, and nothing else")
  func undo() {
    _ = place.run("star", "thing", "https://e.org/1")
    let fresh = run(":undo\n")
    #expect(fresh.status == 3)
    #expect(fresh.err.contains("nothing to undo"), "\(fresh)")
    #expect(place.run("contains", "thing", "https://e.org/1").status == 0)
    let two = run(
      """
      favorites.insert('thing', 'https://e.org/2')
      :time 1
      favorites.insert('thing', 'https://e.org/3')
      :undo
      print(favorites.contains('thing', 'https://e.org/3'))
      print(favorites.contains('thing', 'https://e.org/2'))
      :undo
      print(favorites.contains('thing', 'https://e.org/2'))
      :undo
      """)
    #expect(two.status == 3)
    #expect(two.err.contains("stdin:9: :undo: nothing to undo"), "\(two)")
    #expect(
      two.lines.filter { $0 == "true" || $0 == "false" } == [
        "true", "true", "false", "true", "false",
      ])
    #expect(place.run("contains", "thing", "https://e.org/1").status == 0)
  }

  @Test("the first rule of a console makes init.lua, and its commands know it from there on")
  func firstRule() {
    let outcome = run(
      """
      entities.count('thing', { where = { id = has 'e.org' } })
      :rule "Here"
      :rules
      :try
      """)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.out.contains("init.lua: written"))
    let after = outcome.out.split(separator: "init.lua: written").last ?? ""
    #expect(after.contains("Here"), "\(outcome)")
    #expect(after.contains("nothing was written"))
    #expect(outcome.out.split(separator: "nothing was written").count == 2)
  }

  @Test("a rule's name is a text as Lua writes it, or the rest of the line")
  func ruleNames() {
    place.write("names.lua", "-- rules\n")
    for (argument, json) in [
      (#""A \"q\" b""#, #""A \"q\" b""#), (#"[[long "br"]]"#, #""long \"br\"""#),
      (#"'it\'s'"#, #""it's""#), ("two words", #""two words""#), (#""\u{7535}""#, #""电""#),
    ] {
      let outcome = run(
        "favorites.count('thing', { where = { id = has 'zzz' } })\n:rule \(argument)\n",
        "--rules", "@names.lua")
      #expect(outcome.status == 0, "\(outcome)")
      let list = place.run("rules", "list", "@names.lua", "--json").out
      #expect(list.contains("\"name\":" + json), "\(list)")
    }
    for argument in ["", "\"open", "\"a\" more", "[[x"] {
      let outcome = run(
        "favorites.count('thing', { where = { id = has 'zzz' } })\n:rule \(argument)\n")
      #expect(outcome.status == 3 && outcome.err.contains("a name is needed"), "\(outcome)")
    }
  }

  @Test("help of a name tells of the command first, then of all else that has it")
  func helpOfBoth() {
    let out = run(":help time\n").out
    #expect(out.hasPrefix(":time CHUNK\n"))
    #expect(out.contains("time.format"))
    #expect(run(":help sql\n").out.hasPrefix(":sql QUERY\n"))
  }

  @Test("no rule is made of a query without a condition: it would star everything")
  func ruleOfEverything() {
    let outcome = run("entities.fetch('thing', { limit = 3 })\n:rule \"All\"\n")
    #expect(outcome.status == 3)
    #expect(outcome.err.contains("would star every thing"), "\(outcome)")
    #expect(place.run("rules", "list").err.contains("no rules"))
  }

  @Test(
    "the first error ends it with status 3 and its line, and what comes after is not run",
    arguments: [
      ("print(1)\nerror('boom')\nprint(2)\n", "1\n", "starling: stdin:2: boom"),
      ("print(1)\n\n1 + nil\nprint(2)\n", "1\n", "starling: stdin:3: "),
      ("print(1)\nx = = 2\nprint(2)\n", "1\n", "starling: stdin:2: "),
      ("1 + 1\nfor i = 1, 2 do\n  print(i)\n", "2\n", "starling: stdin:4: "),
      ("print(1)\n:nonsense\nprint(2)\n", "1\n", "starling: stdin:2: :nonsense: "),
      ("1\n:sql SELECT nothing\nprint(2)\n", "1\n", "starling: stdin:2: :sql: "),
      ("1\n\nfavorites.insert('thing')\nprint(2)\n", "1\n", "starling: stdin:3: "),
      ("function f()\n  error('deep')\nend\n1\nf()\n", "1\n", "starling: stdin:2: deep"),
      ("1\nfavorites.fech\nprint(2)\n", "1\n", "starling: stdin:2: 'favorites' has no"),
      ("1 -- one\n2 -- two\nerror('boom') -- three\n", "1\n2\n", "starling: stdin:3: boom"),
      ("print(1)\nerror({ 1 })\nprint(2)\n", "1\n", "starling: stdin:2: "),
    ])
  func errors(input: String, out: String, error: String) {
    let outcome = run(input)
    #expect(outcome.status == 3)
    #expect(outcome.out == out)
    #expect(outcome.err.hasPrefix(error), "\(outcome.err)")
    #expect(outcome.err.split(separator: "\n").first?.contains("\n") == false)
  }

  @Test("an error leaves what was done before it, and nothing of a transaction that it ended")
  func halfDone() {
    let outcome = run(
      """
      favorites.insert('thing', 'https://e.org/1')
      :time 1
      favorites.transaction(function()
        favorites.insert('thing', 'https://e.org/2')
        error('no')
      end)
      """)
    #expect(outcome.status == 3)
    #expect(place.run("contains", "thing", "https://e.org/1").status == 0)
    #expect(place.run("contains", "thing", "https://e.org/2").status == 1)
  }

  @Test("os.exit and :quit end it with their status")
  func exit() {
    #expect(run("print(1)\nos.exit(7)\nprint(2)\n") == .init(status: 7, out: "1\n", err: ""))
    #expect(run("1\n:quit\nprint(2)\n") == .init(status: 0, out: "1\n", err: ""))
  }

  @Test("a first line for the system, a byte order mark and Windows' ends of line are no errors")
  func dressed() {
    #expect(run("#!/usr/bin/env -S starling repl\nprint(1)\n").out == "1\n")
    #expect(run("#") == .init(status: 0, out: "", err: ""))
    #expect(run("\u{FEFF}print(1)\n").out == "1\n")
    #expect(run("1 + 1\r\n:sql SELECT 'x' AS a\r\nprint(3)\r\n").out == "2\na\nx\n3\n")
  }

  @Test("a dry run shows its difference after an error too")
  func dryRun() {
    let outcome = run("favorites.insert('thing', 'https://e.org/1')\nerror('no')\n", "--dry-run")
    #expect(outcome.status == 3)
    #expect(outcome.out.contains("+ thing https://e.org/1"))
    #expect(place.run("contains", "thing", "https://e.org/1").status == 1)
  }
}
