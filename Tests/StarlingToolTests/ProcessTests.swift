import Glibc
import StarlingSQLite
import Testing

@testable import StarlingFavorites
@testable import StarlingTool

/// The program as a process of its own: what only the operating system can do to it.
@Suite(.enabled(if: Child.program != nil, "the program is not built"))
struct ProcessTests {
  @Test("a reader that goes away ends a list quietly, with status 0")
  func closedPipe() throws {
    let place = Workplace()
    place.write("plugins/things.lua", Workplace.plugin())
    place.write("big.xml", Workplace.feed(items: 3_000))
    #expect(place.run("load", "@big.xml").status == 0)
    let child = try #require(Child(place, ["list", "--all", "--json"]))
    let first = child.readOnce()
    child.closeOutput()
    #expect(first.hasPrefix("{\"kind\":\"thing\""))
    #expect(child.wait() == 0)
    #expect(child.errors() == "")
  }

  @Test("a reader of a list that takes nothing holds no log, and gets every row once in the end")
  func slowReader() throws {
    let place = Workplace()
    place.write("plugins/things.lua", Workplace.plugin())
    place.write("big.xml", Workplace.feed(items: 4_000))
    #expect(place.run("load", "@big.xml").status == 0)
    let child = try #require(Child(place, ["list", "--all", "--json", "--limit", "3990"]))
    var text = child.readOnce()
    place.write("new.xml", Workplace.feed(items: 1))
    #expect(place.run("load", "@new.xml", "--url", "https://new.example/").status == 0)
    let store = try FavoritesStore(.file(place.path("x.db")))
    try store.transaction { () throws(FavoritesError) in
      try store.setSetting("test", String(repeating: "x", count: 100_000))
    }
    var isEmpty = false
    for _ in 0..<100 where !isEmpty {
      isEmpty = store.connection.truncateLog()
      if !isEmpty { usleep(100_000) }
    }
    #expect(isEmpty)
    while case let more = child.readOnce(), !more.isEmpty { text += more }
    #expect(child.wait() == 0)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 3_990)
    #expect(Set(lines).count == 3_990)
  }

  @Test("a script gets arguments and variables as bytes, and an input that is none is an error")
  func bytes() throws {
    let place = Workplace()
    place.write("s.lua", "io.write(arg[2], '|', (...), '|', #arg[2], '|', env.get('X'))")
    let program = try #require(Child.program)
    let output = try #require(
      popen(
        "cd '\(place.folder)' && printf 'a\\377b' > x && X=$(printf '\\376') exec '\(program)' "
          + "run --db none.db --allow-env X s.lua one \"$(cat x)\" | od -An -c", "r"))
    var said: [UInt8] = []
    while case let byte = fgetc(output), byte != EOF {
      said.append(UInt8(truncatingIfNeeded: byte))
    }
    #expect(pclose(output) == 0)
    let words = String(decoding: said, as: UTF8.self).split { " \n".contains($0) }
    #expect(words.joined(separator: " ") == "a 377 b | o n e | 3 | 376")
    let status = system(
      "'\(program)' run --db '\(place.path("none.db"))' - < / 2> '\(place.path("e"))'")
    #expect(status >> 8 == 3)
    #expect(place.text("e").contains("standard input: Is a directory"))
  }

  @Test("an argument of the command's own that is no UTF-8 is refused")
  func otherBytes() throws {
    let place = Workplace()
    let program = try #require(Child.program)
    for words in [
      "list --db $(printf 'd\\377')/x.db", "star news $(printf 'a\\377')",
      "run $(printf 'b\\377.lua') x", "run -e $(printf 'c\\377')",
    ] {
      let status = system(
        "cd '\(place.folder)' && '\(program)' \(words) > '\(place.path("o"))' 2> '\(place.path("e"))'"
      )
      #expect(status >> 8 == 2, "\(words)")
      #expect(place.text("e").contains("is not UTF-8"), "\(words)")
    }
  }

  @Test("Ctrl-C during a load stores nothing of it, and leaves the database whole")
  func interrupt() throws {
    let place = Workplace()
    place.write(
      "plugins/things.lua",
      Workplace.plugin(body: "log.info('on') for i = 1, 1000000 do local x = i end"))
    place.write("ok.xml", Workplace.feed(items: 1))
    place.write("big.xml", Workplace.feed(items: 5_000))
    #expect(place.run("load", "@ok.xml").status == 0)
    let child = try #require(Child(place, ["load", "@big.xml", "@ok.xml"]))
    #expect(child.readError(until: "on\n").contains("things: on\n"))
    child.interrupt()
    let last = place.relative(child.errors()).split(separator: "\n").last
    #expect(last == "starling: @big.xml: interrupted")
    #expect(child.wait() == 130)
    #expect(place.run("list", "--all", "--json").lines.count == 1)
    #expect(place.run("doctor").status == 0)
  }

  @Test(
    "a script whose output nobody takes ends in its time, and so it does at its own end",
    arguments: [
      "while true do print(('x'):rep(1000)) end", "io.write(('x'):rep(200000))",
      "while true do io.stderr:write(('x'):rep(1000)) end",
      "io.write(('x'):rep(200000)) error('after')",
      "pcall(print, ('x'):rep(9e5)) while true do end",
    ])
  func blockedPipe(_ code: String) throws {
    let child = try #require(
      Child(Workplace(), ["run", "--max-time", "200ms", "-e", code]))
    #expect(child.wait() == 3)
  }

  @Test("a script that waits for a slow reader loses nothing")
  func patientScript() throws {
    let child = try #require(
      Child(Workplace(), ["run", "-e", "for i = 1, 30000 do print(i) end os.exit(4)"]))
    usleep(300_000)
    var text = ""
    while case let more = child.readOnce(), !more.isEmpty { text += more }
    #expect(child.wait() == 4)
    #expect(text.split(separator: "\n").count == 30_000)
    #expect(text.hasSuffix("\n30000\n"))
  }

  @Test("Ctrl-C ends a script")
  func interruptScript() throws {
    let place = Workplace()
    let child = try #require(
      Child(place, ["run", "-e", "io.stderr:write('on\\n') while true do end"]))
    #expect(child.readError(until: "on\n") == "on\n")
    child.interrupt()
    #expect(child.wait() == 130)
  }

  @Test(
    "what asks a script to end ends its program too, and takes back what is open",
    arguments: [SIGTERM, SIGHUP, SIGINT], ["", "trap '' INT TERM HUP; "])
  func endProgram(_ number: Int32, trap: String) throws {
    let place = Workplace()
    place.write("plugins/things.lua", Workplace.plugin())
    let shell = "\(trap)sleep 1000 & echo $! > \(place.path("pid")); wait; wait"
    let code = """
      favorites.transaction(function()
        favorites.insert("thing", { id = "1", title = "x" })
        process.run("sh", { "-c", [[\(shell)]] })
      end)
      """
    let child = try #require(Child(place, ["run", "--allow-run", "sh", "-e", code]))
    for _ in 0..<9_000 where !place.text("pid").hasSuffix("\n") { usleep(10_000) }
    child.signal(number)
    // One that does not listen is not waited for by who asks again.
    if !trap.isEmpty {
      usleep(200_000)
      child.signal(number)
    }
    #expect(child.wait() == 128 + number)
    let pid = place.text("pid").split(separator: "\n").first ?? ""
    // It is gone, or its new parent has not yet asked after it.
    let state = Guide.read("/proc/\(pid)/stat")?.split(separator: " ").dropFirst(2).first
    #expect(!pid.isEmpty && (state == nil || state == "Z"), "\(pid)")
    #expect(place.run("list", "--all").out == "")
  }

  @Test("what asks the console to end, whose input is a script, ends its program too")
  func endConsoleProgram() throws {
    let place = Workplace()
    place.write(
      "in.lua",
      "process.run('sh', { '-c', 'sleep 1000 & echo $! > \(place.path("pid")); wait' })\n")
    let child = try #require(
      Child(place, ["repl", "--allow-run", "sh"], input: place.path("in.lua")))
    for _ in 0..<9_000 where !place.text("pid").hasSuffix("\n") { usleep(10_000) }
    child.signal(SIGTERM)
    #expect(child.wait() == 128 + SIGTERM)
    let pid = place.text("pid").split(separator: "\n").first ?? ""
    let state = Guide.read("/proc/\(pid)/stat")?.split(separator: " ").dropFirst(2).first
    #expect(!pid.isEmpty && (state == nil || state == "Z"), "\(pid)")
  }
}

/// A running `starling` with pipes for its output.
final class Child {
  private var pid: pid_t = 0
  private var output: Int32
  private let errorOutput: Int32

  /// The program that was built beside the tests.
  static let program: String? = {
    guard let tests = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(tests) }
    var starts = [String(cString: tests)] + CommandLine.arguments
    starts += ["/.build/debug/x"].map { packageFolder + $0 }
    for start in starts {
      let folder = start.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      let path = folder.joined(separator: "/") + "/starling"
      if access(path, X_OK) == 0 { return path }
    }
    return nil
  }()

  private static let packageFolder = #filePath.split(separator: "/").dropLast(3)
    .reduce("") { $0 + "/" + $1 }

  init?(_ place: Workplace, _ arguments: [String], input: String = "/dev/null") {
    var out: [Int32] = [0, 0]
    var err: [Int32] = [0, 0]
    guard pipe(&out) == 0, pipe(&err) == 0 else { return nil }
    for end in out + err { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    output = out[0]
    errorOutput = err[0]
    let started = Spawn.starling(
      place.standing(arguments),
      variables: ["HOME", "XDG_DATA_HOME"].map { "\($0)=\(place.folder)" }
    ) { actions in
      posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, out[1], 1)
      posix_spawn_file_actions_adddup2(&actions, err[1], 2)
    }
    close(out[1])
    close(err[1])
    guard let started else { return nil }
    pid = started
  }

  deinit {
    if output >= 0 { close(output) }
    close(errorOutput)
  }

  /// What the next read gives.
  func readOnce() -> String { Child.read(output) }

  /// What it writes until a text is there, waiting at most 90 seconds for it.
  func read(until text: String) -> String { Child.read(output, until: text) }
  func readError(until text: String) -> String { Child.read(errorOutput, until: text) }

  private static func read(_ descriptor: Int32, until text: String) -> String {
    var all = ""
    while !all.contains(text) {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&request, 1, 90_000) > 0 else { return all }
      let piece = read(descriptor)
      if piece.isEmpty { return all }
      all += piece
    }
    return all
  }

  func closeOutput() {
    close(output)
    output = -1
  }

  func interrupt() { signal(SIGINT) }

  func signal(_ number: Int32) { kill(pid, number) }

  /// All that it wrote to standard error, up to its end.
  func errors() -> String {
    var text = ""
    while true {
      let piece = Child.read(errorOutput)
      if piece.isEmpty { return text }
      text += piece
    }
  }

  /// The exit status; a signal's number and 128 when one ended it, as after 90 seconds.
  func wait() -> Int32 {
    var status: Int32 = 0
    for _ in 0..<9_000 {
      if waitpid(pid, &status, WNOHANG) != 0 { return Child.code(status) }
      usleep(10_000)
    }
    kill(pid, SIGKILL)
    waitpid(pid, &status, 0)
    return Child.code(status)
  }

  private static func code(_ status: Int32) -> Int32 {
    status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
  }

  private static func read(_ descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
