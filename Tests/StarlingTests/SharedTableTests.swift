import StarlingModel
import Testing

@testable import Starling

/// What one call leaves in a table that others see is not there for the others.
@Suite struct SharedTableTests {
  /// Ways to leave something, and what the error names.
  static let poisons: [(code: String, name: String)] = [
    ("text.plain = function() return 'POISON' end", "text.plain"),
    ("table.concat = function() return 'POISON' end", "table.concat"),
    ("string.upper = function() return 'POISON' end", "string.upper"),
    ("json.null = 'POISON'", "json.null"),
    ("math.floor = function() return 'POISON' end", "math.floor"),
    ("tostring = function() return 'POISON' end", "tostring"),
    ("text = { plain = tostring }", "text"),
    ("feed.title = 'POISON'", "feed.title"),
    ("feed.options.tag = 'POISON'", "feed.options.tag"),
    ("feed.poison = 'POISON'", "feed.poison"),
    ("feed.options.poison = 'POISON'", "feed.options.poison"),
    ("rawset(_G, 'poison', 'POISON')", "poison"),
    ("rawset(text, 'plain', tostring)", "text.plain"),
    ("rawset(feed, 'title', 'POISON')", "feed.title"),
    ("text.poison = 'POISON'", "text.poison"),
    ("rawset(getmetatable(json.decode('[]')) or json, 'poison', 'POISON')", "json.poison"),
    ("time.parse, url.join, money.parse, log.warn = 1, 2, 3, 4", ""),
    ("for k in pairs(text) do text[k] = 1 end do return nil end", "text."),
  ]

  private static let view =
    """
    local function view(feed)
      local options = {}
      for name, value in pairs(feed.options) do options[#options + 1] = name .. value end
      return table.concat({
        text.plain("<b>a</b>"), string.upper("q"), ("q"):upper(), tostring(json.null),
        tostring(math.floor(1.5)), feed.title, table.concat(options, ","),
        tostring(rawget(_G, "poison")), tostring(rawget(feed, "poison")),
        tostring(rawget(text, "poison")), tostring(rawget(json, "poison")), type(time.parse),
      }, "|")
    end
    """
  private static let clean = "a|Q|Q|null|1|News|tagt|nil|nil|nil|nil|function"

  private func plugin(
    accepts: String = "", items: String = "", map: String = "", chunk: String = ""
  ) -> (name: String, text: String) {
    (
      "p",
      """
      --- @api 1
      local M = {}
      \(chunk)
      M.kinds = { thing = { key = "id", fields = { id = "text", title = "text" } } }
      \(Self.view)
      local once = false
      function M.accepts(feed) \(accepts) return true end
      function M.items(feed) \(items) return nil end
      function M.map(item, feed)
        if item.id == "1" then
          \(map)
        end
        return { id = item.id, title = view(feed) }
      end
      return M
      """
    )
  }

  private static let feed = Array(
    """
    <rss version="2.0"><channel><title>News</title>
    <item><guid>1</guid></item><item><guid>2</guid></item></channel></rss>
    """.utf8)

  private func set(_ plugin: (name: String, text: String)) -> (PluginSet, TemporaryFolder) {
    let folder = TemporaryFolder()
    folder.write(plugin.name + ".lua", plugin.text)
    return (PluginSet(PluginFile.find(in: [folder.path]), services: testServices), folder)
  }

  private func titles(_ mapped: Mapped) -> [String] {
    mapped.entities.map { $0["title"]?.description ?? "" }
  }

  @Test("map leaves nothing for the next item and the next feed", arguments: poisons)
  func map(poison: (code: String, name: String)) throws {
    let (set, folder) = set(plugin(map: "\n" + poison.code))
    defer { _ = folder }
    for _ in 1...2 {
      let mapped = try mapped(set)
      #expect(titles(mapped) == [Self.clean])
      #expect(mapped.report.failures.count == 1)
      let failure = try #require(mapped.report.failures.first)
      #expect(failure.place == 1)
      #expect(failure.error.description.contains(poison.name), "\(failure.error)")
      #expect(failure.error.location?.line == line(of: poison.code), "\(failure.error)")
    }
  }

  private func line(of code: String) -> Int? {
    plugin(map: "\n" + code).text.split(separator: "\n", omittingEmptySubsequences: false)
      .firstIndex { $0.contains(code) }.map { $0 + 1 }
  }

  private func mapped(_ set: PluginSet) throws -> Mapped {
    try StarlingTests.map(Self.feed, set: set, named: "p", options: ["tag": .text("t")])
  }

  @Test("accepts and items leave nothing either", arguments: poisons)
  func before(poison: (code: String, name: String)) throws {
    let guarded = "if not once then once = true \(poison.code) end"
    for plugin in [plugin(items: guarded), plugin(accepts: guarded)] {
      let (set, folder) = set(plugin)
      defer { _ = folder }
      // Asked, so that `accepts` is called.
      let first = Result {
        try StarlingTests.map(Self.feed, set: set, options: ["tag": .text("t")])
      }
      if case .success = first { Issue.record("\(poison.code)") }
      #expect(titles(try mapped(set)) == [Self.clean, Self.clean])
    }
  }

  @Test("a plugin that changes the library while it loads is refused, with the line")
  func chunk() throws {
    let (set, folder) = set(plugin(chunk: "local trim = 1\nstring.upper = function() end"))
    defer { _ = folder }
    let refusal = try #require(set.plugins.first?.refusal)
    #expect(refusal.description.contains("`string.upper` was set"), "\(refusal)")
    #expect(refusal.location?.line == 4)
  }

  @Test("a module's change is told with the module's line")
  func module() throws {
    let folder = TemporaryFolder()
    folder.write(
      "p/plugin.lua", "--- @api 1\nlocal M = {}\nrequire 'util'\nfunction M.map() end\nreturn M\n")
    folder.write("p/util.lua", "local U = {}\n\nmath.pi = 3\nreturn U\n")
    let set = PluginSet(PluginFile.find(in: [folder.path]), services: testServices)
    let location = try #require(set.plugins.first?.refusal?.location)
    #expect(location.file.hasSuffix("p/util.lua"))
    #expect(location.line == 3)
  }

  @Test("math.random begins each feed with the same numbers")
  func random() throws {
    let (set, folder) = set(
      (
        "p",
        """
        --- @api 1
        local M = {}
        M.kinds = { thing = { key = "id", fields = { id = "text", title = "text" } } }
        function M.map(item)
          local n = math.random(1000000)
          math.randomseed(5)
          return { id = item.id, title = tostring(n) }
        end
        return M
        """
      ))
    defer { _ = folder }
    #expect(titles(try mapped(set)) == titles(try mapped(set)))
  }

  @Test(
    "a rule's function leaves nothing for the next rule",
    arguments: [
      "text.plain = function() return 'POISON' end", "tostring = nil", "string.upper = nil",
      "rawset(_G, 'poison', 1)", "text.poison = 1", "rawset(text, 'plain', 1)", "star = 5",
    ])
  func rules(poison: String) throws {
    let rules = try RulesSupport.prepared(
      """
      rule "poison" { when = function()
        \(poison)
        return true
      end, star }
      rule "clean" { when = function()
        return text.plain("<b>a</b>") == "a" and ("q"):upper() == "Q" and tostring(1) == "1"
          and rawget(_G, "poison") == nil and rawget(text, "poison") == nil
      end, star }
      """)
    for title in ["one", "two"] {
      let outcome = try RulesSupport.outcome(
        rules, RulesSupport.news, ["title": .text(title)])
      #expect(outcome.stars.map(\.rule) == ["clean"])
    }
    #expect(rules.failures.map(\.count) == [2])
    #expect(rules.failures.first?.fault.location?.line == 2)
  }

  @Test(
    "a rules file that changes the library is refused, with the line",
    arguments: [
      ("\nstring.upper = 1", "`string.upper` was set", 2), ("\n\nstar = 1", "`star` was set", 3),
      ("text.mine = 1", "'text.mine' cannot be set", 1),
    ])
  func rulesFile(text: String, message: String, line: Int) {
    do {
      _ = try RuleLoader(clock: testServices.clock)
        .load(source: Array("rule \"a\" { kind = \"x\", star }\(text)".utf8), file: "rules.lua")
      Issue.record("no error")
    } catch {
      #expect(error.faults.count == 1)
      #expect(error.faults.first?.description.contains(message) == true, "\(error)")
      #expect(error.faults.first?.location?.line == line)
    }
  }
}
