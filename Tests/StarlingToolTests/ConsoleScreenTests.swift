import Glibc
import Testing

@testable import StarlingTool

/// The console as a person uses it: keys at a terminal, and the screens that come of them, kept in
/// `Fixtures/console`. `UPDATE_GOLDEN=1 swift test` writes them anew.
@Suite(.enabled(if: Child.program != nil, "the program is not built"))
struct ConsoleScreenTests {
  private let place = Workplace()
  private static let prompt = "> "

  init() {
    place.write("plugins/things.lua", Self.plugin)
    place.write("feed.xml", Self.feed)
    _ = place.run("load", "@feed.xml")
    _ = place.run("star", "thing", "1")
  }

  private static let plugin = """
    --- @api 1
    --- @summary Things of a feed
    local M = {}
    M.kinds = { thing = {
      key = "id", fields = { id = "text", title = "text", size = "integer", price = "money" },
      indexes = { "size" },
    } }
    function M.accepts(feed) return feed.format == "rss" end
    function M.map(item)
      local number = math.tointeger(tonumber(item.url:match("%d+$")))
      return { kind = "thing", id = tostring(number), title = item.title, size = number * 10,
        price = number .. "万" }
    end
    return M

    """

  private static let titles = [
    "Plain", "电池与汽车", "Rocket 🚀 and flag 🇨🇳", "Escape \\27[2J&#x9B;1A", "e&#x301;tude",
    "A rather long title that does not fit a narrow terminal, whatever one does",
  ]

  private static var feed: String {
    let items = titles.enumerated().map { number, title in
      "<item><title>\(title)</title><link>https://e.org/\(number + 1)</link></item>"
    }
    return "<rss version=\"2.0\"><channel><title>T</title>\(items.joined())</channel></rss>"
  }

  // MARK: A session

  /// What a person does, and what their line is when it is done.
  private struct Step {
    var keys: String
    /// The cursor's line up to the cursor.
    var line: String
    /// Whether something may stand behind the cursor.
    var isInside = false
    var columns: Int?

    init(_ keys: String, _ line: String = prompt, isInside: Bool = false, columns: Int? = nil) {
      self.keys = keys
      self.line = line
      self.isInside = isInside
      self.columns = columns
    }
  }

  /// Runs a session whose screen comes to be, after each step, what the golden file shows.
  private func session(
    _ name: String, _ steps: [Step], arguments: [String] = [], columns: Int = 80, rows: Int = 30,
    environment: [String: String] = [:]
  ) async throws {
    let terminal = try #require(
      PseudoTerminal(
        place, ["repl"] + arguments, columns: columns, rows: rows, environment: environment))
    var golden = GoldenScreens(name)
    let begun = await terminal.wait { $0.beforeCursor == Self.prompt && $0.isAtEnd }
    #expect(begun, "no prompt:\n\(terminal.screen.text)")
    for step in steps {
      let title = step.keys.debugDescription + (step.columns.map { " at \($0) columns" } ?? "")
      let wanted = golden.next(title)
      if let columns = step.columns { terminal.resize(columns: columns) }
      terminal.press(step.keys)
      let isDone = await terminal.wait(settles: step.columns != nil || golden.isUpdating) {
        $0.beforeCursor == step.line && (step.isInside || $0.isAtEnd)
          && (wanted == nil || wanted == masked($0.text))
      }
      let text = masked(terminal.screen.text)
      #expect(isDone, "\(title):\n\(text)\n--- in place of\n\(wanted ?? step.line)")
      #expect(terminal.screen.faults.isEmpty, "\(title): \(terminal.screen.faults)")
      if !isDone { return }
      golden.see(text)
    }
    let last = golden.next("Ctrl-D")
    terminal.press("\u{4}")
    #expect(await terminal.end() == 0)
    let text = masked(terminal.screen.text)
    #expect(last == nil || text == last)
    golden.see(text)
    golden.finish()
  }

  /// Times and durations differ from run to run, and so does the folder's name.
  private func masked(_ text: String) -> String {
    place.relative(text.replacing(/\d+(\.\d+)? ms/, with: "N ms"))
      .replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "2026-11-30T12:00:00Z")
      .replacing(/starling-tool-\w*/, with: "starling-tool-XXXXXX")
  }

  // MARK: The tests

  @Test("expressions, statements, results by number, errors with their traceback")
  func basics() async throws {
    try await session(
      "basics",
      [
        Step("1 + 1\r"), Step("x = _ * 21\r"), Step("x, 'text'\r"), Step("_1 + _2\r"),
        Step("for i = 1, 2 do\r", ">> "), Step("  print(i)\r", ">> "), Step("end\r"),
        Step("{ b = 1, a = { 2, 3, nested = { deep = true } } }\r"),
        Step("local t = {} t.t = t return t\r"), Step("nil\r"), Step("'\\27[2J\\n\\u{202E}'\r"),
        Step("local function f() error('boom') end f()\r"), Step("unknown_name\r"),
        Step("x = = 1\r"), Step("error({ 1 })\r"), Step("x\r"),
      ])
  }

  @Test("entities as tables and cards, aligned whatever the script, and no title moves the cursor")
  func entities() async throws {
    try await session(
      "entities",
      [
        Step("entities.fetch('thing', { order = 'size' })\r"),
        Step("favorites.get('thing', 1)\r"), Step("_1[2]\r"),
        Step("favorites.history()\r"), Step("favorites.fetch('thing', { where = {} })\r"),
      ])
  }

  @Test("at 40 columns everything fits")
  func narrow() async throws {
    try await session(
      "narrow",
      [
        Step("entities.fetch('thing', { order='size' })\r"),
        Step("favorites.get('thing', 1)\r"), Step(":help\r"), Step("help(favorites.fetch)\r"),
        Step("{ name = 'a text that is rather longer', b = { 1, 2, 3 } }\r"),
      ], columns: 40, rows: 60)
  }

  @Test("Tab completes functions, kinds, options, fields and words, and lists what there is")
  func completion() async throws {
    try await session(
      "completion",
      [
        Step("favorites.fe\t", "> favorites.fetch"), Step("(\"\t", "> favorites.fetch(\"thing"),
        Step("\", { wh\t", "> favorites.fetch(\"thing\", { where"),
        Step(" = { \t", "> favorites.fetch(\"thing\", { where = { "),
        Step("pri\t", "> favorites.fetch(\"thing\", { where = { price"),
        Step(" = ab\t", "> favorites.fetch(\"thing\", { where = { price = above"),
        Step("(1) } })\r"), Step(":pl\t", "> :plugins"), Step("\u{3}"),
        Step(":help thi\t", "> :help thing"), Step("\u{3}"),
        Step(":try --s\t", "> :try --since"), Step("\u{3}"),
        Step("favorites[\"fe\t", "> favorites[\"fetch"), Step("\u{3}"),
        Step("\t", ">   "), Step("zzz\t", ">   zzz"), Step("\u{3}"),
      ])
  }

  @Test("Ctrl-C stops a chunk, in C too, and abandons a line; neither ends the session")
  func interrupts() async throws {
    let terminal = try #require(PseudoTerminal(place, ["repl"]))
    #expect(await terminal.wait { $0.beforeCursor == Self.prompt })
    let loops = [
      "while true do end", "('a'):rep(40):find(('a?'):rep(40) .. ('a'):rep(40))", "io.read()",
    ]
    for loop in loops {
      terminal.press("print('o' .. 'n'); " + loop + "\r")
      #expect(await terminal.wait { $0.beforeCursor.isEmpty && $0.text.hasSuffix("\non") })
      terminal.press("\u{3}")
      #expect(await terminal.wait { $0.beforeCursor == Self.prompt }, "\(terminal.screen.text)")
    }
    let endless =
      "WITH RECURSIVE n AS (SELECT 1 x UNION ALL SELECT x+1 FROM n) SELECT max(x) FROM n"
    terminal.press(":sql \(endless)\r")
    #expect(await terminal.wait { $0.beforeCursor.isEmpty && $0.text.hasSuffix("FROM n") })
    terminal.press("\u{3}")
    #expect(await terminal.wait { $0.beforeCursor == Self.prompt }, "\(terminal.screen.text)")
    for _ in 0..<3 {
      terminal.press("half a line")
      #expect(await terminal.wait { $0.beforeCursor == "> half a line" })
      terminal.press("\u{3}")
      #expect(await terminal.wait { $0.beforeCursor == Self.prompt && $0.text.contains("line^C") })
    }
    terminal.press("for i = 1, 3 do\r")
    #expect(await terminal.wait { $0.beforeCursor == ">> " })
    terminal.press("\u{3}")
    #expect(await terminal.wait { $0.beforeCursor == Self.prompt })
    terminal.press("print(6 * 7)\r")
    #expect(await terminal.wait { $0.text.contains("\n42\n") && $0.beforeCursor == Self.prompt })
    terminal.press("os.exit(5)\r")
    #expect(await terminal.end() == 5)
  }

  @Test("what was typed comes back, a chunk whole, in another session too; Ctrl-R searches")
  func history() async throws {
    let up = "\u{1B}[A"
    try await session(
      "history-1",
      [
        Step("print('first')\r"), Step("for i = 1, 2 do\r", ">> "), Step("print(i)\r", ">> "),
        Step("end\r"), Step(" secret = 1\r"), Step(up, "end"), Step("\r"),
        Step(up + up, "> print('first')"), Step("\u{3}"),
      ])
    try await session(
      "history-2",
      [
        Step(up, "end"), Step(up, "> print('first')"), Step("\r"),
        Step("\u{12}for", "> ", isInside: true),
        Step("\r"),
      ])
    let kept = try #require(Terminal.readPrivateFile(place.path("starling/history")))
    let text = String(decoding: kept, as: UTF8.self)
    #expect(!text.contains("secret"))
    #expect(text.hasPrefix("print('first')\nfor i = 1, 2 do\\nprint(i)\\nend\n"))
    var status = stat()
    stat(place.path("starling/history"), &status)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test("the console's own commands")
  func commands() async throws {
    place.write("rules.lua", "rule \"Large\" { kind = \"thing\", size = at_least(50), star }")
    try await session(
      "commands",
      [
        Step(":rules\r"), Step(":plugins\r"), Step(":try\r"), Step(":reload\r"),
        Step("favorites.insert('thing', 2)\r"), Step(":history --limit 1\r"), Step(":undo\r"),
        Step("favorites.contains('thing', 2)\r"), Step(":time 1 + 1\r"),
        Step("#entities.fetch('thing', { where = { price = below '3万' }, limit = 9 })\r"),
        Step(":rule \"Cheap\"\r"), Step(":sql SELECT count(*) AS n, 'x' AS x FROM thing\r"),
        Step(":sql DROP TABLE thing\r"), Step(":undo?\r"), Step(":nonsense\r"), Step("thing?\r"),
      ], arguments: ["--rules", "@rules.lua"], rows: 60)
    let rules = try #require(Terminal.readPrivateFile(place.path("rules.lua")))
    #expect(
      String(decoding: rules, as: UTF8.self).hasSuffix(
        "\nrule \"Cheap\" { kind = \"thing\", price = below \"3万\", star }\n"))
    #expect(place.run("rules", "check", "@rules.lua").status == 0)
  }

  @Test("a dry run changes a copy, and shows at the end what it would have been")
  func dryRun() async throws {
    try await session(
      "dry-run",
      [
        Step("favorites.insert('thing', 2)\r"), Step("favorites.delete('thing', 1)\r"),
        Step("favorites.insert('thing', 3) favorites.delete('thing', 3)\r"),
        Step("favorites.tag('thing', 2, 'mine')\r"),
      ], arguments: ["--dry-run"])
    #expect(place.run("contains", "thing", "1").out == "yes\n")
    #expect(place.run("contains", "thing", "2").out == "no\n")
  }

  @Test("changes of another process come to a listener while a person types")
  func observers() async throws {
    let terminal = try #require(PseudoTerminal(place, ["repl"]))
    #expect(await terminal.wait { $0.beforeCursor == Self.prompt })
    terminal.press("stop = favorites.on('insert', function(c) print('new: ' .. c.key) end)\r")
    #expect(await terminal.wait { $0.text.contains("end)\n") && $0.beforeCursor == Self.prompt })
    terminal.press("half a li")
    #expect(await terminal.wait { $0.beforeCursor == "> half a li" })
    #expect(place.run("star", "thing", "4").status == 0)
    // The line is still there, below what the listener says.
    #expect(
      await terminal.wait {
        $0.text.contains("new: 4\n> half a li") && $0.beforeCursor == "> half a li"
      })
    terminal.press("ne\u{3}")
    #expect(await terminal.wait { $0.beforeCursor == Self.prompt })
    terminal.press("favorites.on('insert', function() error('boom') end)\r")
    #expect(
      await terminal.wait { $0.text.contains("error('boom')") && $0.beforeCursor == Self.prompt })
    #expect(place.run("star", "thing", "5").status == 0)
    #expect(
      await terminal.wait {
        $0.text.contains("new: 5") && $0.text.contains("failed: console:1: boom")
      })
    terminal.press("\u{4}")
    #expect(await terminal.end() == 0)
  }

  @Test("a terminal that understands no control sequences is enough")
  func dumb() async throws {
    try await session(
      "dumb",
      [
        Step("1 + 1\r"), Step("favorites.fe\t", "> favorites.fetch"), Step("\u{3}"),
        Step("favorites.fetch('thing')\r"), Step("\u{1B}[A", "> favorites.fetch('thing')"),
        Step("\u{3}"),
      ], columns: 40, environment: ["TERM": "dumb"])
  }

  @Test("the line is drawn again when the terminal is resized, and results fit the new width")
  func resize() async throws {
    try await session(
      "resize",
      [
        Step(
          "print('a line that is long enough to go on')",
          "> print('a line that is long enough to go on')"),
        Step("", "nough to go on')", columns: 30), Step("\r"), Step("favorites.fetch('thing')\r"),
        Step("", columns: 60), Step("entities.fetch('thing', { limit=2 })\r"),
      ], columns: 60)
  }

  @Test("a line that was wrapped by a narrow terminal is whole again in a wide one, and alone")
  func reflows() async throws {
    let terminal = try #require(PseudoTerminal(place, ["repl"], columns: 80, reflows: true))
    #expect(await terminal.wait { $0.beforeCursor == Self.prompt })
    let line = "print('a line of sixty characters or so, wrapped at 40 of them')"
    terminal.press("print('before')\r" + line)
    #expect(await terminal.wait { $0.beforeCursor == "> " + line })
    // The screen's lines have no blanks at their ends.
    let wanted = ("> print('before')before> " + line).filter { $0 != " " }
    for columns in [40, 100, 30, 90] {
      terminal.resize(columns: columns)
      let isWhole = await terminal.wait(settles: true) { screen in
        screen.isAtEnd && screen.text.filter { !$0.isWhitespace }.hasSuffix("leaves)" + wanted)
      }
      #expect(isWhole, "at \(columns):\n\(terminal.screen.text)")
    }
    terminal.press("\u{3}")
    #expect(await terminal.wait { $0.beforeCursor == Self.prompt })
    terminal.press("\u{4}")
    #expect(await terminal.end() == 0)
  }

  @Test("after Ctrl-Z the line is there again, and what is typed is shown once")
  func suspends() async throws {
    let terminal = try #require(PseudoTerminal(place, ["repl"]))
    terminal.press("print('ha")
    #expect(await terminal.wait { $0.beforeCursor == "> print('ha" })
    // Nobody here restores the terminal, as some shells do not; Ctrl-Z itself needs such a shell.
    terminal.signal(SIGSTOP)
    terminal.cook()
    terminal.signal(SIGCONT)
    #expect(await terminal.wait(settles: true) { $0.beforeCursor == "> print('ha" })
    terminal.press("lf')\r")
    #expect(
      await terminal.wait(settles: true) {
        $0.text.hasSuffix("> print('half')\nhalf\n>") && $0.beforeCursor == Self.prompt
      }, "\(terminal.screen.text)")
    terminal.press("\u{4}")
    #expect(await terminal.end() == 0)
  }

  @Test("with colors the labels are set apart")
  func colors() async throws {
    let terminal = try #require(
      PseudoTerminal(place, ["repl"], environment: ["NO_COLOR": ""]))
    #expect(await terminal.wait { $0.beforeCursor == Self.prompt })
    terminal.press("6 * 7\r")
    #expect(await terminal.wait { $0.text.contains("_1 = 42\n") && $0.beforeCursor == Self.prompt })
    #expect(terminal.screen.faults.isEmpty)
  }
}
