/// What a person typed to find: words that must all be there, in any order.
///
/// Case, width and accents do not count, in any script. Of what is written without blanks
/// (Chinese, Japanese, Korean, Thai) any characters in a row are found; of other scripts whole
/// words. What is typed in double quotes, without a blank (`EV电池`) or with what joins the parts of a
/// name (`wi-fi`, `node.js`, `@ann`) must stand side by side; `*` after a word stands for any end of
/// it. Other punctuation parts words as a blank does (`电池、技术`, `cars/types`).
public struct WordSearch: Hashable, Sendable {
  /// Tokens that stand side by side; see `SearchTokens`.
  struct Phrase: Hashable, Sendable {
    var tokens: [[UInt8]]
    /// Whether the last token is only the beginning of one.
    var isOpen: Bool
    /// Whether the last token is one character, of which any pair may begin.
    var endsInSingle: Bool
  }

  let phrases: [Phrase]

  /// More words than these are not looked for, and nothing beyond these bytes.
  static let mostTokens = 200
  private static let mostBytes = 32 << 10

  public init(_ text: String) {
    var phrases: [Phrase] = []
    var left = WordSearch.mostTokens
    let read = String(decoding: text.utf8.prefix(WordSearch.mostBytes), as: UTF8.self)
    for piece in WordSearch.pieces(of: read) where left > 0 {
      guard let phrase = Phrase(piece, atMost: left), !phrases.contains(phrase) else { continue }
      left -= phrase.tokens.count
      phrases.append(phrase)
    }
    self.phrases = phrases
  }

  /// Whether there is no word in the text, so that it finds nothing.
  public var isEmpty: Bool { phrases.isEmpty }

  /// The search as FTS5 asks it (SQLite: FTS5, "Full-text Query Syntax"). Tokens have letters and
  /// digits alone, so nothing that a person types reaches the syntax.
  package var expression: String {
    phrases.map { phrase in
      let words = phrase.tokens.map { String(decoding: $0, as: UTF8.self) }
      return "\"" + words.joined(separator: " ") + "\"" + (phrase.isOpen ? " *" : "")
    }.joined(separator: " AND ")
  }

  /// Punctuation within names and numbers.
  private static let joiners = "-‐‑_.'’@&#%*·．＿＇＠＆＃％－"

  /// Whether what stands before and after a character are words of their own.
  private static func parts(_ character: Character) -> Bool {
    if character.isWhitespace { return true }
    // Of one scalar: an emoji of several may begin with a mark such as `#`.
    guard character.isPunctuation || "|<>=~^".contains(character) else { return false }
    return character.unicodeScalars.count == 1 && !joiners.contains(character)
  }

  /// The pieces that each make a phrase: between blanks and punctuation, or between quotes.
  private static func pieces(of text: String) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var piece: [UInt8] = []
    var isQuoted = false
    func finish() {
      if !piece.isEmpty { pieces.append(piece) }
      piece.removeAll()
    }
    for character in text {
      if "\"“”„«»".contains(character) {
        finish()
        isQuoted.toggle()
      } else if !isQuoted, parts(character) {
        finish()
      } else {
        piece += character.utf8
      }
    }
    finish()
    return pieces
  }
}

extension WordSearch.Phrase {
  fileprivate init?(_ piece: [UInt8], atMost limit: Int) {
    let cut = SearchTokens(of: piece.span)
    var places = cut.places[...]
    guard let last = places.last else { return nil }
    isOpen = piece.last == UInt8(ascii: "*") && last.role == .word
    endsInSingle = false
    if last.role == .last {
      if places.count > 1, places[places.endIndex - 2].role == .pair {
        // The pair before says it, and more may follow in the text.
        places.removeLast()
      } else {
        isOpen = true
        endsInSingle = true
      }
    }
    if places.count > limit {
      places = places.prefix(limit)
      isOpen = false
      endsInSingle = false
    }
    tokens = places.map { Array(cut.bytes(of: $0)) }
  }
}
