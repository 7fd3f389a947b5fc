import StarlingModel

/// Finds the field type of one property's type.
final class ProbePiece: Decoder {
  /// Why no field can hold it.
  struct Unfit: Error {
    var reason: String
  }

  /// What is given where a text or a whole number is asked for. Types refuse some: a UUID is no "".
  let text: String
  let number: Int8
  private(set) var found: FieldType?
  private(set) var unfit: Unfit?
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  private static let texts = [
    "", "0", "a", "00000000-0000-0000-0000-000000000000", "https://example.com/",
    "2000-01-01T00:00:00Z",
  ]
  private static let numbers: [Int8] = [0, 1]

  private init(text: String, number: Int8) {
    self.text = text
    self.number = number
  }

  /// The field type of a Swift type, and a value of it where one can be made up.
  ///
  /// - Throws: `Unfit`.
  static func look<Part: Decodable>(at type: Part.Type) throws -> (FieldType, Part?) {
    if let (found, value) = known(type) { return (found, value as? Part) }
    var found: FieldType?
    for (text, number) in texts.map({ ($0, 0) }) + numbers.dropFirst().map({ ("", $0) }) {
      let probe = ProbePiece(text: text, number: number)
      let value = try? Part(from: probe)
      if let unfit = probe.unfit { throw unfit }
      found = found ?? probe.found
      guard let found else { throw Unfit(reason: EncodedPiece.nested) }
      if value != nil { return (FoundationType(type) == .date ? .time : found, value) }
    }
    guard let found else { throw Unfit(reason: EncodedPiece.nested) }
    let value =
      (Part.self as? any CaseIterable.Type).flatMap { first(of: $0) as? Part }
      ?? (Part.self as? any RawRepresentable.Type).flatMap { firstCase(of: $0) as? Part }
      ?? (Part.self as? any MadeUp.Type).flatMap { $0.madeUp as? Part }
    return (found, value)
  }

  private static func first<Cases: CaseIterable>(of type: Cases.Type) -> Any? {
    type.allCases.first
  }

  /// The first case of an enum with raw values, which tells nobody what they are.
  ///
  /// The cases of an enum without payloads are numbered from 0 (Swift: docs/ABI/TypeLayout.rst), so
  /// zeros are its first. What is smaller than a pointer refers to nothing: there is nothing to
  /// retain or to release, and the value is dropped once the type's `init(from:)` has had it.
  private static func firstCase<Raw: RawRepresentable>(of type: Raw.Type) -> Any? {
    guard MemoryLayout<Raw>.size < MemoryLayout<UInt>.size else { return nil }
    return unsafe withUnsafeTemporaryAllocation(of: UInt.self, capacity: 1) { word in
      unsafe word.initialize(repeating: 0)
      return unsafe UnsafeRawBufferPointer(word).load(as: Raw.self)
    }
  }

  private static func known(_ type: any Any.Type) -> (FieldType, Any)? {
    switch ObjectIdentifier(type) {
    case ObjectIdentifier(Timestamp.self): return (.time, Timestamp(secondsSinceEpoch: 0))
    case ObjectIdentifier(URLReference.self): return (.url, URLReference(""))
    case ObjectIdentifier(Money.self):
      return (.money, Money(low: nil, high: nil, currency: nil, text: ""))
    default: return nil
    }
  }

  func note(_ type: FieldType) {
    found = found ?? type
  }

  func refuse(_ reason: String) -> Unfit {
    let unfit = unfit ?? Unfit(reason: reason)
    self.unfit = unfit
    return unfit
  }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard String(reflecting: type).hasPrefix("Foundation"), Key(stringValue: "relative") != nil
    else { throw refuse(EncodedPiece.nested) }
    note(.url)
    let values: [String: Value] = ["relative": "https://example.com/"]
    let source = EntitySource(
      type: "", entity: Entity(kind: "", key: "", values: values), defaults: [:], hasKey: false)
    return EntityDecoder(source: source).container(keyedBy: type)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    note(.list)
    return ProbeList(list: self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { ProbeValue(piece: self) }
}

/// A type of which an empty value stands for any.
private protocol MadeUp {
  static var madeUp: Self { get }
}

extension Array: MadeUp {
  fileprivate static var madeUp: Self { [] }
}

extension Set: MadeUp {
  fileprivate static var madeUp: Self { [] }
}

extension Optional: MadeUp {
  fileprivate static var madeUp: Self { nil }
}

/// One value, made up.
private struct ProbeValue: SingleValueDecodingContainer {
  let piece: ProbePiece
  var codingPath: [any CodingKey] { [] }

  private func made<Part>(_ type: FieldType, _ value: Part) -> Part {
    piece.note(type)
    return value
  }

  func decodeNil() -> Bool { false }
  func decode(_ type: Bool.Type) -> Bool { made(.boolean, false) }
  func decode(_ type: String.Type) -> String { made(.text, piece.text) }
  func decode(_ type: Double.Type) -> Double { made(.real, 0) }
  func decode(_ type: Float.Type) -> Float { made(.real, 0) }
  func decode(_ type: Int.Type) -> Int { made(.integer, Int(piece.number)) }
  func decode(_ type: Int8.Type) -> Int8 { made(.integer, Int8(piece.number)) }
  func decode(_ type: Int16.Type) -> Int16 { made(.integer, Int16(piece.number)) }
  func decode(_ type: Int32.Type) -> Int32 { made(.integer, Int32(piece.number)) }
  func decode(_ type: Int64.Type) -> Int64 { made(.integer, Int64(piece.number)) }
  func decode(_ type: UInt.Type) -> UInt { made(.integer, UInt(piece.number)) }
  func decode(_ type: UInt8.Type) -> UInt8 { made(.integer, UInt8(piece.number)) }
  func decode(_ type: UInt16.Type) -> UInt16 { made(.integer, UInt16(piece.number)) }
  func decode(_ type: UInt32.Type) -> UInt32 { made(.integer, UInt32(piece.number)) }
  func decode(_ type: UInt64.Type) -> UInt64 { made(.integer, UInt64(piece.number)) }

  func decode<Part: Decodable>(_ type: Part.Type) throws -> Part {
    let found: FieldType
    let value: Part?
    do {
      (found, value) = try ProbePiece.look(at: type)
    } catch let unfit as ProbePiece.Unfit {
      throw piece.refuse(unfit.reason)
    }
    piece.note(found)
    guard let value else { throw ProbePiece.Unfit(reason: "no \(type) can be made up") }
    return value
  }
}

/// A list of one made-up element, which must be a text.
private struct ProbeList: UnkeyedDecodingContainer {
  let list: ProbePiece
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { [] }
  var count: Int? { 1 }
  var isAtEnd: Bool { currentIndex > 0 }

  init(list: ProbePiece) {
    self.list = list
  }

  private mutating func refuse<Part>(_ type: Part.Type) throws -> Part {
    currentIndex += 1
    throw list.refuse("a list holds texts, and its elements are \(type)")
  }

  func decodeNil() -> Bool { false }
  mutating func decode(_ type: Bool.Type) throws -> Bool { try refuse(type) }

  mutating func decode(_ type: String.Type) -> String {
    currentIndex += 1
    return ""
  }

  mutating func decode(_ type: Double.Type) throws -> Double { try refuse(type) }
  mutating func decode(_ type: Float.Type) throws -> Float { try refuse(type) }
  mutating func decode(_ type: Int.Type) throws -> Int { try refuse(type) }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try refuse(type) }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try refuse(type) }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try refuse(type) }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try refuse(type) }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try refuse(type) }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try refuse(type) }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try refuse(type) }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try refuse(type) }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try refuse(type) }

  mutating func decode<Part: Decodable>(_ type: Part.Type) throws -> Part {
    currentIndex += 1
    guard let (found, value) = try? ProbePiece.look(at: type), found == .text || found == .url
    else {
      throw list.refuse("a list holds texts, and its elements are \(type)")
    }
    // An enum without a case to name is no fault of the list, which can be empty.
    guard let value else { throw ProbePiece.Unfit(reason: "no \(type) can be made up") }
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    throw list.refuse(EncodedPiece.nested)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw list.refuse("a list holds texts, not lists")
  }

  mutating func superDecoder() throws -> any Decoder { throw list.refuse(EncodedPiece.nested) }
}
