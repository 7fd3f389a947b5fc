/// What words mean: months, zones and halves of the day.
extension TimeReader {
  /// `am`, `p.m.` and their like: whether it is the second half, and where it ends.
  func halfMark(at start: Int) -> (isLate: Bool, end: Int)? {
    let first = byte(start) | 0x20
    guard first == 0x61 || first == 0x70 else { return nil }
    let isPointed = byte(start + 1) == 0x2E
    var second = isPointed ? start + 2 : start + 1
    if isPointed, byte(second) == 0x20 { second += 1 }
    guard byte(second) | 0x20 == 0x6D, !URLReference.isLetter(byte(second + 1)) else { return nil }
    return (first == 0x70, isPointed && byte(second + 1) == 0x2E ? second + 2 : second + 1)
  }

  mutating func readWord() {
    if hour != nil, let found = halfMark(at: at) {
      half = found.isLate ? .late : .early
      at = found.end
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
    if hour != nil, offset == nil, byte(at) == 0x2F, URLReference.isLetter(byte(at + 1)) {
      return readZonePath(folded, count)
    }
    if !take(word: folded, min(count, 8)) { noteZone(start, count) }
  }

  /// A zone by its name in the database of IANA, such as `Europe/Paris`. Those that are not UTC's
  /// own are not known: their rules change, and no feed makes us read a file.
  private mutating func readZonePath(_ first: UInt64, _ count: Int) {
    let rest = at + 1
    while isZoneByte(byte(at)) { at += 1 }
    if count <= 5, let zone = TimeNames.zone(first) {
      offset = zone * 60
    } else if first == 0x65_74_63, let zone = fixedZone(rest) {
      offset = zone
    } else {
      isZoneUnknown = true
    }
  }

  private func isZoneByte(_ byte: UInt8) -> Bool {
    URLReference.isLetter(byte) || URLReference.isDigit(byte) || byte == 0x2F || byte == 0x5F
      || byte == 0x2B || byte == 0x2D
  }

  /// `UTC`, `GMT`, and `GMT+5`, which lies west of Greenwich in that database.
  private func fixedZone(_ start: Int) -> Int? {
    let sign = byte(start + 3)
    if has("GMT", at: start), sign == 0x2B || sign == 0x2D, URLReference.isDigit(byte(start + 4)) {
      let isLong = URLReference.isDigit(byte(start + 5))
      let hours = part(start + 4, isLong ? 2 : 1)
      return hours <= 14 ? hours * (sign == 0x2B ? -3600 : 3600) : nil
    }
    let zero: [StaticString] = ["UTC", "UCT", "GMT", "Greenwich", "Universal", "Zulu"]
    return zero.contains { has($0, at: start) } ? 0 : nil
  }

  /// Three to five capitals behind a time of day are a zone.
  private mutating func noteZone(_ start: Int, _ count: Int) {
    guard hour != nil, offset == nil, half == nil, (3...5).contains(count), at - start == count
    else { return }
    for place in start..<at where byte(place) & 0x20 != 0 { return }
    isZoneUnknown = true
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

  /// Takes a word for what it is; false for one that means nothing.
  mutating func take(word: UInt64, _ count: Int) -> Bool {
    if count == 2, word == 0x616D || word == 0x706D { return true }
    if word == 0x74_68_61_6E_67 || word == 0x74_68_67 {
      expectsMonth = true
      return true
    }
    let head = count >= 3 ? UInt32(truncatingIfNeeded: word >> UInt64(8 * (count - 3))) : 0
    if count >= 3, !hasNumericDate, let found = TimeNames.month(head, word, count) {
      month = found
    } else if hour != nil, offset == nil, count <= 5, let zone = TimeNames.zone(word) {
      offset = zone * 60
    } else {
      return TimeNames.isWeekday(head)
    }
    return true
  }

  /// A word of another script: months in Cyrillic and Greek, halves of the day in East Asia.
  private mutating func readForeignWord() {
    for (text, found) in TimeNames.halves where has(text, at: at) {
      half = found
      at += text.utf8CodeUnitCount
      return
    }
    for (text, zone) in TimeNames.writtenZones where offset == nil && has(text, at: at) {
      offset = zone * 60
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
