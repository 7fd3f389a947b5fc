import CSimdjson
import Glibc

/// A JSON document as a tape of 4 bytes a node over the document's own text, at most three times the
/// text in all. `CSimdjson.h` states the layout.
///
/// Rules:
/// - An integer that fits 64 bits is one; a longer one, and a fraction beyond a double's range, stays
///   text as written (`bigNumber`).
/// - Of duplicate names the last one counts; walking shows them all.
/// - Arrays and objects nest at most 512 deep.
/// - A lone surrogate (`\uD800`) is U+FFFD.
/// - Strict parsing refuses everything that RFC 8259 does not allow, bytes that are no UTF-8, and a
///   byte order mark.
///
/// Lookups never trap: what is not there, or not of that kind, is nil, 0, false or empty.
@safe package final class JSONDocument {
  /// A place in a document's tape; it means nothing in another document.
  package struct Node: Hashable, Sendable {
    let index: Int

    init(index: Int) {
      self.index = index
    }

    /// The node of a place that `place` gave; every use of it is checked against the tape.
    package init(place: Int64) {
      index = Int(clamping: place)
    }

    /// The node as a number, for those who keep it elsewhere.
    package var place: Int64 { Int64(index) }
  }

  package enum Kind: UInt8, Sendable {
    case null
    case boolean
    case integer
    case real
    /// A number that no 64 bits hold; its text is as written.
    case bigNumber
    case string
    case array
    case object
  }

  /// The text, when it is the document's own.
  private let storage: JSONText?
  private let bytes: UnsafePointer<UInt8>?
  private let byteCount: Int
  private let tape: JSONTape
  private let words: UnsafePointer<UInt32>?
  private let wordCount: Int
  /// The last elements that long arrays were asked for, the newest first, so that a walk over one
  /// stays linear while others inside of it are walked.
  private var cursors: [(array: Int, index: Int, place: Int)] = []
  private static let longArray = 16
  private static let maximumCursors = 8

  /// Parses RFC 8259 and nothing else, in a copy of the text.
  ///
  /// - Throws: `.json` with the byte at fault; `.tooLarge` beyond 256 MB.
  package convenience init(parsing text: UnsafeRawBufferPointer) throws(FeedError) {
    let copy = JSONText()
    try unsafe copy.append(text.bindMemory(to: UInt8.self))
    try self.init(consuming: copy)
  }

  /// The same without a copy: the text must stay as it is for as long as the document is used.
  package init(borrowing text: UnsafeRawBufferPointer) throws(FeedError) {
    let base = unsafe text.baseAddress?.assumingMemoryBound(to: UInt8.self)
    tape = unsafe try JSONDocument.parsed(base, text.count)
    storage = nil
    unsafe bytes = base
    byteCount = text.count
    unsafe words = UnsafePointer(tape.words)
    wordCount = tape.count
  }

  /// The same, in the memory where the text is.
  convenience init(consuming text: JSONText) throws(FeedError) {
    self.init(text: text, tape: unsafe try JSONDocument.parsed(text.base, text.count))
  }

  init(text: JSONText, tape: JSONTape) {
    storage = text
    unsafe bytes = UnsafePointer(text.base)
    byteCount = text.count
    self.tape = tape
    unsafe words = UnsafePointer(tape.words)
    wordCount = tape.count
  }

  private static func parsed(
    _ bytes: UnsafePointer<UInt8>?, _ count: Int
  ) throws(FeedError) -> JSONTape {
    guard let bytes = unsafe bytes else { throw .json(message: "no value", offset: 0) }
    var tape = unsafe starling_json_tape()
    if unsafe starling_json_parse(bytes, count, &tape) == 0 { return unsafe JSONTape(owning: tape) }
    let message = unsafe tape.message.map { unsafe String(cString: $0) } ?? "no value"
    let all = unsafe UnsafeBufferPointer(start: bytes, count: count)
    let place = unsafe UTF8Validation.firstBadByte(all) ?? tape.offset
    throw .json(message: message, offset: place)
  }

  /// Memory that the document takes beside its text.
  package var tapeBytes: Int { tape.memoryBytes }

  // MARK: Words

  @inline(__always) private func word(_ index: Int) -> UInt32 {
    guard index >= 0, index < wordCount, let words = unsafe words else { return 0 }
    return unsafe words[index]
  }

  @inline(__always) private func tag(_ node: Node) -> Int { Int(word(node.index) & 0xF) }

  @inline(__always) private func payload(_ node: Node) -> Int { Int(word(node.index) >> 4) }

  /// What stands beside the tape for a node.
  private func wide(_ node: Node) -> UInt64 {
    let index = payload(node)
    guard index < tape.wideCount, let wide = unsafe tape.wide else { return 0 }
    return unsafe wide[index]
  }

  /// How many elements or members a node has, and how many words it takes with all that is in it.
  @inline(__always) private func span(_ index: Int) -> (count: Int, words: Int) {
    let word = word(index)
    switch Int(word & 0xF) {
    case STARLING_JSON_ARRAY, STARLING_JSON_OBJECT:
      return (Int(word >> 4 & 0xFF), max(Int(word >> 12), 1))
    case STARLING_JSON_LONG_ARRAY, STARLING_JSON_LONG_OBJECT:
      let wide = wide(Node(index: index))
      return (Int(wide & 0xFFFF_FFFF), max(Int(wide >> 32), 1))
    default: return (0, 1)
    }
  }

  /// The word behind a node and all that is inside of it.
  @inline(__always) private func end(_ index: Int) -> Int { index + span(index).words }

  // MARK: Values

  package var root: Node { Node(index: 0) }

  package func kind(_ node: Node) -> Kind {
    switch tag(node) {
    case STARLING_JSON_FALSE, STARLING_JSON_TRUE: .boolean
    case STARLING_JSON_INTEGER, STARLING_JSON_WIDE_INTEGER: .integer
    case STARLING_JSON_REAL, STARLING_JSON_WIDE_REAL: .real
    case STARLING_JSON_BIG_NUMBER: .bigNumber
    case STARLING_JSON_STRING, STARLING_JSON_ESCAPED, STARLING_JSON_DECODED: .string
    case STARLING_JSON_ARRAY, STARLING_JSON_LONG_ARRAY: .array
    case STARLING_JSON_OBJECT, STARLING_JSON_LONG_OBJECT: .object
    default: .null
    }
  }

  package func boolean(_ node: Node) -> Bool { tag(node) == STARLING_JSON_TRUE }

  package func integer(_ node: Node) -> Int64 {
    switch tag(node) {
    case STARLING_JSON_INTEGER:
      let rest = unsafe rest(node)
      guard let first = rest.baseAddress else { return 0 }
      return unsafe starling_json_integer(first, first + rest.count)
    case STARLING_JSON_WIDE_INTEGER: return Int64(bitPattern: wide(node))
    default: return 0
    }
  }

  /// The value of a fraction, or of an integer as near as a double comes to it.
  package func real(_ node: Node) -> Double {
    switch tag(node) {
    case STARLING_JSON_REAL:
      let rest = unsafe rest(node)
      guard let first = rest.baseAddress else { return 0 }
      return unsafe starling_json_real(first, first + rest.count)
    case STARLING_JSON_WIDE_REAL: return Double(bitPattern: wide(node))
    default: return Double(integer(node))
    }
  }

  /// The document from the place that a node names on.
  @inline(__always) private func rest(_ node: Node) -> UnsafeBufferPointer<UInt8> {
    let place = payload(node)
    guard place <= byteCount, let bytes = unsafe bytes else {
      return unsafe UnsafeBufferPointer(start: nil, count: 0)
    }
    return unsafe UnsafeBufferPointer(start: bytes + place, count: byteCount - place)
  }

  /// The UTF-8 of a string, a name or a big number; empty for everything else. Its bytes are only
  /// lent.
  package func withText<Result>(
    _ node: Node, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    guard tag(node) == STARLING_JSON_ESCAPED else { return unsafe body(plainText(node)) }
    let rest = unsafe rest(node)
    guard let first = rest.baseAddress else {
      return unsafe body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    let length = unsafe starling_json_escaped_length(first, first + rest.count)
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length + 1) { room in
      guard let to = room.baseAddress else {
        return unsafe body(UnsafeRawBufferPointer(start: nil, count: 0))
      }
      let count = unsafe starling_json_unescape(first, length, to)
      return unsafe body(UnsafeRawBufferPointer(start: to, count: count))
    }
  }

  /// The bytes of a text that stands in the document as it is.
  private func plainText(_ node: Node) -> UnsafeRawBufferPointer {
    let rest = unsafe rest(node)
    guard let first = rest.baseAddress else {
      return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    }
    let count: Int
    switch tag(node) {
    case STARLING_JSON_STRING: count = unsafe JSONDocument.length(first, rest.count, upTo: 0x22)
    case STARLING_JSON_DECODED:
      // Of a cut document the byte that ends its last text stands behind the document.
      count = unsafe JSONDocument.length(first, rest.count, upTo: 0xFF)
    case STARLING_JSON_BIG_NUMBER:
      count = unsafe starling_json_number_length(first, first + rest.count)
    default: count = 0
    }
    return unsafe UnsafeRawBufferPointer(start: first, count: count)
  }

  @inline(__always) private static func length(
    _ first: UnsafePointer<UInt8>, _ count: Int, upTo mark: Int32
  ) -> Int {
    guard let found = unsafe memchr(first, mark, count) else { return count }
    return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(first)
  }

  package func string(_ node: Node) -> String {
    unsafe withText(node) { unsafe String(decoding: $0, as: UTF8.self) }
  }

  // MARK: Arrays and objects

  /// How many elements an array or members an object has, duplicates included.
  package func count(_ node: Node) -> Int { span(node.index).count }

  /// The element of an array at a place from 0 on; walking forward costs the same for each.
  package func element(_ node: Node, _ index: Int) -> Node? {
    let span = span(node.index)
    guard kind(node) == .array, index >= 0, index < span.count else { return nil }
    // An array of scalars has a word for each.
    if span.words == span.count + 1 { return Node(index: node.index + 1 + index) }
    var at = (array: node.index, index: 0, place: node.index + 1)
    let isLong = span.count >= JSONDocument.longArray
    let slot = isLong ? cursors.firstIndex { $0.array == node.index } : nil
    if let slot, cursors[slot].index <= index { at = cursors[slot] }
    while at.index < index { at = (at.array, at.index + 1, end(at.place)) }
    if isLong { keep(at, in: slot) }
    return Node(index: at.place)
  }

  private func keep(_ cursor: (array: Int, index: Int, place: Int), in slot: Int?) {
    if slot == 0 {
      cursors[0] = cursor
      return
    }
    if let slot {
      cursors.remove(at: slot)
    } else if cursors.count == JSONDocument.maximumCursors {
      cursors.removeLast()
    }
    cursors.insert(cursor, at: 0)
  }

  /// The value of an object's last member of that name.
  package func member(_ node: Node, _ key: UnsafeRawBufferPointer) -> Node? {
    guard kind(node) == .object else { return nil }
    var found: Node?
    var at = node.index + 1
    for _ in 0..<count(node) {
      if unsafe isName(Node(index: at), key) { found = Node(index: at + 1) }
      at = end(at + 1)
    }
    return found
  }

  private func isName(_ node: Node, _ key: UnsafeRawBufferPointer) -> Bool {
    if tag(node) == STARLING_JSON_ESCAPED {
      return unsafe withText(node) { unsafe JSONDocument.isEqual($0, key) }
    }
    let rest = unsafe rest(node)
    guard key.count <= rest.count, let name = rest.baseAddress else { return false }
    if let first = unsafe key.first, unsafe name.pointee != first { return false }
    return unsafe JSONDocument.isEqual(plainText(node), key)
  }

  private static func isEqual(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  ) -> Bool {
    guard left.count == right.count else { return false }
    guard let first = left.baseAddress, let second = right.baseAddress else { return true }
    return unsafe memcmp(first, second, left.count) == 0
  }

  package func member(_ node: Node, _ key: String) -> Node? {
    var key = key
    return key.withUTF8 { unsafe member(node, UnsafeRawBufferPointer($0)) }
  }

  /// An array's first element or an object's first name.
  package func firstChild(_ node: Node) -> Node? {
    count(node) > 0 ? Node(index: node.index + 1) : nil
  }

  /// What follows an element, a name or a value inside of its array or object: in an object a name's
  /// value, and a value's next name.
  package func nextSibling(_ node: Node, in parent: Node) -> Node? {
    let next = end(node.index)
    return next < end(parent.index) ? Node(index: next) : nil
  }
}

@available(*, unavailable)
extension JSONDocument: Sendable {}
