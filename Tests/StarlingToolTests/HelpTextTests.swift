import StarlingTool
import Testing

@Suite struct HelpTextTests {
  @Test("the overview lists every command and the options of all")
  func overview() {
    #expect(
      HelpText.overview(ArgumentParserTests.tool) == """
        Usage: starling [OPTIONS] COMMAND [ARGUMENTS]

        Stars what you would have starred.

        Favorites:
          list  favorites, newest first
          star  star by hand

        Rules and scripts:
          rules check  check
          rules try    try
          run          run a script

        Options of every command:
          --db FILE      the database
          --json         JSON Lines
          --plugins DIR  more plugins (repeatable)
          --help         this text; after a command, its own
          --version      the version

        starling COMMAND --help tells more of a command.

        """)
  }

  @Test("a command's help has its usage, its words and its options")
  func command() throws {
    let list = try #require(ArgumentParserTests.tool.commands.first)
    #expect(
      HelpText.command(list, tool: ArgumentParserTests.tool).hasPrefix(
        """
        Usage: starling list [OPTIONS] [KIND]

        favorites, newest first

        With --all everything that was seen.

        Options:
          --all      everything seen
          --limit N  at most N

        Options of every command:

        """))
  }

  @Test("no line is wider than the terminal", arguments: [40, 60, 80])
  func width(_ width: Int) {
    let overview = HelpText.overview(ArgumentParserTests.tool, width: width)
    for line in overview.split(separator: "\n") { #expect(line.count <= width) }
    for command in ArgumentParserTests.tool.commands {
      let text = HelpText.command(command, tool: ArgumentParserTests.tool, width: width)
      for line in text.split(separator: "\n") { #expect(line.count <= width) }
    }
  }
}
