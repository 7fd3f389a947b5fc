import StarlingLua
import StarlingModel
import Testing

@testable import Starling

@Suite struct StreamFunctionsTests {
  @Test("print and io.write write what tostring shows")
  func output() throws {
    let lua = try ScriptHarness()
    #expect(
      try lua.status(
        """
        print(1, "a\\0b", nil, true, 1.5)
        print()
        io.write("x", 5, 2.5):write("y\\n")
        io.stdout:write("z")
        io.stderr:write("e", 1)
        print(setmetatable({}, { __tostring = function() return "T" end }))
        """) == nil)
    #expect(lua.output == "1\ta\0b\tnil\ttrue\t1.5\n\nx52.5y\nzT\n")
    #expect(lua.errors == "e1")
  }

  @Test("output is passed on when it is asked for, or as setvbuf says")
  func buffering() throws {
    let lua = try ScriptHarness()
    try lua.run("io.write('a')")
    #expect(lua.output.isEmpty)
    #expect(
      try lua.value("io.flush() ~= nil and io.stdout:flush() == io.stdout") == .boolean(true))
    #expect(lua.output == "a")
    #expect(try lua.value("io.stdout:setvbuf('line', 1024)") == .boolean(true))
    try lua.run("io.write('b')")
    #expect(lua.output == "a")
    try lua.run("print('c') io.write('d')")
    #expect(lua.output == "abc\n")
    try lua.run("io.stdout:setvbuf('no') io.write('e')")
    #expect(lua.output == "abc\nde")
    try lua.run("io.stdout:setvbuf('full') io.stderr:setvbuf('no') io.stderr:flush() print('f')")
    #expect(lua.output == "abc\nde")
    #expect(try #require(lua.failure("io.stdout:setvbuf('none')")).contains("is needed"))
    #expect(try #require(lua.failure("io.stdout.setvbuf({}, 'no')")).contains("stream expected"))
  }

  @Test("lines come whole, whatever pieces the input has")
  func lines() throws {
    let lua = try ScriptHarness(input: ["fir", "st\nsec", "ond\n\nla", "st"])
    #expect(
      try lua.run(
        """
        local list = {}
        for line in io.lines() do list[#list + 1] = line end
        return table.concat(list, "|"), io.read(), io.read("a")
        """) == [.string("first|second||last"), .nil, .string("")])
  }

  @Test("input that no string can hold is refused as that, and can be read in parts")
  func longInput() throws {
    let piece = String(repeating: "x", count: 1 << 20)
    let lua = try ScriptHarness(input: Array(repeating: piece, count: 20))
    #expect(
      try #require(lua.failure("io.read('a')")).contains(
        "more than 16 MB, which no string may have"))
    #expect(
      try lua.run("local n = 0 for part in io.lines(1 << 20) do n = n + #part end return n")
        == [.integer(20 << 20)])
  }

  @Test("io.read has Lua's formats")
  func formats() throws {
    let lua = try ScriptHarness(input: ["one\ntwo\n  42 3.5 -7\nrest\nof it"])
    #expect(
      try lua.run("return io.read('L', 2, 'l', 'n', '*n', 'n', 'l', 'a')")
        == [
          .string("one\n"), .string("tw"), .string("o"), .integer(42), .number(3.5), .integer(-7),
          .string(""), .string("rest\nof it"),
        ])
    #expect(try lua.run("return io.read('n', 'l')") == [.nil])
    #expect(
      lua.failure("io.read('x')") == "test.lua:1: bad argument #1 to 'read' (invalid format)")
    #expect(try #require(lua.failure("io.read(-1)")).contains("format expected"))
    #expect(try #require(lua.failure("io.stdout:read()")).contains("for writing"))
    #expect(try #require(lua.failure("io.stdin:write('x')")).contains("for reading"))
    #expect(
      lua.failure("io.write({})")
        == "test.lua:1: bad argument #1 to 'write' (string expected, got table)")
  }

  @Test("io.lines takes no file's name for a format, and nil for none")
  func linesOfFile() throws {
    let lua = try ScriptHarness(input: ["1\n2\n"])
    #expect(try #require(lua.failure("io.lines('names.txt')")).contains("fs.read reads files"))
    #expect(
      try lua.run("return io.lines(nil)(), io.lines(nil, 'n')()") == [.string("1"), .integer(2)])
  }

  @Test("a stream is one value, wherever it comes from")
  func identity() throws {
    let lua = try ScriptHarness()
    #expect(
      try lua.run(
        """
        local out = io.stdout
        return io.write("") == out, out:write("") == out, io.flush() == out, io.stdout == out,
          ({ [out] = "found" })[io.write("")], io.stderr == out
        """) == [
          .boolean(true), .boolean(true), .boolean(true), .boolean(true), .string("found"),
          .boolean(false),
        ])
  }

  @Test(
    "a numeral is read as far as it goes, and what comes after it stays",
    arguments: [
      ("12abc", "12|abc"), ("0x1Fg", "31|g"), ("-0x10 x", "-16| x"), ("1e5z", "100000.0|z"),
      ("1e+", "nil|"), (".5.5", "0.5|.5"), ("5.", "5.0|"), ("+7-1", "7|-1"), ("--1", "nil|-1"),
      ("0x.8p1q", "1.0|q"), ("9223372036854775808", "9.2233720368547758e+18|"),
      ("0xffffffffffffffff", "-1|"), ("1e999", "inf|"), ("nan", "nil|nan"), ("inf", "nil|inf"),
      ("007", "7|"), ("0x", "nil|"), (" \n\t 3\n", "3|\n"), ("", "nil|"), ("e5", "nil|e5"),
    ])
  func numerals(input: String, expected: String) throws {
    let lua = try ScriptHarness(input: input.isEmpty ? [] : input.map { String($0) })
    let code = "local n = io.read('n') return string.format('%s|%s', n, io.read('a'))"
    let shown = try lua.run(
      code.replacing(
        "'%s|%s', n",
        with: "'%s|%s', math.type(n) == 'float' "
          + "and n == n // 1 and math.abs(n) > 1e17 and n < math.huge and ('%.17g'):format(n) or n")
    )
    #expect(shown == [.string(expected)])
  }

  @Test("io.write writes a float as Lua's does")
  func floats() throws {
    let lua = try ScriptHarness()
    #expect(
      try lua.status("io.write(1.0, ' ', -0.0, ' ', 2^53, ' ', 1/0, ' ', 0.1, ' ', '1.0')") == nil)
    #expect(lua.output == "1 -0 9.007199254741e+15 inf 0.1 1.0")
  }

  @Test("a closed pipe ends the script quietly")
  func closedPipe() throws {
    let lua = try ScriptHarness()
    lua.closePipe()
    #expect(
      try lua.status(
        "for i = 1, 1e6 do pcall(print, ('x'):rep(1000)) end error('went on')") == 0)
  }

  @Test("a status that no process can have is a bad argument", arguments: ["256", "-1", "2^53"])
  func badStatus(status: String) throws {
    let failure = try ScriptHarness().failure("os.exit(\(status))")
    #expect(failure == "test.lua:1: bad argument #1 to 'exit' (a status is from 0 to 255)")
  }

  @Test("os.exit ends the script with its status, and nothing catches that")
  func exit() throws {
    for (argument, status) in [
      ("", 0), (", 7", 7), (", true", 0), (", false", 1), (", 255", 255),
    ] {
      let lua = try ScriptHarness()
      #expect(
        try lua.status(
          "print('a') pcall(function() pcall(os.exit\(argument)) end) print('b')")
          == Int32(status))
      #expect(lua.output == "a\n")
      #expect(try lua.status("print('again')") == nil)
    }
  }

  @Test("a wait for input ends when the time is over")
  func waiting() throws {
    let session = try ScriptSession(
      ApiEnvironment(
        context: .script, name: "t", clock: { .init(secondsSinceEpoch: 0) }, log: { _ in }),
      io: ScriptIO(write: { _ in true }, read: { _ in nil }),
      limits: Limits(time: .milliseconds(50)))
    #expect(throws: LuaError.self) { try session.run(Array("io.read()".utf8), name: "t") }
  }
}
