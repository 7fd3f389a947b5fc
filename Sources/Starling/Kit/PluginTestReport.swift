/// What became of the fixtures of one plugin.
public struct PluginTestReport: Sendable {
  public var plugin: String
  /// The plugin's file.
  public var path: String
  /// Why the plugin cannot be used; no fixture was run then.
  public var refusal: HostError?
  /// What is wrong with the folder of fixtures, one line each.
  public var faults: [String] = []
  /// By name.
  public var results: [FixtureResult] = []

  public var isPassed: Bool {
    refusal == nil && faults.isEmpty && results.allSatisfy { $0.outcome != .failed }
  }
}

/// What became of one fixture.
public struct FixtureResult: Sendable {
  public enum Outcome: String, Sendable {
    case passed
    case failed
    /// It differed, and what is expected was rewritten.
    case updated
  }

  public struct LeftOut: Sendable, Equatable {
    public var reason: String
    public var expected: Int
    public var got: Int
  }

  /// The name of the input's file.
  public var name: String
  public var path: String
  public var outcome = Outcome.passed
  public var differences: [FixtureDifference] = []
  /// The reasons for which another number of items was left out than expected.
  public var leftOut: [LeftOut] = []
  /// Items that failed, and what kept the fixture from being run.
  public var failures: [LoadReport.ItemFailure] = []
  /// What is wrong with the fixture's own files, one line each.
  public var faults: [String] = []
  /// Other plugins that accept the input too; the first in the order of loading gets such a feed
  /// when no plugin is named.
  public var otherTakers: [String] = []
}
