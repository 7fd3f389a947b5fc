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
    var cutter = Cutter(write: count, keepsPlaces: keepsPlaces)
    var target = storage.mutableSpan
    cutter.cut(text, &target)
    count = cutter.write
    if keepsPlaces { places += cutter.places }
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

/// Goes through one text.
private struct Cutter {
  var write: Int
  let keepsPlaces: Bool
  var places: [SearchTokens.Place] = []
  /// Where the word that is being written begins, in the tokens and in the text; -1 outside of one.
  private var word = -1
  private var wordText = 0
  /// The character that waits for the next of its run; 0 for none.
  private var waiting: UInt32 = 0
  private var waitingText = 0
  private var waitingEnd = 0
  /// Where what was read last of the word ends.
  private var end = 0

  init(write: Int, keepsPlaces: Bool) {
    self.write = write
    self.keepsPlaces = keepsPlaces
  }

  mutating func cut(_ text: Span<UInt8>, _ target: inout MutableSpan<UInt8>) {
    var read = 0
    while read < text.count {
      let byte = text[read]
      guard byte >= 0x80 else {
        let lower = TextFold.lowered(byte)
        if SearchLetter.isAlphanumeric(lower) {
          if word < 0 { beginWord(at: read, &target) }
          target[write] = lower
          write += 1
          read += 1
          end = read
        } else {
          finish(&target)
          read += 1
        }
        continue
      }
      let start = read
      let letter = next(text, &read)
      switch letter.role {
      case .separator: finish(&target)
      case .ignored:
        end = read
        if waiting != 0 { waitingEnd = read }
      case .letter:
        if word < 0 { beginWord(at: start, &target) }
        put(letter.first, &target)
        if letter.second != 0 { put(UInt32(letter.second), &target) }
        end = read
      case .single:
        if word >= 0 { finish(&target) }
        if waiting != 0 { pair(letter.first, until: read, &target) }
        waiting = letter.first
        waitingText = start
        waitingEnd = read
      }
    }
    finish(&target)
  }

  /// Reads what stands at `read`, which is not ASCII; a kana with its mark is one.
  @inline(__always)
  private func next(_ text: Span<UInt8>, _ read: inout Int) -> SearchLetter {
    let (scalar, length) = TextFold.decode(text, at: read)
    read += length
    guard scalar != TextFold.invalid else { return SearchLetter(.separator) }
    var letter = SearchLetter.of(scalar)
    // Marks have E3 82 99 or 9A, and in half width EF BE 9E or 9F.
    guard letter.first >= 0x3041, letter.first <= 0x30FD, read + 3 <= text.count,
      text[read] == 0xE3 || text[read] == 0xEF, text[read + 2] >= 0x99, text[read + 2] <= 0x9F
    else { return letter }
    let mark = BaseLetters.withoutWidth(TextFold.decode(text, at: read).scalar)
    guard mark == BaseLetters.voicedMark || mark == BaseLetters.voicedMark + 1,
      let joined = BaseLetters.voiced(letter.first, mark: mark)
    else { return letter }
    letter.first = joined
    read += 3
    return letter
  }

  private mutating func beginWord(at read: Int, _ target: inout MutableSpan<UInt8>) {
    if waiting != 0 { finish(&target) }
    word = write
    wordText = read
  }

  /// Ends the word or the run that is open.
  private mutating func finish(_ target: inout MutableSpan<UInt8>) {
    if word >= 0 {
      cutLongWord(target)
      close(from: word, wordText..<end, firstEnd: end, .word, &target)
      word = -1
    } else if waiting != 0 {
      let start = write
      put(waiting, &target)
      close(from: start, waitingText..<waitingEnd, firstEnd: waitingEnd, .last, &target)
      waiting = 0
    }
  }

  private mutating func pair(_ second: UInt32, until end: Int, _ target: inout MutableSpan<UInt8>) {
    let start = write
    put(waiting, &target)
    put(second, &target)
    close(from: start, waitingText..<end, firstEnd: waitingEnd, .pair, &target)
  }

  private mutating func close(
    from start: Int, _ text: Range<Int>, firstEnd: Int, _ role: SearchTokens.Role,
    _ target: inout MutableSpan<UInt8>
  ) {
    if keepsPlaces {
      places.append(
        SearchTokens.Place(token: start..<write, text: text, firstEnd: firstEnd, role: role))
    }
    target[write] = UInt8(ascii: " ")
    write += 1
  }

  private mutating func cutLongWord(_ target: borrowing MutableSpan<UInt8>) {
    guard write - word > SearchTokens.longest else { return }
    write = word + SearchTokens.longest
    while target[write] & 0xC0 == 0x80 { write -= 1 }
  }

  @inline(__always)
  private mutating func put(_ scalar: UInt32, _ target: inout MutableSpan<UInt8>) {
    if scalar < 0x80 {
      target[write] = UInt8(truncatingIfNeeded: scalar)
      write += 1
    } else {
      write = TextFold.encode(scalar, into: &target, at: write)
    }
  }
}
