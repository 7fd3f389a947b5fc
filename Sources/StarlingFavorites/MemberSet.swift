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
  private var table: [Fingerprint] = []
  private var hasher = KeyHasher()
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
    guard !table.isEmpty else { return false }
    let wanted = unsafe hasher.fingerprint(key)
    var place = slot(of: wanted)
    while true {
      let present = table[place]
      if present == wanted { return true }
      if present == .empty { return false }
      place += 1
      if place == table.count { place = 0 }
    }
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
        let favorites =
          try store.connection.integer(
            "SELECT count(*) FROM favorites WHERE kind = \(handle.id)") ?? 0
        let aliases = try readAliases()
        hasher = KeyHasher()
        let expected = Int(clamping: favorites) + aliases.count
        table = Array(repeating: .empty, count: expected == 0 ? 0 : expected * 8 / 5 + 8)
        count = 0
        let list = try handle.statement(.members, on: store.connection)
        list.bind(1, handle.id)
        defer { list.reset() }
        while try list.step() {
          guard let key = unsafe list.bytes(0) else { continue }
          unsafe insert(hasher.fingerprint(key))
          count += 1
        }
        for (key, target) in aliases {
          unsafe target.span.bytes.withUnsafeBytes { target in
            guard unsafe contains(target) else { return }
            unsafe key.span.bytes.withUnsafeBytes { key in unsafe insert(hasher.fingerprint(key)) }
          }
        }
        seenVersion = store.connection.dataVersion
        seenChanges = store.connection.totalChanges
      }
    }
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

  private func slot(of fingerprint: Fingerprint) -> Int {
    Int(truncatingIfNeeded: fingerprint.first.multipliedFullWidth(by: UInt64(table.count)).high)
  }

  private func insert(_ fingerprint: Fingerprint) {
    var place = slot(of: fingerprint)
    while table[place] != .empty, table[place] != fingerprint {
      place += 1
      if place == table.count { place = 0 }
    }
    table[place] = fingerprint
  }
}

@available(*, unavailable)
extension MemberSet: Sendable {}

/// 128 bits that stand for a key.
struct Fingerprint: Equatable {
  var first: UInt64
  var second: UInt64

  static let empty = Fingerprint(first: 0, second: 0)
}

/// Hashes keys with a secret of its own: two lanes of folded 64-bit products, as wyhash has it.
struct KeyHasher {
  private let secrets: (UInt64, UInt64, UInt64, UInt64)

  init() {
    var random = SystemRandomNumberGenerator()
    secrets = (random.next() | 1, random.next() | 1, random.next() | 1, random.next() | 1)
  }

  func fingerprint(_ key: UnsafeRawBufferPointer) -> Fingerprint {
    var first = secrets.0 ^ UInt64(truncatingIfNeeded: key.count)
    var second = secrets.1
    var place = 0
    while place + 16 <= key.count {
      let low = unsafe key.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      let high = unsafe key.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self)
      mix(low, high, &first, &second)
      place += 16
    }
    var low: UInt64 = 0
    var high: UInt64 = 0
    if key.count - place >= 8 {
      low = unsafe key.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      place += 8
    }
    while place < key.count {
      high = high << 8 | UInt64(unsafe key[place])
      place += 1
    }
    mix(low, high, &first, &second)
    let result = Fingerprint(
      first: KeyHasher.fold(first ^ secrets.1, second ^ secrets.0),
      second: KeyHasher.fold(second ^ secrets.2, (first << 32 | first >> 32) ^ secrets.3))
    return result == .empty ? Fingerprint(first: 1, second: 0) : result
  }

  @inline(__always)
  private func mix(_ low: UInt64, _ high: UInt64, _ first: inout UInt64, _ second: inout UInt64) {
    first = KeyHasher.fold(low ^ secrets.2, high ^ first)
    second = KeyHasher.fold(low ^ second, high ^ secrets.3)
  }

  @inline(__always)
  private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}

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
