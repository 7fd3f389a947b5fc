import StarlingModel

/// Finds the fields of a type: decodes it once from made-up values and notes what it asks for.
struct FieldProbe: Decoder {
  let notes: ProbeNotes
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// - Throws: `cannotMap`, naming the field and the reason.
  static func fields<Subject: FavoriteEntity>(
    of type: Subject.Type
  ) throws(FavoritesError) -> [Field] {
    let notes = ProbeNotes(
      type: "\(Subject.self)", hasKey: Subject.hasKeyOfStore, types: Subject.types)
    do {
      _ = try Subject(from: FieldProbe(notes: notes))
    } catch {
      guard error is FavoritesError else {
        throw .cannotMap(
          type: notes.type, field: nil,
          reason: "its init(from:) refuses made-up values (\(error)); give `static var fields`")
      }
      throw FavoritesError(mapping: error, notes.fault)
    }
    for name in Subject.types.keys.sorted() {
      try notes.check(name, of: "types", among: notes.fields.map(\.name))
    }
    return notes.fields
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(ProbeFields(notes: notes))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw notes.fault(nil, "it decodes from a list, and an entity has fields")
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    throw notes.fault(nil, "it decodes from one value, and an entity has fields")
  }
}

/// What a type asked for.
final class ProbeNotes {
  let type: String
  let hasKey: Bool
  let types: [String: FieldType]
  private(set) var fields: [Field] = []
  /// The coding key behind each field's name.
  private var keys: [String: String] = [:]

  init(type: String, hasKey: Bool, types: [String: FieldType]) {
    self.type = type
    self.hasKey = hasKey
    self.types = types
  }

  func fault(_ field: String?, _ reason: String) -> FavoritesError {
    .cannotMap(type: type, field: field, reason: reason)
  }

  /// Whether a name that the type states elsewhere is one of its fields.
  ///
  /// - Parameter statement: where it stands: `types`.
  func check(
    _ name: String, of statement: String, among names: [String]
  ) throws(FavoritesError) {
    guard !names.contains(name) else { return }
    let hint = Spelling.nearest(to: name, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
    throw fault(name, "`\(statement)` names it, and the type has no such property\(hint)")
  }

  func take(_ key: any CodingKey, _ found: FieldType) throws {
    let name = FieldName.field(key.stringValue)
    if hasKey, name == "key" {
      guard found == .text else {
        throw fault(name, "the store's key is a text: declare `var key: String?`")
      }
      return
    }
    if let reason = FieldName.fault(name) { throw fault(name, reason) }
    if let other = keys[name] {
      guard other == key.stringValue else {
        throw fault(name, "`\(other)` and `\(key.stringValue)` both have this name")
      }
      return
    }
    keys[name] = key.stringValue
    fields.append(Field(name, try declared(name, found)))
  }

  private func declared(_ name: String, _ found: FieldType) throws -> FieldType {
    guard let wanted = types[name], wanted != found else { return found }
    switch (found, wanted) {
    case (.text, .url), (.url, .text), (.integer, .time), (.integer, .real): return wanted
    default:
      throw fault(
        name, "`types` says \(wanted.rawValue), and the property is \(found.rawValue)")
    }
  }
}

/// Notes each field and gives a made-up value.
private struct ProbeFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let notes: ProbeNotes
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) -> Bool { false }

  private func made<Part>(_ key: Key, _ type: FieldType, _ value: Part) throws -> Part {
    try notes.take(key, type)
    return value
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try made(key, .boolean, false) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try made(key, .text, "") }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try made(key, .real, 0) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try made(key, .real, 0) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try made(key, .integer, 0) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try made(key, .integer, 0) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try made(key, .integer, 0) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try made(key, .integer, 0) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try made(key, .integer, 0) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try made(key, .integer, 0) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try made(key, .integer, 0) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try made(key, .integer, 0) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try made(key, .integer, 0) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try made(key, .integer, 0) }

  func decode<Part: Decodable>(_ type: Part.Type, forKey key: Key) throws -> Part {
    let (found, value) = try look(type, key)
    try notes.take(key, found)
    guard let value else {
      throw notes.fault(
        FieldName.field(key.stringValue),
        "\(type) refuses made-up values: make it optional, or give the type `static var fields`")
    }
    return value
  }

  func decodeIfPresent<Part: Decodable>(_ type: Part.Type, forKey key: Key) throws -> Part? {
    let (found, value) = try look(type, key)
    try notes.take(key, found)
    return value
  }

  private func look<Part: Decodable>(
    _ type: Part.Type, _ key: Key
  ) throws -> (FieldType, Part?) {
    do {
      return try ProbePiece.look(at: type)
    } catch let reason as ProbePiece.Unfit {
      throw notes.fault(FieldName.field(key.stringValue), reason.reason)
    }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    throw notes.fault(FieldName.field(key.stringValue), EncodedPiece.nested)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw notes.fault(FieldName.field(key.stringValue), "give the list as one [String] property")
  }

  func superDecoder() throws -> any Decoder {
    throw notes.fault(nil, "a class that inherits cannot be an entity")
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder() }
}
