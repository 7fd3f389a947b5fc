import StarlingTool
import Testing

@Suite struct ArgumentParserTests {
  static let tool = ToolSpec(
    name: "starling", version: "1.0", summary: "Stars what you would have starred.",
    groups: [
      (
        "Favorites",
        [
          CommandSpec(
            "list", operands: "[KIND]", summary: "favorites, newest first",
            details: "With --all everything that was seen.",
            options: [
              OptionSpec("--all", help: "everything seen"),
              OptionSpec("--limit", value: "N", help: "at most N"),
            ], maximumOperands: 1),
          CommandSpec(
            "star", operands: "KIND KEY [FIELD=VALUE...]", summary: "star by hand",
            minimumOperands: 2, maximumOperands: nil),
        ]
      ),
      (
        "Rules and scripts",
        [
          CommandSpec("rules check", operands: "[FILE]", summary: "check", maximumOperands: 1),
          CommandSpec("rules try", summary: "try"),
          CommandSpec(
            "run", operands: "SCRIPT [ARGUMENTS]", summary: "run a script",
            options: [OptionSpec("-e", value: "CODE", isRepeatable: true, help: "code to run")],
            maximumOperands: nil, stopsAtFirstOperand: true),
        ]
      ),
    ],
    options: [
      OptionSpec("--db", value: "FILE", help: "the database"),
      OptionSpec("--json", help: "JSON Lines"),
      OptionSpec("--plugins", value: "DIR", isRepeatable: true, help: "more plugins"),
    ])

  private func parse(_ line: String) throws(ToolError) -> (String, ParsedArguments) {
    let arguments = line.split(separator: " ").map(String.init)
    guard
      case .command(let command, let parsed) = try ArgumentParser.parse(arguments, tool: Self.tool)
    else { return ("", ParsedArguments()) }
    return (command.name, parsed)
  }

  private func failure(_ line: String) -> String? {
    do {
      _ = try parse(line)
      return nil
    } catch {
      #expect(error.exitCode == .usage)
      return error.description
    }
  }

  @Test("options stand before the command, after it and between operands, with = or without")
  func options() throws {
    let (name, parsed) = try parse(
      "--db a.db --json list --limit=5 car --all --plugins x --plugins=y")
    #expect(name == "list")
    #expect(parsed.value("--db") == "a.db")
    #expect(parsed.has("--json"))
    #expect(parsed.has("--all"))
    #expect(try parsed.number("--limit") == 5)
    #expect(parsed.all("--plugins") == ["x", "y"])
    #expect(parsed.operands == ["car"])
    #expect(parsed.operand(0) == "car")
    #expect(parsed.operand(1) == nil)
  }

  @Test("an empty value counts as absent, the last of several wins")
  func values() throws {
    #expect(try parse("list --db=").1.value("--db") == nil)
    #expect(try parse("list --db a --db b").1.value("--db") == "b")
    #expect(try parse("list --db= --db=a=b").1.value("--db") == "a=b")
  }

  @Test("after -- all is operand, and so is - alone")
  func operands() throws {
    #expect(try parse("star news -").1.operands == ["news", "-"])
    #expect(try parse("star -- news --json -x").1.operands == ["news", "--json", "-x"])
  }

  @Test("what follows a script belongs to it")
  func scripts() throws {
    let (_, parsed) = try parse("run --db a -e x=1 -e y s.lua --db b -- -h")
    #expect(parsed.value("--db") == "a")
    #expect(parsed.all("-e") == ["x=1", "y"])
    #expect(parsed.operands == ["s.lua", "--db", "b", "--", "-h"])
  }

  @Test("a command of a group has two words")
  func groups() throws {
    #expect(try parse("rules check my.lua").0 == "rules check")
    #expect(failure("rules") == "rules takes one of check, try; see starling --help")
    #expect(
      failure("rules chek")
        == "unknown command \"rules chek\"; rules takes one of check, try; see starling --help")
  }

  @Test("a wrong command line says what is wrong, the nearest right spelling, and where help is")
  func errors() {
    let cases = [
      ("", "no command given; see starling --help"),
      ("lsit", "unknown command \"lsit\"; did you mean list?; see starling --help"),
      ("frobnicate", "unknown command \"frobnicate\"; see starling --help"),
      ("list --limt 5", "unknown option --limt; did you mean --limit?; see starling list --help"),
      ("--jsno list", "unknown option --jsno; did you mean --json?; see starling --help"),
      ("list -x", "unknown option -x; see starling list --help"),
      ("list --limit", "option --limit needs N; see starling list --help"),
      ("list --all=yes", "option --all takes no value; see starling list --help"),
      ("list a b", "list does not take \"b\"; see starling list --help"),
      ("star news", "star needs KIND KEY [FIELD=VALUE...]; see starling star --help"),
    ]
    for (line, expected) in cases { #expect(failure(line) == expected) }
  }

  @Test("a number is a whole number", arguments: ["-1", "x", "1.5", "+5", "99999999999999999999"])
  func numbers(_ text: String) throws {
    let parsed = try parse("list --limit=\(text)").1
    #expect(throws: ToolError.self) { try parsed.number("--limit") }
  }

  @Test("help and version are asked in several ways")
  func help() throws {
    func asked(_ line: String) throws -> String {
      switch try ArgumentParser.parse(line.split(separator: " ").map(String.init), tool: Self.tool)
      {
      case .help(let command): "help " + (command?.name ?? "")
      case .groupHelp(let commands): "group " + commands.map(\.name).joined(separator: ", ")
      case .version: "version"
      case .command(let command, _): command.name
      }
    }
    for line in ["--help", "-h", "help"] { #expect(try asked(line) == "help ") }
    for line in ["list --help", "list -h a b c", "help list", "--help list"] {
      #expect(try asked(line) == "help list")
    }
    #expect(try asked("help rules try") == "help rules try")
    for line in ["rules --help", "help rules", "-h rules"] {
      #expect(try asked(line) == "group rules check, rules try")
    }
    #expect(try asked("--version") == "version")
    #expect(try asked("--json --version") == "version")
  }
}
