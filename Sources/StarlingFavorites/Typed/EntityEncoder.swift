import StarlingModel

/// Makes an entity of a value: each coding key becomes a field.
///
/// The containers that `Encodable` is given cannot fail when they are made; what is wrong is kept in
/// `EntitySink` and told at the end.
struct EntityEncoder: Encoder {
  let sink: EntitySink
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// - Throws: `cannotMap`, naming the field and the reason.
  static func entity<Subject: FavoriteEntity>(
    of subject: Subject
  ) throws(FavoritesError) -> Entity {
    let sink = EntitySink(type: "\(Subject.self)", hasKey: Subject.hasKeyOfStore)
    do {
      try subject.encode(to: EntityEncoder(sink: sink))
    } catch {
      throw sink.failure
        ?? FavoritesError(mapping: error) { .cannotMap(type: sink.type, field: $0, reason: $1) }
    }
    if let failure = sink.failure { throw failure }
    return Entity(kind: Subject.kind, key: sink.key, values: sink.values)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(FieldsEncoder(sink: sink))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    sink.fail(nil, "it encodes as a list, and an entity has fields")
    return ListEncoder(piece: EncodedPiece())
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    sink.fail(nil, "it encodes as one value, and an entity has fields")
    return PieceEncoder(piece: EncodedPiece())
  }
}

/// What was encoded of an entity.
final class EntitySink {
  let type: String
  let hasKey: Bool
  private(set) var values: [String: Value] = [:]
  private(set) var key = ""
  /// The first thing that was wrong.
  private(set) var failure: FavoritesError?

  init(type: String, hasKey: Bool) {
    self.type = type
    self.hasKey = hasKey
  }

  func fail(_ field: String?, _ reason: String) {
    failure = failure ?? .cannotMap(type: type, field: field, reason: reason)
  }

  /// Takes what a coding key's value encoded as.
  func set(_ codingKey: any CodingKey, _ piece: EncodedPiece) throws {
    let name = FieldName.field(codingKey.stringValue)
    if let reason = piece.failure {
      fail(name, reason)
    } else if hasKey, name == "key" {
      takeKey(piece.value)
    } else if let reason = FieldName.fault(name) {
      fail(name, reason)
    } else {
      values[name] = piece.value
    }
    if let failure { throw failure }
  }

  private func takeKey(_ value: Value?) {
    switch value {
    case nil: key = ""
    case .text(let text): key = text
    default: fail("key", "the store's key is a text: declare `var key: String?`")
    }
  }
}

/// The fields of an entity as they are encoded.
private struct FieldsEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let sink: EntitySink
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws { try sink.set(key, EncodedPiece()) }
  func encode(_ value: Bool, forKey key: Key) throws { try take(value, key) }
  func encode(_ value: String, forKey key: Key) throws { try take(value, key) }
  func encode(_ value: Double, forKey key: Key) throws { try take(value, key) }
  func encode(_ value: Float, forKey key: Key) throws { try take(value, key) }
  func encode(_ value: Int, forKey key: Key) throws { try take(value, key) }
  func encode(_ value: Int8, forKey key: Key) throws { try take(value, key) }
  func encode(_ value: Int16, forKey key: Key) throws { try take(value, key) }
  func encode(_ value: Int32, forKey key: Key) throws { try take(value, key) }
  func encode(_ value: Int64, forKey key: Key) throws { try take(value, key) }
  func encode(_ value: UInt, forKey key: Key) throws { try take(value, key) }
  func encode(_ value: UInt8, forKey key: Key) throws { try take(value, key) }
  func encode(_ value: UInt16, forKey key: Key) throws { try take(value, key) }
  func encode(_ value: UInt32, forKey key: Key) throws { try take(value, key) }
  func encode(_ value: UInt64, forKey key: Key) throws { try take(value, key) }
  func encode(_ value: some Encodable, forKey key: Key) throws { try take(value, key) }

  private func take(_ value: some Encodable, _ key: Key) throws {
    try sink.set(key, EncodedPiece(of: value))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    sink.fail(FieldName.field(key.stringValue), EncodedPiece.nested)
    return KeyedEncodingContainer(PartsEncoder(piece: EncodedPiece()))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    sink.fail(FieldName.field(key.stringValue), "give the list as one [String] property")
    return ListEncoder(piece: EncodedPiece())
  }

  func superEncoder() -> any Encoder {
    sink.fail(nil, "a class that inherits cannot be an entity")
    return PieceEncoder(piece: EncodedPiece())
  }

  func superEncoder(forKey key: Key) -> any Encoder { superEncoder() }
}
