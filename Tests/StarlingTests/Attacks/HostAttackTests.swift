import StarlingModel
import Testing

@testable import Starling

/// What is asked of the host takes the time and memory of the call that asks.
@Suite struct HostAttackTests {
  static let declarations: [Attack] = [
    Attack(
      "fields without end", .saying("at most 200 fields"),
      "local f = { id = 'text' } for i = 1, 1e4 do f['f' .. i] = 'text' end return f"),
    Attack(
      "a field's name without end", .saying("at most 64 characters"),
      "return { id = 'text', [('f'):rep(1e6)] = 'text' }"),
    Attack(
      "a type's name without end", .saying("at most 64 characters"),
      "return { id = ('text'):rep(1e6) }"),
  ]

  @Test("a plugin that declares too much is refused alone", arguments: declarations)
  func declaration(attack: Attack) throws {
    let folder = TemporaryFolder()
    folder.write(
      "bad.lua",
      """
      --- @api 1
      local M = {}
      local function fields() \(attack.source) end
      M.kinds = { bad = { key = "id", fields = fields() } }
      function M.map(item) return { id = item.id } end
      return M
      """)
    folder.write("good.lua", HostAttackTests.good)
    let host = Host(Host.Configuration(database: .memory, pluginFolders: [folder.path]))
    guard case .saying(let text) = attack.ending else { return }
    let refusal = host.plugins.first { $0.name == "bad" }?.refusal?.description
    #expect(refusal?.contains(text) == true, "\(refusal ?? "it is used")")
    let report = try host.load(
      FeedInput(.bytes(Array(#"[{"id":1}]"#.utf8), name: "x")), plugin: "good")
    #expect(report.failureCount == 0 && report.items == 1)
  }

  @Test("so is one with kinds without end, and one whose text is made of names")
  func kinds() throws {
    let folder = TemporaryFolder()
    folder.write(
      "kinds.lua",
      """
      --- @api 1
      local M = { kinds = {} }
      for i = 1, 3000 do M.kinds["k" .. i] = { key = "id", fields = { id = "text" } } end
      function M.map(item) return { id = item.id } end
      return M
      """)
    let names = (0..<20_000).map { "local x = { n\($0) = 1 }" }.joined(separator: "\n")
    folder.write("names.lua", "--- @api 1\nif false then\n  \(names)\nend\nreturn { map = error }")
    folder.write("good.lua", HostAttackTests.good)
    let host = Host(Host.Configuration(database: .memory, pluginFolders: [folder.path]))
    #expect(host.plugins.map { $0.refusal == nil } == [true, false, false])
    #expect(host.plugins[1].refusal?.message.contains("at most 64 kinds") == true)
  }

  /// `map` of one item, with the error that ends the feed.
  private func error(of body: String) throws -> HostError? {
    let folder = TemporaryFolder()
    folder.write(
      "bad.lua",
      """
      --- @api 1
      local M = {}
      M.kinds = { bad = { key = "id", fields = { id = "text", title = "text", price = "money" } } }
      function M.map(item) \(body) end
      return M
      """)
    let host = Host(
      Host.Configuration(
        database: .memory, pluginFolders: [folder.path],
        limits: Limits(time: .milliseconds(300), memoryBytes: 16 << 20)))
    do throws(HostError) {
      let report = try host.load(
        FeedInput(.bytes(Array(#"[{"id":1}]"#.utf8), name: "x")), plugin: "bad")
      return report.failures.first?.error
    } catch {
      return error
    }
  }

  @Test("one answer takes no more memory than a plugin has, and no more time than a call")
  func answers() throws {
    let same = "local e = { id = '1', title = ('x'):rep(1e6) } local t = {}"
    let error = try error(of: same + " for i = 1, 1e5 do t[i] = e end return t")
    #expect(error?.kind == .memory || error?.kind == .time, "\(String(describing: error))")
  }

  @Test("a reason and a price are as long as a person reads; more is cut, or no price")
  func lengths() throws {
    #expect(try error(of: "return nil, ('r'):rep(4e6)") == nil)
    #expect(try error(of: "return { id = '1', price = ('9,'):rep(1e6) }") == nil)
    #expect(Money(parsing: String(repeating: "9", count: 2_000)) == nil)
  }

  private static let good = """
    --- @api 1
    local M = {}
    M.kinds = { good = { key = "id", fields = { id = "text" } } }
    function M.map(item) return { id = item.id } end
    return M
    """

  // MARK: Scripts

  static let questions = [
    Attack(
      "a search of a million words",
      "while true do favorites.fetch('good', { text = ('aa '):rep(1e6) }) end"),
    Attack(
      "a search that is all quotes",
      "while true do favorites.fetch('good', { text = ('\"a* OR NEAR('):rep(1e5) }) end"),
    Attack(
      "expressions that backtrack in each row",
      """
      favorites.transaction(function()
        for i = 1, 300 do
          favorites.insert('good', { id = i .. ('s'):rep(60) .. '?t' })
        end
      end)
      while true do favorites.count('good', { where = { id = matches('^[0-9]+(?=(s+)+t)') } }) end
      """),
  ]

  @Test(
    "what is asked of the store counts as well", arguments: [AttackPlace.script, .console],
    questions)
  func question(place: AttackPlace, attack: Attack) throws { try place.expect(attack) }

  @Test("regular expressions of rules have the time of a run of the rules")
  func rules() throws {
    let limits = Limits(time: .milliseconds(200), memoryBytes: 16 << 20)
    let folder = TemporaryFolder()
    folder.write("good.lua", HostAttackTests.good)
    let host = Host(
      Host.Configuration(database: .memory, pluginFolders: [folder.path], limits: limits))
    let rules = try RuleLoader(limits: limits, clock: host.configuration.clock)
      .load(
        source: Array(#"rule "slow" { kind = "good", id = matches "^\\d+(?=(s+)+t)", star }"#.utf8),
        file: "rules.lua")
    let ids = (1...400).map { #"{"id":"\#($0)\#(String(repeating: "s", count: 60))?t"}"# }
    let feed = "[" + ids.joined(separator: ",") + "]"
    let start = ContinuousClock.now
    let error = #expect(throws: HostError.self) {
      let report = try host.load(
        FeedInput(.bytes(Array(feed.utf8), name: "x")), plugin: "good", rules: rules)
      if let failure = report.failures.first { throw failure.error }
    }
    #expect(error?.kind == .time && error?.message.contains("slow") == true)
    #expect(ContinuousClock.now - start < .seconds(5))
  }
}
