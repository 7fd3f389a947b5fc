/// What words mean: months, zones and halves of the day.
extension TimeReader {
  /// `am`, `p.m.` and their like: whether it is the second half, and where it ends.
  func half(at start: Int) -> (isLate: Bool, end: Int)? {
    let first = byte(start) | 0x20
    guard first == 0x61 || first == 0x70 else { return nil }
    let isPointed = byte(start + 1) == 0x2E
    let second = isPointed ? start + 2 : start + 1
    guard byte(second) | 0x20 == 0x6D, !URLReference.isLetter(byte(second + 1)) else { return nil }
    return (first == 0x70, isPointed && byte(second + 1) == 0x2E ? second + 2 : second + 1)
  }

  mutating func readWord() {
    if hour != nil, let half = half(at: at) {
      isAfternoon = half.isLate
      at = half.end
      return
    }
    let start = at
    var folded: UInt64 = 0
    var count = 0
    while let letter = nextLetter() {
      if count < 8 { folded = folded << 8 | UInt64(letter) }
      count += 1
    }
    guard at > start else { return readForeignWord() }
    // Longer words are cut to eight letters; all that matter differ in them.
    guard count >= 2 else {
      if folded == 0x7A, hour != nil, offset == nil { offset = 0 }
      return
    }
    take(word: folded, min(count, 8))
  }

  /// One ASCII letter in lower case; letters of Latin-1 lose their accents.
  private mutating func nextLetter() -> UInt8? {
    let first = byte(at)
    if URLReference.isLetter(first) {
      at += 1
      return first | 0x20
    }
    guard first == 0xC3, byte(at + 1) >= 0x80 else { return nil }
    let letter = TimeReader.latin[Int(byte(at + 1) & 0x1F)]
    guard letter != 0x20 else { return nil }
    at += 2
    return letter
  }

  /// U+00E0 to U+00FF, and likewise their capitals.
  private static let latin = Array("aaaaaaaceeeeiiii nooooo  uuuuy y".utf8)

  mutating func take(word: UInt64, _ count: Int) {
    if count == 2, word == 0x616D || word == 0x706D { return }
    if word == 0x74_68_61_6E_67 || word == 0x74_68_67 {
      expectsMonth = true
      return
    }
    let head = count >= 3 ? UInt32(truncatingIfNeeded: word >> UInt64(8 * (count - 3))) : 0
    if count >= 3, !hasNumericDate, let found = TimeNames.month(head, word, count) {
      month = found
    } else if hour != nil, offset == nil, count <= 5, let zone = TimeNames.zone(word) {
      offset = zone * 60
    }
  }

  /// A word of another script: months in Cyrillic and Greek, halves of the day in East Asia.
  private mutating func readForeignWord() {
    for (text, isLate) in TimeNames.halves where has(text, at: at) {
      isAfternoon = isLate
      isNight = TimeNames.nights.contains { has($0, at: at) }
      at += text.utf8CodeUnitCount
      return
    }
    let start = at
    while byte(at) >= 0x80 { at += 1 }
    if at == start {
      at += 1
      return
    }
    if !hasNumericDate, let found = foreignMonth(start, at) { month = found }
  }

  private func foreignMonth(_ start: Int, _ end: Int) -> Int? {
    guard end - start >= 6 else { return nil }
    var key: UInt64 = 0
    for place in stride(from: start, to: start + 6, by: 2) {
      key = key << 16 | TimeNames.lowered(byte(place), byte(place + 1))
    }
    return TimeNames.foreignMonth(key, isShort: end - start < 8 ? nil : byte(start + 7))
  }
}
