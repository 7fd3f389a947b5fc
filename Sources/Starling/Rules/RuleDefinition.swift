import StarlingLua
import StarlingModel

/// A rule with what its file told of it: the function that it asks and the places in its text.
struct RuleDefinition {
  var rule: Rule
  var function: LuaFunction?
  /// Nil for a rule that is not written out, as of a loop that makes rules.
  var body: RuleText.Body?

  /// Where a field stands in the rule; the rule's own place when that is not known.
  func location(of field: String?) -> SourceLocation {
    var location = rule.location
    if let field, let line = body?.lines[field] { location.line = line }
    return location
  }

  func fault(_ message: String, field: String? = nil) -> RuleFault {
    RuleFault(message, rule: rule.name, location: location(of: field))
  }
}
