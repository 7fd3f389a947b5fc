import Glibc
import StarlingFavorites
import StarlingModel
import Testing

@testable import Starling

@Suite final class HostScriptsTests {
  private let folder: String

  init() throws {
    folder = "/tmp/starling-scripts-\(UInt64.random(in: 0 ... .max))"
    mkdir(folder, 0o700)
  }

  deinit {
    for name in [
      "main.lua", "helper.lua", "broken.lua", "store.db", "store.db-wal", "store.db-shm",
    ] {
      unlink(folder + "/" + name)
    }
    rmdir(folder)
  }

  private func write(_ name: String, _ text: String) throws -> String {
    try Files.replace(folder + "/" + name, with: Array(text.utf8))
    return folder + "/" + name
  }

  private final class Output {
    var bytes: [UInt8] = []
    var text: String { String(decoding: bytes, as: UTF8.self) }
    var io: ScriptIO {
      ScriptIO(
        write: { [self] piece in
          bytes += piece
          return true
        }, writeError: { _ in }, read: { _ in [] })
    }
  }

  @Test("a script has its arguments, and a first line for the system is passed over")
  func arguments() throws {
    let path = try write(
      "main.lua", "#!/usr/bin/env -S starling run\nprint(arg[0], arg[1], #arg, ...)\nerror('here')")
    let output = Output()
    let host = Host(Host.Configuration(database: .memory))
    let error = #expect(throws: HostError.self) {
      try host.run(Script(file: path, arguments: ["a", "--b"]), io: output.io)
    }
    #expect(output.text == "\(path)\ta\t2\ta\t--b\n")
    #expect(error?.kind == .script)
    #expect(error?.location == SourceLocation(file: path, line: 3))
    #expect(error?.message == "here")
    #expect(error?.traceback?.contains("\(path):3: in main chunk") == true)
  }

  @Test("require finds modules beside the script and nothing else")
  func modules() throws {
    _ = try write("helper.lua", "return { answer = 42 }")
    _ = try write("broken.lua", "return +")
    let path = try write(
      "main.lua",
      """
      print(require("helper").answer, require("helper") == require("helper"))
      for _, name in ipairs({ "none", "../helper", "/etc/passwd", "helper.lua", "", "a..b", "broken" }) do
        print(pcall(require, name) == false)
      end
      """)
    let output = Output()
    try Host(Host.Configuration(database: .memory)).run(Script(file: path), io: output.io)
    #expect(output.text == "42\ttrue\n" + String(repeating: "true\n", count: 7))
  }

  @Test("a script that is run by a link to it has its modules where it is")
  func linkedScript() throws {
    _ = try write("own.lua", "return 'own'")
    let path = try write("main.lua", "print(require('own'))")
    let other = TemporaryFolder()
    symlink(path, other.path + "/main")
    let output = Output()
    let host = Host(Host.Configuration(database: .memory))
    try host.run(Script(file: other.path + "/main"), io: output.io)
    #expect(output.text == "own\n")
  }

  @Test("an input that cannot be read is an error, not its end")
  func unreadable() throws {
    let io = ScriptIO(
      write: { _ in true },
      read: { _ throws(HostError) in
        throw HostError(.host, "Is a directory", subject: "standard input")
      })
    let host = Host(Host.Configuration(database: .memory))
    for script in [Script([.standardInput]), Script([.code("return io.read('a')")])] {
      let error = #expect(throws: HostError.self) { try host.run(script, io: io) }
      #expect(
        error?.description.contains("standard input: Is a directory") == true, "\(error as Any)")
    }
  }

  @Test("a module that is a link out of the script's folder is not loaded")
  func linkedModules() throws {
    _ = try write("own.lua", "return 'own'")
    let path = try write(
      "main.lua",
      """
      print(require("inside"))
      for _, name in ipairs({ "outside", "folder.secret" }) do print(pcall(require, name)) end
      """)
    let folder = Files.folder(path)
    let other = TemporaryFolder()
    other.write("secret.lua", "return 'secret'")
    symlink("own.lua", folder + "/inside.lua")
    symlink(other.path + "/secret.lua", folder + "/outside.lua")
    symlink(other.path, folder + "/folder")
    let output = Output()
    try Host(Host.Configuration(database: .memory)).run(Script(file: path), io: output.io)
    let lines = output.text.split(separator: "\n")
    #expect(lines.first == "own")
    for (line, name) in zip(lines.dropFirst(), ["outside", "folder.secret"]) {
      #expect(
        line.hasPrefix("false\t")
          && line.hasSuffix("module '\(name)' is a link that leads out of the script's folder"))
    }
    #expect(lines.count == 3)
  }

  @Test(
    "what Lua's library has and a script has not says what there is instead, and its flag",
    arguments: [
      ("io.open('x')", "Lua's io.open is not here: fs.read", "--allow-read=PATH"),
      ("os.execute('x')", "Lua's os.execute is not here: process.run", "--allow-run=PROGRAM"),
      ("dofile('x')", "Lua's dofile is not here: require", "beside the script"),
    ])
  func advice(code: String, what: String, flag: String) throws {
    let host = Host(Host.Configuration(database: .memory))
    let error = #expect(throws: HostError.self) {
      try host.run(Script([.code(code)]), io: Output().io)
    }
    let said = try #require(error?.description)
    #expect(said.contains(what) && said.contains(flag), "\(said)")
    #expect(said.hasPrefix("-e:1: "))
  }

  @Test("an empty script opens no database")
  func lazy() throws {
    let host = Host(Host.Configuration(database: .file(folder + "/store.db")))
    try host.run(Script([.code("print(1) json.encode({})")]), io: Output().io)
    #expect(Files.entry(folder + "/store.db") == nil)
    try host.run(Script([.code("favorites.kinds()")]), io: Output().io)
    #expect(Files.entry(folder + "/store.db") == .file)
  }

  @Test("several pieces of code share their globals, and the first status ends them")
  func pieces() throws {
    let output = Output()
    let host = Host(Host.Configuration(database: .memory))
    let status = try host.run(
      Script([.code("x = 5"), .code("print(x) os.exit(9)"), .code("print('no')")]), io: output.io)
    #expect(status == 9)
    #expect(output.text == "5\n")
  }

  @Test("a script stops when it is asked to, and what it began is rolled back")
  func stopping() throws {
    let host = Host(Host.Configuration(database: .memory))
    var model = KindModel()
    try model.merge(ScriptHarness.kinds, from: "test")
    try host.store().register(model)
    let stop = StopHandle()
    let thread = StopThread(stop)
    let error = #expect(throws: HostError.self) {
      try host.run(
        Script([
          .code(
            """
            favorites.transaction(function()
              favorites.insert("news", { link = "x" })
              while true do pcall(function() while true do end end) end
            end)
            """)
        ]), io: Output().io, stop: stop)
    }
    thread.join()
    #expect(error?.kind == .canceled)
    #expect(try !host.store().contains(kind: "news", key: "x"))
    #expect(try !host.store().isInTransaction)
  }

  @Test("a database that cannot be used is said when the script asks it")
  func badDatabase() throws {
    let path = try write("store.db", String(repeating: "no database ", count: 100))
    let host = Host(Host.Configuration(database: .file(path)))
    let error = #expect(throws: HostError.self) {
      try host.run(Script([.code("favorites.contains('news', 'x')")]), io: Output().io)
    }
    #expect(error?.kind == .database)
  }

  /// Stops a script after a while.
  private final class StopThread {
    private var thread = pthread_t()

    init(_ stop: StopHandle) {
      let argument = Unmanaged.passRetained(stop).toOpaque()
      pthread_create(
        &thread, nil,
        { argument in
          usleep(100_000)
          if let argument { Unmanaged<StopHandle>.fromOpaque(argument).takeRetainedValue().stop() }
          return nil
        }, argument)
    }

    func join() { pthread_join(thread, nil) }
  }
}
