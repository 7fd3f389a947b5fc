import StarlingModel

/// One field of an entity, to be read as the Swift type that asks for it.
struct DecodedPiece {
  let source: EntitySource
  let field: String
  let value: Value?

  func fault(_ reason: String) -> FavoritesError { source.fault(field, reason) }

  private func mismatch(_ wanted: String) -> FavoritesError {
    guard let value else {
      return fault(
        "it is absent, and \(wanted) is wanted; make the property optional, or name what stands for it"
          + " in `static var defaults`")
    }
    return fault("it is \(value.typeName), and \(wanted) is wanted")
  }

  /// A text; the store keeps no empty one, so an absent one is empty.
  func text() throws -> String {
    switch value {
    case .text(let text): return text
    case nil: return ""
    default: throw mismatch("a text")
    }
  }

  func boolean() throws -> Bool {
    guard case .boolean(let flag) = value else { throw mismatch("a boolean") }
    return flag
  }

  func real() throws -> Double {
    switch value {
    case .real(let number): return number
    case .integer(let number): return Double(number)
    default: throw mismatch("a number")
    }
  }

  func whole<Number: FixedWidthInteger>() throws -> Number {
    let found: Int64
    switch value {
    case .integer(let number): found = number
    case .time(let time): found = time.secondsSinceEpoch
    case .real(let number):
      guard let whole = Int64(exactly: number) else { throw mismatch("a whole number") }
      found = whole
    default: throw mismatch("an integer")
    }
    guard let number = Number(exactly: found) else {
      throw fault("\(found) does not fit \(Number.self)")
    }
    return number
  }

  func time() throws -> Timestamp {
    switch value {
    case .time(let time): return time
    case .integer(let seconds): return Timestamp(secondsSinceEpoch: seconds)
    default: throw mismatch("a time")
    }
  }

  func list() throws -> ListDecoder {
    switch value {
    case .list(let texts): return ListDecoder(piece: self, texts: texts)
    case nil: return ListDecoder(piece: self, texts: [])
    default: throw mismatch("a list")
    }
  }

  func decode<Part: Decodable>(_ type: Part.Type) throws -> Part {
    // In two steps: nothing at all is a value of any optional type.
    if let known = try known(type), let found = known as? Part { return found }
    guard FoundationType(type) == .date else {
      return try type.init(from: PieceDecoder(piece: self, isURL: FoundationType(type) == .url))
    }
    let seconds = Double(try time().secondsSinceEpoch) - FoundationType.referenceSeconds
    let piece = DecodedPiece(source: source, field: field, value: .real(seconds))
    return try type.init(from: PieceDecoder(piece: piece, isURL: false))
  }

  /// The types that are one value here; nil for any other.
  private func known(_ type: any Any.Type) throws -> Any? {
    switch ObjectIdentifier(type) {
    case ObjectIdentifier(Timestamp.self): return try time()
    case ObjectIdentifier(URLReference.self):
      guard case .text(let text) = value else { throw mismatch("a url") }
      return URLReference(text)
    case ObjectIdentifier(Money.self):
      guard case .money(let money) = value else { throw mismatch("a money") }
      return money
    default: return nil
    }
  }
}

/// Decodes one property.
struct PieceDecoder: Decoder, SingleValueDecodingContainer {
  let piece: DecodedPiece
  let isURL: Bool
  /// What an enum that has no such case names in its error.
  var codingPath: [any CodingKey] { [FieldKey(stringValue: piece.field)] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard isURL else { throw piece.fault(EncodedPiece.nested) }
    let text = try piece.text()
    var parts = Entity(kind: piece.source.entity.kind, key: piece.source.entity.key)
    parts["relative"] = .text(text)
    let source = EntitySource(
      type: piece.source.type, entity: parts, defaults: [:], hasKey: false)
    return EntityDecoder(source: source).container(keyedBy: type)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try piece.list() }
  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { piece.value == nil }
  func decode(_ type: Bool.Type) throws -> Bool { try piece.boolean() }
  func decode(_ type: String.Type) throws -> String { try piece.text() }
  func decode(_ type: Double.Type) throws -> Double { try piece.real() }
  func decode(_ type: Float.Type) throws -> Float { Float(try piece.real()) }
  func decode(_ type: Int.Type) throws -> Int { try piece.whole() }
  func decode(_ type: Int8.Type) throws -> Int8 { try piece.whole() }
  func decode(_ type: Int16.Type) throws -> Int16 { try piece.whole() }
  func decode(_ type: Int32.Type) throws -> Int32 { try piece.whole() }
  func decode(_ type: Int64.Type) throws -> Int64 { try piece.whole() }
  func decode(_ type: UInt.Type) throws -> UInt { try piece.whole() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try piece.whole() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try piece.whole() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try piece.whole() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try piece.whole() }
  func decode<Part: Decodable>(_ type: Part.Type) throws -> Part { try piece.decode(type) }
}

/// A field's name as a coding key.
struct FieldKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// The texts of a list, one after another.
struct ListDecoder: UnkeyedDecodingContainer {
  let piece: DecodedPiece
  let texts: [String]
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { [] }

  init(piece: DecodedPiece, texts: [String]) {
    self.piece = piece
    self.texts = texts
  }

  var count: Int? { texts.count }
  var isAtEnd: Bool { currentIndex >= texts.count }

  private mutating func next() throws -> DecodedPiece {
    guard !isAtEnd else {
      throw piece.fault("the list has \(texts.count) texts, and more are wanted")
    }
    currentIndex += 1
    return DecodedPiece(
      source: piece.source, field: piece.field, value: .text(texts[currentIndex - 1]))
  }

  func decodeNil() -> Bool { false }
  mutating func decode(_ type: Bool.Type) throws -> Bool { try next().boolean() }
  mutating func decode(_ type: String.Type) throws -> String { try next().text() }
  mutating func decode(_ type: Double.Type) throws -> Double { try next().real() }
  mutating func decode(_ type: Float.Type) throws -> Float { Float(try next().real()) }
  mutating func decode(_ type: Int.Type) throws -> Int { try next().whole() }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try next().whole() }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try next().whole() }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try next().whole() }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try next().whole() }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try next().whole() }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next().whole() }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next().whole() }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next().whole() }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next().whole() }
  mutating func decode<Part: Decodable>(_ type: Part.Type) throws -> Part {
    try next().decode(type)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    throw piece.fault(EncodedPiece.nested)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw piece.fault("a list holds texts, not lists")
  }

  mutating func superDecoder() throws -> any Decoder { throw piece.fault(EncodedPiece.nested) }
}

extension Value {
  /// What it is, in an error.
  var typeName: String {
    switch self {
    case .text: "a text"
    case .integer: "an integer"
    case .real: "a real"
    case .boolean: "a boolean"
    case .time: "a time"
    case .money: "a money"
    case .list: "a list"
    }
  }
}

extension FavoritesError {
  /// What a type's own `encode(to:)` or `init(from:)` threw.
  ///
  /// - Parameter fault: makes the error of a field and a reason.
  init(mapping error: any Error, _ fault: (String?, String) -> FavoritesError) {
    func field(_ context: [any CodingKey], _ key: (any CodingKey)? = nil) -> String? {
      (key ?? context.first).map { FieldName.field($0.stringValue) }
    }
    switch error {
    case let known as FavoritesError: self = known
    case DecodingError.keyNotFound(let key, let context):
      self = fault(field([], key), context.debugDescription)
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.dataCorrupted(let context):
      self = fault(field(context.codingPath), context.debugDescription)
    case EncodingError.invalidValue(_, let context):
      self = fault(field(context.codingPath), context.debugDescription)
    default: self = fault(nil, "\(error)")
    }
  }
}
