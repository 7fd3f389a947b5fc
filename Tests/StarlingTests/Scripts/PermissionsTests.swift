import Glibc
import StarlingFavorites
import StarlingLua
import StarlingModel
import Testing

@testable import Starling

@Suite final class PermissionsTests {
  /// A folder with `in/file.txt`, `out/secret.txt`, and links and a pipe in `in`.
  private let folder: String

  init() throws {
    let base = "/tmp/starling-permissions-\(UInt64.random(in: 0 ... .max))"
    mkdir(base, 0o700)
    folder = try #require(Files.resolved(base))
    mkdir(folder + "/in", 0o700)
    mkdir(folder + "/out", 0o700)
    try Files.replace(folder + "/in/file.txt", with: Array("inside".utf8))
    try Files.replace(folder + "/out/secret.txt", with: Array("secret".utf8))
    symlink(folder + "/out/secret.txt", folder + "/in/link.txt")
    symlink(folder + "/out", folder + "/in/folder")
    symlink("file.txt", folder + "/in/own.txt")
    mkfifo(folder + "/in/pipe", 0o600)
  }

  deinit {
    for name in ["in/file.txt", "in/link.txt", "in/folder", "in/own.txt", "in/pipe", "in/new.txt"] {
      unlink(folder + "/" + name)
    }
    unlink(folder + "/out/secret.txt")
    for name in ["/in", "/out", ""] { rmdir(folder + name) }
  }

  private func lua(_ permissions: Permissions) throws -> ScriptHarness {
    try ScriptHarness(permissions: permissions)
  }

  @Test("without a grant each function names the flag that would allow it")
  func refusals() throws {
    let lua = try lua(.none)
    for (code, flag) in [
      ("fs.read('\(folder)/in/file.txt')", "--allow-read=\(folder)/in/file.txt would allow it"),
      ("fs.json('\(folder)/in/file.txt')", "--allow-read=\(folder)/in/file.txt would allow it"),
      ("fs.list('\(folder)/in')", "--allow-read=\(folder)/in would allow it"),
      (
        "fs.write('\(folder)/in/new.txt', 'x')", "--allow-write=\(folder)/in/new.txt would allow it"
      ),
      ("http.get('https://news.example/feed')", "--allow-net=news.example would allow it"),
      ("env.get('HOME')", "--allow-env=HOME would allow it"),
      ("os.getenv('HOME')", "--allow-env=HOME would allow it"),
    ] {
      let failure = try #require(lua.failure(code))
      #expect(failure.contains(flag), "\(failure)")
    }
    #expect(Files.entry(folder + "/in/new.txt") == nil)
  }

  @Test("the flag that a refusal names does allow it, or leads to the true reason")
  func hints() throws {
    for (call, found) in [
      ("fs.read('%/in/file.txt')", "inside"), ("fs.read('%/in/link.txt')", "secret"),
      ("fs.read('%/in/none.txt')", "no such file"), ("#fs.list('%/in') > 0", "true"),
      ("fs.write('%/in/new.txt', 'x') == nil", "true"),
      ("fs.write('%/none/deep/new.txt', 'x')", "its folder does not exist"),
    ] {
      let code = call.replacing("%", with: folder)
      let failure = try #require(try lua(.none).failure("return " + code))
      let hint = try #require(failure.firstMatch(of: /--allow-(read|write)=(\S+) would/)?.output)
      let granted = [String(hint.2)]
      let lua = try lua(hint.1 == "read" ? Permissions(read: granted) : Permissions(write: granted))
      let shown =
        "string.find(select(2, pcall(function() return tostring(\(code)) end)), '\(found)')"
      #expect(try lua.value(shown) != .nil, "\(failure)")
    }
  }

  @Test("a refusal that nothing catches is an error of its own kind")
  func kind() throws {
    let host = Host(Host.Configuration(database: .memory))
    let error = #expect(throws: HostError.self) {
      try host.run(Script([.code("env.get('HOME')")]), io: ScriptIO(write: { _ in true }))
    }
    #expect(error?.kind == .permission)
    #expect(error?.location?.line == 1)
  }

  @Test("what was granted can be read, and links inside of it")
  func reading() throws {
    let lua = try lua(Permissions(read: [folder + "/in"]))
    #expect(try lua.value("fs.read('\(folder)/in/file.txt')") == .string("inside"))
    #expect(try lua.value("fs.read('\(folder)/in/../in/own.txt')") == .string("inside"))
    #expect(
      try lua.value("table.concat(fs.list('\(folder)/in'), ' ')")
        == .string("file.txt folder link.txt own.txt pipe"))
    let missing = try #require(lua.failure("fs.read('\(folder)/in/none.txt')"))
    #expect(missing.contains("no such file"))
  }

  @Test("a file of JSON is read without being a string, which may be shorter only")
  func readingJSON() throws {
    let lua = try lua(Permissions(read: [folder + "/in"]))
    let path = folder + "/in/new.txt"
    try Files.replace(path, with: Array(#"{"a":[1,null,{}],"b":18446744073709551616}"#.utf8))
    #expect(
      try lua.value("json.encode(fs.json('\(path)'))")
        == .string(#"{"a":[1,null,{}],"b":"18446744073709551616"}"#))
    try Files.replace(path, with: Array("[1,]".utf8))
    #expect(try #require(lua.failure("fs.json('\(path)')")).contains("bad JSON at byte 3"))
    let long = Array(repeating: "\"" + String(repeating: "x", count: 1 << 20) + "\"", count: 18)
    try Files.replace(path, with: Array(("[" + long.joined(separator: ",") + "]").utf8))
    #expect(try lua.value("#fs.json('\(path)')") == .integer(18))
    #expect(try #require(lua.failure("fs.read('\(path)')")).contains("longer than 16 MB"))
  }

  @Test(
    "no path leads out of what was granted",
    arguments: ["in/link.txt", "in/folder/secret.txt", "in/../out/secret.txt", "out/none.txt"])
  func escapes(path: String) throws {
    let lua = try lua(Permissions(read: [folder + "/in"]))
    let failure = try #require(lua.failure("fs.read('\(folder)/\(path)')"))
    #expect(failure.contains("is not allowed"), "\(failure)")
  }

  @Test("what may not be read tells neither what is there nor where its links lead")
  func oracle() throws {
    let lua = try lua(.none)
    for (one, other) in [("in/file.txt", "in/none.txt"), ("in/link.txt", "in/nolink.txt")] {
      for call in [
        "fs.read('\(folder)/%')", "fs.list('\(folder)/%')", "fs.write('\(folder)/%', '')",
      ] {
        let there = lua.failure(call.replacing("%", with: one))
        let missing = lua.failure(call.replacing("%", with: other))
        #expect(there?.replacing(one, with: "x") == missing?.replacing(other, with: "x"))
        #expect(there?.contains("/out") == false)
      }
    }
    let deep = lua.failure("fs.write('\(folder)/in/none/x', '')")
    #expect(deep?.contains("is not allowed") == true)
  }

  @Test("a single file can be granted, before it is there too, and nothing beside it")
  func singleFile() throws {
    let path = folder + "/in/new.txt"
    let lua = try lua(Permissions(read: [path], write: [path]))
    #expect(try #require(lua.failure("fs.read('\(path)')")).contains("no such file"))
    try lua.run("fs.write('\(path)', 'x')")
    #expect(try lua.value("fs.read('\(path)')") == .string("x"))
    #expect(lua.failure("fs.read('\(folder)/in/file.txt')") != nil)
    #expect(lua.failure("fs.write('\(folder)/in/file.txt', '')") != nil)
    #expect(lua.failure("fs.list('\(folder)/in')") != nil)
  }

  @Test("a folder that becomes a link after the check is not followed")
  func swapped() throws {
    let permissions = Permissions(read: [folder + "/in"], write: [folder + "/in"])
    let real = try permissions.readable(folder + "/in/file.txt")
    let target = try permissions.writable(folder + "/in/new.txt")
    rename(folder + "/in", folder + "/was")
    symlink(folder + "/out", folder + "/in")
    symlink(folder + "/out/secret.txt", folder + "/out/file.txt")
    defer {
      unlink(folder + "/in")
      unlink(folder + "/out/file.txt")
      rename(folder + "/was", folder + "/in")
    }
    #expect(throws: HostError.self) { try Files.readGuarded(real, limitBytes: 100) }
    #expect(throws: HostError.self) { try Files.replaceGuarded(target, with: [1]) }
    #expect(throws: HostError.self) { try Files.namesGuarded(folder + "/in") }
    #expect(Files.entry(folder + "/out/new.txt") == nil)
  }

  @Test("what is written keeps the mode of the file that it replaces")
  func mode() throws {
    chmod(folder + "/in/file.txt", 0o600)
    try lua(Permissions(write: [folder + "/in"])).run("fs.write('\(folder)/in/file.txt', 'x')")
    var status = stat()
    stat(folder + "/in/file.txt", &status)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test("a pipe is no file to wait for, a folder none to read, and a zero byte ends no path")
  func oddFiles() throws {
    let lua = try lua(Permissions(read: [folder + "/in"]))
    #expect(try #require(lua.failure("fs.read('\(folder)/in/pipe')")).contains("not a file"))
    #expect(lua.failure("fs.read('\(folder)/in')") != nil)
    #expect(
      try #require(lua.failure("fs.read('\(folder)/in/file.txt\\0.lua')")).contains("zero byte"))
    #expect(lua.failure("fs.list('\(folder)/in/file.txt')") != nil)
  }

  @Test("writing replaces a file whole; a link stays, and what it leads to must be granted")
  func writing() throws {
    let lua = try lua(Permissions(write: [folder + "/in"]))
    try lua.run("fs.write('\(folder)/in/new.txt', 'a\\0b')")
    #expect(try Files.read(folder + "/in/new.txt") == [97, 0, 98])
    // A link is followed: what it leads to is written where that is granted too, and stays a link.
    try lua.run("fs.write('\(folder)/in/own.txt', 'own')")
    #expect(String(decoding: try Files.read(folder + "/in/file.txt"), as: UTF8.self) == "own")
    #expect(Files.isLink(folder + "/in/own.txt"))
    let outside = try #require(lua.failure("fs.write('\(folder)/in/link.txt', 'x')"))
    #expect(outside.contains("a link that leads elsewhere"), "\(outside)")
    #expect(String(decoding: try Files.read(folder + "/out/secret.txt"), as: UTF8.self) == "secret")
    symlink("nothing", folder + "/in/new.link")
    defer { unlink(folder + "/in/new.link") }
    #expect(
      lua.failure("fs.write('\(folder)/in/new.link', 'x')")?.contains("leads nowhere") == true)
    // What is no file stays what it is.
    #expect(lua.failure("fs.write('\(folder)/in/pipe', 'x')")?.contains("not a file") == true)
    #expect(Files.entry(folder + "/in/pipe") == .other)
    #expect(try Files.read(folder + "/out/secret.txt") == Array("secret".utf8))
    for path in ["out/new.txt", "in/folder/new.txt", "in/../new.txt"] {
      let failure = try #require(lua.failure("fs.write('\(folder)/\(path)', 'x')"))
      #expect(failure.contains("is not allowed"), "\(failure)")
    }
    #expect(lua.failure("fs.write('\(folder)/in/..', 'x')") != nil)
    #expect(try #require(lua.failure("fs.read('\(folder)/in/file.txt')")).contains("--allow-read"))
  }

  @Test("a granted variable can be read, no other")
  func environment() throws {
    setenv("STARLING_TEST_VARIABLE", "value", 1)
    let lua = try lua(Permissions(env: ["STARLING_TEST_VARIABLE", "STARLING_TEST_NONE"]))
    #expect(try lua.value("env.get('STARLING_TEST_VARIABLE')") == .string("value"))
    #expect(try lua.value("env.get('STARLING_TEST_NONE')") == .nil)
    #expect(lua.failure("env.get('PATH')") != nil)
  }

  @Test("what is neither http nor https is said to be no address to fetch, whatever is granted")
  func schemes() {
    let permissions = Permissions(net: ["news.example"])
    for address in ["ftp://news.example/", "gopher://other.example/", "file:///etc/passwd"] {
      let error = #expect(throws: HostError.self) { try permissions.checkFetch(address) }
      #expect(error?.description.contains("http or https address is needed") == true)
      #expect(error?.description.contains("--allow-net") == false)
    }
  }

  @Test("hosts are granted by name, and by port where one is said")
  func hosts() {
    let permissions = Permissions(net: ["News.example", "feeds.example:8080"])
    for address in [
      "https://news.example/x", "http://NEWS.example:81/", "http://feeds.example:8080/",
    ] {
      #expect(permissions.mayFetch(address), "\(address)")
    }
    for address in [
      "https://feeds.example/", "https://evil.example/news.example", "ftp://news.example/",
      "https://news.example.evil.example/", "https://news.example@evil.example/", "news.example",
      "https://evil.example\\@news.example/", "file:///etc/passwd",
    ] {
      #expect(!permissions.mayFetch(address), "\(address)")
    }
  }

  @Test(
    "the flag is one word of a shell, whatever the script put into it",
    arguments: [
      ("/a/b.txt", "/a/b.txt"), ("电池.txt", "电池.txt"), ("a b", "'a b'"), ("", "''"),
      ("$(rm x);y", "'$(rm x);y'"), ("it's", "'it'\\''s'"), ("a\nb'\\", "$'a\\x0ab\\'\\\\'"),
      ("~/x", "'~/x'"), ("*", "'*'"),
    ])
  func quoted(text: String, word: String) {
    #expect(Permissions.shellWord(text) == word)
  }

  @Test("an address with a blank is none, and no grant is asked for it")
  func blanks() throws {
    let permissions = Permissions(net: ["e.org"])
    for address in ["http://e.org/a b", " http://e.org/", "http://e.org/\n"] {
      let error = #expect(throws: HostError.self) { try permissions.checkFetch(address) }
      #expect(error?.message.contains("no address: there is a blank") == true)
    }
  }
}
