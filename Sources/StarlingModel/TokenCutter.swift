/// Cuts one text into its tokens.
///
/// It works on bare memory: every text of a load comes through here. Runs of ASCII letters go eight
/// bytes at a time, and pairs of ideographs as the six bytes that they are in the text.
@safe
struct TokenCutter {
  private let text: UnsafeBufferPointer<UInt8>
  private let size: Int
  private let target: UnsafeMutableBufferPointer<UInt8>
  private(set) var write: Int
  private let keepsPlaces: Bool
  private(set) var places: [SearchTokens.Place] = []
  /// Where the word that is being written begins, in the tokens and in the text; -1 outside of one.
  private var word = -1
  private var wordText = 0
  /// The character that waits for the next of its run; 0 for none, and `asWritten` for one that is
  /// its own token as the text has it.
  private var waiting: UInt32 = 0
  private var waitingText = 0
  private var waitingEnd = 0
  /// Where what was read last of the word ends.
  private var end = 0
  private static let asWritten: UInt32 = 0xFFFF_FFFF

  /// - Parameter target: has room from `write` on for three times the text and 16 bytes more.
  init(
    _ text: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>,
    at write: Int, keepsPlaces: Bool
  ) {
    unsafe self.text = unsafe text
    size = text.count
    unsafe self.target = unsafe target
    self.write = write
    self.keepsPlaces = keepsPlaces
  }

  mutating func cut() {
    var read = 0
    while read < size {
      let byte = unsafe text[read]
      if byte < 0x80 {
        if SearchLetter.isAlphanumeric(TextFold.lowered(byte)) {
          if word < 0 { beginWord(at: read) }
          read = copyLetters(from: read)
          end = read
        } else {
          finish()
          read += 1
        }
      } else if isIdeograph(at: read) {
        read = ideographs(from: read)
      } else {
        read = character(at: read)
      }
    }
    finish()
  }

  /// Copies ASCII letters and digits in small letters, and returns where they end.
  private mutating func copyLetters(from start: Int) -> Int {
    var read = start
    while read + 8 <= size {
      let bytes = unsafe UnsafeRawBufferPointer(text).loadUnaligned(
        fromByteOffset: read, as: UInt64.self)
      let (letters, length) = TextFold.letters(UInt64(littleEndian: bytes))
      unsafe UnsafeMutableRawBufferPointer(target).storeBytes(
        of: letters.littleEndian, toByteOffset: write, as: UInt64.self)
      write += length
      read += length
      if length < 8 { return read }
    }
    while read < size {
      let lower = unsafe TextFold.lowered(text[read])
      guard SearchLetter.isAlphanumeric(lower) else { break }
      unsafe target[write] = lower
      write += 1
      read += 1
    }
    return read
  }

  /// Whether one of U+4000 to U+9FFF stands there, whose three bytes are its token.
  private func isIdeograph(at read: Int) -> Bool {
    guard read + 3 <= size else { return false }
    return unsafe text[read] &- 0xE4 < 6 && text[read + 1] & 0xC0 == 0x80
      && text[read + 2] & 0xC0 == 0x80
  }

  /// Takes a run of ideographs, and returns where it ends.
  private mutating func ideographs(from start: Int) -> Int {
    if word >= 0 { finish() }
    if waiting != 0 { pair(scalar(at: start), until: start + 3) }
    var read = start + 3
    while isIdeograph(at: read) {
      let pair = write
      copy(6, from: read - 3)
      close(from: pair, read - 3..<read + 3, firstEnd: read, .pair)
      read += 3
    }
    waiting = TokenCutter.asWritten
    waitingText = read - 3
    waitingEnd = read
    return read
  }

  /// Takes what is no ASCII, and returns where it ends.
  private mutating func character(at start: Int) -> Int {
    var read = start
    let letter = next(&read)
    switch letter.role {
    case .separator: finish()
    case .ignored:
      end = read
      if waiting != 0 { waitingEnd = read }
    case .letter:
      if word < 0 { beginWord(at: start) }
      put(letter.first)
      if letter.second != 0 { put(UInt32(letter.second)) }
      end = read
    case .single:
      if word >= 0 { finish() }
      if waiting != 0 { pair(letter.first, until: read) }
      waiting = letter.first
      waitingText = start
      waitingEnd = read
    }
    return read
  }

  /// Reads what stands at `read`, which is not ASCII; a kana with its mark is one.
  private func next(_ read: inout Int) -> SearchLetter {
    let (scalar, length) = unsafe TextFold.decode(text.span, at: read)
    read += length
    guard scalar != TextFold.invalid else { return SearchLetter(.separator) }
    var letter = SearchLetter.of(scalar)
    // Marks have E3 82 99 or 9A, and in half width EF BE 9E or 9F.
    guard letter.first >= 0x3041, letter.first <= 0x30FD, read + 3 <= size,
      unsafe text[read] == 0xE3 || text[read] == 0xEF,
      unsafe text[read + 2] >= 0x99 && text[read + 2] <= 0x9F
    else { return letter }
    let mark = BaseLetters.withoutWidth(self.scalar(at: read))
    guard mark == BaseLetters.voicedMark || mark == BaseLetters.voicedMark + 1,
      let joined = BaseLetters.voiced(letter.first, mark: mark)
    else { return letter }
    letter.first = joined
    read += 3
    return letter
  }

  private func scalar(at read: Int) -> UInt32 {
    unsafe TextFold.decode(text.span, at: read).scalar
  }

  private mutating func beginWord(at read: Int) {
    if waiting != 0 { finish() }
    word = write
    wordText = read
  }

  /// Ends the word or the run that is open.
  private mutating func finish() {
    if word >= 0 {
      if write - word > SearchTokens.longest { cutLongWord() }
      close(from: word, wordText..<end, firstEnd: end, .word)
      word = -1
    } else if waiting != 0 {
      let start = write
      putWaiting()
      close(from: start, waitingText..<waitingEnd, firstEnd: waitingEnd, .last)
      waiting = 0
    }
  }

  private mutating func pair(_ second: UInt32, until end: Int) {
    let start = write
    putWaiting()
    put(second)
    close(from: start, waitingText..<end, firstEnd: waitingEnd, .pair)
  }

  private mutating func close(
    from start: Int, _ text: Range<Int>, firstEnd: Int, _ role: SearchTokens.Role
  ) {
    if keepsPlaces {
      places.append(
        SearchTokens.Place(token: start..<write, text: text, firstEnd: firstEnd, role: role))
    }
    unsafe target[write] = UInt8(ascii: " ")
    write += 1
  }

  private mutating func cutLongWord() {
    write = word + SearchTokens.longest
    while unsafe target[write] & 0xC0 == 0x80 { write -= 1 }
  }

  private mutating func putWaiting() {
    if waiting == TokenCutter.asWritten { copy(3, from: waitingText) } else { put(waiting) }
  }

  private mutating func copy(_ count: Int, from start: Int) {
    for offset in 0..<count { unsafe target[write + offset] = text[start + offset] }
    write += count
  }

  private mutating func put(_ scalar: UInt32) {
    if scalar < 0x80 {
      unsafe target[write] = UInt8(truncatingIfNeeded: scalar)
      write += 1
    } else {
      var span = unsafe target.mutableSpan
      write = TextFold.encode(scalar, into: &span, at: write)
    }
  }
}
