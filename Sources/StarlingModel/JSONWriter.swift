/// Writes JSON (RFC 8259) to the end of a byte buffer, with no Strings on the way.
///
/// The caller says values in order and closes what it opens; the writer sets the commas. Bytes that
/// are no UTF-8 become U+FFFD, so that the output is always valid.
package struct JSONWriter: Sendable {
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  package init() {}

  /// Empties the buffer and keeps its storage.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  /// Gives what has been written and goes on behind it with an empty buffer.
  package mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  // MARK: Structure

  package mutating func beginObject() { open(UInt8(ascii: "{")) }
  package mutating func endObject() { close(UInt8(ascii: "}")) }
  package mutating func beginArray() { open(UInt8(ascii: "[")) }
  package mutating func endArray() { close(UInt8(ascii: "]")) }

  /// The name of the member whose value follows.
  package mutating func name(_ name: String) {
    text(name)
    colon()
  }

  /// The same for a name of `[a-z0-9_]`, in which nothing is to be escaped.
  mutating func fieldName(_ name: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: name.utf8)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// What was encoded before, up to the place of a value: commas are the caller's.
  package mutating func encoded(_ json: [UInt8]) {
    bytes.append(contentsOf: json)
    needsComma = false
  }

  /// A value that is JSON already.
  package mutating func value(encoded json: UnsafeRawBufferPointer) {
    separate()
    unsafe bytes.append(contentsOf: json)
  }

  /// Ends a line of JSON Lines.
  package mutating func newline() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  @inline(__always)
  private mutating func open(_ byte: UInt8) {
    separate()
    bytes.append(byte)
    needsComma = false
  }

  @inline(__always)
  private mutating func close(_ byte: UInt8) {
    bytes.append(byte)
    needsComma = true
  }

  @inline(__always)
  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  // MARK: Values

  package mutating func null() { raw("null") }
  package mutating func boolean(_ flag: Bool) { raw(flag ? "true" : "false") }

  package mutating func integer(_ number: Int64) {
    separate()
    bytes.append(decimal: number)
  }

  /// A number with no more digits than it takes to read the same number back; integral numbers
  /// print as integers (`165900`). NaN and infinities, which JSON does not have, print as null.
  package mutating func real(_ number: Double) {
    if let integer = Int64(exactly: number), integer.magnitude < 1 << 53 {
      self.integer(integer)
    } else if number.isFinite {
      raw(number.description)
    } else {
      null()
    }
  }

  /// A time as a text: RFC 3339 in UTC, or, outside of the years 0 to 9999, `@` and its seconds.
  package mutating func time(_ time: Timestamp) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    time.appendRFC3339(to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  package mutating func text(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in self.text(span: unsafe utf8.span) }
  }

  package mutating func text(utf8: UnsafeRawBufferPointer) {
    let text = unsafe UnsafeBufferPointer(
      start: utf8.baseAddress?.assumingMemoryBound(to: UInt8.self), count: utf8.count)
    self.text(span: unsafe text.span)
  }

  package mutating func text(span: Span<UInt8>) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    escape(span)
    bytes.append(UInt8(ascii: "\""))
  }

  /// A text in pieces, each of which begins and ends with a whole character.
  package mutating func beginText() {
    separate()
    bytes.append(UInt8(ascii: "\""))
  }

  package mutating func textPiece(_ piece: Span<UInt8>) { escape(piece) }

  package mutating func endText() { bytes.append(UInt8(ascii: "\"")) }

  /// Makes the text that was just written the name of the member whose value follows.
  package mutating func colon() {
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// What is JSON already.
  package mutating func raw(_ json: StaticString) {
    separate()
    unsafe bytes.append(
      contentsOf: UnsafeBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount))
  }

  private mutating func raw(_ json: String) {
    separate()
    bytes.append(contentsOf: json.utf8)
  }

  // MARK: Escapes

  /// Appends the text in runs: most texts have nothing to escape and are copied whole.
  private mutating func escape(_ text: Span<UInt8>) {
    var start = 0
    var index = 0
    while index < text.count {
      if JSONWriter.isPlain(text, at: index) {
        index += 8
        continue
      }
      let stop = min(index + 8, text.count)
      while index < stop {
        let length = JSONWriter.plainLength(text, at: index)
        index += length
        if length > 0 { continue }
        copy(text, start..<index)
        index += escape(text, at: index)
        start = index
      }
    }
    copy(text, start..<text.count)
  }

  /// The length of the scalar at `index` when it is written as it is; 0 when it has to be escaped
  /// or is no UTF-8.
  @inline(__always)
  private static func plainLength(_ text: Span<UInt8>, at index: Int) -> Int {
    let byte = text[index]
    if byte < 0x80 {
      return byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
        && byte != 0x7F ? 1 : 0
    }
    let (scalar, length) = TextFold.decode(text, at: index)
    return scalar == TextFold.invalid || isHarmful(scalar) ? 0 : length
  }

  /// What is hidden wherever it stands, and tags: JSON allows it raw, and a terminal that shows it obeys
  /// or swallows it. Nearly every character that is none is told by the first comparisons.
  @inline(__always)
  private static func isHarmful(_ scalar: UInt32) -> Bool {
    if scalar < 0x61C { return scalar < 0xA0 }
    if scalar > 0x3164, scalar < 0xFEFF { return false }
    return HiddenCharacter.isAlways(scalar) || scalar >= 0xE0020 && scalar <= 0xE007F
  }

  /// Whether the eight bytes at `index` are ASCII without anything to escape: tested at once, each
  /// byte's high bit tells.
  @inline(__always)
  private static func isPlain(_ text: Span<UInt8>, at index: Int) -> Bool {
    guard index + 8 <= text.count else { return false }
    let word = unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
    let each: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ each &* UInt64(UInt8(ascii: "\""))
    let backslashes = word ^ each &* UInt64(UInt8(ascii: "\\"))
    let deletes = word ^ each &* 0x7F
    let hits =
      word | (word &- each &* 0x20) | ((deletes &- each) & ~deletes) | ((quotes &- each) & ~quotes)
      | ((backslashes &- each) & ~backslashes)
    return hits & (each &* 0x80) == 0
  }

  @inline(__always)
  private mutating func copy(_ text: Span<UInt8>, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    unsafe text.extracting(range).withUnsafeBufferPointer { run in
      unsafe bytes.append(contentsOf: run)
    }
  }

  /// - Returns: how many bytes of the text were written.
  private mutating func escape(_ text: Span<UInt8>, at index: Int) -> Int {
    let byte = text[index]
    guard byte < 0x80 else {
      let (scalar, length) = TextFold.decode(text, at: index)
      guard scalar != TextFold.invalid else {
        bytes.append(contentsOf: [0xEF, 0xBF, 0xBD])
        return 1
      }
      escape(code: scalar)
      return length
    }
    escape(byte)
    return 1
  }

  /// `\u202e`; two of them beyond the first plane (RFC 8259, 7).
  private mutating func escape(code: UInt32) {
    guard code <= 0xFFFF else {
      escape(code: 0xD800 + (code - 0x10000) >> 10)
      return escape(code: 0xDC00 + (code - 0x10000) & 0x3FF)
    }
    bytes.append(UInt8(ascii: "\\"))
    bytes.append(UInt8(ascii: "u"))
    for shift in [12, 8, 4, 0] as [UInt32] {
      let digit = UInt8(truncatingIfNeeded: code >> shift & 15)
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }

  private mutating func escape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    default:
      bytes.removeLast()
      escape(code: UInt32(byte))
    }
  }
}

extension [UInt8] {
  /// Appends a number in decimal.
  mutating func append(decimal number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    var rest = number.magnitude
    var divisor: UInt64 = 1
    while rest / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / divisor))
      rest %= divisor
      divisor /= 10
    }
  }
}
