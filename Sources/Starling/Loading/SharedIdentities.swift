import StarlingFavorites
import StarlingModel

/// The items of a feed that have nothing but an id, and share it with different ones
/// (`ItemIdentity`, "Shared"). Feeds that have any are few, so that nothing is kept of others.
struct SharedIdentities {
  private struct Claim {
    var entity: Int
    var published: Timestamp
    var title: String
  }

  private struct Name: Hashable {
    var kind: Int
    var key: String
  }

  private var claims: [Name: [Claim]] = [:]

  /// Notes an entity that was made of such an item.
  ///
  /// - Parameter entity: its number in the load.
  mutating func note(
    _ record: borrowing EntityRecord, kind: Int, of handle: KindHandle, published: Timestamp,
    entity: Int
  ) {
    guard let field = handle.singleKeyField, case .text = record.slots[field] else { return }
    let name = Name(kind: kind, key: record.string(record.key))
    let claim = Claim(entity: entity, published: published, title: record.title(handle.kind))
    claims[name, default: []].append(claim)
  }

  /// The entities that have another key than their id's: those that differ from the oldest, and
  /// those that once did.
  func renamed(
    holds: (_ kind: Int, _ key: String) throws(FavoritesError) -> Bool
  ) throws(FavoritesError) -> [Int: String] {
    var renamed: [Int: String] = [:]
    for (name, list) in claims {
      guard let oldest = list.min(by: { $0.published < $1.published }) else { continue }
      for claim in list {
        let key = ItemIdentity.shared(name.key, published: claim.published)
        let isOther = claim.published != oldest.published && claim.title != oldest.title
        if isOther {
          renamed[claim.entity] = key
        } else if try holds(name.kind, key) {
          renamed[claim.entity] = key
        }
      }
    }
    return renamed
  }
}

extension EntityRecord {
  /// Gives the record another key, in the field that is its key.
  mutating func rename(_ key: String, _ handle: KindHandle) {
    guard let field = handle.singleKeyField else { return }
    let range = append(key)
    set(field, .text(range))
    setKey(range)
  }
}
