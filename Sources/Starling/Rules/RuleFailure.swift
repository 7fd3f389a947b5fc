/// A `when` function that raised an error, which counts as no match.
public struct RuleFailure: Hashable, Sendable {
  /// Where and why; the location is the line in Lua.
  public var fault: RuleFault
  /// For how many entities.
  public var count: Int
}
