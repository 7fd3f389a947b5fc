/// The words of texts as the search index has them, each with a blank after it.
///
/// A word of a script that separates its words is one token, folded (`SearchLetter`). Of what is
/// written without blanks each character makes one with the next, and the last one alone: `新电池`
/// gives `新电 电池 池`. So two characters are one token wherever they stand, three are two tokens
/// side by side, and one is the beginning of a token.
package struct SearchTokens: Sendable {
  /// Where a token comes from.
  struct Place: Sendable {
    /// Its bytes in `bytes`.
    var token: Range<Int>
    /// Where it stands in the text.
    var text: Range<Int>
    /// Where the first of a pair's characters ends, in the text.
    var firstEnd: Int
    var role: Role
  }

  enum Role: Sendable {
    case word
    case pair
    /// The last character of a run without blanks.
    case last
  }

  /// The tokens' bytes: ASCII, or UTF-8 above it, with blanks between. Only the first `count` count.
  package private(set) var storage: [UInt8] = []
  /// How many bytes of tokens there are.
  package private(set) var count = 0
  private(set) var places: [Place] = []
  private let keepsPlaces: Bool

  package init() {
    keepsPlaces = false
  }

  /// The tokens of one text, with their places.
  init(of text: Span<UInt8>) {
    keepsPlaces = true
    append(text)
  }

  /// A longer word is cut: what is that long is no word that anybody types.
  static let longest = 200

  package mutating func removeAll() {
    count = 0
    places.removeAll(keepingCapacity: true)
  }

  func bytes(of place: Place) -> ArraySlice<UInt8> { storage[place.token] }

  /// Bytes of one text that are searched: what comes behind them costs time and is no title, summary
  /// or post that anybody looks for.
  static let mostBytes = 1 << 16

  /// Adds the tokens of a text, up to `mostBytes` of it.
  package mutating func append(_ whole: Span<UInt8>) {
    let text = whole.extracting(first: SearchTokens.cut(whole))
    // A symbol of two bytes gives a pair and itself with their blanks: 2.5 times its length.
    let needed = count + 3 * text.count + 16
    if storage.count < needed {
      storage.append(contentsOf: repeatElement(0, count: needed * 2 - storage.count))
    }
    let places = unsafe text.withUnsafeBufferPointer { text in
      unsafe storage.withUnsafeMutableBufferPointer { storage in
        var cutter = unsafe TokenCutter(text, into: storage, at: count, keepsPlaces: keepsPlaces)
        cutter.cut()
        count = cutter.write
        return cutter.places
      }
    }
    if keepsPlaces { self.places += places }
  }
}

extension SearchTokens {
  /// The bytes of a text that count, up to the beginning of a character.
  private static func cut(_ text: Span<UInt8>) -> Int {
    guard text.count > mostBytes else { return text.count }
    var end = mostBytes
    while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }
}
