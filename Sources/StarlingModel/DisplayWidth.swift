/// How many columns of a terminal a text takes.
///
/// Counted by what a person sees as one character: East Asian wide and full-width characters and
/// emoji take two columns, combining marks and format characters none, everything else one
/// (Unicode Standard Annex 11). Control characters take none; they are to be escaped before.
package enum DisplayWidth {
  /// The columns of a text in one line.
  package static func width(of text: String) -> Int {
    var width = 0
    for scalar in text.unicodeScalars {
      guard let columns = lonely(scalar.value) else {
        return text.reduce(0) { $0 + DisplayWidth.width(of: $1) }
      }
      width += columns
    }
    return width
  }

  /// The columns of a scalar that never joins its neighbors into one character: Latin letters and
  /// signs, kana, ideographs, Hangul syllables. Nil for all others.
  private static func lonely(_ value: UInt32) -> Int? {
    switch value {
    case 0x20...0x7E, 0xA0...0xA8, 0xAA...0xAC, 0xAF...0x2FF, 0x2010...0x2027: 1
    case 0x3001...0x3029, 0x3041...0x3096, 0x309B...0x3247, 0x3400...0x4DBF, 0x4E00...0xA48C,
      0xAC00...0xD7A3, 0xFF01...0xFF60:
      2
    default: nil
    }
  }

  /// The columns of one character.
  package static func width(of character: Character) -> Int {
    var width = 0
    var regionalIndicators = 0
    for scalar in character.unicodeScalars {
      // The emoji variation selector makes a text sign an emoji.
      if scalar.value == 0xFE0F, width == 1 { return 2 }
      if (0x1F1E6...0x1F1FF).contains(scalar.value) { regionalIndicators += 1 }
      width = max(width, DisplayWidth.width(of: scalar))
    }
    return regionalIndicators == 2 ? 2 : width
  }

  /// The text cut to at most `limit` columns, the last of them an ellipsis where it was cut.
  package static func cut(_ text: String, to limit: Int) -> String {
    guard limit > 0 else { return "" }
    var columns = 0
    // Where the text ends if it has to be cut: the ellipsis takes a column.
    var end = text.startIndex
    for index in text.indices {
      columns += width(of: text[index])
      if columns > limit { return String(text[..<end]) + "…" }
      if columns <= limit - 1 { end = text.index(after: index) }
    }
    return text
  }

  /// The text cut to at most `limit` columns, with an ellipsis in place of its middle.
  package static func cutMiddle(_ text: String, to limit: Int) -> String {
    guard limit > 0 else { return "" }
    if width(of: text) <= limit { return text }
    var room = (limit - 1) / 2
    var end = text.startIndex
    while end < text.endIndex, width(of: text[end]) <= room {
      room -= width(of: text[end])
      end = text.index(after: end)
    }
    room = limit - 1 - (limit - 1) / 2
    var start = text.endIndex
    while start > end {
      let before = text.index(before: start)
      guard width(of: text[before]) <= room else { break }
      room -= width(of: text[before])
      start = before
    }
    return text[..<end] + "…" + text[start...]
  }

  /// The text cut and filled with blanks to exactly `width` columns.
  package static func pad(_ text: String, to width: Int, alignedRight: Bool = false) -> String {
    let text = cut(text, to: width)
    let blanks = String(repeating: " ", count: max(0, width - DisplayWidth.width(of: text)))
    return alignedRight ? blanks + text : text + blanks
  }

  private static func width(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 {
      return value < 0x20 || (0x7F...0x9F).contains(value) || value == 0xAD ? 0 : 1
    }
    if isWide(value) { return 2 }
    // Medial vowels and final consonants join the syllable before them.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .lineSeparator, .paragraphSeparator: return 0
    default: return 1
    }
  }

  private static func isWide(_ value: UInt32) -> Bool {
    guard value >= 0x1100 else { return false }
    var low = 0
    var high = wide.count / 2
    while low < high {
      let middle = (low + high) / 2
      if wide[middle * 2 + 1] < value { low = middle + 1 } else { high = middle }
    }
    return low * 2 < wide.count && wide[low * 2] <= value
  }

  /// First and last of the ranges that EastAsianWidth.txt has as W or F, marks left out, with the
  /// unassigned places among them (new characters there are wide too).
  private static let wide: [UInt32] = [
    0x1100, 0x115F, 0x231A, 0x231B, 0x2329, 0x232A, 0x23E9, 0x23EC, 0x23F0, 0x23F0,
    0x23F3, 0x23F3, 0x25FD, 0x25FE, 0x2614, 0x2615, 0x2648, 0x2653, 0x267F, 0x267F,
    0x2693, 0x2693, 0x26A1, 0x26A1, 0x26AA, 0x26AB, 0x26BD, 0x26BE, 0x26C4, 0x26C5,
    0x26CE, 0x26CE, 0x26D4, 0x26D4, 0x26EA, 0x26EA, 0x26F2, 0x26F3, 0x26F5, 0x26F5,
    0x26FA, 0x26FA, 0x26FD, 0x26FD, 0x2705, 0x2705, 0x270A, 0x270B, 0x2728, 0x2728,
    0x274C, 0x274C, 0x274E, 0x274E, 0x2753, 0x2755, 0x2757, 0x2757, 0x2795, 0x2797,
    0x27B0, 0x27B0, 0x27BF, 0x27BF, 0x2B1B, 0x2B1C, 0x2B50, 0x2B50, 0x2B55, 0x2B55,
    0x2E80, 0x3029, 0x302E, 0x303E, 0x3041, 0x3096, 0x309B, 0x3247, 0x3250, 0x4DBF,
    0x4E00, 0xA4C6, 0xA960, 0xA97C, 0xAC00, 0xD7A3, 0xF900, 0xFAFF, 0xFE10, 0xFE19,
    0xFE30, 0xFE6B, 0xFF01, 0xFF60, 0xFFE0, 0xFFE6, 0x16FE0, 0x18D08, 0x1AFF0, 0x1B2FB,
    0x1F004, 0x1F004, 0x1F0CF, 0x1F0CF, 0x1F18E, 0x1F18E, 0x1F191, 0x1F19A, 0x1F200, 0x1F265,
    0x1F300, 0x1F320, 0x1F32D, 0x1F335, 0x1F337, 0x1F37C, 0x1F37E, 0x1F393, 0x1F3A0, 0x1F3CA,
    0x1F3CF, 0x1F3D3, 0x1F3E0, 0x1F3F0, 0x1F3F4, 0x1F3F4, 0x1F3F8, 0x1F43E, 0x1F440, 0x1F440,
    0x1F442, 0x1F4FC, 0x1F4FF, 0x1F53D, 0x1F54B, 0x1F54E, 0x1F550, 0x1F567, 0x1F57A, 0x1F57A,
    0x1F595, 0x1F596, 0x1F5A4, 0x1F5A4, 0x1F5FB, 0x1F64F, 0x1F680, 0x1F6C5, 0x1F6CC, 0x1F6CC,
    0x1F6D0, 0x1F6D2, 0x1F6D5, 0x1F6DF, 0x1F6EB, 0x1F6EC, 0x1F6F4, 0x1F6FC, 0x1F7E0, 0x1F7F0,
    0x1F90C, 0x1F93A, 0x1F93C, 0x1F945, 0x1F947, 0x1F9FF, 0x1FA70, 0x1FAFF, 0x20000, 0x3FFFD,
  ]
}
