import Starling
import Testing

@testable import StarlingTool

@Suite struct ConsoleMachineTests {
  @Test(
    "what begins as no statement does is wrong as an expression",
    arguments: [
      ("{ 1, = }", true), ("  'open", true), ("12 = x", true), ("#", true), ("-- c\nx = =", false),
      ("x = =", false), ("(f", false), ("for", false),
    ])
  func wrongExpression(text: String, isExpression: Bool) {
    var machine = ConsoleMachine { _ in .wrong }
    guard case .run(let chunk) = machine.consume(text) else {
      Issue.record("not run: \(text)")
      return
    }
    #expect(chunk.isWrong && chunk.isExpression == isExpression)
  }

  /// A parser that knows a few texts: what ends in `...` is incomplete, what has `!` is wrong, and a
  /// `return` is only well before a value.
  private func machine() -> ConsoleMachine {
    ConsoleMachine { text in
      if text.hasSuffix("...") { return .incomplete }
      if text.contains("!") { return .wrong }
      let body = text.hasPrefix("return ") ? text.dropFirst(7) : text[...]
      let isStatement = body.hasPrefix("x =") || body.hasPrefix("for")
      let isBoth = body.hasPrefix("f(")
      if text.hasPrefix("return ") { return isStatement ? .wrong : .complete }
      return isStatement || isBoth ? .complete : .wrong
    }
  }

  private func chunk(
    _ text: String, expression: Bool, line: Int = 1, wrong: Bool = false
  ) -> ConsoleAction {
    .run(ConsoleChunk(text: text, isExpression: expression, line: line, isWrong: wrong))
  }

  @Test("an expression comes before a statement")
  func expressionFirst() {
    var machine = machine()
    #expect(machine.consume("1 + 1") == chunk("1 + 1", expression: true))
    #expect(machine.consume("x = 1") == chunk("x = 1", expression: false, line: 2))
    #expect(machine.consume("f()") == chunk("f()", expression: true, line: 3))
  }

  @Test("an incomplete chunk goes on until it is complete, and knows where it began")
  func continuation() {
    var machine = machine()
    #expect(machine.consume("") == .nothing)
    #expect(machine.consume("for i ...") == .more)
    #expect(machine.isPending)
    #expect(machine.pendingText == "for i ...\n")
    #expect(machine.consume("  print ...") == .more)
    // Commands and blank lines within a chunk belong to it.
    #expect(machine.consume("...") == .more)
    #expect(
      machine.consume("end")
        == chunk("for i ...\n  print ...\n...\nend", expression: false, line: 2))
    #expect(!machine.isPending)
  }

  @Test("a chunk that comes back from the history is one line's work")
  func severalLines() {
    var machine = machine()
    #expect(machine.consume("for a\nb\nend") == chunk("for a\nb\nend", expression: false))
    #expect(machine.consume("1") == chunk("1", expression: true, line: 4))
  }

  @Test("what is no Lua is run all the same, so that Lua says why")
  func wrong() {
    var machine = machine()
    #expect(machine.consume("a!") == chunk("a!", expression: false, wrong: true))
    #expect(!machine.isPending)
  }

  @Test("Ctrl-C forgets the chunk, and the end of the input takes it as it is")
  func abandonAndFinish() {
    var machine = machine()
    #expect(machine.consume("for ...") == .more)
    machine.abandon()
    #expect(machine.consume("1") == chunk("1", expression: true, line: 2))
    #expect(machine.finish() == .nothing)
    #expect(machine.consume("for ...") == .more)
    #expect(machine.finish() == chunk("for ...", expression: false, line: 3, wrong: true))
  }

  @Test(
    "a colon begins a command, two begin a label",
    arguments: [
      (":sql SELECT 1 ?", ConsoleAction.command(name: "sql", argument: "SELECT 1 ?")),
      ("  :quit  ", .command(name: "quit", argument: "")),
      (":", .command(name: "", argument: "")),
      (":rule \"a b\"", .command(name: "rule", argument: "\"a b\"")),
    ])
  func commands(line: String, action: ConsoleAction) {
    var machine = machine()
    #expect(machine.consume(line) == action)
  }

  @Test("a label is Lua")
  func label() {
    var machine = machine()
    #expect(machine.consume("::top::") == chunk("::top::", expression: true))
  }

  @Test(
    "a question mark behind a name asks for help",
    arguments: [
      ("news?", "news"), (" favorites.fetch ? ", "favorites.fetch"), (":sql?", ":sql"),
      ("_1?", "_1"),
    ])
  func questions(line: String, topic: String) {
    var machine = machine()
    #expect(machine.consume(line) == .help(topic))
  }

  @Test("a question mark behind anything else is Lua's to refuse", arguments: ["1?", "f()?", "?"])
  func noQuestions(line: String) {
    var machine = machine()
    #expect(machine.consume(line) == chunk(line, expression: true))
  }

  @Test("help of a plain name needs no value by that name")
  func helpTopic() {
    #expect(ConsoleMachine.helpTopic("help(news)") == "news")
    #expect(ConsoleMachine.helpTopic(" help( favorites.get ) ") == "favorites.get")
    #expect(ConsoleMachine.helpTopic("help('news')") == nil)
    #expect(ConsoleMachine.helpTopic("help()") == nil)
    #expect(ConsoleMachine.helpTopic("help(f())") == nil)
  }

  @Test("a long chunk is not read again for each of its lines")
  func patience() {
    var count = 0
    var machine = ConsoleMachine { text in
      count += 1
      return text.hasSuffix("end") ? .complete : .incomplete
    }
    #expect(machine.consume("function f()") == .more)
    for _ in 0..<2_000 {
      let action = machine.consume("  x = 1")
      #expect(action == .more)
    }
    #expect(count < 200)
    if case .run = machine.consume("end") {} else { Issue.record("the chunk did not end") }
  }
}
