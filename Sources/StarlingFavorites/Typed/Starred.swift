public import StarlingModel

/// A favorite as a value of a Swift type.
public struct Starred<Subject: FavoriteEntity>: Sendable {
  public var value: Subject
  /// The entity's key as the file has it.
  public var key: String
  public var starredAt: Timestamp
  /// Sorted.
  public var tags: [String]
  public var note: String?
  /// Why it is a favorite, in the order in which the causes came.
  public var causes: [Cause]

  /// - Throws: `unfit`, naming the field that does not fit the type.
  public init(_ favorite: Favorite) throws(FavoritesError) {
    value = try favorite.entity.decode(Subject.self)
    key = favorite.entity.key
    starredAt = favorite.starredAt
    tags = favorite.tags
    note = favorite.note
    causes = favorite.causes
  }
}

extension Starred: Equatable where Subject: Equatable {}
extension Starred: Hashable where Subject: Hashable {}

extension Starred: Identifiable {
  public var id: String { key }
}

extension Entity {
  /// A value as an entity; see `FavoriteEntity`. Its key is empty unless the value has the store's.
  ///
  /// - Throws: `cannotMap`, naming the field and the reason.
  public init(_ value: some FavoriteEntity) throws(FavoritesError) {
    self = try EntityEncoder.entity(of: value)
  }

  /// The entity as a value of a Swift type of the same kind.
  ///
  /// - Throws: `unfit`, naming the field that does not fit the type; `cannotMap` for another kind's.
  public func decode<Subject: FavoriteEntity>(
    _ type: Subject.Type
  ) throws(FavoritesError) -> Subject {
    try EntityDecoder.decode(type, from: self)
  }
}
