import StarlingModel
import StarlingSQLite

/// Keys that are web addresses, whose sites move between `http:` and `https:` (`ItemIdentity`).
extension FavoritesStore {
  /// What an entity that is new by its key was called before its site moved.
  enum Moved {
    /// The entity has the new key now.
    case taken
    /// The entity is under the newer, `https:`, key and stays there.
    case kept([UInt8])
  }

  /// Finds the entity of the same address with the other scheme, and gives it the key when that is
  /// the newer one.
  func moveScheme(
    _ handle: KindHandle, key: UnsafeRawBufferPointer, now: Int64
  ) throws(SQLiteError) -> Moved? {
    guard handle.singleKeyField != nil, let scheme = unsafe ItemIdentity.scheme(key),
      try hasKeys(handle, scheme.other)
    else { return nil }
    let other = unsafe ItemIdentity.moved(key, from: scheme)
    let entity = try unsafe other.span.bytes.withUnsafeBytes { key throws(SQLiteError) in
      try unsafe rowid(handle, key: key)
    }
    guard let entity else { return nil }
    if scheme == .http { return .kept(other) }
    try move(
      handle, entity, from: String(decoding: other, as: UTF8.self),
      to: unsafe String(decoding: key, as: UTF8.self), now: now)
    return .taken
  }

  /// The key that the same address has with the other scheme: a refusal is of the thing, and holds
  /// for both.
  func movedKey(_ handle: KindHandle, _ key: UnsafeRawBufferPointer) -> [UInt8]? {
    guard handle.singleKeyField != nil, let scheme = unsafe ItemIdentity.scheme(key) else {
      return nil
    }
    return unsafe ItemIdentity.moved(key, from: scheme)
  }

  /// Whether the kind may have keys with a scheme: most feeds have one and the same, and are spared
  /// the look for the other.
  private func hasKeys(
    _ handle: KindHandle, _ scheme: ItemIdentity.Scheme
  ) throws(SQLiteError) -> Bool {
    if let known = handle.schemes[scheme] { return known }
    let any = try handle.statement(scheme == .http ? .httpKey : .httpsKey, on: connection)
    let found = try any.step()
    any.reset()
    handle.schemes[scheme] = found
    return found
  }

  private func rowid(
    _ handle: KindHandle, key: UnsafeRawBufferPointer
  ) throws(SQLiteError) -> Int64? {
    let find = try handle.statement(.rowid, on: connection)
    unsafe find.bindStatic(1, key)
    defer { find.reset() }
    return try find.step() ? find.integer(0) : nil
  }
}
