/// Characters that a reader does not see, and that a terminal obeys or swallows.
///
/// What belongs to the writing of a language or to an emoji is kept where it stands as Unicode
/// says, and nowhere else: texts that look the same must not differ unseen (Unicode Technical Report
/// 36, 2.10 and 3.7).
package enum HiddenCharacter {
  /// Whether a scalar is hidden wherever it stands: controls (Cc), Bidi_Control (Unicode Standard
  /// Annex 9, 2), ends of line, and what is Default_Ignorable_Code_Point without being part of
  /// another character.
  package static func isAlways(_ value: UInt32) -> Bool {
    if value < 0x61C { return value < 0x20 || value >= 0x7F && value < 0xA0 }
    return switch value {
    case 0x61C, 0x17B4, 0x17B5, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0x3164,
      0xFEFF, 0xFFA0, 0xFFF0...0xFFFB, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE001F,
      0xE0080...0xE00FF, 0xE01F0...0xE0FFF:
      true
    default: false
    }
  }

  /// Whether it depends on its neighbors.
  package static func dependsOnPlace(_ value: UInt32) -> Bool {
    if value < 0x34F { return false }
    return switch value {
    case 0x34F, 0x115F, 0x1160, 0x180B...0x180F, 0x200C, 0x200D, 0xFE00...0xFE0F,
      0xE0020...0xE007F, 0xE0100...0xE01EF:
      true
    default: false
    }
  }

  /// The places of those that depend on their neighbors and stand where they do nothing.
  package static func places(in text: some Sequence<Unicode.Scalar>) -> Set<Int> {
    let scalars = Array(text)
    var places: Set<Int> = []
    for (place, scalar) in scalars.enumerated() where dependsOnPlace(scalar.value) {
      if !Neighbors(scalars: scalars, place: place).keep { places.insert(place) }
    }
    return places
  }
}

/// A scalar among its neighbors.
private struct Neighbors {
  let scalars: [Unicode.Scalar]
  let place: Int

  var keep: Bool {
    switch scalars[place].value {
    case 0x200C: isAtVirama || joinsLetters
    case 0x200D: joinsEmoji || isAtVirama || touchesJoiningLetter
    case 0xFE0E, 0xFE0F: before?.properties.isEmoji == true
    case 0xFE00...0xFE0D: before.map(Neighbors.isBase) ?? false
    case 0x180B...0x180D, 0x180F: before.map(Neighbors.isMongolian) ?? false
    case 0x180E:
      before.map(Neighbors.isMongolian) ?? false && after.map(Neighbors.isMongolian) ?? false
    case 0xE0100...0xE01EF: before?.properties.isIdeographic == true
    case 0xE0020...0xE007F: isInFlag
    case 0x34F: after.map { $0.properties.canonicalCombiningClass.rawValue > 0 } ?? false
    default: before.map(Neighbors.isJamo) ?? false || after.map(Neighbors.isJamo) ?? false
    }
  }

  private var before: Unicode.Scalar? { place > 0 ? scalars[place - 1] : nil }
  private var after: Unicode.Scalar? { place + 1 < scalars.count ? scalars[place + 1] : nil }

  // MARK: Joiners

  /// Between two emoji (Unicode Technical Standard 51, ED-15 and ED-16), the first of which may have
  /// a variation selector or a modifier behind it.
  private var joinsEmoji: Bool {
    guard let after, Neighbors.isEmoji(after) else { return false }
    var index = place - 1
    while index > 0, scalars[index].value == 0xFE0F || scalars[index].properties.isEmojiModifier {
      index -= 1
    }
    return index >= 0 && Neighbors.isEmoji(scalars[index])
  }

  /// The digits, too, are emoji as Unicode has them, for keycaps.
  private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value > 0xFF && scalar.properties.isEmoji
  }

  /// Behind a virama (RFC 5892, A.1 and A.2), or between a letter and one, as Bengali has it (The
  /// Unicode Standard, 12.2).
  private var isAtVirama: Bool {
    if before?.properties.canonicalCombiningClass == .virama { return true }
    guard let before, before.properties.isAlphabetic else { return false }
    return after?.properties.canonicalCombiningClass == .virama
  }

  /// Between two letters of a script whose letters join (RFC 5892, A.1).
  private var joinsLetters: Bool {
    Neighbors.isJoining(letter(from: place, by: -1))
      && Neighbors.isJoining(letter(from: place, by: 1))
  }

  /// Beside such a letter, which has its joining form there.
  private var touchesJoiningLetter: Bool {
    Neighbors.isJoining(letter(from: place, by: -1))
      || Neighbors.isJoining(letter(from: place, by: 1))
  }

  /// The next scalar on one side that is no mark, which letters join across.
  private func letter(from place: Int, by step: Int) -> Unicode.Scalar? {
    var index = place + step
    while scalars.indices.contains(index) {
      let scalar = scalars[index]
      if scalar.properties.generalCategory != .nonspacingMark { return scalar }
      index += step
    }
    return nil
  }

  /// Whether it is a letter of a script with joining letters (ArabicShaping.txt).
  private static func isJoining(_ scalar: Unicode.Scalar?) -> Bool {
    guard let scalar else { return false }
    return switch scalar.value {
    case 0x620...0x6FF, 0x710...0x72F, 0x74D...0x77F, 0x7CA...0x7EA, 0x840...0x858,
      0x860...0x86A, 0x870...0x8C9, 0x1807...0x18AA, 0xA840...0xA871, 0x10AC0...0x10AE4,
      0x10B80...0x10BAE, 0x10D00...0x10D23, 0x10F30...0x10F81, 0x10FB0...0x10FCB,
      0x1E900...0x1E943:
      scalar.properties.isAlphabetic
    default: false
    }
  }

  // MARK: What belongs to the character before it

  /// A variation sequence is one base and one selector (The Unicode Standard, 23.4).
  private static func isBase(_ scalar: Unicode.Scalar) -> Bool {
    if HiddenCharacter.isAlways(scalar.value) || HiddenCharacter.dependsOnPlace(scalar.value) {
      return false
    }
    return scalar.value > 0x7F && !scalar.properties.isWhitespace
  }

  private static func isMongolian(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0x1807 || (0x1820...0x18AA).contains(scalar.value)
  }

  /// A part of a Hangul syllable that is seen.
  private static func isJamo(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x115F, 0x1160: false
    case 0x1100...0x11FF, 0xA960...0xA97C, 0xD7B0...0xD7FB: true
    default: false
    }
  }

  /// In a tag sequence of the black flag (Unicode Technical Standard 51, ED-14a and annex C), which is
  /// the only one with a meaning: the code of a region in letters and digits, and the tag that ends it.
  private var isInFlag: Bool {
    var first = place
    while first > 0, Neighbors.isTag(scalars[first - 1]) { first -= 1 }
    guard first > 0, scalars[first - 1].value == 0x1F3F4 else { return false }
    guard let end = scalars[first...].firstIndex(where: { $0.value == 0xE007F }), place <= end
    else { return false }
    return (3...7).contains(end - first)
      && scalars[first..<end].allSatisfy {
        (0xE0030...0xE0039).contains($0.value) || (0xE0061...0xE007A).contains($0.value)
      }
  }

  private static func isTag(_ scalar: Unicode.Scalar) -> Bool {
    (0xE0020...0xE007F).contains(scalar.value)
  }
}
