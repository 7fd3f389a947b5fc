/// The text that a person would read in a piece of HTML.
///
/// Tags are gone, entities decoded once, scripts and style sheets left out; white space, no-break
/// spaces and the ends of blocks (`<p>`, `<br>`, `<li>`, ...) become one blank, and none at the ends.
/// What is neither tag nor entity stays: `AT&T`, `2 < 3`. No tree is built, since no element's place
/// in one matters, and so the time is that of one pass, however deep or broken the markup is.
package enum HTMLText {
  package static func plain(_ html: String) -> String {
    var html = html
    return html.withUTF8 { bytes in
      unsafe String(decoding: plain(UnsafeRawBufferPointer(bytes)), as: UTF8.self)
    }
  }

  /// - Parameters:
  ///   - html: UTF-8; what is none becomes U+FFFD.
  ///   - isStopped: asked every few kilobytes; when it says true, the rest is left out.
  package static func plain(
    _ html: UnsafeRawBufferPointer, isStopped: () -> Bool = { false }
  ) -> [UInt8] {
    var output: [UInt8] = []
    unsafe appendPlain(html, to: &output, isStopped: isStopped)
    return output
  }

  package static func appendPlain(
    _ html: UnsafeRawBufferPointer, to output: inout [UInt8], isStopped: () -> Bool = { false }
  ) {
    let bytes = unsafe html.bindMemory(to: UInt8.self)
    if let text = unsafe PlainMarkup.text(bytes) {
      if output.isEmpty { output = text } else { output += text }
      return
    }
    unsafe appendParsed(bytes, to: &output, isStopped: isStopped)
  }

  /// The same whatever the markup.
  static func appendParsed(
    _ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8],
    isStopped: () -> Bool = { false }
  ) {
    if unsafe UTF8Validation.isValid(bytes) {
      return unsafe read(bytes, &output, isStopped)
    }
    var repaired: [UInt8] = []
    _ = unsafe UTF8Validation.copyRepaired(bytes, to: &repaired)
    unsafe repaired.withUnsafeBufferPointer { unsafe read($0, &output, isStopped) }
  }

  private static func read(
    _ bytes: UnsafeBufferPointer<UInt8>, _ output: inout [UInt8], _ isStopped: () -> Bool
  ) {
    var folder = TextFolder(output: output)
    output = []
    var tokens = unsafe HTMLTokens(bytes)
    var asked = 0
    while let token = tokens.next() {
      switch token {
      case .text(let range):
        let text = unsafe UnsafeBufferPointer(rebasing: bytes[range])
        guard unsafe decode(text, into: &folder, isStopped) else {
          output = folder.finished()
          return
        }
      case .block: folder.appendBlank()
      case .nothing: break
      }
      guard tokens.place - asked > askedEvery else { continue }
      asked = tokens.place
      if isStopped() { break }
    }
    output = folder.finished()
  }

  /// Bytes between two questions whether to stop.
  private static let askedEvery = 16 << 10

  // MARK: References

  /// False when it was stopped.
  private static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, into folder: inout TextFolder, _ isStopped: () -> Bool
  ) -> Bool {
    var at = 0
    var asked = 0
    while at < bytes.count {
      if at - asked > askedEvery {
        asked = at
        if isStopped() { return false }
      }
      let end = unsafe ByteScan.find("&", in: bytes, from: at) ?? bytes.count
      unsafe folder.append(UnsafeBufferPointer(rebasing: bytes[at..<end]))
      guard end < bytes.count else { return true }
      if let (scalar, past) = unsafe reference(bytes, end) {
        folder.append(scalar: scalar)
        at = past
      } else {
        unsafe folder.append(UnsafeBufferPointer(rebasing: bytes[end...end]))
        at = end + 1
      }
    }
    return true
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
