import Testing

@testable import StarlingTool

@Suite struct RunCommandTests {
  private func run(_ arguments: [String], input: String = "") -> (ToolIO, Int32) {
    let io = ToolIO.memory(input: input, environment: ["HOME": "/nonexistent"])
    let status = Tool.run(["run", "--db", ":memory:"] + arguments, io: io)
    return (io, status.rawValue)
  }

  @Test("code has the arguments that follow it, and the standard streams")
  func code() {
    let (io, status) = run(
      ["-e", "print(arg[1], arg[2], io.read('l'), io.read('a'))", "a", "--b"], input: "one\ntwo")
    #expect(status == 0)
    #expect(io.out.text == "a\t--b\tone\ttwo\n")
    #expect(io.err.text == "")
  }

  @Test("a hyphen is a script on standard input, and several pieces of code run in turn")
  func sources() {
    let (io, status) = run(["-", "x"], input: "#!/usr/bin/env starling\nprint(arg[0], arg[1])")
    #expect(status == 0)
    #expect(io.out.text == "stdin\tx\n")
    #expect(run(["-e", "x = 1", "-e", "print(x)"]).0.out.text == "1\n")
  }

  @Test("a script's own status is the command's")
  func exit() {
    #expect(run(["-e", "os.exit(7)"]).1 == 7)
    #expect(run(["-e", "os.exit(true)"]).1 == 0)
    #expect(run(["-e", "io.stderr:write('why') os.exit(1)"]).0.err.text == "why")
  }

  @Test("an error is one line with the place and status 3; the call stack of a function follows")
  func failure() {
    #expect(run(["-e", "\nerror('boom')"]).0.err.text == "starling: -e:2: boom\n")
    let asked = run(["--traceback", "-e", "error('boom')"]).0.err.text
    #expect(asked.contains("-e:1: in main chunk"))
    let code = "local function f() error('boom') end\nf()"
    let (io, status) = run(["-e", code])
    #expect(status == 3)
    let lines = io.err.text.split(separator: "\n")
    #expect(lines.first == "starling: -e:1: boom")
    #expect(lines.dropFirst().first == "stack traceback:")
    #expect(io.err.text.contains("-e:2: in main chunk"))
    #expect(run(["-e", "x ="]).1 == 3)
    #expect(run(["/nonexistent.lua"]).1 == 3)
  }

  @Test("control characters of a script's error do not reach the terminal")
  func controlCharacters() {
    let (io, _) = run(["-e", "error('\\27[2J')"])
    #expect(!io.err.text.contains("\u{1B}"))
  }

  @Test("a stop for time or memory is status 3")
  func stops() {
    let time = run(["--max-time", "100ms", "-e", "while true do end"])
    #expect(time.1 == 3)
    #expect(time.0.err.text.contains("its time was over"))
    let memory = run(["--max-memory", "8MB", "-e", "local t = {} for i = 1, 1e9 do t[i] = i end"])
    #expect(memory.1 == 3)
    #expect(memory.0.err.text.contains("not enough memory"))
  }

  @Test("what a script may not do names the option that would allow it")
  func permissions() {
    let (io, status) = run(["-e", "env.get('HOME')"])
    #expect(status == 3)
    #expect(io.err.text.contains("--allow-env=HOME would allow it"))
    #expect(run(["--allow-env", "HOME", "-e", "env.get('HOME')"]).1 == 0)
  }

  @Test("without a script there is nothing to run")
  func usage() {
    #expect(run([]).1 == 2)
  }

  @Test(
    "a first transaction that is taken back leaves the kinds of the plugins",
    arguments: [false, true])
  func firstTransaction(isOld: Bool) {
    let place = Workplace()
    place.write("ok.xml", Workplace.feed(items: 1))
    if isOld {
      // A database that does not know the plugin's kind.
      #expect(place.run("run", "-e", "favorites.transaction(function() end)").status == 0)
    }
    place.write("plugins/things.lua", Workplace.plugin())
    let outcome = place.run(
      "run", "-e",
      """
      local thing = { id = "m", title = "t" }
      pcall(favorites.transaction, function()
        favorites.insert("thing", thing)
        error("no")
      end)
      print(favorites.contains("thing", "m"), favorites.insert("thing", thing),
        favorites.contains("thing", "m"))
      """)
    #expect(outcome.out == "false\ttrue\ttrue\n", "\(outcome)")
    #expect(outcome.status == 0)
  }

  @Test(
    "what only looks like a place stays part of an error's text",
    arguments: ["localhost:8080: connection refused", "10:30: late", "mod.lua:3: boom"])
  func places(text: String) {
    let (io, status) = run(["-e", "error('\(text)', 0)"])
    #expect(status == 3)
    #expect(io.err.text == "starling: -e:1: \(text)\n")
    #expect(run(["-e", "error('\(text)')"]).0.err.text == "starling: -e:1: \(text)\n")
  }
}
