import StarlingModel
import StarlingSQLite

/// The keys of a kind's favorites, as they are in one state of the file.
///
/// It holds 128 bits for each key, made with a secret that is drawn anew for each: two keys have the
/// same bits once in 2^128 pairs, which is what "exact" means here. That is 26 bytes a favorite,
/// whatever the length of the keys. Once it is made it never changes, so that nothing is checked at a
/// look.
final class MemberKeys: RowSink {
  private let table: FingerprintTable
  private let hasher = KeyHasher()
  /// Read and not in the table yet.
  @exclusivity(unchecked) private var waiting: [Fingerprint] = []
  @exclusivity(unchecked) private var taken = 0
  /// How many favorites there are.
  var count: Int { unsafe taken }

  fileprivate init(expecting expected: Int) {
    table = FingerprintTable(expecting: expected)
    unsafe waiting.reserveCapacity(MemberKeys.batch)
  }

  /// Keys that are put into the table at once: of what lies far apart in memory the processor then
  /// fetches several places at a time, which takes half of the time away.
  private static let batch = 64

  @inline(__always)
  func contains(_ key: UnsafeRawBufferPointer) -> Bool {
    table.contains(unsafe hasher.fingerprint(key))
  }

  /// Takes a key.
  func take(_ row: SQLValues) {
    guard let key = unsafe row.bytes(0) else { return }
    unsafe waiting.append(hasher.fingerprint(key))
    unsafe taken += 1
    if unsafe waiting.count == MemberKeys.batch { insertWaiting() }
  }

  private func insertWaiting() {
    for fingerprint in unsafe waiting { table.insert(fingerprint) }
    unsafe waiting.removeAll(keepingCapacity: true)
  }

  /// Ends the taking of keys. An old key is one as long as the key of today is.
  fileprivate func finish(_ aliases: [(key: [UInt8], target: [UInt8])]) {
    insertWaiting()
    unsafe waiting = []
    for (key, target) in aliases where table.contains(hasher.fingerprint(target)) {
      table.insert(hasher.fingerprint(key))
    }
  }
}

/// Takes keys with rowids: those whose rowids are marked.
private final class MarkedKeys: RowSink {
  private let keys: MemberKeys
  private let marks: FavoriteMarks

  init(_ keys: MemberKeys, _ marks: FavoriteMarks) {
    self.keys = keys
    self.marks = marks
  }

  func take(_ row: SQLValues) {
    if marks.contains(row.integer(1)) { keys.take(row) }
  }
}

extension FavoritesStore {
  /// Reads the keys of all favorites of a kind, in one look at one state of the file.
  func memberKeys(_ handle: KindHandle) throws(FavoritesError) -> MemberKeys {
    try reading { () throws(FavoritesError) in
      try sql { () throws(SQLiteError) in
        let marks = try FavoriteMarks(ofKind: handle.id, on: connection)
        let count =
          if let marks { marks.count } else {
            Int(
              clamping: try connection.integer(
                "SELECT count(*) FROM favorites WHERE kind = \(handle.id)") ?? 0)
          }
        let aliases = try readAliases(handle)
        let keys = MemberKeys(expecting: count + aliases.count)
        try read(handle, marks, into: keys)
        keys.finish(aliases)
        return keys
      }
    }
  }

  private func read(
    _ handle: KindHandle, _ marks: FavoriteMarks?, into keys: MemberKeys
  ) throws(SQLiteError) {
    // All keys from their index, which is a tenth of the table, unless few are favorites'.
    if let marks, try Int64(marks.count) > estimate(handle).entities / 4 {
      try handle.statement(.keys, on: connection).run(into: MarkedKeys(keys, marks))
    } else {
      let list = try handle.statement(.members, on: connection)
      list.bind(2, handle.id)
      try list.run(into: keys)
    }
  }

  private func readAliases(
    _ handle: KindHandle
  ) throws(SQLiteError) -> [(key: [UInt8], target: [UInt8])] {
    try connection.withStatement(
      "SELECT key, target FROM aliases WHERE kind = \(handle.id)"
    ) { statement throws(SQLiteError) in
      var aliases: [(key: [UInt8], target: [UInt8])] = []
      while try statement.step() {
        if let key = unsafe statement.bytes(0), let target = unsafe statement.bytes(1) {
          unsafe aliases.append((Array(key), Array(target)))
        }
      }
      return aliases
    }
  }
}
