import StarlingFavorites
import StarlingFeeds
import StarlingModel

/// Knows the items of a source that are as they were at its last load, when the same plugin mapped
/// them and was told the same of the feed. A plugin is pure, so it would make the same of them.
///
/// The rules are asked about what was known all the same: they may have changed.
final class ItemRecall {
  private let store: FavoritesStore
  private let source: String
  private let version: String
  private(set) var memory: ItemMemory?
  /// The item that is being mapped; nil when nothing of it is to be remembered.
  private(set) var item: ContentHash?
  /// Whether the entity at hand is one that was known.
  private(set) var isKnown = false

  init(_ store: FavoritesStore, source: String, version: String) {
    self.store = store
    self.source = source
    self.version = version
  }

  /// Begins a feed that a plugin takes.
  func begin(_ plugin: Plugin, _ feed: FeedDescription) throws(HostError) {
    var context = ContentHash()
    context.add(version)
    context.add(plugin.name)
    context.add(plugin.sources.fingerprint)
    feed.add(to: &context)
    for declaration in plugin.declarations {
      guard let kind = store.model[declaration.name] else { continue }
      context.add(kind.name)
      for field in kind.fields {
        context.add(field.name)
        context.add(field.type.rawValue)
      }
    }
    do throws(FavoritesError) {
      memory = try ItemMemory(store, source: source, context: context)
    } catch {
      throw HostError(error)
    }
  }

  /// The kind of what the item became, with which the record is filled; nil when it is to be mapped.
  func recall(_ item: borrowing Item, into record: inout EntityRecord) throws(HostError) -> Kind? {
    guard let memory else { return nil }
    let hash = item.contentHash
    do throws(FavoritesError) {
      if let handle = try memory.recall(hash, into: &record) {
        isKnown = true
        return handle.kind
      }
    } catch {
      throw HostError(error)
    }
    self.item = hash
    return nil
  }

  /// Ends an item.
  func end() {
    item = nil
    isKnown = false
  }
}

extension FeedDescription {
  /// All that a plugin is told of the feed, but for a JSON document's body.
  func add(to hash: inout ContentHash) {
    for text in [
      header.format?.rawValue, url, site, header.site, header.title, header.link, header.id,
      header.language, header.image, header.generator,
    ] {
      hash.add(text)
    }
    for (name, value) in options.sorted(by: { $0.key < $1.key }) {
      hash.add(name)
      hash.add("\(value)")
    }
  }
}
