import StarlingModel

/// Makes a value of an entity: each coding key asks for a field.
struct EntityDecoder: Decoder {
  let source: EntitySource
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// - Throws: `unfit`, naming the entity, the field and the reason; `cannotMap` for an entity of
  ///   another kind.
  static func decode<Subject: FavoriteEntity>(
    _ type: Subject.Type, from entity: Entity
  ) throws(FavoritesError) -> Subject {
    let source = EntitySource(
      type: "\(Subject.self)", entity: entity, defaults: Subject.defaults,
      hasKey: Subject.hasKeyOfStore)
    guard entity.kind == Subject.kind else {
      throw .cannotMap(
        type: source.type, field: nil,
        reason: "the entity is of kind \(entity.kind), not \(Subject.kind)")
    }
    do {
      return try Subject(from: EntityDecoder(source: source))
    } catch {
      throw FavoritesError(mapping: error, source.fault)
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(FieldsDecoder(source: source))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw source.fault(nil, "it decodes from a list, and an entity has fields")
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    throw source.fault(nil, "it decodes from one value, and an entity has fields")
  }
}

/// The entity that a value is made of.
struct EntitySource {
  let type: String
  let entity: Entity
  /// What stands for absent fields.
  let defaults: [String: Value]
  let hasKey: Bool

  func fault(_ field: String?, _ reason: String) -> FavoritesError {
    .unfit(kind: entity.kind, key: entity.key, type: type, field: field, reason: reason)
  }

  func piece(_ codingKey: any CodingKey) -> DecodedPiece {
    let name = FieldName.field(codingKey.stringValue)
    if hasKey, name == "key" {
      let key = entity.key
      return DecodedPiece(source: self, field: name, value: key.isEmpty ? nil : .text(key))
    }
    return DecodedPiece(source: self, field: name, value: entity.values[name] ?? defaults[name])
  }
}

/// The fields of an entity as they are decoded.
private struct FieldsDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let source: EntitySource
  var codingPath: [any CodingKey] { [] }

  var allKeys: [Key] {
    source.entity.values.keys.compactMap { name in
      Key(stringValue: name) ?? Key(stringValue: FieldName.camelCase(name))
    }
  }

  func contains(_ key: Key) -> Bool { source.piece(key).value != nil }
  func decodeNil(forKey key: Key) -> Bool { source.piece(key).value == nil }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try source.piece(key).boolean() }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try source.piece(key).text()
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try source.piece(key).real()
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    Float(try source.piece(key).real())
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try source.piece(key).whole() }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try source.piece(key).whole() }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try source.piece(key).whole() }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try source.piece(key).whole() }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try source.piece(key).whole() }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try source.piece(key).whole() }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try source.piece(key).whole() }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try source.piece(key).whole()
  }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try source.piece(key).whole()
  }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try source.piece(key).whole()
  }
  func decode<Part: Decodable>(_ type: Part.Type, forKey key: Key) throws -> Part {
    try source.piece(key).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    throw source.piece(key).fault(EncodedPiece.nested)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try source.piece(key).list()
  }

  func superDecoder() throws -> any Decoder {
    throw source.fault(nil, "a class that inherits cannot be an entity")
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder() }
}
