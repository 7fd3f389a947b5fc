import StarlingFeeds
package import StarlingLua
package import StarlingModel

/// Reads the entity tables of Lua into records of one kind, raw and with no String on the way.
///
/// Each field is converted by its type; what cannot be converted is an error that names the field,
/// and so is a name that the kind does not have. Of several errors that of the first field in the
/// kind's order is raised. Blank text, nil and `json.null` are absent.
package struct EntityReader {
  package let kind: Kind
  /// Whether the names that mean something else in every entity (`tags`, `causes`, ...) may stand
  /// there and are passed over: an entity that a script got from the store has them.
  private let allowsReserved: Bool
  /// What the store says of an entity beside the reserved names.
  private static let seenNames: Set = ["first_seen", "last_seen"]
  /// Bytes of an entity's texts, with a share for each element of its lists, and what they are of the
  /// memory of the state at most: the store needs several times as much for a moment. In Lua a text may
  /// stand in a thousand places and be there once.
  static let longest = 16 << 20
  static let shareOfMemory = 8
  let longest: Int
  static let shareOfElement = 32
  /// Of a text that is long enough for the clock to be looked at.
  private static let longText = 64 << 10
  let stopCheck: LuaStopCheck
  private let lender: Lender
  private let names: [[UInt8]]
  /// The fields that the key is made of.
  private let keyFields: Set<Int>
  let low: LuaKey
  let high: LuaKey
  let currency: LuaKey
  let text: LuaKey
  /// Texts given for a time that are none, since the last `takeUnreadable`.
  private var unreadable: [String] = []

  package init(kind: Kind, state: LuaState, allowsReserved: Bool = false) {
    self.kind = kind
    self.allowsReserved = allowsReserved
    stopCheck = state.stopCheck
    lender = Lender(state)
    longest = min(
      EntityReader.longest, state.configuration.memoryLimit / EntityReader.shareOfMemory)
    names = kind.fields.map { Array($0.name.utf8) }
    keyFields = EntityReader.keyFields(of: kind)
    low = state.key("low")
    high = state.key("high")
    currency = state.key("currency")
    text = state.key("text")
  }

  /// Fills the record with the fields of a table and sets its key from them.
  ///
  /// - Throws: `conversion` with the field as its path; a message when there is no key.
  package mutating func read(
    _ table: LuaView, into record: inout EntityRecord
  ) throws(LuaError) {
    record.reset(fieldCount: kind.fields.count)
    // Lua walks through a table in no order, and what is said of one must not change from run to run.
    var fault: (place: Int, error: LuaError)?
    try table.forEachField { key, value throws(LuaError) in
      let index = unsafe key.bytes.flatMap { unsafe place(of: $0) }
      do throws(LuaError) {
        try read(key, value, at: index, into: &record)
      } catch {
        guard error.isOfValue else { throw error }
        if index ?? .max < fault?.place ?? .max || fault == nil { fault = (index ?? .max, error) }
      }
    }
    if let fault { throw fault.error }
    if kind.key == .auto { return }
    guard EntityKey.setKey(of: &record, kind: kind) else { throw missingKey() }
    if let reason = Longest.faultOfKey(record.key.count) { throw .message(reason) }
  }

  private mutating func read(
    _ key: LuaView, _ value: LuaView, at index: Int?, into record: inout EntityRecord
  ) throws(LuaError) {
    guard let index else {
      guard let name = unsafe key.bytes else {
        throw .message("an entity's field is named by a string, not by a \(key.type.name)")
      }
      return try unsafe passOver(name)
    }
    do throws(LuaError) {
      try set(index, value, in: &record)
    } catch {
      throw error.inside(kind.fields[index].name)
    }
  }

  /// What was given for a time and is none, in the order given; empties the list.
  package mutating func takeUnreadable() -> [String] {
    defer { unreadable.removeAll() }
    return unreadable
  }

  private func place(of name: UnsafeRawBufferPointer) -> Int? {
    names.firstIndex { unsafe $0.count == name.count && name.elementsEqual($0) }
  }

  /// Lets `kind` pass, and what else belongs to every entity.
  private func passOver(_ bytes: UnsafeRawBufferPointer) throws(LuaError) {
    // As much as a message shows of a name that is none.
    let name = unsafe String(decoding: bytes.prefix(Field.longestName), as: UTF8.self)
    if name == "kind" { return }
    let isOfTheStore = Field.reservedNames.contains(name) || EntityReader.seenNames.contains(name)
    if allowsReserved && isOfTheStore { return }
    let hint = Spelling.nearest(to: name, among: kind.fields.map(\.name))
    let advice = hint.map { "; did you mean `\($0)`?" } ?? ""
    throw .message("kind `\(kind.name)` has no field `\(name)`\(advice)", about: name)
  }

  private static func keyFields(of kind: Kind) -> Set<Int> {
    guard case .fields(let key) = kind.key else { return [] }
    return Set(kind.fields.indices.filter { key.contains(kind.fields[$0].name) })
  }

  /// A number that is not whole is no key.
  private static func requireKey(_ value: LuaView) throws(LuaError) {
    guard value.type == .number, value.integer == nil else { return }
    throw .conversion(
      expected: "a whole number or text, as a key", found: EntityReader.shown(value), path: "")
  }

  private func missingKey() -> LuaError {
    guard case .fields(let fields) = kind.key else { return .message("no key") }
    let parts = fields.map { "`\($0)`" }.joined(separator: " and ")
    return .message(
      "no key for a `\(kind.name)`: \(parts) \(fields.count > 1 ? "are" : "is") absent")
  }

  private mutating func set(
    _ index: Int, _ value: LuaView, in record: inout EntityRecord
  ) throws(LuaError) {
    if value.type == .null || value.isNil { return }
    switch kind.fields[index].type {
    case .text, .url:
      if keyFields.contains(index) { try EntityReader.requireKey(value) }
      let range = try appendText(value, to: &record)
      if !range.isEmpty { record.set(index, .text(range)) }
    case .integer:
      try look(at: value)
      if let number = try EntityReader.integer(value) { record.set(index, .integer(number)) }
    case .real:
      try look(at: value)
      if let number = try EntityReader.real(value) { record.set(index, .real(number)) }
    case .boolean:
      if let flag = try EntityReader.boolean(value) { record.set(index, .boolean(flag)) }
    case .time:
      if let time = try readTime(value) { record.set(index, .time(time)) }
    case .money:
      try lender.lend(value) { value throws(LuaError) in
        try setMoney(index, value, in: &record)
      }
    case .list:
      try lender.lend(value) { value throws(LuaError) in
        try setList(index, value, in: &record)
      }
    }
  }
}

// MARK: - Plain types

extension EntityReader {
  /// Appends the text of a string or of a whole number; an empty range for blank text.
  func appendText(
    _ value: LuaView, to record: inout EntityRecord
  ) throws(LuaError) -> Range<Int> {
    switch value.type {
    case .string:
      guard let bytes = unsafe value.bytes, try unsafe isText(bytes) else { return 0..<0 }
      guard record.bytes.count + bytes.count <= longest else { throw tooMuch() }
      try unsafe EntityReader.requireUTF8(bytes)
      return unsafe record.append(bytes)
    case .integer, .number:
      guard let number = value.number, number.isFinite else {
        throw .conversion(expected: "text", found: "a number that is not finite", path: "")
      }
      if let whole = value.integer { return record.append(String(whole)) }
      return record.append(String(number))
    default:
      throw .conversion(expected: "text", found: value.type.name, path: "")
    }
  }

  /// Has long texts read within the time of the call: one may be the value of every field.
  func look(at value: LuaView) throws(LuaError) {
    if value.rawCount > EntityReader.longText { try stopCheck.check() }
  }

  private func isText(_ bytes: UnsafeRawBufferPointer) throws(LuaError) -> Bool {
    if bytes.count > EntityReader.longText { try stopCheck.check() }
    return unsafe !EntityReader.isBlank(bytes)
  }

  func tooMuch() -> LuaError {
    .message(
      "an entity has at most \(longest >> 20) MB of text: 16 MB, and an eighth of the memory")
  }

  private static func isBlank(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe bytes.allSatisfy { $0 <= 0x20 }
  }

  private static func requireUTF8(_ bytes: UnsafeRawBufferPointer) throws(LuaError) {
    if unsafe UTF8Validation.isValid(bytes.bindMemory(to: UInt8.self)) { return }
    do {
      _ = try unsafe UTF8Span(validating: Span(_unsafeBytes: bytes))
    } catch {
      throw .conversion(
        expected: "UTF-8 text", found: "a byte that is none at \(error.byteOffsets.lowerBound + 1)",
        path: "")
    }
  }

  private static func integer(_ value: LuaView) throws(LuaError) -> Int64? {
    if let number = value.integer { return number }
    if let bytes = unsafe value.bytes, unsafe isBlank(bytes) { return nil }
    throw .conversion(expected: "a whole number", found: EntityReader.shown(value), path: "")
  }

  private static func real(_ value: LuaView) throws(LuaError) -> Double? {
    if let number = value.number, number.isFinite { return number }
    if let bytes = unsafe value.bytes, unsafe isBlank(bytes) { return nil }
    throw .conversion(expected: "a finite number", found: EntityReader.shown(value), path: "")
  }

  /// Also as XML Schema writes one: all that XML has is text.
  private static func boolean(_ value: LuaView) throws(LuaError) -> Bool? {
    if let flag = value.boolean { return flag }
    if let number = value.integer, number == 0 || number == 1 { return number == 1 }
    if let bytes = unsafe value.bytes {
      if unsafe isBlank(bytes) { return nil }
      if unsafe bytes.elementsEqual("true".utf8) { return true }
      if unsafe bytes.elementsEqual("false".utf8) { return false }
    }
    throw .conversion(expected: "boolean", found: EntityReader.shown(value), path: "")
  }

  /// A value as an error shows it: its type, and what it is when that is short.
  static func shown(_ value: LuaView) -> String {
    if value.type == .string, let text = try? value.string(), text.utf8.count <= 40 {
      return "\"\(text)\""
    }
    if let number = value.number { return "\(number)" }
    return value.type.name
  }

  /// Seconds since the epoch; nil, and remembered, for a text that no time can be read from.
  private mutating func readTime(_ value: LuaView) throws(LuaError) -> Int64? {
    if value.type == .string, let bytes = unsafe value.bytes {
      if try unsafe !isText(bytes) { return nil }
      if let time = unsafe Timestamp(parsing: bytes) { return time.secondsSinceEpoch }
      unreadable.append(unsafe String(decoding: bytes.prefix(60), as: UTF8.self))
      return nil
    }
    if let number = value.integer ?? value.number.flatMap({ Int64(exactly: $0.rounded(.down)) }) {
      // A time of the store has its own number again; one of a feed may be in milliseconds.
      return allowsReserved ? number : Timestamp(epoch: number)?.secondsSinceEpoch
    }
    throw .conversion(
      expected: "a time (seconds since 1970, or text)", found: EntityReader.shown(value), path: "")
  }
}

// MARK: - Views

extension EntityReader {
  /// Makes tables of what a plugin gives back of a document as it got it. The state owns what reads
  /// for scripts, and is not kept by it.
  private final class Lender {
    private weak var state: LuaState?

    init(_ state: LuaState) { self.state = state }

    func lend(
      _ value: LuaView, _ body: (LuaView) throws(LuaError) -> Void
    ) throws(LuaError) {
      guard value.type == .view, let state else { return try body(value) }
      try state.withCopy(of: value, JSONView.pushCopy, body)
    }
  }
}

extension LuaError {
  /// Whether it says what is wrong with a value, and not that the call must end.
  fileprivate var isOfValue: Bool {
    switch self {
    case .conversion, .runtime: true
    default: false
    }
  }
}
