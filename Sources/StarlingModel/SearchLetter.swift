/// What a search makes of one scalar: its letters without case, width and accent, and how they
/// stand in a text.
///
/// A change here, or in what it builds on, changes the words that the index of a database has: it
/// needs a schema version of its own, whose migration makes the index again.
struct SearchLetter: BitwiseCopyable, Sendable {
  enum Role: UInt8, BitwiseCopyable, Sendable {
    /// Stands between words.
    case separator
    /// A letter or digit of a script that separates its words.
    case letter
    /// A character that may begin and end a word anywhere: an ideograph, kana, Hangul, Thai, or a
    /// symbol such as an emoji.
    case single
    /// Says nothing: an accent on its own, a soft hyphen, a joiner.
    case ignored
  }

  var first: UInt32
  /// 0 where there is no second.
  var second: UInt16
  var role: Role

  init(_ role: Role, _ first: UInt32 = 0, _ second: UInt32 = 0) {
    self.role = role
    self.first = first
    self.second = UInt16(truncatingIfNeeded: second)
  }

  /// What a scalar above U+007F is.
  @inline(__always)
  static func of(_ scalar: UInt32) -> SearchLetter {
    switch scalar {
    case 0x3400...0x9FFF, 0xAC00...0xD7A3, 0x3041...0x3096, 0x30A1...0x30FA:
      SearchLetter(.single, scalar)
    case 0x80..<0x800: short[Int(scalar) - 0x80]
    default: rare(scalar)
    }
  }

  private static func rare(_ scalar: UInt32) -> SearchLetter {
    switch scalar {
    case 0x1E00..<0x2000: extended[Int(scalar) - 0x1E00]
    // Punctuation, which is everywhere.
    case 0x2010...0x2027, 0x2030...0x205E, 0x3000...0x3003, 0x3008...0x3020:
      SearchLetter(.separator)
    case 0xFF00...0xFFEF: wide(scalar)
    default: make(scalar)
    }
  }

  /// U+0080 to U+07FF.
  private static let short = (UInt32(0x80)..<0x800).map { make($0) }
  /// U+1E00 to U+1FFF: Latin and Greek letters with accents.
  private static let extended = (UInt32(0x1E00)..<0x2000).map { make($0) }

  private static func wide(_ scalar: UInt32) -> SearchLetter {
    let plain = BaseLetters.withoutWidth(scalar)
    guard plain < 0x80 else { return plain == scalar ? make(scalar) : of(plain) }
    let byte = TextFold.lowered(UInt8(truncatingIfNeeded: plain))
    return isAlphanumeric(byte) ? SearchLetter(.letter, UInt32(byte)) : SearchLetter(.separator)
  }

  /// Whether a byte is an ASCII digit or small letter.
  @inline(__always)
  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
  }

  private static func make(_ scalar: UInt32) -> SearchLetter {
    guard let unicode = Unicode.Scalar(scalar) else { return SearchLetter(.separator) }
    let role = role(of: unicode)
    guard role == .letter || role == .single else { return SearchLetter(role) }
    let folded =
      scalar < 0x800
      ? UInt32(CaseFoldTable.short[Int(scalar) - 0x80]) : CaseFoldTable.fold(scalar)
    let base = BaseLetters.bases[folded] ?? (folded, 0)
    return SearchLetter(role, base.0, base.1)
  }

  private static func role(of scalar: Unicode.Scalar) -> Role {
    let properties = scalar.properties
    let category = properties.generalCategory
    // The Arabic stretching stroke is a letter by its category.
    if properties.isDefaultIgnorableCodePoint || scalar.value == 0x640 { return .ignored }
    if category == .nonspacingMark, isAccent(properties.canonicalCombiningClass.rawValue) {
      return .ignored
    }
    let isSymbol = [.otherSymbol, .currencySymbol, .mathSymbol, .otherNumber].contains(category)
    if TextSearch.isUnseparated(scalar.value) || isHangul(scalar.value) {
      return isSymbol || isLetter(category) ? .single : .separator
    }
    if TextSearch.joins(scalar.value) { return .letter }
    return isSymbol ? .single : .separator
  }

  /// Marks above, below and through letters, and the points of Hebrew, Arabic and Syriac, which
  /// are mostly left out. Not those that are letters of their own (nukta, virama, Thai vowels). The
  /// marks of kana have been joined with theirs before.
  private static func isAccent(_ combiningClass: UInt8) -> Bool {
    combiningClass >= 200 || (10...36).contains(combiningClass) || [1, 8].contains(combiningClass)
  }

  private static func isLetter(_ category: Unicode.GeneralCategory) -> Bool {
    switch category {
    case .otherLetter, .modifierLetter, .uppercaseLetter, .lowercaseLetter, .titlecaseLetter,
      .nonspacingMark, .spacingMark, .decimalNumber, .letterNumber:
      true
    default: false
    }
  }

  /// Korean words carry their particles with them, so they are found by any of their characters.
  private static func isHangul(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x11FF, 0x3130...0x318F, 0xA960...0xA97F, 0xAC00...0xD7FF: true
    default: false
    }
  }
}
