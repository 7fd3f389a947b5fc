import CSimdjson
import Glibc

/// A JSON document as a tape of 8 bytes a node (16 for integers and fractions) over the document's
/// own bytes, in which escapes have been decoded in place. `CSimdjson.h` states the layout.
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

  private let storage: JSONText
  private let bytes: UnsafePointer<UInt8>?
  private let byteCount: Int
  private let words: UnsafeMutablePointer<UInt64>
  private let wordCount: Int
  /// The last elements that long arrays were asked for, the newest first, so that a walk over one
  /// stays linear while others inside of it are walked.
  private var cursors: [(array: Int, index: Int, place: Int)] = []
  private static let longArray = 16
  private static let maximumCursors = 8

  /// Parses RFC 8259 and nothing else.
  ///
  /// - Throws: `.json` with the byte at fault; `.tooLarge` beyond 256 MB.
  package convenience init(parsing text: UnsafeRawBufferPointer) throws(FeedError) {
    let copy = JSONText()
    try unsafe copy.append(text.bindMemory(to: UInt8.self))
    try self.init(consuming: copy)
  }

  /// The same, in the memory where the text is.
  ///
  /// - Throws: as above, and `text` is then as it was.
  convenience init(consuming text: JSONText) throws(FeedError) {
    var tape = unsafe starling_json_tape()
    guard unsafe starling_json_parse(try text.padded(), text.count, &tape) == 0,
      let words = unsafe tape.words
    else {
      if let place = text.firstBadByte {
        throw .json(message: "a byte that is no UTF-8", offset: place)
      }
      let message = unsafe tape.message.map { unsafe String(cString: $0) } ?? "no value"
      throw unsafe .json(message: message, offset: tape.offset)
    }
    unsafe self.init(text: text, words: words, wordCount: tape.count)
  }

  /// Takes over words that malloc gave.
  init(text: JSONText, words: UnsafeMutablePointer<UInt64>, wordCount: Int) {
    storage = text
    unsafe bytes = UnsafePointer(text.base)
    byteCount = text.count
    unsafe self.words = words
    self.wordCount = wordCount
  }

  deinit {
    unsafe free(words)
  }

  /// Memory in use: the document and its tape.
  package var memoryBytes: Int { byteCount + wordCount * 8 }

  // MARK: Words

  @inline(__always) private func word(_ index: Int) -> UInt64 {
    index >= 0 && index < wordCount ? unsafe words[index] : 0
  }

  @inline(__always) private func tag(_ node: Node) -> Int { Int(word(node.index) & 0xF) }

  @inline(__always) private func length(_ node: Node) -> Int {
    Int(word(node.index) >> 4 & 0x0FFF_FFFF)
  }

  @inline(__always) private func place(_ node: Node) -> Int { Int(word(node.index) >> 32) }

  /// The word behind a node and all that is inside of it.
  @inline(__always) private func end(_ index: Int) -> Int {
    switch Int(word(index) & 0xF) {
    case STARLING_JSON_INTEGER, STARLING_JSON_REAL: index + 2
    case STARLING_JSON_ARRAY, STARLING_JSON_OBJECT: max(Int(word(index) >> 32), index + 1)
    default: index + 1
    }
  }

  // MARK: Values

  package var root: Node { Node(index: 0) }

  package func kind(_ node: Node) -> Kind {
    switch tag(node) {
    case STARLING_JSON_FALSE, STARLING_JSON_TRUE: .boolean
    case STARLING_JSON_INTEGER: .integer
    case STARLING_JSON_REAL: .real
    case STARLING_JSON_BIG_NUMBER: .bigNumber
    case STARLING_JSON_STRING: .string
    case STARLING_JSON_ARRAY: .array
    case STARLING_JSON_OBJECT: .object
    default: .null
    }
  }

  package func boolean(_ node: Node) -> Bool { tag(node) == STARLING_JSON_TRUE }

  package func integer(_ node: Node) -> Int64 {
    tag(node) == STARLING_JSON_INTEGER ? Int64(bitPattern: word(node.index + 1)) : 0
  }

  /// The value of a fraction, or of an integer as near as a double comes to it.
  package func real(_ node: Node) -> Double {
    switch tag(node) {
    case STARLING_JSON_REAL: Double(bitPattern: word(node.index + 1))
    case STARLING_JSON_INTEGER: Double(integer(node))
    default: 0
    }
  }

  /// The UTF-8 of a string, a name or a big number; empty for everything else.
  package func withText<Result>(
    _ node: Node, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    unsafe body(text(node))
  }

  private func text(_ node: Node) -> UnsafeRawBufferPointer {
    let tag = tag(node)
    let start = place(node)
    let count = length(node)
    guard tag == STARLING_JSON_STRING || tag == STARLING_JSON_BIG_NUMBER,
      start + count <= byteCount, let bytes = unsafe bytes
    else { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
    return unsafe UnsafeRawBufferPointer(start: bytes + start, count: count)
  }

  package func string(_ node: Node) -> String {
    unsafe String(decoding: text(node), as: UTF8.self)
  }

  // MARK: Arrays and objects

  /// How many elements an array or members an object has, duplicates included.
  package func count(_ node: Node) -> Int {
    let tag = tag(node)
    return tag == STARLING_JSON_ARRAY || tag == STARLING_JSON_OBJECT ? length(node) : 0
  }

  /// The element of an array at a place from 0 on; walking forward costs the same for each.
  package func element(_ node: Node, _ index: Int) -> Node? {
    guard tag(node) == STARLING_JSON_ARRAY, index >= 0, index < length(node) else { return nil }
    var at = (array: node.index, index: 0, place: node.index + 1)
    let isLong = length(node) >= JSONDocument.longArray
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
    guard tag(node) == STARLING_JSON_OBJECT else { return nil }
    var found: Node?
    var at = node.index + 1
    for _ in 0..<length(node) {
      let name = unsafe text(Node(index: at))
      if name.count == key.count, unsafe isEqual(name, key) { found = Node(index: at + 1) }
      at = end(at + 1)
    }
    return found
  }

  private func isEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard let first = left.baseAddress, let second = right.baseAddress else {
      return true
    }
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
