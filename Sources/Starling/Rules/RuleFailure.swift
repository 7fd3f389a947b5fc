/// A `when` function that raised an error, which counts as no match.
public struct RuleFailure: Hashable, Sendable, CustomStringConvertible {
  /// Where and why; the location is the line in Lua.
  public var fault: RuleFault
  /// For how many entities.
  public var count: Int

  /// `rules.lua:3: rule "Cars": attempt to compare number with nil (12 entities; no match)`
  public var description: String {
    "\(fault) (\(count) \(count == 1 ? "entity" : "entities"); it counts as no match)"
  }
}
