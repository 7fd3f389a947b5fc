import StarlingFeeds
import Testing

@testable import Starling
@testable import StarlingTool

/// With `--json` nothing is said that a program cannot read, whatever the command.
@Suite struct JSONErrorTests {
  private func place() -> Workplace {
    let place = Workplace()
    place.write("plugins/things.lua", Workplace.plugin())
    place.write("ok.xml", Workplace.feed(items: 1))
    #expect(place.run("load", "@ok.xml").status == 0)
    return place
  }

  /// The lines, each a JSON object of one member of these names.
  private func expectObjects(_ text: String, of names: [String], _ comment: String) {
    for line in text.split(separator: "\n") {
      let isObject = names.contains { line.hasPrefix("{\"\($0)\":{") } && line.hasSuffix("}}")
      #expect(
        isObject && (try? JSONDocument.parsing(Array(line.utf8))) != nil, "\(comment): \(line)")
    }
  }

  @Test("what is wrong in a command line is an object, wherever --json stands in it")
  func usage() {
    let place = place()
    for command in Command.all {
      let words = command.spec.name.split(separator: " ").map(String.init)
      for line in [words + ["--no-such", "--json"], ["--json"] + words + ["--no-such"]] {
        let outcome = place.run(line)
        #expect(outcome.status == 2 && outcome.out == "")
        #expect(
          outcome.err.hasPrefix("{\"error\":{\"kind\":\"usage\",\"message\":"),
          "\(line): \(outcome.err)")
        expectObjects(outcome.err, of: ["error"], command.spec.name)
      }
    }
    let unknown = place.run(["lisst", "--json"])
    #expect(unknown.status == 2)
    expectObjects(unknown.err, of: ["error"], "lisst")
    #expect(place.run(["run", "@none.lua", "--json"]).err.hasPrefix("starling: "), "the script's")
  }

  @Test("so is what a command fails at, and what it remarks", arguments: 0..<3)
  func failures(_ round: Int) {
    let place = place()
    place.write("plugins/broken.lua", "--- @api 1\nlocal M = = {}\nreturn M\n")
    place.write("config/starling/init.lua", "limits { tme = 1 }\n")
    for command in Command.all where command.spec.name != "watch" {
      let words = command.spec.name.split(separator: " ").map(String.init)
      let operands = [
        ["thing", "none", "none"], ["@none", "@none/x", "x"], ["none", "thing", "1"],
      ]
      let count = command.spec.maximumOperands ?? 3
      // What writes files writes them into the place of the test.
      let writes = ["rules new", "plugins new", "backup", "export"].contains(command.spec.name)
      let given = operands[round].prefix(count).map { word in
        writes && !word.hasPrefix("@") ? "@" + word : word
      }
      let outcome = place.run(words + ["--json"] + given)
      expectObjects(outcome.err, of: ["error", "note", "log"], command.spec.name)
      if outcome.status == 2 || outcome.status == 3 {
        #expect(outcome.err.contains("{\"error\":"), "\(command.spec.name)")
      }
    }
  }

  @Test("what is not there is an error of its own kind")
  func absent() {
    let place = place()
    for command in ["show", "why", "open"] {
      let outcome = place.run(command, "thing", "none", "--json")
      #expect(outcome.status == 1 && outcome.out == "")
      #expect(outcome.err.hasPrefix("{\"error\":{\"kind\":\"absent\",\"message\":\"no "))
      #expect(outcome.err.hasSuffix("\"subject\":\"thing none\"}}\n"))
    }
  }

  @Test("doctor gives what it finds as a result")
  func doctor() {
    let place = place()
    place.write("plugins/broken.lua", "--- @api 1\nlocal M = = {}\nreturn M\n")
    let outcome = place.run("doctor", "--json")
    #expect(outcome.status == 1 && outcome.err == "")
    #expect(
      outcome.out.hasPrefix(
        "{\"database\":\"@x.db\",\"problems\":1,\"findings\":[{\"kind\":\"script\",\"message\":"))
    #expect(
      outcome.out.hasSuffix(
        "\"plugin\":\"broken\",\"file\":\"@plugins/broken.lua\",\"line\":2}],\"ok\":false}\n"))
    place.patch("x.db", at: 100, Array(repeating: 0xA5, count: 3_000))
    let damaged = place.run("doctor", "--json")
    #expect(damaged.status == 1)
    #expect(damaged.out.contains("\"findings\":[{\"kind\":\"database\",\"message\":"))
    expectObjects(damaged.err, of: ["note"], "doctor")
  }

  @Test("what Lua logs is an object")
  func log() {
    let outcome = place().run("run", "--json", "-e", "log.warn('odd \\27[2J', 5)")
    #expect(
      outcome.err
        == "{\"log\":{\"level\":\"warn\",\"source\":\"-e\",\"message\":\"odd \\u001b[2J 5\"}}\n")
  }

  @Test("a listener that fails is told as any error is, and ends nothing")
  func listener() {
    let place = place()
    place.write(
      "s.lua",
      """
      local function inner() local x = nil; return x.y end
      favorites.on("insert", function() inner() end)
      favorites.insert("thing", "https://e.org/1")
      print("went on")

      """)
    let line = place.run("run", "@s.lua")
    #expect(line.status == 0 && line.out == "went on\n")
    #expect(
      line.err.hasPrefix(
        "starling: s.lua: a listener of \"insert\" failed: @s.lua:1: attempt to index a nil value"),
      "\(line.err)")
    #expect(line.err.contains("stack traceback:\n"))
    #expect(line.err.contains("@s.lua:2: in function"), "\(line.err)")
    #expect(place.run("unstar", "thing", "https://e.org/1").status == 0)
    #expect(place.run("refusals", "lift", "thing", "https://e.org/1").status == 0)
    let json = place.run("run", "--json", "@s.lua")
    #expect(json.status == 0)
    for part in [
      "{\"error\":{\"kind\":\"script\",\"message\":\"attempt to index a nil value",
      "\"subject\":\"a listener of \\\"insert\\\"\"", "\"file\":\"@s.lua\",\"line\":1",
      "\"traceback\":\"stack traceback:",
    ] { #expect(json.err.contains(part), "\(part): \(json.err)") }
  }

  @Test("a mark of UTF-8 and a first line for the system are skipped in every file of Lua")
  func marks() {
    let place = place()
    let mark = "\u{FEFF}"
    for (number, start) in [mark, "#!/usr/bin/lua\n", mark + "#!x\n"].enumerated() {
      place.write(
        "plugins/p\(number)/plugin.lua",
        start + Workplace.plugin(accepts: false, body: "require('m')"))
      place.write("plugins/p\(number)/m.lua", start + "return {}")
      place.write("r.lua", start + "rule 'R' { kind = 'thing', star }\n")
      place.write("m.lua", start + "return 7")
      place.write("s.lua", start + "print(require('m'))\n")
      place.write("config/starling/init.lua", start + "keep = '30d'\n")
      let loaded = place.run("load", "@ok.xml", "--plugin", "p\(number)", "--rules", "@r.lua")
      #expect(loaded.status == 0 && loaded.err == "", "\(loaded.err)")
      #expect(place.run("run", "@s.lua").out == "7\n")
      #expect(place.run("rules", "check", "--rules", "@r.lua").status == 0)
      let check = place.run("plugins", "check", "p\(number)")
      #expect(check.status == 0, "\(check.out)")
    }
  }

  @Test("a plugin is named by its path wherever it is named")
  func paths() {
    let place = place()
    place.write("mine/other/plugin.lua", Workplace.plugin(accepts: false))
    for path in ["@mine/other", "@mine/other/", "@mine/other/.", "@mine/other/plugin.lua"] {
      let loaded = place.run("load", "@ok.xml", "--plugin", path)
      #expect(loaded.status == 0 && loaded.out.contains("other"), "\(loaded.err)")
      let lifted = place.run("plugins", "lift", path)
      #expect(lifted.out == "other: was not in quarantine\n", "\(lifted.err)")
    }
    let none = place.run("load", "@ok.xml", "--plugin", "@mine")
    #expect(none.status == 3 && none.err.contains("no plugin there"), "\(none.err)")
  }
}
