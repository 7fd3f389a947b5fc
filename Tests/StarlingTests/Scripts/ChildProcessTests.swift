import Glibc
import StarlingLua
import Testing

@testable import Starling

@Suite struct ChildProcessTests {
  @Test("a granted program gets its arguments as they are, and its input")
  func run() throws {
    let lua = try ScriptHarness(permissions: Permissions(run: ["printf", "cat", "sh"]))
    #expect(
      try lua.value("process.run('printf', { '%s|', 'a b', '$HOME; rm -rf x', '电' }).output")
        == .string("a b|$HOME; rm -rf x|电|"))
    #expect(
      try lua.value("#process.run('cat', {}, { input = ('x'):rep(300000) }).output")
        == .integer(300_000))
    let outcome = try lua.value("process.run('sh', { '-c', 'echo out; echo err >&2; exit 7' })")
    #expect(outcome["status"] == .integer(7))
    #expect(outcome["output"] == .string("out\n"))
    #expect(outcome["errors"] == .string("err\n"))
    #expect(try lua.value("process.run('sh', { '-c', 'kill -9 $$' }).status") == .integer(137))
  }

  @Test("a program that reads nothing harms nobody")
  func unread() throws {
    let lua = try ScriptHarness(permissions: Permissions(run: ["true"]))
    #expect(
      try lua.value("process.run('true', {}, { input = ('x'):rep(1000000) }).status")
        == .integer(0))
  }

  @Test("a program that was not granted is not run, nor one that there is not")
  func refused() throws {
    let lua = try ScriptHarness(permissions: Permissions(run: ["cat", "no-such-program"]))
    let refusal = try #require(lua.failure("process.run('/bin/cat')"))
    #expect(refusal.contains("--allow-run=/bin/cat would allow it"))
    #expect(try #require(lua.failure("process.run('no-such-program')")).contains("no such file"))
    #expect(
      try #require(lua.failure("process.run('cat', { 5, {} })"))
        .contains("bad argument #2 to 'run' ([1]: string expected, got number)"))
    #expect(lua.failure("process.run('cat', { 'a\\0b' })") != nil)
    #expect(lua.failure("process.run('cat', {}, { stdin = 'x' })") != nil)
  }

  @Test("a program that does not end is killed when the time is over")
  func endless() throws {
    let lua = try ScriptHarness(
      permissions: Permissions(run: ["sleep"]), limits: Limits(time: .milliseconds(200)))
    #expect(lua.failure("process.run('sleep', { '60' })") == "stopped: its time was over")
  }

  @Test("a flood of output is stopped at the limit of a string")
  func flood() throws {
    let lua = try ScriptHarness(
      permissions: Permissions(run: ["yes"]), limits: Limits(time: .seconds(60)))
    let failure = try #require(lua.failure("process.run('yes')"))
    #expect(failure.contains("wrote more than 16 MB"))
  }

  @Test("what a program started ends with it when the time is over")
  func endlessFamily() throws {
    let folder = TemporaryFolder()
    let lua = try ScriptHarness(
      permissions: Permissions(run: ["sh"]), limits: Limits(time: .seconds(2)))
    let text = "sleep 60 & echo $! > \(folder.path)/pid; wait; echo on"
    #expect(lua.failure("process.run('sh', { '-c', '\(text)' })") == "stopped: its time was over")
    let pid = try #require(Int32(TestFile.lines(folder.path + "/pid").first ?? ""))
    // It is gone, or its new parent has not yet asked after it. A signal that was sent comes when the
    // system gets to it.
    var state: Substring? = "?"
    for _ in 0..<3_000 where state != nil && state != "Z" {
      usleep(10_000)
      state = TestFile.lines("/proc/\(pid)/stat").first.map { $0.split(separator: " ")[2] }
    }
    #expect(state == nil || state == "Z")
  }

  @Test("a program that is ended by request may clean up after SIGINT")
  func cleansUp() async throws {
    // On a machine that stands still the two seconds that it has are over before it has begun.
    for attempt in 1...5 {
      let folder = TemporaryFolder()
      let child = ChildProcess(
        program: "sh",
        arguments: [
          "-c",
          "trap 'echo clean > \(folder.path)/end; exit' INT; echo > \(folder.path)/on; sleep 60",
        ])
      let error = #expect(throws: HostError.self) {
        try child.run(stop: { TestFile.read(folder.path + "/on") == nil ? nil : .request })
      }
      #expect(error?.kind == .canceled)
      let left = TestFile.lines(folder.path + "/end")
      if left == ["clean"] { return }
      #expect(attempt < 5, "\(left)")
    }
  }
}
