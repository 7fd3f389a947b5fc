import StarlingModel
import StarlingSQLite

/// What a kind's look-ups are answered from while one follows another: the keys themselves, once so
/// many were asked that it pays to read them all.
///
/// In a file that is larger than the pages that are kept in memory, each look-up has the system copy
/// some of them. The answer is the same: the keys are those of the state of the file that the open
/// read transaction sees.
final class HeldKeys {
  /// Look-ups in the file since its last change that is known of, and how many there must be before
  /// the keys are read. The accesses are not checked: no look-up begins within another.
  @exclusivity(unchecked) private var lookUps = 0
  @exclusivity(unchecked) private var patience = HeldKeys.first
  @exclusivity(unchecked) fileprivate private(set) var keys: MemberKeys?
  private var version = FileVersion(others: 0, own: -1)
  /// The read transaction that the version was last compared in.
  @exclusivity(unchecked) fileprivate private(set) var reading: UInt64 = 0

  /// So many look-ups come first in any case.
  static let first = 8192
  /// With fewer entities all pages are in memory, and a look-up is quick.
  static let fewestEntities: Int64 = 1 << 16
  /// The index of so many keys is larger than the pages that are kept in memory.
  private static let mostInPages: Int64 = 1 << 18
  /// A look-up in a larger file takes about as long as the reading of so many keys in a row: who has
  /// asked for as long as the reading of all takes asks on.
  private static let keysOfLookUp: Int64 = 32

  /// How many look-ups come before the keys of so many entities are read. In a file whose pages are in
  /// memory a look-up takes as long as the reading of a few keys, so that as many look-ups as there are
  /// keys are not noticeably longer for it.
  static func patience(entities: Int64) -> Int {
    let lookUps = entities < mostInPages ? entities : entities / keysOfLookUp
    return max(first, Int(clamping: lookUps))
  }

  /// More keys are not held: these take 52 MB.
  fileprivate static let mostKeys = 2_000_000

  /// Counts look-ups.
  ///
  /// - Returns: whether it is time to read the keys.
  @inline(__always)
  fileprivate func mustRead(after count: Int) -> Bool {
    unsafe lookUps &+= count
    return unsafe lookUps >= patience
  }

  fileprivate func read(_ handle: KindHandle, _ store: FavoritesStore) throws(FavoritesError) {
    // Nothing is counted for it: to count takes as long as hundreds of look-ups.
    let entities = try store.sql { () throws(SQLiteError) in try store.mostEntities(handle) }
    guard entities >= HeldKeys.fewestEntities else {
      // A kind grows: it is looked at again.
      unsafe patience = lookUps + 1 << 20
      return
    }
    unsafe patience = HeldKeys.patience(entities: entities)
    guard unsafe lookUps >= patience else { return }
    if entities > HeldKeys.mostKeys, try store.hasMoreFavorites(handle) {
      unsafe patience = .max
      return
    }
    unsafe keys = try store.memberKeys(handle)
    version = try store.fileVersion()
    unsafe reading = store.readings
  }

  /// Lets the keys go when the file is not as it was.
  fileprivate func compare(_ store: FavoritesStore) throws(FavoritesError) {
    if try store.fileVersion() != version {
      unsafe (lookUps, patience, keys) = (0, HeldKeys.first, nil)
    }
    unsafe reading = store.readings
  }
}

extension FavoritesStore {
  fileprivate func hasMoreFavorites(_ handle: KindHandle) throws(FavoritesError) -> Bool {
    let most = HeldKeys.mostKeys
    let found = try sql { () throws(SQLiteError) in
      try connection.integer(
        "SELECT 1 FROM favorites WHERE kind = \(handle.id) LIMIT 1 OFFSET \(most)")
    }
    return found != nil
  }

  /// The keys to answer look-ups from; nil where the file is to be asked.
  ///
  /// - Parameter count: how many look-ups there are.
  @inline(__always)
  func heldKeys(_ handle: KindHandle, for count: Int) throws(FavoritesError) -> MemberKeys? {
    // Only in a read transaction the file stays as it is.
    guard isReading else { return nil }
    let held = handle.heldKeys
    if let keys = unsafe held.keys {
      if unsafe held.reading == readings { return keys }
      try held.compare(self)
    } else if held.mustRead(after: count) {
      try held.read(handle, self)
    }
    return unsafe held.keys
  }
}
