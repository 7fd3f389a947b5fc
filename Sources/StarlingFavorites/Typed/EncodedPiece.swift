import StarlingModel

/// What one property encoded as: a value, nothing, or the reason why no field can hold it.
final class EncodedPiece {
  var value: Value?
  var failure: String?
  /// Whether it is Foundation's `URL`, which encodes as parts.
  private(set) var isURL = false

  static let nested =
    "a nested value has no column; give its parts properties of their own, or encode it as one text"

  init() {}

  init(of subject: some Encodable) {
    do {
      try take(subject)
    } catch {
      failure = failure ?? "\(error)"
    }
  }

  func take(_ subject: some Encodable) throws {
    switch subject {
    case let text as String: value = .text(text)
    case let flag as Bool: value = .boolean(flag)
    case let number as any BinaryInteger: take(number)
    case let number as Double: take(number)
    case let number as Float: take(Double(number))
    case let time as Timestamp: value = .time(time)
    case let money as Money: value = .money(money)
    case let url as URLReference: value = .text(url.description)
    case let texts as [String]: value = .list(texts)
    case let texts as Set<String>: value = .list(texts.sorted())
    default: try takeOther(subject)
    }
  }

  private func take(_ number: some BinaryInteger) {
    if let number = Int64(exactly: number) {
      value = .integer(number)
    } else {
      failure = "\(number) is beyond 64 bits with a sign"
    }
  }

  private func take(_ number: Double) {
    if number.isFinite {
      value = .real(number)
    } else {
      failure = "a number that is not finite cannot be kept"
    }
  }

  private func takeOther<Subject: Encodable>(_ subject: Subject) throws {
    let type = FoundationType(Subject.self)
    isURL = type == .url
    try subject.encode(to: PieceEncoder(piece: self))
    guard type == .date, case .real(let seconds) = value else { return }
    value = FoundationType.timestamp(ofDate: seconds).map { .time($0) }
    if value == nil { failure = "the date is out of range" }
  }
}

/// Encodes one property.
struct PieceEncoder: Encoder, SingleValueEncodingContainer {
  let piece: EncodedPiece
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(PartsEncoder(piece: piece))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    piece.value = .list([])
    return ListEncoder(piece: piece)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { piece.value = nil }
  func encode(_ value: Bool) throws { try piece.take(value) }
  func encode(_ value: String) throws { try piece.take(value) }
  func encode(_ value: Double) throws { try piece.take(value) }
  func encode(_ value: Float) throws { try piece.take(value) }
  func encode(_ value: Int) throws { try piece.take(value) }
  func encode(_ value: Int8) throws { try piece.take(value) }
  func encode(_ value: Int16) throws { try piece.take(value) }
  func encode(_ value: Int32) throws { try piece.take(value) }
  func encode(_ value: Int64) throws { try piece.take(value) }
  func encode(_ value: UInt) throws { try piece.take(value) }
  func encode(_ value: UInt8) throws { try piece.take(value) }
  func encode(_ value: UInt16) throws { try piece.take(value) }
  func encode(_ value: UInt32) throws { try piece.take(value) }
  func encode(_ value: UInt64) throws { try piece.take(value) }
  func encode(_ value: some Encodable) throws { try piece.take(value) }
}

/// The elements of a list, each of which must be a text.
struct ListEncoder: UnkeyedEncodingContainer {
  let piece: EncodedPiece
  private(set) var count = 0
  var codingPath: [any CodingKey] { [] }

  init(piece: EncodedPiece) {
    self.piece = piece
  }

  mutating func encodeNil() throws { take(EncodedPiece()) }
  mutating func encode(_ value: Bool) throws { take(EncodedPiece(of: value)) }
  mutating func encode(_ value: String) throws { take(EncodedPiece(of: value)) }
  mutating func encode(_ value: Double) throws { take(EncodedPiece(of: value)) }
  mutating func encode(_ value: Float) throws { take(EncodedPiece(of: value)) }
  mutating func encode(_ value: Int) throws { take(EncodedPiece(of: value)) }
  mutating func encode(_ value: Int8) throws { take(EncodedPiece(of: value)) }
  mutating func encode(_ value: Int16) throws { take(EncodedPiece(of: value)) }
  mutating func encode(_ value: Int32) throws { take(EncodedPiece(of: value)) }
  mutating func encode(_ value: Int64) throws { take(EncodedPiece(of: value)) }
  mutating func encode(_ value: UInt) throws { take(EncodedPiece(of: value)) }
  mutating func encode(_ value: UInt8) throws { take(EncodedPiece(of: value)) }
  mutating func encode(_ value: UInt16) throws { take(EncodedPiece(of: value)) }
  mutating func encode(_ value: UInt32) throws { take(EncodedPiece(of: value)) }
  mutating func encode(_ value: UInt64) throws { take(EncodedPiece(of: value)) }
  mutating func encode(_ value: some Encodable) throws { take(EncodedPiece(of: value)) }

  private mutating func take(_ element: EncodedPiece) {
    count += 1
    guard case .text(let text) = element.value, case .list(var texts) = piece.value else {
      let found = element.value?.typeName ?? "nothing"
      piece.failure =
        piece.failure ?? "a list holds texts, and element \(count) of it is \(found)"
      return
    }
    texts.append(text)
    piece.value = .list(texts)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    piece.failure = piece.failure ?? EncodedPiece.nested
    return KeyedEncodingContainer(PartsEncoder(piece: EncodedPiece()))
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    piece.failure = piece.failure ?? "a list holds texts, not lists"
    return ListEncoder(piece: EncodedPiece())
  }

  mutating func superEncoder() -> any Encoder {
    piece.failure = piece.failure ?? EncodedPiece.nested
    return PieceEncoder(piece: EncodedPiece())
  }
}

/// The named parts of one property: of Foundation's `URL` the text is kept, all else is refused.
struct PartsEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let piece: EncodedPiece
  var codingPath: [any CodingKey] { [] }

  init(piece: EncodedPiece) {
    self.piece = piece
    // A type without properties encodes nothing but this container.
    if piece.value == nil, piece.failure == nil { piece.failure = EncodedPiece.nested }
  }

  func encodeNil(forKey key: Key) throws {}
  func encode(_ value: Bool, forKey key: Key) throws {}

  func encode(_ value: String, forKey key: Key) throws {
    guard piece.isURL, key.stringValue == "relative" else { return }
    piece.value = .text(value)
    piece.failure = nil
  }

  func encode(_ value: Double, forKey key: Key) throws {}
  func encode(_ value: Float, forKey key: Key) throws {}
  func encode(_ value: Int, forKey key: Key) throws {}
  func encode(_ value: Int8, forKey key: Key) throws {}
  func encode(_ value: Int16, forKey key: Key) throws {}
  func encode(_ value: Int32, forKey key: Key) throws {}
  func encode(_ value: Int64, forKey key: Key) throws {}
  func encode(_ value: UInt, forKey key: Key) throws {}
  func encode(_ value: UInt8, forKey key: Key) throws {}
  func encode(_ value: UInt16, forKey key: Key) throws {}
  func encode(_ value: UInt32, forKey key: Key) throws {}
  func encode(_ value: UInt64, forKey key: Key) throws {}

  func encode(_ value: some Encodable, forKey key: Key) throws {
    if piece.isURL, key.stringValue == "base" {
      piece.failure = "an address with a base has no column; give its absoluteURL"
    }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(PartsEncoder<Nested>(piece: EncodedPiece()))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    ListEncoder(piece: EncodedPiece())
  }

  func superEncoder() -> any Encoder { PieceEncoder(piece: EncodedPiece()) }
  func superEncoder(forKey key: Key) -> any Encoder { superEncoder() }
}
