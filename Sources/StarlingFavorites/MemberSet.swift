import StarlingModel
import StarlingSQLite

/// The keys of a kind's favorites in memory: a snapshot that answers without the file.
///
/// It holds 128 bits for each key, made with a secret that is drawn anew at each load: two keys
/// have the same bits once in 2^128 pairs, which is what "exact" means here. That is 26 bytes a
/// favorite, whatever the length of the keys.
public final class MemberSet {
  private let store: FavoritesStore
  private let handle: KindHandle
  private var keys = MemberKeys(FingerprintTable(expecting: 0), KeyHasher())
  /// How many favorites there were.
  public private(set) var count = 0
  private var seenVersion: UInt32 = 0
  private var seenChanges: Int64 = -1

  init(_ store: FavoritesStore, _ handle: KindHandle) throws(FavoritesError) {
    self.store = store
    self.handle = handle
    try load()
  }

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
    // The version is as of the last read, so one is made.
    _ = try store.sql { () throws(SQLiteError) in
      try store.connection.integer("PRAGMA schema_version")
    }
    guard
      store.connection.dataVersion != seenVersion
        || store.connection.totalChanges != seenChanges
    else { return }
    try load()
  }

  private func load() throws(FavoritesError) {
    try store.reading { () throws(FavoritesError) in
      try store.sql { () throws(SQLiteError) in
        let aliases = try readAliases()
        if let marks = try FavoriteMarks(ofKind: handle.id, on: store.connection) {
          let entities = try store.estimate(handle).entities
          // All keys from their index, which is a tenth of the table, unless few are favorites'.
          let readsAll = Int64(marks.count) > entities / 4
          try read(
            readsAll ? .keys : .members, expecting: marks.count, of: readsAll ? marks : nil,
            with: aliases)
        } else {
          let favorites =
            try store.connection.integer(
              "SELECT count(*) FROM favorites WHERE kind = \(handle.id)") ?? 0
          try read(.members, expecting: Int(clamping: favorites), of: nil, with: aliases)
        }
        seenVersion = store.connection.dataVersion
        seenChanges = store.connection.totalChanges
      }
    }
  }

  /// Reads keys with their rowids; of all entities, those that are marked.
  private func read(
    _ name: KindStatement, expecting expected: Int, of marks: FavoriteMarks?,
    with aliases: [(key: [UInt8], target: [UInt8])]
  ) throws(SQLiteError) {
    // What the loop needs lies in local variables: a property is checked at each access.
    let hasher = KeyHasher()
    var table = FingerprintTable(expecting: expected + aliases.count)
    var count = 0
    let list = try handle.statement(name, on: store.connection)
    if name == .members { list.bind(1, handle.id) }
    defer { list.reset() }
    while try list.step() {
      if let marks, !marks.contains(list.integer(1)) { continue }
      guard let key = unsafe list.bytes(0) else { continue }
      table.insert(unsafe hasher.fingerprint(key))
      count += 1
    }
    // An old key is one as long as the key of today is.
    for (key, target) in aliases {
      guard table.contains(hasher.fingerprint(target)) else { continue }
      table.insert(hasher.fingerprint(key))
    }
    keys = MemberKeys(table, hasher)
    self.count = count
  }

  private func readAliases() throws(SQLiteError) -> [(key: [UInt8], target: [UInt8])] {
    try store.connection.withStatement(
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

/// What a set asks: made anew at each load and never changed, so that nothing is checked at a look.
private final class MemberKeys {
  private let table: FingerprintTable
  private let hasher: KeyHasher

  init(_ table: consuming FingerprintTable, _ hasher: KeyHasher) {
    self.table = table
    self.hasher = hasher
  }

  @inline(__always)
  func contains(_ key: UnsafeRawBufferPointer) -> Bool {
    table.contains(unsafe hasher.fingerprint(key))
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
