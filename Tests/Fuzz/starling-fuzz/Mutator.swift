/// Makes bad documents of good ones; the same seed makes the same.
struct Mutator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// SplitMix64.
  mutating func next(below limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(max(limit, 1)))
  }

  private static let pieces: [[UInt8]] =
    [
      "<", ">", "&", "]]>", "<![CDATA[", "<!--", "-->", "<!", "<?", "</", "/>", "\"", "'", "&#0;",
      "&#x10FFFF;", "&lt", "<!DOCTYPE x [<!ENTITY a \"&a;&a;\">]>", "&a;", "<item>", "</item>",
      "<entry>", "<title type=\"xhtml\">", "<div>", "xml:base=\"../..\"", "{", "}", "[", "]", ",",
      ":",
      "\\u", "\\ud800", "1e999", "-", "NaN", "\r\n", "\r", "\u{0}", "\u{FEFF}", "\u{92}",
      "encoding=\"utf-16\"", "encoding=\"gbk\"", "Mon, 31 Feb 99999 25:61:61 +9999",
    ].map { Array($0.utf8) } + [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF8, 0x88], [0, 0]]

  /// The document with one to eight changes.
  mutating func mutated(_ document: [UInt8], other: [UInt8]) -> [UInt8] {
    var bytes = document
    for _ in 0...next(below: 8) { change(&bytes, other) }
    return bytes
  }

  private mutating func change(_ bytes: inout [UInt8], _ other: [UInt8]) {
    let at = next(below: bytes.count + 1)
    let end = min(at + 1 + next(below: next(below: 8) == 0 ? bytes.count : 16), bytes.count)
    switch next(below: 8) {
    case 0: bytes.removeSubrange(at..<max(end, at))
    case 1: bytes.insert(contentsOf: bytes[at..<max(end, at)], at: at)
    case 2: bytes.removeSubrange(at...)
    case 3 where at < bytes.count: bytes[at] = UInt8(truncatingIfNeeded: next(below: 256))
    case 4 where at < bytes.count: bytes[at] ^= 1 << UInt8(next(below: 8))
    case 5:
      let start = next(below: other.count)
      bytes.insert(contentsOf: other[start..<min(start + 64, other.count)], at: at)
    default:
      bytes.insert(contentsOf: Mutator.pieces[next(below: Mutator.pieces.count)], at: at)
    }
  }
}
