import StarlingFavorites
import StarlingLua
import StarlingModel

/// A kind of the store as one Lua state uses it: its fields' names interned, its reader made once.
final class BoundKind {
  let handle: KindHandle
  private let name: [UInt8]
  private(set) var fields: [LuaKey]
  let nameKey: LuaKey
  private(set) var reader: EntityReader

  init(_ handle: KindHandle, _ state: LuaState) {
    self.handle = handle
    name = Array(handle.kind.name.utf8)
    nameKey = state.key(handle.kind.name)
    fields = handle.kind.fields.map { state.key($0.name) }
    reader = EntityReader(kind: handle.kind, state: state, allowsReserved: true)
  }

  /// Takes over fields that another process has added since.
  func update(_ state: LuaState) {
    guard handle.kind.fields.count != fields.count else { return }
    fields = handle.kind.fields.map { state.key($0.name) }
    reader = EntityReader(kind: handle.kind, state: state, allowsReserved: true)
  }

  @inline(__always)
  func isNamed(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count == name.count else { return false }
    for place in name.indices where unsafe bytes[place] != name[place] { return false }
    return true
  }

  /// Fills a record from an entity's table; one with its key alone stands for what is stored.
  func read(
    _ table: LuaView, into record: inout EntityRecord, _ binding: StoreBinding
  ) throws(LuaError) {
    let isKeyAlone = try table.field(binding.keys.key) { key throws(LuaError) in
      guard !key.isNil, try !hasKeyFields(table) else { return false }
      try unsafe binding.withKey(key) { bytes throws(LuaError) in
        try unsafe setKey(bytes, of: &record)
      }
      return true
    }
    if isKeyAlone { return }
    try reader.read(table, into: &record)
    if let text = reader.takeUnreadable().first {
      throw .message("\"\(text)\" is no time that can be read")
    }
  }

  /// Whether a table says any of the fields that make the key.
  private func hasKeyFields(_ table: LuaView) throws(LuaError) -> Bool {
    guard case .fields(let names) = handle.kind.key else { return false }
    for name in names {
      let isThere = try table.field(named: name) { !$0.isNil && $0.type != .null }
      if isThere { return true }
    }
    return false
  }

  /// Fills a record for a key: the fields that the key is made of, where they can be told.
  func setKey(
    _ key: UnsafeRawBufferPointer, of record: inout EntityRecord
  ) throws(LuaError) {
    let kind = handle.kind
    if let reason = Longest.faultOfKey(key.count) { throw .message(reason) }
    guard let text = unsafe String(validating: key, as: UTF8.self) else {
      throw .message("the key is not UTF-8 text")
    }
    let values = EntityKey.values(ofKey: text, kind: kind) ?? [:]
    record.fill(from: Entity(kind: kind.name, key: text, values: values), kind: kind)
  }
}
