import StarlingModel

/// Text of feeds and plugins made safe for a terminal, and laid out in lines.
package enum TerminalText {
  /// The text in one line: blanks and line ends folded to one blank, all that could move the cursor
  /// or turn the direction of writing shown as `\u{1B}`.
  package static func line(_ text: String) -> String {
    if isPlain(text) { return text }
    var result = ""
    var blankIsDue = false
    for (scalar, isHidden) in Shown(text) {
      if isBlank(scalar) {
        blankIsDue = !result.isEmpty
        continue
      }
      if blankIsDue { result.append(" ") }
      blankIsDue = false
      append(scalar, isHidden, to: &result)
    }
    return result
  }

  /// The text with its line ends kept and all else that could do harm shown as `\u{1B}`; tabs
  /// become blanks.
  package static func block(_ text: String) -> String {
    var result = ""
    for (scalar, isHidden) in Shown(text) {
      switch scalar {
      case "\n": result.unicodeScalars.append(scalar)
      case "\t": result.append(" ")
      case "\r": continue
      default: append(scalar, isHidden, to: &result)
      }
    }
    return result
  }

  /// The text with its line ends and tabs kept and all else that could do harm shown as `\u{1B}`.
  ///
  /// - Parameter known: how many scalars at its front were shown before, and are not again.
  static func stream(_ text: String, after known: Int = 0) -> String {
    var result = ""
    for (scalar, isHidden) in Shown(text).dropFirst(known) {
      if scalar == "\n" || scalar == "\t" {
        result.unicodeScalars.append(scalar)
      } else {
        append(scalar, isHidden, to: &result)
      }
    }
    return result
  }

  /// ASCII that is in one line already, with single blanks between words.
  private static func isPlain(_ text: String) -> Bool {
    var before = UInt8(ascii: " ")
    for byte in text.utf8 {
      guard byte >= 0x20, byte < 0x7F, byte != 0x20 || before != 0x20 else { return false }
      before = byte
    }
    return before != 0x20 || text.isEmpty
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20, 0x09...0x0D, 0x85, 0xA0, 0x2028, 0x2029: true
    default: false
    }
  }

  /// The text as a Lua constant in quotes, in one line: ends of line, tabs and what could do harm are
  /// escaped.
  package static func quoted(_ text: String) -> String {
    var result = "\""
    for (scalar, isHidden) in Shown(text) {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      default: append(scalar, isHidden, to: &result)
      }
    }
    result += "\""
    return result
  }

  // To a String: a view of scalars makes room anew for each text that is added to it.
  private static func append(
    _ scalar: Unicode.Scalar, _ isHidden: Bool, to result: inout String
  ) {
    guard isHidden else {
      result.unicodeScalars.append(scalar)
      return
    }
    result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
  }

  /// The text in lines of at most `width` columns, broken at blanks, and at any wide character;
  /// a longer word (a link) has a line of its own and is never broken.
  package static func wrapped(_ text: String, to width: Int?) -> [String] {
    let paragraphs = block(text).split(separator: "\n", omittingEmptySubsequences: false)
    guard let width else { return paragraphs.map(String.init) }
    return paragraphs.flatMap { wrap($0, to: max(1, width)) }
  }

  private static func wrap(_ paragraph: Substring, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var columns = 0
    for (piece, size, spaces) in pieces(of: paragraph) {
      let gap = line.isEmpty ? 0 : spaces
      if !line.isEmpty, columns + gap + size > width {
        lines.append(line)
        (line, columns) = (String(piece), size)
      } else {
        line += String(repeating: " ", count: gap) + piece
        columns += gap + size
      }
    }
    lines.append(line)
    return lines
  }

  /// What must not be broken: words, and wide characters one by one, each with its columns and the
  /// blanks before it.
  private static func pieces(
    of text: Substring
  ) -> [(piece: Substring, size: Int, spaces: Int)] {
    var result: [(piece: Substring, size: Int, spaces: Int)] = []
    var spaces = 0
    var start: Substring.Index?
    var size = 0
    func close(_ end: Substring.Index) {
      if let begin = start { result.append((text[begin..<end], size, spaces)) }
      if start != nil { spaces = 0 }
      (start, size) = (nil, 0)
    }
    for index in text.indices {
      if text[index] == " " {
        close(index)
        spaces += 1
        continue
      }
      let columns = DisplayWidth.width(of: text[index])
      if columns > 1 { close(index) }
      if start == nil { start = index }
      size += columns
      if columns > 1 { close(text.index(after: index)) }
    }
    close(text.endIndex)
    return result
  }
}

/// The scalars of a text, each with whether it is to be shown by its number.
private struct Shown: Sequence, IteratorProtocol {
  private var scalars: String.UnicodeScalarView.Iterator
  private let hidden: Set<Int>
  private var place = 0

  init(_ text: String) {
    let scalars = text.unicodeScalars
    self.scalars = scalars.makeIterator()
    let isSimple = !scalars.contains { HiddenCharacter.dependsOnPlace($0.value) }
    hidden = isSimple ? [] : HiddenCharacter.places(in: scalars)
  }

  mutating func next() -> (scalar: Unicode.Scalar, isHidden: Bool)? {
    guard let scalar = scalars.next() else { return nil }
    defer { place += 1 }
    let isHidden = HiddenCharacter.isAlways(scalar.value) || hidden.contains(place)
    return (scalar, isHidden)
  }
}
