import StarlingLua
import StarlingModel
import Testing

@testable import Starling

@Suite struct RulesConfigurationTests {
  private func load(
    _ source: String
  ) throws -> (configuration: UserConfiguration, rules: RuleSet) {
    try ConfigurationLoader(clock: { RulesSupport.now }).load(
      source: Array(source.utf8), file: "init.lua")
  }

  private func faults(_ source: String) -> [String] {
    do throws(RulesError) {
      _ = try ConfigurationLoader(clock: { RulesSupport.now }).load(
        source: Array(source.utf8), file: "init.lua")
      return []
    } catch {
      return error.faults.map(\.description)
    }
  }

  @Test("a whole configuration is read")
  func whole() throws {
    let (configuration, rules) = try load(
      """
      source "bbc" { url = "https://feeds.example/news.xml", plugin = "news", every = "30m",
        options = { site = "example", deep = { 1, 2 } } }
      source "cars" { url = "cars.json" }
      sources "feeds.opml"
      limits { time = "2s", memory = "32MB" }
      keep = "30d"
      search "cheap" { kind = "car_type", where = { price = below "20万" }, order = "-price",
        limit = 20 }
      rule "Lua" { kind = "news", title = word "Lua", star }
      """)
    #expect(configuration.sources.map(\.name) == ["bbc", "cars"])
    let source = configuration.sources[0]
    #expect(source.url == "https://feeds.example/news.xml")
    #expect(source.plugin == "news")
    #expect(source.everySeconds == 1_800)
    #expect(source.options["site"]?.string == "example")
    #expect(source.location == SourceLocation(file: "init.lua", line: 1))
    #expect(configuration.sourceFiles == ["feeds.opml"])
    #expect(configuration.time == .seconds(2))
    #expect(configuration.memoryBytes == 32 << 20)
    #expect(configuration.keepSeconds == 2_592_000)
    #expect(configuration.searches.map(\.name) == ["cheap"])
    #expect(configuration.searches[0].condition == .test(field: "price", .below("20万")))
    #expect(configuration.searches[0].limit == 20)
    #expect(rules.rules.map(\.name) == ["Lua"])
    #expect(rules.limits == Limits(time: .seconds(2), memoryBytes: 32 << 20))
  }

  @Test(
    "what is wrong is said with its line and the nearest right spelling",
    arguments: [
      (
        "source \"a\" {\n ulr = \"x\", url = \"y\" }",
        "init.lua:2: source \"a\": unknown name `ulr`; did you mean `url`?"
      ),
      ("source \"a\" { plugin = \"x\" }", "init.lua:1: source \"a\": it needs `url`"),
      (
        "source \"a\" { url = \"x\",\n every = \"often\" }",
        "init.lua:2: source \"a\": a time is written as in \"30m\" or \"12h\", not \"often\""
      ),
      (
        "source \"a\" { url = \"x\" }\nsource \"a\" { url = \"y\" }",
        "init.lua:2: source \"a\": another source has the same name"
      ),
      ("source \"a\"", "init.lua:1: it has no table; write source \"a\" { ... }"),
      (
        "limits { time = \"5s\",\n memory = \"much\" }",
        "init.lua:2: limits: an amount of memory is written as in \"64MB\", not \"much\""
      ),
      ("limits { tiem = \"5s\" }", "init.lua:1: limits: unknown name `tiem`; did you mean `time`?"),
      ("limits = { time = \"5s\" }", "init.lua:1: write limits without `=`"),
      ("\nkeep = 90", "init.lua:2: `keep` is a time as in \"90d\""),
      ("\n\nkep = \"90d\"", "init.lua:3: unknown setting `kep`; did you mean `keep`?"),
      (
        "colour = \"red\"",
        "init.lua:1: unknown setting `colour`; write local before a variable of your own"
      ),
      (
        "search \"a\" { kind = \"news\",\n where = { title = has(5) } }",
        "init.lua:2: search \"a\": field \"title\": `has` looks for text, not 5; put it in quotes"
      ),
      (
        "local t = {}\nsource \"a\" { url = \"x\",\n plugin = t.none }",
        "init.lua:3: source \"a\": the value of `plugin` is nil"
      ),
      (
        "rule \"A\" { kind = \"news\" }",
        "init.lua:1: rule \"A\": it does nothing; give it an action, such as star"
      ),
    ])
  func fault(source: String, line: String) {
    #expect(faults(source) == [line])
  }

  @Test("the words of the configuration have no place in a rules file")
  func rulesFile() throws {
    let faults = try RulesSupport.faults("source \"a\" { url = \"x\" }")
    #expect(
      faults == ["conf/rules.lua:1: 'source' belongs in init.lua, not in a rules file"])
  }

  @Test("the file lies where the XDG specification says")
  func defaultPath() {
    func path(_ environment: [String: String]) -> String? {
      UserConfiguration.defaultPath { environment[$0] }
    }
    #expect(
      path(["XDG_CONFIG_HOME": "/c", "HOME": "/h"])
        == "/c/starling/init.lua")
    #expect(
      path(["XDG_CONFIG_HOME": "c", "HOME": "/h"])
        == "/h/.config/starling/init.lua")
    #expect(path([:]) == nil)
  }
}
