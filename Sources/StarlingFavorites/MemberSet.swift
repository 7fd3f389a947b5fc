import StarlingModel
import StarlingSQLite

/// The keys of a kind's favorites in memory: a snapshot that answers without the file; see
/// `MemberKeys` for what it holds.
public final class MemberSet {
  private let store: FavoritesStore
  private let handle: KindHandle
  private var keys: MemberKeys
  private var version: FileVersion

  init(_ store: FavoritesStore, _ handle: KindHandle) throws(FavoritesError) {
    self.store = store
    self.handle = handle
    (keys, version) = try MemberSet.load(store, handle)
  }

  /// How many favorites there were.
  public var count: Int { keys.count }

  /// Whether a key was a favorite's when the set was loaded.
  public func contains(_ key: String) -> Bool {
    var key = key
    return key.withUTF8 { bytes in unsafe contains(UnsafeRawBufferPointer(bytes)) }
  }

  /// Whether a key was a favorite's when the set was loaded.
  package func contains(_ key: UnsafeRawBufferPointer) -> Bool {
    unsafe keys.contains(key)
  }

  /// Loads again when the file has changed.
  public func refresh() throws(FavoritesError) {
    guard try store.fileVersion() != version else { return }
    (keys, version) = try MemberSet.load(store, handle)
  }

  private static func load(
    _ store: FavoritesStore, _ handle: KindHandle
  ) throws(FavoritesError) -> (MemberKeys, FileVersion) {
    try store.reading { () throws(FavoritesError) in
      let keys = try store.memberKeys(handle)
      return (keys, try store.fileVersion())
    }
  }
}

@available(*, unavailable)
extension MemberSet: Sendable {}

extension FavoritesStore {
  /// The keys of a kind's favorites as a snapshot in memory: the fastest way to ask very often.
  public func members(of kind: String) throws(FavoritesError) -> MemberSet {
    try members(handle(kind: kind))
  }

  /// The keys of a kind's favorites as a snapshot in memory.
  package func members(_ handle: KindHandle) throws(FavoritesError) -> MemberSet {
    try MemberSet(self, handle)
  }
}
