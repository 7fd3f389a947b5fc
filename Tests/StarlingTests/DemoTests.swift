import StarlingFavorites
import StarlingModel
import Testing

@testable import Starling

#if canImport(Glibc)
  import Glibc
#endif

/// The feeds and rules of `make demo`, without a store. `UPDATE_GOLDEN=1 swift test` rewrites what
/// is expected.
@Suite struct DemoTests {
  static let folder = packageFolder + "/scripts/demo"
  static let golden = packageFolder + "/Tests/StarlingTests/Fixtures/demo-starred.txt"

  let set = PluginSet(
    PluginFile.find(in: [packageFolder + "/plugins"]), services: testServices)

  /// The lines of `feeds.txt`: file, URL, and the plugin unless all are asked.
  static var feeds: [[String]] {
    String(decoding: TestFile.read(folder + "/feeds.txt") ?? [], as: UTF8.self)
      .split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { $0.split(separator: "\t").map(String.init) }
  }

  @Test("the demo feeds give what the demo rules star, each for the reasons that it shows")
  func stars() throws {
    let rules = try RuleLoader(limits: .plugin, clock: { RulesSupport.now }).load(
      file: Self.folder + "/rules.lua")
    try rules.prepare(for: set.model.kinds, now: RulesSupport.now)
    #expect(rules.warnings.isEmpty)
    var lines: [String] = []
    for feed in Self.feeds {
      let document = try #require(TestFile.read("\(Self.folder)/\(feed[0])"))
      let mapped = try map(
        document, set: set, named: feed.count > 2 ? feed[2] : nil, url: feed[1])
      #expect(mapped.report.failures.map(\.error.description) == [])
      #expect(mapped.entities.count >= 4)
      rules.begin()
      lines.append("\(feed[0]) (\(mapped.report.plugin), \(mapped.entities.count) entities)")
      for entity in mapped.entities { lines += try starred(entity, by: rules) }
      #expect(rules.failures.map(\.fault.description) == [])
    }
    if getenv("UPDATE_GOLDEN") != nil { TestFile.write(Self.golden, lines) }
    #expect(lines == TestFile.lines(Self.golden))
    for rule in rules.rules where rule.actions.contains(.star) {
      #expect(lines.contains { $0.contains(rule.name) }, "no demo entity shows \(rule.name)")
    }
  }

  private func starred(_ entity: Entity, by rules: RuleSet) throws -> [String] {
    let kind = try #require(set.model[entity.kind])
    var record = EntityRecord()
    record.fill(from: entity, kind: kind)
    var outcome = RuleOutcome()
    try rules.evaluate(record, kind: kind, into: &outcome)
    return outcome.stars.map { star in
      let reasons = star.evidence.map { "\($0.field) \($0.value) \($0.condition)" }
      return "  \(entity.kind) \(entity.key): \(star.rule) [\(reasons.joined(separator: "; "))]"
        + (star.tags.isEmpty ? "" : " " + star.tags.joined(separator: ","))
    }
  }
}
