import Glibc
import StarlingTool
import Testing

@Suite struct ToolIOTests {
  @Test("an error is one line, whatever its texts hold")
  func reports() {
    let io = ToolIO.memory()
    io.report(ToolError("feed.xml", "not a feed:\nline 2 \u{1B}[2J"))
    #expect(io.err.text == "starling: feed.xml: not a feed: line 2 \\u{1B}[2J\n")
    #expect(io.out.text == "")
  }

  @Test("colors and progress are for terminals that can and users who want")
  func colors() {
    func io(_ environment: [String: String], isTerminal: Bool = true) -> ToolIO {
      .memory(isTerminal: isTerminal, environment: environment)
    }
    #expect(io(["TERM": "xterm"]).usesColor)
    #expect(!io(["TERM": "xterm", "NO_COLOR": "1"]).usesColor)
    #expect(io(["TERM": "xterm", "NO_COLOR": ""]).usesColor)
    #expect(io(["TERM": "xterm", "NO_COLOR": "1"]).showsProgress)
    #expect(!io(["TERM": "dumb"]).usesColor)
    #expect(!io(["TERM": "dumb"]).showsProgress)
    #expect(!io([:]).usesColor)
    #expect(!io(["TERM": "xterm"], isTerminal: false).usesColor)
    #expect(io(["TERM": "xterm"]).styled("x", .green) == "\u{1B}[32mx\u{1B}[0m")
    #expect(io([:]).styled("x", .green) == "x")
  }

  @Test("the width is the terminal's, else COLUMNS, else 80, and none off a terminal")
  func width() {
    #expect(ToolIO.memory(width: 100, isTerminal: true).width == 100)
    #expect(ToolIO.memory(isTerminal: true, environment: ["COLUMNS": "50"]).width == 50)
    #expect(ToolIO.memory(isTerminal: true).width == 80)
    #expect(ToolIO.memory(width: 3, isTerminal: true).width == 20)
    #expect(ToolIO.memory(width: 100).width == nil)
  }

  @Test("input in memory comes in pieces and ends with nothing")
  func input() throws {
    let io = ToolIO.memory(input: "hello")
    #expect(try io.input.read(upTo: 3) == Array("hel".utf8))
    #expect(try io.input.read() == Array("lo".utf8))
    #expect(try io.input.read() == [])
  }

  @Test("a pipe whose reader is gone closes the sink and keeps the status")
  func brokenPipe() {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    signal(SIGPIPE, SIG_IGN)
    close(ends[0])
    defer { close(ends[1]) }
    let io = ToolIO(
      out: ByteSink(descriptor: ends[1], flushesLines: false), err: ByteSink(), input: ByteSource())
    for _ in 0..<10_000 { io.out.writeLine("0123456789") }
    #expect(io.out.isClosed)
    #expect(io.finish(.done) == .done)
    #expect(io.err.text == "")
  }

  @Test("output that cannot be written is an error at the end")
  func fullDevice() {
    let device = open("/dev/full", O_WRONLY)
    defer { close(device) }
    let io = ToolIO(
      out: ByteSink(descriptor: device, flushesLines: false), err: ByteSink(), input: ByteSource())
    io.out.writeLine("x")
    #expect(io.finish(.done) == .failed)
    #expect(io.err.text == "starling: standard output: No space left on device\n")
  }

  @Test("a descriptor gets every byte in order, and a source reads them back")
  func descriptors() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let sink = ByteSink(descriptor: ends[1], flushesLines: false)
    sink.write("ab")
    sink.write([0x63])
    sink.writeLine()
    sink.flush()
    close(ends[1])
    let source = ByteSource(descriptor: ends[0])
    defer { close(ends[0]) }
    #expect(try source.read() == Array("abc\n".utf8))
    #expect(try source.read() == [])
  }

  @Test("an exit status is a byte")
  func exitCodes() {
    #expect(ExitCode(rawValue: 256 + 7).rawValue == 7)
    #expect([ExitCode.done, .partly, .usage, .failed].map(\.rawValue) == [0, 1, 2, 3])
  }
}
