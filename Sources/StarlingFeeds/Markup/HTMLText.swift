import CXML2

/// The text that a person would read in a piece of HTML.
///
/// Tags are gone, entities decoded once, scripts and style sheets left out; white space, no-break
/// spaces and the ends of blocks (`<p>`, `<br>`, `<li>`, ...) become one blank, and none at the ends.
/// What is neither tag nor entity stays: `AT&T`, `2 < 3`.
package enum HTMLText {
  package static func plain(_ html: String) -> String {
    var html = html
    return html.withUTF8 { bytes in
      unsafe String(decoding: plain(UnsafeRawBufferPointer(bytes)), as: UTF8.self)
    }
  }

  /// - Parameter html: UTF-8.
  package static func plain(_ html: UnsafeRawBufferPointer) -> [UInt8] {
    var output: [UInt8] = []
    unsafe appendPlain(html, to: &output)
    return output
  }

  package static func appendPlain(_ html: UnsafeRawBufferPointer, to output: inout [UInt8]) {
    let bytes = unsafe html.bindMemory(to: UInt8.self)
    if let text = unsafe PlainMarkup.text(bytes) {
      if output.isEmpty { output = text } else { output += text }
      return
    }
    unsafe appendParsed(bytes, to: &output)
  }

  /// The same by a parser, whatever the markup.
  static func appendParsed(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    var folder = TextFolder(output: output)
    output = []
    if unsafe hasTag(bytes) {
      unsafe parse(bytes, into: &folder)
    } else {
      unsafe decode(bytes, into: &folder)
    }
    output = folder.finished()
  }

  /// Whether there is a `<` that begins a tag.
  private static func hasTag(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var at = 0
    while at + 1 < bytes.count {
      guard let open = unsafe ByteScan.find("<", in: bytes, from: at), open + 1 < bytes.count
      else { return false }
      let next = unsafe bytes[open + 1]
      let isLetter = next | 0x20 >= 0x61 && next | 0x20 <= 0x7A
      if isLetter || next == 0x2F || next == 0x21 || next == 0x3F { return true }
      at = open + 1
    }
    return false
  }

  // MARK: Without a tag

  private static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, into folder: inout TextFolder
  ) {
    var at = 0
    while at < bytes.count {
      let end = unsafe ByteScan.find("&", in: bytes, from: at) ?? bytes.count
      unsafe folder.append(UnsafeBufferPointer(rebasing: bytes[at..<end]))
      guard end < bytes.count else { return }
      if let (scalar, past) = unsafe reference(bytes, end) {
        folder.append(scalar: scalar)
        at = past
      } else {
        unsafe folder.append(UnsafeBufferPointer(rebasing: bytes[end...end]))
        at = end + 1
      }
    }
  }

  /// The character of the reference at an ampersand. HTML's oldest entities need no semicolon.
  private static func reference(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int
  ) -> (scalar: Unicode.Scalar, end: Int)? {
    if start + 1 < bytes.count, unsafe bytes[start + 1] == 0x23 {
      guard let (value, end) = unsafe Entities.number(bytes, from: start + 1) else { return nil }
      return (Entities.scalar(number: value) ?? "\u{FFFD}", end)
    }
    var end = start + 1
    while end < bytes.count, end - start < 12, unsafe isAlphanumeric(bytes[end]) { end += 1 }
    let name = unsafe UnsafeBufferPointer(rebasing: bytes[(start + 1)..<end])
    let isClosed = unsafe end < bytes.count && bytes[end] == 0x3B
    guard let scalar = unsafe Entities.scalar(name) else { return nil }
    if isClosed { return (scalar, end + 1) }
    return ["&", "<", ">", "\"", "\u{A0}", "©", "®"].contains(scalar) ? (scalar, end) : nil
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || (byte >= 0x30 && byte <= 0x39)
  }

  // MARK: With libxml2's HTML parser

  private static func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, into folder: inout TextFolder
  ) {
    _ = XMLPushParser.isReady
    guard let context = unsafe htmlNewParserCtxt() else {
      return unsafe decode(bytes, into: &folder)
    }
    defer { unsafe htmlFreeParserCtxt(context) }
    let reader = HTMLTextReader(folder)
    folder = TextFolder(output: [])
    unsafe context.pointee.sax.pointee = HTMLTextReader.handlers()
    unsafe context.pointee.userData = Unmanaged.passUnretained(reader).toOpaque()
    let flags = [
      HTML_PARSE_RECOVER, HTML_PARSE_NOERROR, HTML_PARSE_NOWARNING, HTML_PARSE_NONET,
      HTML_PARSE_NOIMPLIED, HTML_PARSE_NODEFDTD,
    ]
    // Outside of any element the parser would make paragraphs of every piece of text.
    var page: [UInt8] = []
    page.reserveCapacity(bytes.count + 5)
    page.append("<div>")
    unsafe page.append(contentsOf: bytes)
    unsafe page.withUnsafeBytes { all in
      let text = unsafe all.bindMemory(to: CChar.self)
      _ = unsafe htmlCtxtReadMemory(
        context, text.baseAddress, Int32(truncatingIfNeeded: min(text.count, 1 << 30)), nil,
        "UTF-8", Int32(flags.reduce(0) { $0 | $1.rawValue }))
    }
    folder = reader.folder
  }
}

/// Takes the events of libxml2's HTML parser.
private final class HTMLTextReader {
  var folder: TextFolder
  /// How many open elements hide their text.
  private var hidden = 0

  init(_ folder: TextFolder) {
    self.folder = folder
  }

  static func handlers() -> xmlSAXHandler {
    var handlers = unsafe xmlSAXHandler()
    unsafe handlers.startElement = { target, name, _ in
      guard let target = unsafe target, let name = unsafe name else { return }
      unsafe HTMLTextReader.from(target).start(name)
    }
    unsafe handlers.endElement = { target, name in
      guard let target = unsafe target, let name = unsafe name else { return }
      unsafe HTMLTextReader.from(target).end(name)
    }
    let text: charactersSAXFunc = { target, bytes, count in
      guard let target = unsafe target, let bytes = unsafe bytes else { return }
      unsafe HTMLTextReader.from(target).text(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
    unsafe handlers.characters = text
    unsafe handlers.ignorableWhitespace = text
    return unsafe handlers
  }

  private static func from(_ target: UnsafeMutableRawPointer) -> HTMLTextReader {
    unsafe Unmanaged<HTMLTextReader>.fromOpaque(target).takeUnretainedValue()
  }

  private func start(_ name: UnsafePointer<xmlChar>) {
    if unsafe isHidden(name) { hidden += 1 }
    if unsafe isBlock(name) { folder.appendBlank() }
  }

  private func end(_ name: UnsafePointer<xmlChar>) {
    if unsafe isHidden(name), hidden > 0 { hidden -= 1 }
    if unsafe isBlock(name) { folder.appendBlank() }
  }

  private func text(_ bytes: UnsafeBufferPointer<UInt8>) {
    if hidden == 0 { unsafe folder.append(bytes) }
  }

  private func isHidden(_ name: UnsafePointer<xmlChar>) -> Bool {
    unsafe xmlStrEqual(name, "script") != 0 || xmlStrEqual(name, "style") != 0
  }

  /// Inline elements leave the words around them joined; all others part them.
  private func isBlock(_ name: UnsafePointer<xmlChar>) -> Bool {
    unsafe !HTMLTextReader.inline.contains(String(cString: name))
  }

  private static let inline: Set<String> = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "ins", "kbd", "label", "mark", "q", "rb", "ruby", "s", "samp", "small", "span",
    "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
  ]
}

/// Appends text with its white space folded.
private struct TextFolder {
  private var output: [UInt8]
  private let start: Int
  private var needsBlank = false

  init(output: [UInt8]) {
    self.output = output
    start = output.count
  }

  func finished() -> [UInt8] { output }

  mutating func appendBlank() {
    needsBlank = output.count > start
  }

  private mutating func separate() {
    if needsBlank { output.append(0x20) }
    needsBlank = false
  }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    var at = 0
    while at < bytes.count {
      let width = unsafe blankWidth(bytes, at)
      if width > 0 {
        appendBlank()
        at += width
        continue
      }
      var end = at + 1
      while end < bytes.count, unsafe blankWidth(bytes, end) == 0 { end += 1 }
      separate()
      unsafe output.append(contentsOf: bytes[at..<end])
      at = end
    }
  }

  mutating func append(scalar: Unicode.Scalar) {
    if scalar.properties.isWhitespace || scalar.value < 0x20 { return appendBlank() }
    separate()
    output.append(scalar: scalar)
  }

  /// How many bytes of white space there are at a place: ASCII's, and U+00A0.
  private func blankWidth(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> Int {
    let byte = unsafe bytes[at]
    if byte <= 0x20 { return 1 }
    if byte == 0xC2, at + 1 < bytes.count, unsafe bytes[at + 1] == 0xA0 { return 2 }
    return 0
  }
}
