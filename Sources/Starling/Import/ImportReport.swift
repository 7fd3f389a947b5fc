public import StarlingModel

/// How far an import is.
public struct ImportProgress: Sendable, Hashable {
  public enum Phase: Sendable {
    /// The rows of a database are read.
    case reading
    /// What was read is starred.
    case starring
  }

  public var phase: Phase
  public var done: Int
  public var total: Int
}

/// What became of a file of favorites.
public struct ImportReport: Sendable {
  /// What the file is: `bookmarks`, `outline`, `csv`, `json` or `core data`.
  public var format: String
  public var file: String
  /// How many things the file names: rows, links.
  public var read = 0
  public var starred = 0
  /// How many were favorites already.
  public var already = 0
  /// How many the user has said no to.
  public var refused = 0
  /// How many said again what the file had said before.
  public var duplicates = 0
  /// What could not be taken over, things or single values of them; the first ones of `problemCount`.
  public var problems: [ImportProblem] = []
  public var problemCount = 0
  /// Parts of the file that have no place here, such as the attribute `News.ZVERSION`.
  public var unused: [String] = []
  /// How many feeds an outline subscribes to: these are sources and no favorites.
  public var feeds = 0

  static let problemsKept = 20

  /// Whether all that the file names was taken over, or is known.
  public var isComplete: Bool { problemCount == 0 }

  mutating func note(_ problem: ImportProblem) {
    problemCount += 1
    if problems.count < ImportReport.problemsKept { problems.append(problem) }
  }
}
