import Glibc
import StarlingModel
import Testing

@testable import StarlingTool

@Suite struct RulesCommandTests {
  /// A folder of its own with a database, a feed and rules.
  private final class Folder {
    let path: String

    init() {
      path = "/tmp/starling-test-\(UInt64.random(in: 0 ..< .max))"
      mkdir(path, 0o700)
    }

    deinit {
      for name in Folder.names { unlink("\(path)/\(name)") }
      rmdir(path)
    }

    private static let names = [
      "feed.xml", "rules.lua", "init.lua", "new.lua", "star.db", "star.db-wal", "star.db-shm",
    ]

    func write(_ name: String, _ text: String) throws {
      let file = try #require(fopen("\(path)/\(name)", "w"))
      defer { fclose(file) }
      let bytes = Array(text.utf8)
      #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }
  }

  private static var plugins: String {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    return parts.joined(separator: "/") + "/plugins"
  }

  private let folder = Folder()

  init() throws {
    try folder.write(
      "feed.xml",
      """
      <rss version="2.0"><channel><title>T</title><link>https://t.example/</link>
      <item><title>About Lua</title><link>https://t.example/lua</link></item>
      <item><title>Sponsored Lua</title><link>https://t.example/ad</link></item>
      <item><title>Gardens</title><link>https://t.example/gardens</link></item>
      </channel></rss>
      """)
  }

  private func run(_ arguments: String...) -> (status: Int32, out: String, err: String) {
    let io = ToolIO.memory(environment: ["HOME": folder.path])
    let all =
      ["--db", "\(folder.path)/star.db", "--plugins", RulesCommandTests.plugins]
      + arguments.map { $0.hasPrefix("@") ? folder.path + "/" + $0.dropFirst() : $0 }
    let status = Tool.run(all, io: io)
    return (status.rawValue, io.out.text, io.err.text)
  }

  private static let good = """
    rule "Sponsored" { title = has "sponsored", skip }
    rule "Lua" { kind = "news", title = word "Lua", star, tag "dev" }
    """

  @Test("try shows the diff and writes nothing; apply stars, and what it did can be taken back")
  func tryAndApply() throws {
    try folder.write("rules.lua", RulesCommandTests.good)
    #expect(run("load", "@feed.xml").status == 0)
    let tried = run("rules", "try", "--rules", "@rules.lua")
    #expect(tried.status == 0)
    #expect(
      tried.out == """
        + news  About Lua
            rule "Lua"
              title = About Lua (word "Lua")
        ~ news  Sponsored Lua
            rule "Lua", but for "Sponsored" before it
              title = Sponsored Lua (word "Lua")
        3 entities: 1 starred, 1 shadowed; nothing was written

        """)
    #expect(run("contains", "news", "https://t.example/lua").status == 1)
    let applied = run("rules", "apply", "--rules", "@rules.lua")
    #expect(applied.out.hasPrefix("3 entities: 1 starred; `starling undo --run "))
    #expect(run("contains", "news", "https://t.example/lua").status == 0)
    let statistics = run("rules", "stats", "@rules.lua", "--json")
    #expect(
      statistics.out.contains(
        #""matches":1,"favorites":0}"#))
    #expect(statistics.out.contains(#""matches":1,"favorites":1,"last":"#))
    let again = run("rules", "try", "@rules.lua", "--json")
    #expect(again.out.contains(#"{"change":"already","kind":"news","key":"https://t.example/lua""#))
    #expect(again.out.contains(#""counts":{"starred":0,"no_longer":0,"already":1"#))
  }

  @Test(
    "a rule may ask for a regular expression, and one that does not parse is named with its line")
  func patterns() throws {
    try folder.write(
      "rules.lua", "rule \"Re\" { kind = \"news\", title = matches \"^about\\\\b\", star }\n")
    #expect(run("load", "@feed.xml").status == 0)
    let tried = run("rules", "try", "--rules", "@rules.lua")
    #expect(tried.out.contains("title = About Lua (matches \"^about\\\\b\")"), "\(tried)")
    let listed = run("list", "news", "--all", "--where", "title = matches \"^gard\"", "--json")
    #expect(listed.out.contains("\"title\":\"Gardens\""), "\(listed)")
    try folder.write(
      "bad.lua", "\nrule \"Re\" { kind = \"news\", title = matches \"a(b\", star }\n")
    let checked = run("rules", "check", "@bad.lua")
    #expect(checked.status == 3)
    #expect(
      checked.err.contains(
        "bad.lua:2: rule \"Re\": field \"title\": matches \"a(b\": missing closing parenthesis, at byte 4"
      ), "\(checked)")
  }

  @Test("why-not names the clause that failed and the value that it met")
  func whyNot() throws {
    try folder.write("rules.lua", RulesCommandTests.good)
    #expect(run("load", "@feed.xml").status == 0)
    let answer = run("why-not", "Lua", "news", "https://t.example/gardens", "--rules", "@rules.lua")
    #expect(answer.status == 0)
    #expect(answer.out.contains("does not match\n  title = Gardens (word \"Lua\"): failed\n"))
    let shadowed = run("why-not", "Lua", "news", "https://t.example/ad", "--rules", "@rules.lua")
    #expect(shadowed.out.contains("rule \"Sponsored\" ends the run before it"))
    let unknown = run("why-not", "Lau", "news", "https://t.example/ad", "--rules", "@rules.lua")
    #expect(unknown.status == 3)
    #expect(unknown.err.contains("no rule \"Lau\"; did you mean \"Lua\"?"))
  }

  @Test("a broken rules file is said aloud at each load, and its last good rules are used")
  func lastGood() throws {
    try folder.write("rules.lua", "rule \"Lua\" { kind = \"news\", titel = \"x\", star }")
    let never = run("load", "@feed.xml", "--rules", "@rules.lua")
    #expect(never.status == 3)
    #expect(
      never.err.contains(
        "unknown field \"titel\" of kind \"news\"; did you mean \"title\"?"
      ))
    #expect(run("rules", "check", "@rules.lua").status == 3)
    try folder.write("rules.lua", RulesCommandTests.good)
    #expect(run("rules", "check", "@rules.lua").status == 0)
    #expect(run("load", "@feed.xml", "--rules", "@rules.lua").status == 0)
    #expect(run("unstar", "news", "https://t.example/lua").status == 0)
    #expect(run("refusals", "lift", "news", "https://t.example/lua").status == 0)
    try folder.write("rules.lua", "rule \"Lua\" { kind = \"news\", titel = \"x\", star }")
    let broken = run("load", "@feed.xml", "--rules", "@rules.lua")
    #expect(broken.err.contains("the last good rules stay in force"))
    #expect(broken.err.contains("titel"))
    #expect(run("contains", "news", "https://t.example/lua").status == 0)
  }

  @Test("a rule is asked again when an entity changes, and never undoes what the user took away")
  func update() throws {
    func feed(_ title: String) -> String {
      """
      <rss version="2.0"><channel><title>T</title><link>https://t.example/</link>
      <item><title>\(title)</title><link>https://t.example/car</link></item></channel></rss>
      """
    }
    try folder.write("rules.lua", "rule \"Sale\" { kind = \"news\", title = has \"sale\", star }")
    func isFavorite() -> Bool { run("contains", "news", "https://t.example/car").status == 0 }
    try folder.write("feed.xml", feed("A car"))
    #expect(run("load", "@feed.xml", "--rules", "@rules.lua").status == 0)
    #expect(!isFavorite())
    try folder.write("feed.xml", feed("A car, on sale"))
    #expect(run("load", "@feed.xml", "--rules", "@rules.lua").status == 0)
    #expect(isFavorite())
    #expect(run("unstar", "news", "https://t.example/car").status == 0)
    try folder.write("feed.xml", feed("A car, still on sale"))
    let refused = run("load", "@feed.xml", "--rules", "@rules.lua")
    #expect(refused.out.contains("1 refused"))
    #expect(run("rules", "apply", "@rules.lua").out.contains("1 refused"))
    #expect(!isFavorite())
  }

  @Test("an error in a function is reported with its line and makes the load partial")
  func functionError() throws {
    try folder.write(
      "rules.lua",
      "rule \"Bad\" { kind = \"news\", star,\n  when = function(n) return n.title > 5 end }")
    let loaded = run("load", "@feed.xml", "--rules", "@rules.lua")
    #expect(loaded.status == 1)
    #expect(loaded.err.contains("rules.lua:2: rule \"Bad\": attempt to compare"))
    #expect(loaded.err.contains("(3 entities; it counts as no match)"))
  }

  @Test("the rules and limits of the configuration count when no file is named")
  func configuration() throws {
    try folder.write(
      "init.lua", RulesCommandTests.good + "\nlimits { time = \"2s\" }\nkeep = \"30d\"")
    #expect(run("--config", "@init.lua", "load", "@feed.xml").status == 0)
    #expect(run("contains", "news", "https://t.example/lua").status == 0)
    let listed = run("--config", "@init.lua", "rules", "list", "--json")
    #expect(listed.out.contains("\"name\":\"Lua\""))
    try folder.write("init.lua", "limits { tiem = \"2s\" }")
    let broken = run("--config", "@init.lua", "rules", "check")
    #expect(broken.status == 3)
    #expect(broken.err.contains("init.lua:1: limits: unknown name `tiem`; did you mean `time`?"))
    #expect(run("--config", "@none.lua", "list", "news").status == 3)
  }

  @Test("a new rules file is good, and never written over another")
  func new() throws {
    #expect(run("rules", "new", "@new.lua").status == 0)
    #expect(run("rules", "check", "@new.lua").status == 0)
    #expect(run("rules", "new", "@new.lua").status == 3)
  }

  @Test("rules without a file are a usage error")
  func usage() {
    #expect(run("rules", "try").status == 2)
    #expect(run("rules", "try", "@none.lua", "--since", "soonish").status >= 2)
  }

  @Test("a configuration is checked with the words that it has besides rules")
  func whole() throws {
    try folder.write(
      "init.lua", "source \"z\" { url = \"https://z.example/\" }\n" + RulesCommandTests.good)
    #expect(run("--config", "@init.lua", "rules", "check").status == 0)
    #expect(run("--config", "@init.lua", "rules", "check", "@init.lua").status == 0)
    #expect(run("rules", "list", "@init.lua").status == 0)
    #expect(run("load", "@feed.xml", "--rules", "@init.lua").status == 0)
  }
}
