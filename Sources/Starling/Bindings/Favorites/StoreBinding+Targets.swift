import StarlingFavorites
import StarlingLua
import StarlingModel

/// What the functions of `favorites` and `entities` are asked about: a kind and a key, a kind and an
/// entity, or an entity that names its kind.
extension StoreBinding {
  /// Lends the kind and the key that the first arguments say, and the place of the next argument.
  @inline(__always)
  func withTarget<Result>(
    _ call: borrowing LuaCall,
    _ body: (BoundKind, UnsafeRawBufferPointer, Int) throws(LuaError) -> Result
  ) throws(LuaError) -> Result {
    if let name = unsafe call[1].bytes {
      let kind = try unsafe kind(named: name, call, 1)
      if call[2].isTable { return try unsafe withEntityKey(call, 2, kind, body) }
      return try unsafe withKey(call, 2) { key throws(LuaError) in try unsafe body(kind, key, 3) }
    }
    return try unsafe withEntityKey(call, 1, try kindOfEntity(call, 1), body)
  }

  private func withEntityKey<Result>(
    _ call: borrowing LuaCall, _ position: Int, _ kind: BoundKind,
    _ body: (BoundKind, UnsafeRawBufferPointer, Int) throws(LuaError) -> Result
  ) throws(LuaError) -> Result {
    try read(call, position, as: kind)
    let record = record
    guard !record.key.isEmpty else {
      throw call.argumentError(position, "the entity has no key")
    }
    return try unsafe record.bytes.span.bytes.extracting(record.key).withUnsafeBytes {
      key throws(LuaError) in try unsafe body(kind, key, position + 1)
    }
  }

  /// The kind that an entity names.
  func kindOfEntity(_ call: borrowing LuaCall, _ position: Int) throws(LuaError) -> BoundKind {
    guard call[position].type == .table else {
      throw call.argumentError(position, expected: "kind or entity")
    }
    return try call[position].field(keys.kind) { name throws(LuaError) in
      guard let bytes = unsafe name.bytes else {
        throw call.argumentError(position, "the entity does not say its kind")
      }
      return try unsafe kind(named: bytes, call, position)
    }
  }

  /// Fills `record` with the entity that the first arguments say: a table, or the key of one that is
  /// stored.
  ///
  /// - Returns: its kind, and the place of the next argument.
  func readEntity(_ call: borrowing LuaCall) throws(LuaError) -> (kind: BoundKind, next: Int) {
    guard call[1].type == .string else {
      let kind = try kindOfEntity(call, 1)
      try read(call, 1, as: kind)
      return (kind, 2)
    }
    let kind = try kind(call, 1)
    if call[2].type == .table {
      try read(call, 2, as: kind)
    } else if kind.handle.kind.key == .auto && call[2].isNil {
      throw call.argumentError(2, expected: "entity")
    } else {
      try unsafe withKey(call, 2) { key throws(LuaError) in try unsafe kind.setKey(key, of: &record)
      }
    }
    return (kind, 3)
  }

  /// Fills `record` with the table at a position.
  private func read(
    _ call: borrowing LuaCall, _ position: Int, as kind: BoundKind
  ) throws(LuaError) {
    kind.update(call.state)
    do throws(LuaError) {
      try kind.read(call[position], into: &record, self)
    } catch {
      if case .interrupted = error { throw error }
      throw call.argumentError(position, error.description)
    }
  }

  /// The kind and the key that the first arguments say, as text.
  ///
  /// - Throws: the error for a bad argument, for a key that is not UTF-8 too.
  func textTarget(
    _ call: borrowing LuaCall
  ) throws(LuaError) -> (kind: String, key: String, next: Int) {
    try unsafe withTarget(call) { kind, key, next throws(LuaError) in
      guard let text = unsafe String(validating: key, as: UTF8.self) else {
        throw call.argumentError(next - 1, "the key is not UTF-8 text")
      }
      return (kind.handle.kind.name, text, next)
    }
  }
}

extension ApiEnvironment {
  /// The store of a script.
  @inline(__always)
  func store() throws(LuaError) -> StoreBinding {
    guard let store = script?.store else { throw .message("there are no favorites here") }
    // Before a call has read its arguments: listeners run here.
    if store.isListening { try store.pollNowAndThen() }
    return store
  }
}
