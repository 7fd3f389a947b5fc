import Testing

@testable import StarlingTool

/// What a feed holds cannot move the cursor, recolor the screen or turn the direction of writing.
@Suite struct TerminalSafetyTests {
  /// An escape sequence, a C1 control, a bidirectional override, a bell, from a JSON feed.
  static let title = #"a\u001b[31mb\u009b2Jc\u202ed\u0007e"#
  static let shown = #"a\u{1B}[31mb\u{9B}2Jc\u{202E}d\u{7}e"#

  @Test(
    "control characters of a feed never reach a terminal",
    arguments: [
      ["load", "@feed.json", "--rules", "@r.lua"], ["list"], ["list", "--all"],
      ["list", "--format", "{title}"], ["show", "thing", "k"], ["why", "thing", "k"],
      ["search", "--all", "a"], ["plugins", "try", "raw", "@feed.json"],
    ])
  func escapes(_ arguments: [String]) {
    let place = Workplace()
    place.write(
      "plugins/raw.lua",
      """
      --- @api 1
      local M = {}
      M.kinds = \(Workplace.thing)
      function M.accepts(feed) return feed.format == "json" end
      function M.map(item) return { kind = "thing", id = item.id, title = item.title } end
      return M
      """)
    place.write("feed.json", #"[{"id":"k","title":"\#(Self.title)"}]"#)
    place.write("r.lua", "rule \"Any\" { title = has \"a\", star }\n")
    if arguments[0] != "load" { _ = place.run("load", "@feed.json", "--rules", "@r.lua") }
    let outcome = place.run(
      arguments, isTerminal: true, environment: ["TERM": "xterm", "NO_COLOR": "1"])
    #expect(outcome.status == 0, "\(outcome.err)")
    #expect(outcome.out.contains(Self.shown), "\(outcome.out)")
    for scalar in (outcome.out + outcome.err).unicodeScalars where scalar != "\n" {
      #expect(!(0...0x1F).contains(scalar.value) && !(0x7F...0x9F).contains(scalar.value))
      #expect(scalar.value != 0x202E)
    }
  }

  @Test("what a script prints on a terminal is safe, and as it is anywhere else")
  func scripts() {
    let place = Workplace()
    let code =
      #"print("é\u{1b}[31m\tx\r\u{202e}") io.stderr:write("\27]0;x\7\n") io.write("\xc3")"#
      + #" io.write("\xa9\xc2", "\x9bJ\n")"#
    let seen = place.run(["run", "-e", code], isTerminal: true, environment: ["TERM": "xterm"])
    #expect(seen.out == "é\\u{1B}[31m\tx\\u{D}\\u{202E}\né\\u{9B}J\n")
    #expect(seen.err == "\\u{1B}]0;x\\u{7}\n")
    let raw = place.run(["run", "-e", code])
    #expect(raw.out == "é\u{1B}[31m\tx\r\u{202E}\né\u{9B}J\n")
  }

  @Test("an error names a file of any name in one harmless line")
  func escapesErrors() {
    let place = Workplace()
    let outcome = place.run("load", "@no\u{1B}[2J\nfile")
    #expect(outcome.status == 3)
    #expect(outcome.err == "starling: @no\\u{1B}[2J file: no such file or directory\n")
  }
}
