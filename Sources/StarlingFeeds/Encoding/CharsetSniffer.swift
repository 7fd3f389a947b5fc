import StarlingModel

/// Finds out which charset a document is written in, from its first bytes and what came with it.
///
/// The order: a byte order mark; zero bytes that only UTF-16 and UTF-32 have at a document's start;
/// the charset that the source's configuration names; that of the HTTP header; that of the XML
/// declaration; UTF-8. A declaration other than UTF-8 is not believed while the bytes are UTF-8 with
/// at least one character beyond ASCII (a text in another charset is next to never valid UTF-8 by
/// chance); nor is a header that says UTF-8 while the document says another and is mostly not. When no charset is declared and the bytes are not UTF-8, uchardet is asked, and
/// windows-1252 stands in where it has no answer, unless no letter of it is among the bad bytes.
struct CharsetSniffer {
  struct Verdict {
    var charset: Charset
    /// How many bytes a byte order mark takes.
    var skip = 0
    /// The declared charset, when it was not believed.
    var disbelieved: String?
  }

  /// How much is looked at: what comes later does not change the verdict.
  static let windowBytes = 64 << 10

  var options: FeedOptions

  /// - Parameter bytes: the document's beginning, all of it when `isWhole`.
  func verdict(_ bytes: [UInt8], isWhole: Bool) throws(FeedError) -> Verdict {
    if let (charset, count) = Charset.mark(bytes) { return Verdict(charset: charset, skip: count) }
    if let wide = Charset.wide(bytes) { return Verdict(charset: wide) }
    if let forced = options.charset {
      guard let charset = Charset(label: forced) else { throw .charset(forced) }
      return Verdict(charset: charset)
    }
    let isUTF8 = CharsetSniffer.isUTF8(bytes, isWhole: isWhole)
    let declared = [options.contentType.flatMap(CharsetSniffer.headerCharset), declaration(bytes)]
    for label in declared.compactMap({ $0 }) {
      guard let charset = Charset(label: label), charset.isASCIICompatible else { continue }
      if charset.isUTF8 {
        if isUTF8 { return Verdict(charset: .utf8) }
        return ownCharset(bytes, disbelieved: label) ?? detected(bytes, disbelieved: label)
      }
      let isEscaped = charset.name == "HZ" || charset.name.hasPrefix("ISO-2022")
      if isUTF8, !isEscaped {
        let isASCII = !bytes.contains { $0 >= 0x80 }
        return Verdict(charset: isASCII ? charset : .utf8, disbelieved: isASCII ? nil : label)
      }
      return Verdict(charset: charset)
    }
    return isUTF8 ? Verdict(charset: .utf8) : detected(bytes, disbelieved: nil)
  }

  /// What a document says it is in while its header calls it UTF-8, and it is mostly not.
  private func ownCharset(_ bytes: [UInt8], disbelieved: String) -> Verdict? {
    guard let label = declaration(bytes), let charset = Charset(label: label), !charset.isUTF8,
      charset.isASCIICompatible
    else { return nil }
    let (good, bad, _) = CharsetSniffer.sequences(bytes)
    return good < bad ? Verdict(charset: charset, disbelieved: disbelieved) : nil
  }

  /// The charset of a text that is not quite UTF-8. One that says it is UTF-8 is UTF-8 with bad
  /// bytes, unless there are many and hardly anything valid beyond ASCII; one that says nothing is,
  /// when at least half of it is valid.
  private func detected(_ bytes: [UInt8], disbelieved: String?) -> Verdict {
    let (good, bad, isNoise) = CharsetSniffer.sequences(bytes)
    let isDeclared = disbelieved != nil && (bad < 8 || good * 4 >= bad)
    if isDeclared || (good > 0 && good >= bad) { return Verdict(charset: .utf8) }
    if isNoise { return Verdict(charset: .utf8) }
    let charset = CharsetDetector.detect(bytes) ?? .windows1252
    return Verdict(charset: charset, disbelieved: disbelieved)
  }

  /// Bytes that windows-1252 leaves undefined or that no word of its languages has in practice.
  private static let noise: Set<UInt8> = [0x81, 0x8D, 0x8F, 0x90, 0x9D, 0xFE, 0xFF]

  static func isUTF8(_ bytes: [UInt8], isWhole: Bool) -> Bool {
    unsafe bytes.withUnsafeBufferPointer { all in
      let tail = unsafe UTF8Validation.incompleteTail(all)
      let head = unsafe UnsafeBufferPointer(rebasing: all[..<(all.count - tail)])
      // One byte beyond ASCII at the very end, and no other, is no sign of UTF-8.
      if isWhole, tail == 1, unsafe !head.contains(where: { $0 >= 0x80 }) { return false }
      return unsafe UTF8Validation.isValid(head)
    }
  }

  /// How many multi-byte sequences are valid UTF-8, how many bytes are in none, and whether no text
  /// would have these.
  private static func sequences(_ bytes: [UInt8]) -> (good: Int, bad: Int, isNoise: Bool) {
    var copy: [UInt8] = []
    var isNoise = true
    let bad = unsafe bytes.withUnsafeBufferPointer {
      unsafe UTF8Validation.copyRepaired($0, to: &copy) { place, _ in
        if !noise.contains(bytes[place - 1]) { isNoise = false }
      }
    }
    let leads = copy.count { $0 >= 0xC0 }
    return (leads - bad.count, bad.count, isNoise)
  }

  /// The charset parameter of a Content-Type.
  static func headerCharset(_ value: String) -> String? {
    for part in value.split(separator: ";").dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, String(pair[0]).trimmed.lowercased() == "charset" else { continue }
      let label = String(pair[1]).trimmed.filter { $0 != "\"" && $0 != "'" }
      if !label.isEmpty { return label }
    }
    return nil
  }

  /// The encoding of an XML declaration, which may come behind blank lines.
  private func declaration(_ bytes: [UInt8]) -> String? {
    let head = String(decoding: bytes.prefix(1024), as: UTF8.self)
    guard let start = head.firstRange(of: "<?xml"),
      let end = head[start.upperBound...].firstRange(of: "?>"),
      let name = head[start.upperBound..<end.lowerBound].firstRange(of: "encoding")
    else { return nil }
    let rest = head[name.upperBound..<end.lowerBound].drop { $0 == "=" || $0.isWhitespace }
    guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
    let label = rest.dropFirst().prefix { $0 != quote }
    return label.isEmpty ? nil : String(label)
  }
}
