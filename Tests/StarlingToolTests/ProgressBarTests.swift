import StarlingTool
import Testing

@Suite struct ProgressBarTests {
  private final class Clock: @unchecked Sendable { var now = 0.0 }

  private func io(_ clock: Clock, isTerminal: Bool = true) -> ToolIO {
    ToolIO(
      out: ByteSink(), err: ByteSink(), input: ByteSource(), isErrorTerminal: isTerminal,
      columns: { 60 }, environment: { $0 == "TERM" ? "xterm" : nil }, seconds: { clock.now })
  }

  @Test("a bar is drawn at most ten times a second and cleared at the end")
  func draws() {
    let clock = Clock()
    let io = io(clock)
    let bar = ProgressBar("Loading", io: io)
    bar.update(done: 10, total: 100)
    #expect(io.err.text == "")
    clock.now = 0.2
    bar.update(done: 50, total: 100, detail: "7 items")
    bar.update(done: 60, total: 100)
    bar.finish()
    bar.finish()
    #expect(
      io.err.text == "\rLoading [#########----------] 50 % 7 items\u{1B}[K\r\u{1B}[K")
  }

  @Test("without a total there is no bar, and a total that was wrong does no harm")
  func totals() {
    let clock = Clock()
    let io = io(clock)
    let bar = ProgressBar("Loading", io: io)
    for (done, total) in [(5, nil), (5, 0), (500, 100), (-1, 100)] as [(Int, Int?)] {
      clock.now += 1
      bar.update(done: done, total: total)
    }
    let text = io.err.text
    #expect(text.hasPrefix("\rLoading\u{1B}[K\rLoading\u{1B}[K"))
    #expect(text.contains("100 %"))
    #expect(text.contains(" 0 %"))
  }

  @Test("nothing is drawn where nobody looks")
  func isQuiet() {
    let clock = Clock()
    let io = io(clock, isTerminal: false)
    let bar = ProgressBar("Loading", io: io)
    clock.now = 5
    bar.update(done: 1, total: 2)
    bar.finish()
    #expect(io.err.text == "")
  }
}
