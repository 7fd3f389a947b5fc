import StarlingModel
import Testing

@testable import Starling

@Suite struct RulesVersionTests {
  private func version(_ source: String) throws -> String {
    let rules = try RulesSupport.rules(source)
    return try #require(rules.rules.first?.version)
  }

  @Test("spaces, comments and the order of names do not change a rule's version")
  func same() throws {
    let version = try version(
      "rule \"A\" { kind = \"news\", title = has \"x\", author = \"y\", star }")
    #expect(version.utf8.count == 8)
    #expect(version.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    let other = try self.version(
      """
      -- A comment.
      rule "A" {
        author = is 'y',  -- who
        title = has{ "x" }, kind = { "news" }; star,
      }
      """)
    #expect(other == version)
  }

  @Test(
    "what a rule asks and does changes its version",
    arguments: [
      "rule \"A\" { kind = \"news\", title = has \"y\", star }",
      "rule \"A\" { kind = \"post\", title = has \"x\", star }",
      "rule \"A\" { kind = \"news\", title = word \"x\", star }",
      "rule \"A\" { kind = \"news\", title = has \"x\", star, tag \"t\" }",
      "rule \"A\" { kind = \"news\", title = has \"x\", star, stop }",
      "rule \"A\" { kind = \"news\", title = has \"x\", star, when = function(n) return true end }",
    ])
  func different(source: String) throws {
    #expect(
      try version(source) != version("rule \"A\" { kind = \"news\", title = has \"x\", star }"))
  }

  @Test("the text of a function counts, its spaces and comments do not")
  func function() throws {
    let one = "rule 'A' { kind = 'post', when = function(p) return p.likes > 5 end, star }"
    let same =
      "rule 'A' { star, when = function(p) -- likes\n   return p.likes   > 5\nend, kind = 'post' }"
    let other = "rule 'A' { kind = 'post', when = function(p) return p.likes > 6 end, star }"
    #expect(try version(one) == version(same))
    #expect(try version(one) != version(other))
    let named =
      "local function f(p)\n return p.likes > 5\nend\nrule 'A' { kind = 'post', when = f, star }"
    let changed =
      "local function f(p)\n return p.likes > 6\nend\nrule 'A' { kind = 'post', when = f, star }"
    #expect(try version(named) != version(changed))
  }
}
