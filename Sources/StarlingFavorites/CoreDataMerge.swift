import StarlingModel

/// Brings the rows of a store together that stand for the same thing: a store without uniqueness
/// fills with duplicates.
struct CoreDataMerge {
  /// What tells one row from another.
  enum Identity: Hashable {
    /// The fields of its key.
    case key(String)
    /// A row without an id is known by what it is called.
    case name(String)
  }

  private struct Place: Hashable {
    var kind: String
    var identity: Identity
  }

  private var favorites: [ImportedFavorite] = []
  private(set) var duplicates = 0
  private var places: [Place: Int] = [:]
  private var named: [Place: Namesakes] = [:]

  /// The favorites of a kind and a name, whatever their key.
  private struct Namesakes {
    var first: Int
    var count = 1
    /// The one that has no id yet; a second one would have become part of it.
    var nameless: Int?
  }

  /// Nil when nothing identifies it.
  static func identity(of entity: Entity, _ kind: Kind) -> Identity? {
    guard case .fields(let names) = kind.key, let last = names.last else { return nil }
    // The site alone is no identity: all that lacks an id would be one thing.
    if entity.values[last] != nil {
      return EntityKey.key(of: entity, kind: kind).map { .key($0) }
    }
    // A name is no address.
    if kind.fields.contains(where: { $0.name == last && $0.type == .url }) { return nil }
    return name(of: entity).map { .name($0) }
  }

  /// A series says which of several types of one name it is.
  private static func name(of entity: Entity) -> String? {
    for field in ["title", "name"] {
      guard case .text(let name) = entity.values[field] else { continue }
      guard case .text(let series) = entity.values["series"], !name.hasPrefix(series) else {
        return name
      }
      return "\(series) \(name)"
    }
    return nil
  }

  mutating func add(_ favorite: ImportedFavorite, _ kind: Kind, _ identity: Identity) {
    let name = CoreDataMerge.name(of: favorite.entity).map {
      Place(kind: kind.name, identity: .name($0))
    }
    let place = Place(kind: kind.name, identity: identity)
    let hasID = hasID(favorite.entity, kind)
    if let index = places[place] ?? twin(of: identity, name) {
      if places[place] == nil, case .key = identity { places[place] = index }
      favorites[index].merge(favorite)
      if hasID, let name, named[name]?.nameless == index { named[name]?.nameless = nil }
      duplicates += 1
      return
    }
    places[place] = favorites.count
    if let name {
      var namesakes = named[name] ?? Namesakes(first: favorites.count, count: 0)
      namesakes.count += 1
      if !hasID { namesakes.nameless = namesakes.nameless ?? favorites.count }
      named[name] = namesakes
    }
    favorites.append(favorite)
  }

  /// The row that one without an id belongs to: the only one of its name. Or, for one with an id, the
  /// row without one of its name.
  private func twin(of identity: Identity, _ name: Place?) -> Int? {
    guard let name, let namesakes = named[name] else { return nil }
    if case .name = identity { return namesakes.count == 1 ? namesakes.first : nil }
    return namesakes.nameless
  }

  private func hasID(_ entity: Entity, _ kind: Kind) -> Bool {
    guard case .fields(let names) = kind.key, let last = names.last else { return false }
    return entity.values[last] != nil
  }

  /// The favorites with their keys. What has no id gets its name for one.
  func finished(_ kinds: [Kind]) -> [ImportedFavorite] {
    favorites.map { favorite in
      var favorite = favorite
      guard let kind = kinds.first(where: { $0.name == favorite.entity.kind }),
        case .fields(let names) = kind.key, let last = names.last
      else { return favorite }
      if !hasID(favorite.entity, kind) {
        favorite.entity[last] = CoreDataMerge.name(of: favorite.entity).map { .text($0) }
      }
      favorite.entity.key = EntityKey.key(of: favorite.entity, kind: kind) ?? ""
      return favorite
    }
  }
}
