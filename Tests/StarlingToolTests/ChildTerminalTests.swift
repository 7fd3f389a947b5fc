import Testing

@testable import StarlingTool

/// Programs of scripts, and the terminal that the script was started at.
@Suite(.enabled(if: Child.program != nil, "the program is not built"))
struct ChildTerminalTests {
  private let place = Workplace()

  private func terminal(_ shell: String, then rest: String = "") throws -> PseudoTerminal {
    let code = "print(process.run('sh', { '-c', [[\(shell)]] }).output) \(rest)"
    return try #require(PseudoTerminal(place, ["run", "--allow-run", "sh", "-e", code]))
  }

  @Test("a program may ask the person at the terminal, and the script after it may again")
  func asks() async throws {
    let terminal = try terminal(
      "echo name: >/dev/tty; read x </dev/tty; echo \"<$x>\"", then: "print('and ' .. io.read())")
    #expect(await terminal.wait { $0.text.contains("name:") })
    terminal.press("Ann\r")
    #expect(await terminal.wait { $0.text.contains("<Ann>") })
    terminal.press("Bob\r")
    #expect(await terminal.end() == 0)
    #expect(terminal.screen.text.contains("and Bob"))
  }

  @Test("Ctrl-C ends a program with what it started, and the script, whoever has the terminal")
  func interrupt() async throws {
    // Beside a thousand other tests a minute may go by before the key is pressed.
    for ask in ["", "read x </dev/tty; "] {
      let terminal = try terminal(
        "\(ask)sleep 1000 & echo $! > \(place.path("pid")); echo ready >/dev/tty; wait",
        then: "print('went on')")
      if !ask.isEmpty { terminal.press("x\r") }
      #expect(await terminal.wait { $0.text.contains("ready") })
      terminal.press("\u{3}")
      #expect(await terminal.end() == 130)
      #expect(!terminal.screen.text.contains("went on"), "\(terminal.screen.text)")
      let pid = Guide.read(place.path("pid"))?.split(separator: "\n").first ?? ""
      // It is gone, or its new parent has not yet asked after it.
      let state = Guide.read("/proc/\(pid)/stat")?.split(separator: " ").dropFirst(2).first
      #expect(!pid.isEmpty && (state == nil || state == "Z"), "\(pid)")
    }
  }
}
