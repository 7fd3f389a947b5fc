/// Reads the text of HTML whose markup is plain, ten times as fast as a parser: tags of common
/// elements, closed in the order in which they were opened, and references that end in a semicolon.
/// Whatever is not plain is left to libxml2's parser, which gives the same text for what is.
@safe
struct PlainMarkup: ~Copyable {
  private let input: UnsafeBufferPointer<UInt8>
  private let size: Int
  private let output: UnsafeMutableBufferPointer<UInt8>
  private var at = 0
  private var count = 0
  private var needsBlank = false
  private var open = InlineArray<32, UInt64>(repeating: 0)
  private var depth = 0

  /// The text with its white space folded; nil when the markup is not plain.
  static func text(_ html: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard unsafe UTF8Validation.isValid(html) else { return nil }
    var isPlain = false
    // No reference and no tag is shorter than what it becomes.
    let text = unsafe [UInt8](unsafeUninitializedCapacity: html.count) { output, count in
      var reader = unsafe PlainMarkup(input: html, output: output)
      isPlain = reader.read()
      count = reader.count
    }
    return isPlain ? text : nil
  }

  private init(
    input: UnsafeBufferPointer<UInt8>, output: UnsafeMutableBufferPointer<UInt8>
  ) {
    unsafe self.input = unsafe input
    size = input.count
    unsafe self.output = unsafe output
  }

  /// False where something is not plain.
  private mutating func read() -> Bool {
    while at < size {
      let byte = unsafe input[at]
      switch byte {
      case 0x3C: guard tag() else { return false }
      case 0x26: guard reference() else { return false }
      case 0x20, 0x09, 0x0A, 0x0D: skipBlank(1)
      case 0..<0x20: return false
      case 0xC2 where unsafe at + 1 < size && input[at + 1] == 0xA0: skipBlank(2)
      default: run()
      }
    }
    return true
  }

  private mutating func skipBlank(_ width: Int) {
    needsBlank = count > 0
    at += width
  }

  private mutating func append(_ byte: UInt8) {
    unsafe output[count] = byte
    count &+= 1
  }

  private mutating func separate() {
    if needsBlank { append(0x20) }
    needsBlank = false
  }

  /// Copies up to the next byte that may be more than text, eight bytes at a time.
  private mutating func run() {
    separate()
    // Whatever the first byte is, it is text here.
    unsafe append(input[at])
    at &+= 1
    // The output is as long as the input and never ahead of it: what is written too much is
    // written over, or not counted.
    while at &+ 8 <= size {
      let word = unsafe UnsafeRawBufferPointer(input).loadUnaligned(
        fromByteOffset: at, as: UInt64.self)
      unsafe UnsafeMutableRawBufferPointer(output).storeBytes(
        of: word, toByteOffset: count, as: UInt64.self)
      let length = PlainMarkup.textLength(UInt64(littleEndian: word))
      at &+= length
      count &+= length
      if length < 8 { return }
    }
    while unsafe at < size && PlainMarkup.isText(input[at]) {
      unsafe append(input[at])
      at &+= 1
    }
  }

  /// How many of eight bytes, of which the first is the lowest, come before the first that may be
  /// more than text.
  @inline(__always)
  private static func textLength(_ word: UInt64) -> Int {
    // Up to the lowest hit each of these is exact: no borrow has come from below.
    let ones: UInt64 = 0x0101_0101_0101_0101
    var hits = (word &- ones &* 0x21) & ~word
    for byte: UInt64 in [0x3C, 0x26, 0xC2] {
      let other = word ^ ones &* byte
      hits |= (other &- ones) & ~other
    }
    hits &= ones &* 0x80
    return hits == 0 ? 8 : hits.trailingZeroBitCount >> 3
  }

  private static func isText(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte != 0x3C && byte != 0x26 && byte != 0xC2
  }

  // MARK: References

  private mutating func reference() -> Bool {
    guard let (scalar, end) = reference(at: at) else { return false }
    at = end
    if scalar == " " || scalar == "\u{A0}" {
      needsBlank = count > 0
      return true
    }
    // The folding of other white space is not for here.
    guard !scalar.properties.isWhitespace, scalar.value >= 0x20 else { return false }
    separate()
    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(byte) }
    return true
  }

  private func reference(at start: Int) -> (Unicode.Scalar, end: Int)? {
    guard start + 1 < size else { return nil }
    if unsafe input[start + 1] == 0x23 {
      guard let (number, end) = unsafe Entities.number(input, from: start + 1),
        number >= 0x20, !(0x7F..<0xA0).contains(number),
        let scalar = Entities.scalar(number: number)
      else { return nil }
      return (scalar, end)
    }
    var end = start + 1
    while end < size, end - start < 12, unsafe PlainMarkup.isAlphanumeric(input[end]) {
      end += 1
    }
    guard end < size, unsafe input[end] == 0x3B else { return nil }
    let name = unsafe UnsafeBufferPointer(rebasing: input[(start + 1)..<end])
    guard let scalar = unsafe Entities.scalar(name) else { return nil }
    return (scalar, end + 1)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || (byte >= 0x30 && byte <= 0x39)
  }

  // MARK: Tags

  private mutating func tag() -> Bool {
    var place = at + 1
    let isEnd = unsafe place < size && input[place] == 0x2F
    if isEnd { place += 1 }
    // Letters and digits of the name, packed in lower case.
    var name: UInt64 = 0
    let first = place
    while place < size, unsafe PlainMarkup.isAlphanumeric(input[place]) {
      guard place - first < 8 else { return false }
      name = unsafe name << 8 | UInt64(input[place] | 0x20)
      place += 1
    }
    guard let element = PlainMarkup.element(name), let end = closing(from: place) else {
      return false
    }
    if element != .inline { needsBlank = count > 0 }
    at = end.past
    if isEnd { return close(name) }
    if element == .void || end.isEmpty { return true }
    guard depth < 32 else { return false }
    open[depth] = name
    depth += 1
    return true
  }

  private mutating func close(_ name: UInt64) -> Bool {
    guard depth > 0, open[depth - 1] == name else { return false }
    depth -= 1
    return true
  }

  /// The place past a tag's `>`, and whether the tag ends in `/>`. Nil unless its attributes are as
  /// they should be.
  private func closing(from start: Int) -> (past: Int, isEmpty: Bool)? {
    var place = start
    var previous: UInt8 = 0x20
    while place < size {
      let byte = unsafe input[place]
      switch byte {
      case 0x3E: return (place + 1, previous == 0x2F)
      case 0x3C: return nil
      case 0x22, 0x27:
        guard previous == 0x3D, place > start else { return nil }
        place += 1
        while place < size, unsafe input[place] != byte {
          guard unsafe input[place] >= 0x20 else { return nil }
          place += 1
        }
      case 0..<0x20: guard byte == 0x0A || byte == 0x0D || byte == 0x09 else { return nil }
      default:
        // A name goes on with what is neither a blank nor a slash: `<p:x>`, `<a-b>`.
        if place == start, byte != 0x20, byte != 0x2F { return nil }
      }
      previous = byte
      place += 1
    }
    return nil
  }

  private enum Element { case inline, block, void }

  private static func element(_ name: UInt64) -> Element? {
    if inlineNames.contains(name) { return .inline }
    if blockNames.contains(name) { return .block }
    return voidNames.contains(name) ? .void : nil
  }

  private static let inlineNames = packed([
    "a", "b", "i", "em", "strong", "span", "code", "u", "s", "small", "sub", "sup", "font", "tt",
    "abbr", "cite", "del", "ins", "q", "big",
  ])
  private static let blockNames = packed([
    "p", "div", "li", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "dl", "dt", "dd",
  ])
  private static let voidNames = packed(["br", "img", "hr"])

  private static func packed(_ names: [String]) -> [UInt64] {
    names.map { $0.utf8.reduce(0) { $0 << 8 | UInt64($1) } }
  }
}
