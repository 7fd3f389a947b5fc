import Glibc
import Testing

@testable import StarlingTool

/// What the command says when it cannot do what it was asked: the exact line, and the status.
@Suite struct ErrorCatalogueTests {
  @Test(
    "the command line is wrong: status 2, the nearest spelling, and where help is",
    arguments: ErrorCatalogue.usage)
  func usage(_ example: ErrorCase) { example.check() }

  @Test("what is no feed is refused in one line: status 3", arguments: ErrorCatalogue.notFeeds)
  func notFeeds(_ example: ErrorCase) { example.check() }

  @Test("a file that may not be read says so", .enabled(if: geteuid() != 0))
  func unreadable() {
    ErrorCase(
      "load", "@secret.xml", status: 3, err: "starling: @secret.xml: permission denied",
      prepare: { place in
        place.write("secret.xml", "")
        chmod(place.path("secret.xml"), 0)
      }
    ).check()
  }

  @Test(
    "a feed of which a part is lost says which part: status 1", arguments: ErrorCatalogue.partly)
  func partly(_ example: ErrorCase) { example.check() }

  @Test("a plugin that cannot be used is named with the reason", arguments: ErrorCatalogue.plugins)
  func plugins(_ example: ErrorCase) { example.check() }

  @Test(
    "a database that cannot be used is named with the reason: status 3",
    arguments: ErrorCatalogue.databases)
  func databases(_ example: ErrorCase) { example.check() }

  @Test(
    "a rules file is checked to the word, with file and line: status 3",
    arguments: ErrorCatalogue.rules)
  func rules(_ example: ErrorCase) { example.check() }

  @Test(
    "a script's error has its file and line: status 3, or what it exits with",
    arguments: ErrorCatalogue.scripts)
  func scripts(_ example: ErrorCase) { example.check() }

  @Test(
    "no and nothing are answers: status 1, and unstar of none is done",
    arguments: ErrorCatalogue.answers)
  func answers(_ example: ErrorCase) { example.check() }
}

/// A command line in a prepared folder, with what it must say.
struct ErrorCase: CustomTestStringConvertible, Sendable {
  var arguments: [String]
  var status: Int32
  var err: String
  var out: String
  /// Makes what the others do not need.
  var prepare: @Sendable (Workplace) -> Void

  init(
    _ arguments: String..., status: Int32, err: String = "", out: String = "",
    prepare: @escaping @Sendable (Workplace) -> Void = { _ in }
  ) {
    self.arguments = arguments
    self.status = status
    self.err = err
    self.out = out
    self.prepare = prepare
  }

  var testDescription: String { arguments.joined(separator: " ") }

  func check() {
    let place = Workplace()
    place.write("plugins/things.lua", Workplace.plugin())
    place.write("ok.xml", Workplace.feed(items: 2))
    prepare(place)
    let outcome = place.run(arguments)
    func lines(_ text: String) -> String { text.isEmpty ? "" : text + "\n" }
    #expect(
      outcome == Workplace.Outcome(status: status, out: lines(out), err: lines(err)),
      "\(testDescription)")
  }
}

/// The cases.
enum ErrorCatalogue {
  static let usage: [ErrorCase] = [
    ErrorCase(status: 2, err: "starling: no command given; see starling --help"),
    ErrorCase(
      "lst", status: 2,
      err: "starling: unknown command \"lst\"; did you mean list?; see starling --help"),
    ErrorCase("frob", status: 2, err: "starling: unknown command \"frob\"; see starling --help"),
    ErrorCase(
      "refusals", status: 2, err: "starling: refusals takes one of list, lift; see starling --help"),
    ErrorCase(
      "refusals lst", status: 2,
      err:
        "starling: unknown command \"refusals lst\"; did you mean refusals list?; see starling --help"
    ),
    ErrorCase(
      "list", "--jsn", status: 2,
      err: "starling: unknown option --jsn; did you mean --json?; see starling list --help"),
    ErrorCase(
      "list", "--limit", status: 2,
      err: "starling: option --limit needs N; see starling list --help"),
    ErrorCase(
      "list", "--limit", "many", status: 2,
      err: "starling: --limit needs a whole number, not \"many\"; see starling --help"),
    ErrorCase(
      "list", "--all=yes", status: 2,
      err: "starling: option --all takes no value; see starling list --help"),
    ErrorCase(
      "show", "thing", status: 2, err: "starling: show needs KIND KEY; see starling show --help"),
    ErrorCase(
      "why", "thing", "a", "b", status: 2,
      err: "starling: why does not take \"b\"; see starling why --help"),
    ErrorCase(
      "list", "--format", "{titel}", status: 2,
      err:
        "starling: --format names an unknown field {titel}; did you mean {title}?; see starling --help",
      prepare: loaded),
    ErrorCase(
      "star", "thing", "1", "titel=x", status: 2,
      err: "starling: kind thing has no field titel; did you mean title?; see starling --help"),
    ErrorCase(
      "load", "@ok.xml", "--max-time", "soon", status: 2,
      err:
        "starling: --max-time needs a time such as 500ms, 5s or 2m, not \"soon\"; see starling --help"
    ),
    ErrorCase(
      "load", "@ok.xml", "--max-memory", "12XB", status: 2,
      err: "starling: --max-memory needs a size such as 64MB, not \"12XB\"; see starling --help"),
    ErrorCase(
      "load", "@ok.xml", "--option", "deep", status: 2,
      err: "starling: --option needs NAME=VALUE, not \"deep\"; see starling --help"),
    ErrorCase(
      "run", status: 2,
      err: "starling: a script, - or -e CODE is needed; see starling run --help"),
    ErrorCase(
      "undo", "last", status: 2,
      err: "starling: undo needs the number of a change, not \"last\"; see starling undo --help"),
  ]

  static let notFeeds: [ErrorCase] = [
    ErrorCase(
      "load", "@page.html", status: 3,
      err: "starling: @page.html: not a feed: it is a web page that announces no feed; "
        + "look for a feed's address on the page",
      prepare: { $0.write("page.html", "<!doctype html><html><body>hi</body></html>") }),
    ErrorCase(
      "load", "@empty.xml", status: 3,
      err: "starling: @empty.xml: not a feed: the document is empty; check its address or file",
      prepare: { $0.write("empty.xml", "") }),
    ErrorCase(
      "load", "@binary", status: 3,
      err:
        "starling: @binary: not a feed: it begins with \"\\u{1}&Kp\", where RSS, Atom, RDF or JSON is expected; check its address or file",
      prepare: { $0.write("binary", [1, 38, 75, 112]) }),
    ErrorCase(
      "load", "@scalar.json", status: 3,
      err:
        "starling: @scalar.json: not a feed: it begins with \"5\", where RSS, Atom, RDF or JSON is expected; check its address or file",
      prepare: { $0.write("scalar.json", "5") }),
    ErrorCase(
      "load", "@none.xml", status: 3, err: "starling: @none.xml: no such file or directory"),
    ErrorCase(
      "load", "@plugins", status: 3, err: "starling: @plugins: is a directory"),
    ErrorCase(
      "load", "ftp://e.org/feed", status: 3,
      err: "starling: ftp://e.org/feed: only http and https can be fetched; "
        + "name a file by its path"),
    ErrorCase(
      "load", "http://127.0.0.1:1/", status: 3,
      err:
        "starling: http://127.0.0.1:1/: no connection: Failed to connect to 127.0.0.1 port 1 after N ms: Couldn't connect to server"
    ),
    ErrorCase(
      "load", "http://none.invalid/", status: 3,
      err: "starling: http://none.invalid/: the host's name could not be resolved"),
    ErrorCase(
      "load", "@ok.xml", "--charset", "runes", status: 3,
      err: "starling: @ok.xml: unknown charset: runes; name one that iconv -l lists"),
    ErrorCase(
      "decode", "@none.xml", status: 3, err: "starling: @none.xml: no such file or directory"),
  ]

  static let partly: [ErrorCase] = [
    ErrorCase(
      "load", "@cut.xml", status: 1,
      err: "starling: @cut.xml: is cut off at byte 280 (inside of <link>, which is left out)\n"
        + "starling: @cut.xml: item 4: @plugins/things.lua:8: no key for a `thing`: `id` is absent",
      out: "@cut.xml: things: 4 items, 3 new, 1 failed; 0 starred",
      prepare: { place in
        let whole = Array(Workplace.feed(items: 9).utf8)
        place.write("cut.xml", Array(whole[..<280]))
      }),
    ErrorCase(
      "load", "@nine.xml", status: 1,
      err: "starling: @nine.xml: item 7: @plugins/things.lua:7: no sevens",
      out: "@nine.xml: things: 9 items, 8 new, 1 failed; 0 starred",
      prepare: { place in
        place.write("nine.xml", Workplace.feed(items: 9))
        place.write(
          "plugins/things.lua",
          Workplace.plugin(body: "if item.title == \"Item 7\" then error(\"no sevens\") end"))
      }),
    ErrorCase(
      "load", "@ok.xml", "@none.xml", status: 1,
      err: "starling: @none.xml: no such file or directory",
      out: "@ok.xml: things: 2 items, 2 new; 0 starred"),
  ]

  static let plugins: [ErrorCase] = [
    ErrorCase(
      "load", "@ok.xml", "--plugin", "thigns", status: 3,
      err: "starling: plugin thigns: no such plugin; did you mean `things`?"),
    ErrorCase(
      "load", "@ok.xml", "--plugin", "zebra", status: 3,
      err: "starling: plugin zebra: no such plugin; there are things"),
    ErrorCase(
      "plugins", "try", "@zebra.lua", "@ok.xml", status: 3,
      err: "starling: @zebra.lua: no plugin there: a .lua file, or a folder with plugin.lua"),
    ErrorCase(
      "--db", "@x.db", "load", "@ok.xml", status: 3,
      err: "starling: @ok.xml: no plugin accepts this rss feed; "
        + "there are no plugins: name their folder with --plugins DIR"),
    ErrorCase(
      "load", "@list.json", status: 3,
      err: "starling: @list.json: no plugin accepts this json feed; "
        + "name one with --plugin (things)",
      prepare: { $0.write("list.json", "[1]") }),
    ErrorCase(
      "load", "@ok.xml", "--plugin", "future", status: 3,
      err: "starling: @plugins/future.lua:1: written for plugin API 2, and this program speaks 1; "
        + "update Starling",
      prepare: { $0.write("plugins/future.lua", Workplace.plugin(api: 2)) }),
    ErrorCase(
      "load", "@ok.xml", "--plugin", "broken", status: 3,
      err: "starling: @plugins/broken.lua:4: <name> expected near <eof>",
      prepare: { $0.write("plugins/broken.lua", "--- @api 1\nlocal M = {}\nreturn M.\n") }),
    ErrorCase(
      "load", "@ok.xml", "--plugin", "zoo", status: 3,
      err:
        "starling: @plugins/zoo.lua:4: plugin zoo: kind thing, field title: it is integer here and text there (declared by things)",
      prepare: { place in
        place.write(
          "plugins/zoo.lua",
          Workplace.plugin(
            kinds: "{ thing = { key = \"id\", fields = { id = \"text\", title = \"integer\" } } }"))
      }),
    ErrorCase(
      "load", "@ok.xml", "@ok.xml", "--plugin", "loop", "--max-time", "50ms", status: 3,
      err: [String](
        repeating: "starling: @plugins/loop.lua:7: stopped: its time was over; "
          + "--max-time TIME gives it more", count: 2
      ).joined(separator: "\n"),
      prepare: loop),
  ]

  static let databases: [ErrorCase] = [
    ErrorCase(
      "--db", "/dev/null/x.db", "list", status: 3,
      err: "starling: /dev/null/x.db: the database cannot be opened: Not a directory"),
    ErrorCase(
      "--db", "@plugins", "list", status: 3,
      err: "starling: @plugins: the database cannot be opened: it is a folder"),
    ErrorCase(
      "--db", "@ok.xml", "list", status: 3,
      err: "starling: @ok.xml: this is no SQLite database; give another file with --db"),
    ErrorCase(
      "--db", "@ok.xml", "load", "@ok.xml", "--rules", "@mine.lua", status: 3,
      err: "starling: @ok.xml: this is no SQLite database; give another file with --db",
      prepare: { $0.write("mine.lua", "rule \"A\" { kind = \"things\", star }") }),
    ErrorCase(
      "--db", "@ok.xml", "run", "-e", "return favorites.kinds()", status: 3,
      err: "starling: -e:1: @ok.xml: this is no SQLite database; give another file with --db"),
    ErrorCase(
      "list", status: 3,
      err: "starling: @x.db: written by a newer Starling (schema 99, this one knows 2); "
        + "nothing was changed, update Starling",
      prepare: { place in
        loaded(place)
        place.patch("x.db", at: 60, [0, 0, 0, 99])
      }),
    ErrorCase(
      "list", status: 3,
      err: "starling: @x.db: this database belongs to another program; give another file with --db",
      prepare: { place in
        loaded(place)
        place.patch("x.db", at: 68, [1, 2, 3, 4])
      }),
    ErrorCase(
      "restore", "@none.db", status: 3,
      err: "starling: @none.db: the database cannot be opened: there is no such file"),
    ErrorCase(
      "backup", "/dev/null/copy.db", status: 3,
      err:
        "starling: /dev/null/copy.db: the database cannot be opened: there is no folder /dev/null/"
    ),
  ]

  static let rules: [ErrorCase] =
    [
      ("title = hass{ \"a\" }, star", "@r.lua:2: undefined global 'hass'; did you mean 'has'?"),
      (
        "kind = \"thing\", titel = has{ \"a\" }, star",
        "@r.lua:2: rule \"R\": unknown field \"titel\" of kind \"thing\"; did you mean \"title\"?"
      ),
      ("title = has{ \"a\" }, starr", "@r.lua:2: undefined global 'starr'; did you mean 'star'?"),
      (
        "kind = \"thign\", star",
        "@r.lua:2: rule \"R\": unknown kind \"thign\"; did you mean \"thing\"?"
      ),
      ("title = , star", "@r.lua:2: unexpected symbol near ','"),
    ].flatMap { body, fault -> [ErrorCase] in
      let write: @Sendable (Workplace) -> Void = {
        $0.write("r.lua", "-- mine\nrule \"R\" { \(body) }\n")
      }
      return [
        ErrorCase("rules", "check", "@r.lua", status: 3, err: "starling: " + fault, prepare: write),
        ErrorCase(
          "load", "@ok.xml", "--rules", "@r.lua", status: 3, err: "starling: " + fault,
          prepare: write),
      ]
    } + [
      ErrorCase(
        "rules", "check", "@none.lua", status: 3,
        err: "starling: @none.lua: no such file or directory")
    ]

  static let scripts: [ErrorCase] = [
    ErrorCase(
      "run", "@s.lua", status: 3,
      err: "starling: @s.lua:1: unexpected symbol near '='",
      prepare: { $0.write("s.lua", "local x = = 1\n") }),
    ErrorCase(
      "run", "@s.lua", status: 3,
      err: "starling: @s.lua:3: attempt to index a nil value (local 't')",
      out: "begun",
      prepare: { $0.write("s.lua", "print('begun')\nlocal t\nprint(t.x)\n") }),
    ErrorCase("run", "-e", "os.exit(7)", status: 7),
    ErrorCase("run", "-e", "os.exit(true)", status: 0),
    ErrorCase(
      "run", "@none.lua", status: 3, err: "starling: @none.lua: no such file or directory"),
    ErrorCase(
      "run", "-e", "favorits.count('thing')", status: 3,
      err: "starling: -e:1: undefined global 'favorits'; did you mean 'favorites'?"),
    ErrorCase(
      "run", "--max-time", "50ms", "-e", "while true do end", status: 3,
      err: "starling: -e:1: stopped: its time was over; --max-time TIME gives it more"),
    ErrorCase(
      "run", "-e", "fs.read('/etc/hostname')", status: 3,
      err:
        "starling: -e:1: reading /etc/hostname is not allowed; --allow-read=/etc/hostname would allow it"
    ),
    ErrorCase(
      "list", "--where", "title = hass \"a\"", status: 3,
      err: "starling: where: undefined global 'hass'; did you mean 'has'?", prepare: loaded),
    ErrorCase(
      "list", "thing", "--where", "titel = \"a\"", status: 3,
      err: "starling: kind thing has no field \"titel\"; did you mean \"title\"?", prepare: loaded),
  ]

  static let answers: [ErrorCase] = [
    ErrorCase("contains", "thing", "https://e.org/1", status: 1, out: "no", prepare: loaded),
    ErrorCase(
      "contains", "thing", "https://e.org/1", status: 0, out: "yes",
      prepare: { place in
        loaded(place)
        _ = place.run("star", "thing", "https://e.org/1")
      }),
    ErrorCase(
      "show", "thing", "9", status: 1,
      err: "starling: thing 9: no such entity; see starling list thing --all"),
    ErrorCase("why", "thing", "9", status: 1, err: "starling: thing 9: no favorite"),
    ErrorCase(
      "unstar", "thing", "9", status: 0, out: "thing 9: was no favorite; refused from now on"),
    ErrorCase(
      "why", "thing", "9", status: 1,
      err: "starling: thing 9: no favorite: you refused it; starling star thing 9 lifts that",
      prepare: { _ = $0.run("unstar", "thing", "9") }),
    ErrorCase(
      "contains", "thign", "9", status: 3,
      err: "starling: there is no kind \"thign\"; did you mean \"thing\"?"),
    ErrorCase(
      "list", "thign", status: 3, err: "starling: kind thign: unknown; did you mean thing?"),
    ErrorCase("undo", status: 3, err: "starling: there is no change to undo"),
  ]

  /// The feed `ok.xml` is stored.
  static let loaded: @Sendable (Workplace) -> Void = { _ = $0.run("load", "@ok.xml") }

  /// A plugin that never ends.
  static let loop: @Sendable (Workplace) -> Void = {
    $0.write("plugins/loop.lua", Workplace.plugin(accepts: false, body: "while true do end"))
  }
}
