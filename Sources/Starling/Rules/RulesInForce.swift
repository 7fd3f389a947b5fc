/// The rules that are in force for a file.
public struct RulesInForce {
  public var rules: RuleSet
  /// What is wrong with the file, when its last good text stands in for it; every run says so.
  public var error: RulesError?
}
