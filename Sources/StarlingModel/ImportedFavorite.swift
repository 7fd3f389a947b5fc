/// A favorite that another program kept, as its file has it.
public struct ImportedFavorite: Sendable {
  /// The line of the file, or the number of the row in a database; from 1.
  public var line: Int
  /// What it is. A file that knows only addresses leaves the kind and the key empty and gives the
  /// values `url` and `title`.
  public var entity: Entity
  public var tags: [String]
  public var note: String?
  /// When it was chosen, where the file says so.
  public var starredAt: Timestamp?

  public init(
    line: Int, entity: Entity, tags: [String] = [], note: String? = nil,
    starredAt: Timestamp? = nil
  ) {
    self.line = line
    self.entity = entity
    self.tags = tags
    self.note = note
    self.starredAt = starredAt
  }

  /// Takes over what another mention of the same thing adds: values and a note where there are
  /// none, tags, and the earlier time.
  package mutating func merge(_ other: ImportedFavorite) {
    entity.values.merge(other.entity.values) { own, _ in own }
    for tag in other.tags where !tags.contains(tag) { tags.append(tag) }
    note = note ?? other.note
    if let time = other.starredAt { starredAt = min(starredAt ?? time, time) }
  }
}

/// What could not be taken over from a file, and where it stands.
public struct ImportProblem: Sendable, Hashable {
  /// The line of the file, or the number of the row in a database.
  public var line: Int
  public var what: String

  public init(line: Int, what: String) {
    self.line = line
    self.what = what
  }
}
