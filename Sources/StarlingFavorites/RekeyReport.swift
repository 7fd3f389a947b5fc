public import StarlingModel

/// What giving a kind another key does, or would do.
public struct RekeyReport: Hashable, Sendable {
  /// An old key and the one that takes its place.
  public struct Example: Hashable, Sendable {
    public var from: String
    public var to: String
  }

  public var kind: String
  public var from: Kind.KeyRule
  public var to: Kind.KeyRule
  /// Entities that get another key; the old one stands for it from then on.
  public var moved = 0
  /// Entities whose key stays, since both rules give the same.
  public var unchanged = 0
  /// Entities that get the key of another one and become part of it, with their causes, tags and
  /// notes.
  public var merged = 0
  /// Entities without a value in any of the fields: they keep the key that they have.
  public var keyless = 0
  /// Refusals that go over to the new key.
  public var refusals = 0
  /// Refusals of what no feed ever had: what their new key would be cannot be told.
  public var refusalsLeft = 0
  /// Of moved, merged and keyless entities the first few.
  public var movedExamples: [Example] = []
  public var mergedExamples: [Example] = []
  public var keylessExamples: [String] = []
  /// The run in the history, for `undo`; nil for a preview.
  public var run: Int64?

  init(kind: String, from: Kind.KeyRule, to: Kind.KeyRule) {
    self.kind = kind
    self.from = from
    self.to = to
  }

  static let exampleCount = 5
}
