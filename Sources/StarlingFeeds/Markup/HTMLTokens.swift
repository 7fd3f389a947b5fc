/// Takes HTML apart into text and what is none, in one pass (HTML Living Standard, 13.2.5, as far as
/// the text of a page depends on it).
@safe
struct HTMLTokens: ~Copyable {
  enum Token {
    /// Text, with its references.
    case text(Range<Int>)
    /// A tag that parts the words around it.
    case block
    /// A tag or comment that does not.
    case nothing
  }

  private let input: UnsafeBufferPointer<UInt8>
  private let size: Int
  /// How far the input has been read.
  private(set) var place = 0
  /// A quote that was searched for in vain is not searched for again, so that the time stays linear.
  private var missingQuotes: Set<UInt8> = []

  init(_ input: UnsafeBufferPointer<UInt8>) {
    unsafe self.input = unsafe input
    size = input.count
  }

  /// The next token; nil at the end.
  mutating func next() -> Token? {
    guard place < size else { return nil }
    let start = place
    while let open = unsafe ByteScan.find("<", in: input, from: place) {
      guard isMarkup(open) else {
        place = open + 1
        continue
      }
      if open > start {
        place = open
        return .text(start..<open)
      }
      return markup(open)
    }
    place = size
    return .text(start..<place)
  }

  private func byte(_ at: Int) -> UInt8 { at < size ? unsafe input[at] : 0 }

  private func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }

  /// Whether a `<` begins a tag, a comment or a declaration.
  private func isMarkup(_ open: Int) -> Bool {
    let next = byte(open + 1)
    return isLetter(next) || next == 0x2F || next == 0x21 || next == 0x3F
  }

  private mutating func markup(_ open: Int) -> Token {
    let isEnd = byte(open + 1) == 0x2F
    let first = isEnd ? open + 2 : open + 1
    guard isLetter(byte(first)) else {
      skipComment(open)
      return .nothing
    }
    let name = name(first)
    skipTag(first + name.count)
    if !isEnd, name == HTMLTokens.script || name == HTMLTokens.style { skipRawText(name) }
    return HTMLTokens.inline.contains(name) ? .nothing : .block
  }

  /// The name of an element in lower case. One longer than any that matters is cut.
  private func name(_ start: Int) -> [UInt8] {
    var name: [UInt8] = []
    while name.count < 16 {
      let byte = byte(start + name.count)
      guard byte > 0x20, byte != 0x2F, byte != 0x3E else { break }
      name.append(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte)
    }
    return name
  }

  /// Goes on behind the `>` of a tag; one inside of a quoted value is none.
  private mutating func skipTag(_ start: Int) {
    var at = start
    var previous: UInt8 = 0
    while at < size {
      let byte = byte(at)
      if byte == 0x3E {
        place = at + 1
        return
      }
      let isQuote = byte == 0x22 || byte == 0x27
      if isQuote, previous == 0x3D, let close = closing(byte, from: at + 1) { at = close }
      if byte > 0x20 { previous = byte }
      at += 1
    }
    place = size
  }

  private mutating func closing(_ quote: UInt8, from start: Int) -> Int? {
    if missingQuotes.contains(quote) { return nil }
    let found = unsafe ByteScan.find(quote, in: input, from: start)
    if found == nil { missingQuotes.insert(quote) }
    return found
  }

  /// A comment ends at `-->`, everything else that begins with `<!`, `<?` or `</` at `>`.
  private mutating func skipComment(_ open: Int) {
    let isComment = byte(open + 1) == 0x21 && byte(open + 2) == 0x2D && byte(open + 3) == 0x2D
    if isComment {
      // `<!-->` is a comment that is empty.
      let end = unsafe ByteScan.find("-->", in: input, from: open + 2)
      place = end.map { $0 + 3 } ?? size
    } else {
      let end = unsafe ByteScan.find(0x3E as UInt8, in: input, from: open + 2)
      place = end.map { $0 + 1 } ?? size
    }
  }

  /// A script or style sheet ends at its end tag alone.
  private mutating func skipRawText(_ name: [UInt8]) {
    let end = [0x3C, 0x2F] + name
    while let found = unsafe ByteScan.find("<", in: input, from: place) {
      place = found + 1
      if zip(end, found...).allSatisfy({ lower(byte($1)) == $0 }) {
        return skipTag(found + end.count)
      }
    }
    place = size
  }

  private func lower(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }

  private static let script = Array("script".utf8)
  private static let style = Array("style".utf8)

  /// Inline elements leave the words around them joined; all others part them.
  private static let inline = Set(
    [
      "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em",
      "font", "i", "ins", "kbd", "label", "mark", "q", "rb", "ruby", "s", "samp", "small", "span",
      "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
    ].map { Array($0.utf8) })
}
